// What was identified from measurements: first whether it may be used, then the values, then what they rest on.
import './identification.css';
import type { Identification, Page } from '../data';
import { h } from '../dom';
import { count, number, percent } from '../format';
import { plural } from '../words';
import { measured } from './identification_measured';
import { pairs } from './identification_pairs';
import { profiles } from './identification_profiles';
import { reduction } from './identification_reduction';
import { sweep } from './identification_sweep';
import { parameterTable } from './identification_table';

const methods: Record<string, string> = {
  'maximum-likelihood': 'Maximum likelihood',
  bayesian: 'Maximum likelihood and a posterior',
  'least-squares': 'Least squares',
  sweep: 'A sweep',
};
const likelihoods: Record<string, string> = {
  integral: 'densities of the whole responses',
  kernel: 'densities by kernels',
  moments: 'densities by mean and covariance',
};

// The headline: a mark, a word and a colour say the same.
function verdict(x: Identification): HTMLElement {
  const judged = x.method !== 'sweep';
  const kind = !judged ? 'neutral' : x.explained ? 'good' : 'bad';
  const mark = h('span', { class: 'verdict-mark', 'aria-hidden': 'true' }, x.explained ? '✓' : '✕');
  const head = judged ? [mark, x.explained ? 'The data are explained' : 'The data are not explained: do not use these values'] : ['What each parameter does to the spread'];
  return h('div', { class: `verdict ${kind}`, 'data-verdict': judged ? (x.explained ? 'explained' : 'not-explained') : 'sweep' }, h('p', { class: 'answer', 'data-words': 'answer' }, ...head), x.verdict ? h('p', {}, x.verdict) : null);
}

function warnings(x: Identification): HTMLElement | null {
  if (!x.warnings.length) return null;
  const [only] = x.warnings;
  return h('div', { class: 'warning', 'data-warning': 'identification' }, x.warnings.length === 1 ? only! : h('ul', {}, ...x.warnings.map((w) => h('li', {}, w))));
}

// How it was found, in a few sentences.
function how(x: Identification): string {
  const known = (v: number | null): v is number => v !== null && Number.isFinite(v);
  const from = x.specimenCount ? ` from ${plural(x.specimenCount, 'specimen')}` : '';
  const outputs = x.outputs.length ? ` ${x.specimenCount ? 'and' : 'of'} ${plural(x.outputs.length, 'output')}` : '';
  const lines = [`${methods[x.method] ?? x.method}${from}${outputs}${x.likelihood ? `, ${likelihoods[x.likelihood] ?? x.likelihood}` : ''}.`];
  if (x.evaluations > 0) lines.push(`${plural(x.evaluations, x.likelihood ? 'evaluation' : x.method === 'sweep' ? 'set of values' : 'simulation', x.method === 'sweep' ? 'sets of values' : undefined)}${x.likelihood === 'integral' ? `, ${plural(x.samples, 'simulation')} in all` : x.samples > 1 ? ` of ${count(x.samples)} realizations each` : ''}.`);
  if (known(x.logLikelihood)) lines.push(`Largest log-likelihood ${number(x.logLikelihood, 5)}.`);
  if (known(x.writtenDrop) && known(x.regionDrop)) lines.push(`At the values in the model it is ${number(x.writtenDrop, 3)} below that: ${x.writtenDrop <= x.regionDrop ? 'inside' : 'outside'} the joint ${percent(x.confidence)} region, which ends ${number(x.regionDrop, 3)} below.`);
  if (known(x.surrogateError)) lines.push(`At its maximum and at the ends of the intervals it is accurate to ${number(x.surrogateError, 2)}.`);
  if (known(x.acceptance)) lines.push(`The sampler of the posterior accepted ${percent(x.acceptance)} of its moves.`);
  if (known(x.fitP)) lines.push(`Goodness of fit: p-value ${x.fitP < 1e-3 ? 'below 0.001' : number(x.fitP, 2)}. If the model is correct, data fit no better than these with a probability of ${x.fitP < 1e-3 ? 'less than 0.1\u00a0%' : percent(x.fitP)}.`);
  return lines.join(' ');
}

// The parameters, and beside them what to know about them; below them where the table is wide.
function values(x: Identification): HTMLElement {
  const [table, told, found] = [parameterTable(x), warnings(x), h('p', { class: 'small soft' }, how(x))];
  if (!table?.hasAttribute('data-wide')) return h('div', { class: 'first-row' }, table, h('div', {}, told, found));
  return h('div', {}, table, h('div', { class: 'first-row' }, found, told));
}

export function identification(page: Page): HTMLElement | null {
  const x = page.results[0]!.identification;
  if (!x) return null;
  return h(
    'div',
    { 'data-section': 'identification', class: x.explained || x.method === 'sweep' ? 'first identification' : 'first identification unusable' },
    verdict(x),
    values(x),
    h('div', { 'data-place': 'announce' }),
    sweep(x),
    measured(x),
    profiles(x),
    pairs(x),
    reduction(x),
  );
}
