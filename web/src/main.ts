// The page: reads what is in the document, then one section after the other.
import './style.css';
import { bytesOfBase64, decode, type Page } from './data';
import { h } from './dom';
import { drawWaiting } from './later';
import { causes } from './sections/causes';
import { comparison } from './sections/comparison';
import { convergence } from './sections/convergence';
import { identification } from './sections/identification';
import { motion } from './sections/motion';
import { overview } from './sections/overview';
import { reproduce } from './sections/reproduce';
import { responses } from './sections/responses';
import { timeOfLargestScatter } from './series';
import { currentTime } from './state';
import { themeButton } from './theme';

// A section that has nothing to show returns null and is left out.
const sections: { id: string; title: string; make: (page: Page) => HTMLElement | null }[] = [
  { id: 'overview', title: 'Overview', make: overview },
  { id: 'identification', title: 'Identification', make: identification },
  { id: 'responses', title: 'Responses', make: responses },
  { id: 'motion', title: 'Mechanism in motion', make: motion },
  { id: 'causes', title: 'Sensitivity', make: causes },
  { id: 'convergence', title: 'Convergence', make: convergence },
  { id: 'comparison', title: 'Comparison', make: comparison },
  { id: 'reproduce', title: 'Reproduce', make: reproduce },
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

// One failing section must not take the others along.
function make(id: string, title: string, body: () => HTMLElement | null): HTMLElement | null {
  try {
    const content = body();
    return content && h('section', { id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title` }, title), content);
  } catch (error) {
    console.error(error);
    return h('section', { id }, h('h2', {}, title), h('p', { class: 'warning' }, `This section could not be drawn: ${String(error)}`));
  }
}

async function main(): Promise<void> {
  const page = await load();
  const first = page.results[0]!;
  // Where the first output scatters most there is something to see.
  if (first.study && first.outputs[0]) currentTime.set(first.time[timeOfLargestScatter(first.outputs[0])] ?? 0);
  const title = first.title || first.label;
  const nav = h('nav', { 'aria-label': 'Sections' });
  const body = h('main', { id: 'content' });
  document.body.append(
    h('a', { class: 'skip', href: '#content' }, 'Skip to the content'),
    h('header', { class: 'top' }, h('h1', {}, title), nav, themeButton()),
    body,
    h('footer', {}, `Made by Aleator ${page.version} from ${first.file}.`),
  );
  for (const { id, title: name, make: content } of sections) {
    const section = make(id, name, () => content(page));
    if (!section) continue;
    nav.append(h('a', { href: `#${id}` }, name));
    body.append(section);
  }
  document.documentElement.dataset.ready = 'true'; // to be read and worked with
  performance.mark('ready');
  drawWaiting(() => (document.documentElement.dataset.complete = 'true'));
}

main().catch((error) => {
  console.error(error);
  document.body.append(h('p', { class: 'warning' }, `The report could not be shown: ${String(error)}`));
});
