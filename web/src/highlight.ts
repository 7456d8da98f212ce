// YAML in colours: pieces of text in elements with a class, one list item per line.
import './highlight.css';
import { h } from './dom';

// Tried in this order where a word may begin.
const kinds: [string, RegExp][] = [
  ['comment', /#.*$/y],
  ['key', /(?:"[^"]*"|[A-Za-z_<][\w.<-]*)(?=\s*:(?:\s|$))/y],
  ['text', /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/y],
  ['anchor', /[&*!][\w.-]+/y],
  ['number', /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?%?(?=[\s,}\]]|$)/y],
  ['word', /(?:true|false|null|yes|no)(?=[\s,}\]]|$)/y],
];

function pieceAt(text: string, at: number): { kind: string; piece: string } | null {
  for (const [kind, pattern] of kinds) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return { kind, piece: match[0] };
  }
  return null;
}

function line(text: string): HTMLElement {
  const out = h('li');
  let plain = '';
  for (let at = 0; at < text.length; ) {
    const found = at === 0 || ' \t{,['.includes(text[at - 1]!) ? pieceAt(text, at) : null;
    if (!found) {
      plain += text[at++];
      continue;
    }
    out.append(plain, h('span', { class: `yaml-${found.kind}` }, found.piece));
    plain = '';
    at += found.piece.length;
  }
  out.append(plain || (text ? '' : '\u200b')); // an empty line keeps its height
  return out;
}

export function highlight(yaml: string): HTMLElement {
  const lines = yaml.replace(/\r?\n$/, '').split(/\r?\n/);
  return h('pre', { class: 'yaml', tabindex: 0, 'aria-label': 'Text of the model' }, h('ol', {}, ...lines.map(line)));
}
