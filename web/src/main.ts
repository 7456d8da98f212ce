// The page: reads what is in the document, then one section after the other.
import './style.css';
import { bytesOfBase64, decode, type Page } from './data';
import { h } from './dom';
import { drawWaiting } from './later';
import { brand } from './brand';
import { keyOutput } from './key_output';
import { causes, causesLine } from './sections/causes';
import { comparison, differences } from './sections/comparison';
import { convergence } from './sections/convergence';
import { identification } from './sections/identification';
import { motion } from './sections/motion';
import { overview } from './sections/overview';
import { reproduce } from './sections/reproduce';
import { responses } from './sections/responses';
import { uncertain, uncertainLine } from './sections/uncertain';
import { timeOfLargestScatter } from './series';
import { currentOutput, currentTime } from './state';
import { themeButton } from './theme';
import { plural } from './words';

interface Section {
  id: string;
  title: string;
  make: (page: Page) => HTMLElement | null; // null: it has nothing to show and is left out
  line: (page: Page) => string; // about it, on the first screen
}

const sections: Section[] = [
  { id: 'comparison', title: 'Comparison', make: comparison, line: () => '' },
  { id: 'differences', title: 'Differences', make: differences, line: () => 'of all outputs and scalars, with the noise and p-values' },
  { id: 'identification', title: 'Identification', make: identification, line: ({ results: [r] }) => r!.identification!.verdict },
  { id: 'overview', title: 'Overview', make: overview, line: ({ results: [r] }) => `the answer of ${r!.label} by itself` },
  { id: 'responses', title: 'Responses', make: responses, line: ({ results: [r] }) => `${plural(r!.outputs.length, 'output')} over time${r!.kept ? ', with bands and distributions' : ''}${r!.scalars.length ? `; ${plural(r!.scalars.length, 'scalar')}` : ''}` },
  { id: 'motion', title: 'Mechanism in motion', make: motion, line: ({ results: [r] }) => (r!.motion?.rows.length ? `the nominal motion, and ${plural(r!.motion.rows.length, 'realization')} as ghosts` : 'the nominal motion') },
  { id: 'causes', title: 'Sensitivity', make: causes, line: ({ results: [r] }) => causesLine(r!) },
  { id: 'uncertain', title: 'Uncertain quantities', make: uncertain, line: ({ results: [r] }) => uncertainLine(r!) },
  { id: 'convergence', title: 'Convergence', make: convergence, line: () => 'standard errors, and how they fall with more realizations' },
  { id: 'reproduce', title: 'Reproduce', make: reproduce, line: ({ results: [r] }) => `command, ${r!.study ? 'seed, ' : ''}settings and model` },
];

// In the document or, when `aleator view` serves the page, beside it. What was read is let go.
async function load(): Promise<Page> {
  const text = document.getElementById('page-text');
  const numbers = document.getElementById('page-numbers');
  if (!text || !numbers) {
    const [json, bytes] = await Promise.all([fetch('data.json').then((r) => r.text()), fetch('data.bin').then((r) => r.arrayBuffer())]);
    return decode(json, bytes);
  }
  const page = decode(text.textContent ?? '', bytesOfBase64(numbers.textContent ?? ''));
  text.remove();
  numbers.remove();
  return page;
}

// One failing section must not take the others along. The first one has the title of the page.
function make(id: string, title: string, first: boolean, body: () => HTMLElement | null): HTMLElement | null {
  try {
    const content = body();
    return content && h('section', { id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title`, class: first ? 'unseen' : null }, title), content);
  } catch (error) {
    console.error(error);
    return h('section', { id }, h('h2', {}, title), h('p', { class: 'warning' }, `This section could not be drawn: ${String(error)}`));
  }
}

// The other sections, with a line about each.
function announce(page: Page, made: Section[], body: HTMLElement): void {
  const [first, ...others] = made;
  const item = (s: Section) => h('li', {}, h('a', { href: `#${s.id}` }, s.title), h('span', { title: s.line(page) }, s.line(page)));
  const list = h('nav', { class: 'announce no-print', 'aria-label': 'In this report', 'data-announce': 'true' }, h('ul', {}, ...others.map(item)));
  const opening = body.querySelector(`#${first!.id} > .first`);
  const place = opening?.querySelector('[data-place="announce"]');
  if (place) place.replaceWith(list);
  else opening?.append(list);
}

async function main(): Promise<void> {
  const page = await load();
  const first = page.results[0]!;
  currentOutput.set(keyOutput(first));
  // Where it scatters most there is something to see.
  const key = first.outputs[currentOutput.value];
  if (first.study && key) currentTime.set(first.time[timeOfLargestScatter(key)] ?? 0);
  const nav = h('nav', { 'aria-label': 'Sections' });
  const body = h('main', { id: 'content' }, h('h1', {}, page.title));
  document.body.append(
    h('a', { class: 'skip', href: '#content' }, 'Skip to the content'),
    h('header', { class: 'top' }, brand(), nav, themeButton()),
    body,
    h('footer', {}, `Made by Aleator ${page.version} from ${first.file}.`),
  );
  const made: Section[] = [];
  for (const each of sections) {
    const section = make(each.id, each.title, made.length === 0, () => each.make(page));
    if (!section) continue;
    made.push(each);
    nav.append(h('a', { href: `#${each.id}` }, each.title));
    body.append(section);
  }
  announce(page, made, body);
  document.documentElement.dataset.ready = 'true'; // to be read and worked with
  performance.mark('ready');
  drawWaiting(() => (document.documentElement.dataset.complete = 'true'));
}

main().catch((error) => {
  console.error(error);
  document.body.append(h('p', { class: 'warning' }, `The report could not be shown: ${String(error)}`));
});
