// Everything that is needed to get the same numbers again.
import type { Page, Result } from '../data';
import { download, h } from '../dom';
import { highlight } from '../highlight';
import { methodWords, when } from '../words';
import './reproduce.css';

const longModel = 150; // lines: more are folded away

function copyButton(text: string, what: string): HTMLElement {
  const button = h('button', { class: 'quiet no-print', type: 'button', 'aria-label': `Copy ${what}`, 'data-copy': what }, 'Copy');
  const done = (word: string) => {
    button.textContent = word;
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  };
  button.addEventListener('click', () => {
    copy(text).then(
      () => done('Copied'),
      () => done('Cannot copy'),
    );
  });
  return button;
}

// Pages opened from a file may lack the clipboard: then by way of a selection.
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) {
    try {
      return await navigator.clipboard.writeText(text);
    } catch {
      // not allowed here
    }
  }
  const area = h('textarea', { class: 'off-screen', 'aria-hidden': 'true' }, text);
  document.body.append(area);
  area.select();
  const ok = document.execCommand('copy');
  area.remove();
  if (!ok) throw new Error('not allowed');
}

function command(text: string, what: string): HTMLElement {
  return h('div', { class: 'command' }, h('pre', {}, text), copyButton(text, what));
}

function table(rows: [string, string][], name: string): HTMLElement {
  const body = rows.filter(([, value]) => value !== '').map(([key, value]) => h('tr', {}, h('th', { scope: 'row' }, key), h('td', {}, value)));
  return h('div', { class: 'scroll' }, h('table', { class: 'facts', 'data-table': name }, h('tbody', {}, ...body)));
}

// Doubles are stored with all digits: "0.029999999999999999" is 0.03.
const shortest = (value: string) => (/^-?\d+\.\d{12,}(e[-+]?\d+)?$/i.test(value) ? String(Number(value)) : value);

function provenance(r: Result): [string, string][] {
  const study: [string, string][] = r.study
    ? [
        ['method', methodWords(r.method)],
        ['seed', r.seed],
        ['realizations', String(r.done)],
        ['confidence', `${Number((100 * r.confidence).toPrecision(6))} %`],
      ]
    : [];
  return [
    ['Aleator', r.version],
    ['commit', r.commit],
    ...study,
    ['created', when(r.created)],
    ['host', r.host],
    ['processor', r.processor],
    ['results', r.file],
    ['model', r.modelFile],
  ];
}

function model(r: Result): HTMLElement {
  const name = r.modelFile.split('/').pop() || 'model.yaml';
  const lines = r.model.split('\n').length;
  const save = h('button', { class: 'quiet', type: 'button', 'data-download': 'model', click: () => download(name, r.model, 'application/yaml') }, 'Download');
  const text = lines > longModel ? h('details', {}, h('summary', {}, `Show all ${lines} lines`), highlight(r.model)) : highlight(r.model);
  return h('div', { 'data-part': 'model' }, h('div', { class: 'controls' }, h('strong', {}, name), copyButton(r.model, 'the model'), save), text);
}

function one(r: Result): HTMLElement {
  const settings = Object.entries(r.settings).map(([key, value]): [string, string] => [key.replaceAll('_', ' '), shortest(value)]);
  return h(
    'div',
    {},
    h('h3', {}, 'Command'),
    command(r.commandLine, 'the command'),
    h('p', { class: 'small soft' }, 'The same model, version, seed and settings give the same realizations on any number of threads; they are bitwise reproducible for a given instruction set.'),
    h('div', { class: 'columns' }, h('div', {}, h('h3', {}, 'Provenance'), table(provenance(r), 'provenance')), h('div', {}, h('h3', {}, 'Settings'), table(settings, 'settings'))),
    h('h3', {}, 'Model'),
    r.model ? model(r) : h('p', {}, 'The results do not contain the text of the model.'),
  );
}

export function reproduce(page: Page): HTMLElement | null {
  const [first, ...others] = page.results;
  const again = `aleator report ${page.results.map((r) => (/[^\w./-]/.test(r.file) ? `'${r.file.replaceAll("'", "'\\''")}'` : r.file)).join(' ')}`;
  return h(
    'div',
    { 'data-section': 'reproduce' },
    one(first!),
    ...others.map((r) => h('details', {}, h('summary', {}, `The same for ${r.label}`), one(r))),
    h('h3', {}, 'This report'),
    h('p', {}, `Made by Aleator ${page.version}. To create it again:`),
    command(again, 'the command for this report'),
  );
}
