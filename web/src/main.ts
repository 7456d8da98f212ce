// The page: reads what is in the document, then one section after the other.
import './style.css';
import { brand } from './brand';
import { bytesOfBase64, decode, type Page, type Result } from './data';
import { h } from './dom';
import { keyOutput } from './key_output';
import { drawWaiting } from './later';
import { drawable } from './scene/scene';
import { campbell, campbellLine, campbellTitle } from './sections/campbell';
import { causes, causesLine } from './sections/causes';
import { comparison, differences } from './sections/comparison';
import { convergence } from './sections/convergence';
import { design, designLine } from './sections/design';
import { identification } from './sections/identification';
import { motion } from './sections/motion';
import { overview } from './sections/overview';
import { reliability, reliabilityLine } from './sections/reliability';
import { reproduce } from './sections/reproduce';
import { responses } from './sections/responses';
import { processes, processesLine } from './sections/processes';
import { uncertain, uncertainLine } from './sections/uncertain';
import { timeless, timeOfLargestScatter } from './series';
import { currentOutput, currentTime } from './state';
import { themeButton } from './theme';
import { convergedVerdict } from './verdict';
import { plural } from './words';

interface Section {
  id: string;
  title: string | ((first: Result) => string);
  has: (page: Page, first: Result) => boolean; // something to show
  make: (page: Page) => HTMLElement | null;
  line: (first: Result) => string; // about it, on the first screen
}

const titleOf = (s: Section, first: Result) => (typeof s.title === 'string' ? s.title : s.title(first));
const several = (page: Page) => page.results.length > 1;
const responsesLine = (r: Result) => `${timeless(r) ? `${plural(r.outputs.length, 'quantity', 'quantities')} of modes` : `${plural(r.outputs.length, 'output')} over time`}${r.kept ? ', with bands' : ''}${r.scalars.length ? `; ${plural(r.scalars.length, 'scalar')}` : ''}`;
const motionLine = (r: Result) => (r.motion?.modes ? `the shapes of ${plural(r.motion.modes.length, 'mode')}` : timeless(r) ? 'what vibrates' : r.motion?.failures ? 'the nominal motion, and failures' : r.motion?.rows.length ? `the nominal motion, and ${plural(r.motion.rows.length, 'realization')} as ghosts` : 'the nominal motion');

// The first that there is opens the page.
const sections: Section[] = [
  { id: 'comparison', title: 'Comparison', has: several, make: comparison, line: () => '' },
  { id: 'differences', title: 'Differences', has: several, make: differences, line: () => 'of all outputs and scalars, with the noise and p-values' },
  { id: 'identification', title: 'Identification', has: (_, r) => r.identification !== null, make: identification, line: (r) => r.identification!.verdict },
  { id: 'design', title: 'Design', has: (page, r) => !several(page) && r.design !== null, make: design, line: (r) => designLine(r.design!) },
  { id: 'campbell', title: campbellTitle, has: (page, r) => !several(page) && !r.study && r.campbell !== null, make: campbell, line: campbellLine },
  { id: 'overview', title: 'Overview', has: (_, r) => r.study || r.campbell === null, make: overview, line: (r) => `${r.label}: response${r.study ? ' with its band' : ''}, mechanism` },
  { id: 'reliability', title: 'Reliability', has: (_, r) => r.reliability !== null, make: reliability, line: reliabilityLine },
  { id: 'responses', title: 'Responses', has: (_, r) => r.outputs.length > 0, make: responses, line: responsesLine },
  { id: 'campbell', title: campbellTitle, has: (_, r) => r.study && r.campbell !== null, make: campbell, line: campbellLine },
  { id: 'motion', title: 'Mechanism in motion', has: (_, r) => drawable(r), make: motion, line: motionLine },
  { id: 'causes', title: 'Sensitivity', has: (_, r) => r.study && r.quantities.length > 0 && (!r.reliability || r.shares !== null || r.correlations !== null), make: causes, line: causesLine },
  { id: 'uncertain', title: 'Uncertain quantities', has: (_, r) => r.quantities.length > 0, make: uncertain, line: uncertainLine },
  { id: 'processes', title: 'Random processes', has: (_, r) => r.processes.length > 0, make: processes, line: processesLine },
  { id: 'convergence', title: 'Convergence', has: (_, r) => convergedVerdict(r) !== null, make: convergence, line: () => 'standard errors, and how they fall with more realizations' },
  { id: 'reproduce', title: 'Reproduce', has: () => true, make: reproduce, line: (r) => `command, ${r.study ? 'seed, ' : ''}settings and model` },
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
function announce(first: Result, others: Section[], opening: Element | null): void {
  const item = (s: Section) => h('li', {}, h('a', { href: `#${s.id}` }, titleOf(s, first)), h('span', { title: s.line(first) }, s.line(first)));
  const list = h('nav', { class: 'announce no-print', 'aria-label': 'In this report', 'data-announce': 'true' }, h('ul', {}, ...others.map(item)));
  const place = opening?.querySelector('[data-place="announce"]');
  if (place) place.replaceWith(list);
  else opening?.append(list);
}

// Lets the browser draw and answer.
const pause = () => new Promise((resolve) => setTimeout(resolve));

async function main(): Promise<void> {
  const page = await load();
  const first = page.results[0]!;
  currentOutput.set(keyOutput(first));
  // Where it scatters most there is something to see.
  const key = first.outputs[currentOutput.value];
  if (first.study && key) currentTime.set(first.time[timeOfLargestScatter(key)] ?? 0);
  const shown = sections.filter((s) => s.has(page, first));
  const body = h('main', { id: 'content' }, h('h1', {}, page.title));
  document.body.append(
    h('a', { class: 'skip', href: '#content' }, 'Skip to the content'),
    h('header', { class: 'top' }, brand(), h('nav', { 'aria-label': 'Sections' }, ...shown.map((s) => h('a', { href: `#${s.id}` }, titleOf(s, first)))), themeButton()),
    body,
  );
  for (const each of shown) {
    const section = make(each.id, titleOf(each, first), each === shown[0], () => each.make(page));
    if (section) body.append(section);
    if (each !== shown[0]) continue;
    announce(first, shown.slice(1), body.querySelector('.first'));
    document.documentElement.dataset.ready = 'true'; // the first screen can be read
    performance.mark('ready');
    await pause();
  }
  document.body.append(h('footer', {}, `Made by Aleator ${page.version} from ${first.file}.`));
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  performance.mark('made');
  drawWaiting(() => (document.documentElement.dataset.complete = 'true'));
}

main().catch((error) => {
  console.error(error);
  document.body.append(h('p', { class: 'warning' }, `The report could not be shown: ${String(error)}`));
});
