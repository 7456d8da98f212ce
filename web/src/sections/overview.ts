// The first screen: the answer, the response it is about, the mechanism, and how far to trust it.
import './overview.css';
import { answer, limitsOf } from '../answer';
import { Chart } from '../chart';
import type { Output, Page, Reliability, Result, Scalar } from '../data';
import { Distribution } from '../distribution';
import { h } from '../dom';
import { labelled, number, percent, percentWithin, shortened, unitText, withError } from '../format';
import { keyOutput, relativeScatter } from '../key_output';
import { picture } from '../picture';
import { anyOf, known, limitsOnly, limitText, probability } from '../probability';
import { Plot } from '../plot';
import { largestSize, scatters, timeless, timeOfLargestScatter } from '../series';
import { convergedVerdict, reliabilityVerdict, trafficLight } from '../verdict';
import { lead, plural } from '../words';
import { effects } from './causes_screening';
import { failures, unfinished } from './failures';
import { doubts } from './reliability_doubts';
import { withFailure } from './reliability_failures';
import { numbersOf } from './response_block';
import { withMedian } from './response_median';
import { labels, limitWords, responseSpec } from './response_plots';
import { peaksNote } from './response_peaks';

const few = 4;
const wide = 26; // letters of a name

// A heading and rows of a name and what is said about it.
function facts(name: string, title: string, rows: { name: string; cells: (string | HTMLElement)[] }[], more: HTMLElement | null = null, head: string[] = []): HTMLElement | null {
  if (!rows.length) return null;
  const row = (x: (typeof rows)[number]) => h('tr', {}, h('th', { scope: 'row', title: x.name.length > wide ? x.name : null }, shortened(x.name, wide)), ...x.cells.map((c) => h('td', {}, c)));
  const top = head.length ? h('thead', {}, h('tr', {}, h('th', {}), ...head.map((t) => h('th', { scope: 'col' }, t)))) : null;
  return h('div', { class: 'facts', 'data-facts': name }, h('h3', {}, title), h('table', {}, top, h('tbody', {}, ...rows.slice(0, few).map(row))), more);
}

const moreAbout = (rest: number, what: string, target = '#responses') => (rest > 0 ? h('p', { class: 'small' }, h('a', { href: target }, `${plural(rest, `more ${what}`)}`)) : null);

export function limits(r: Result): HTMLElement | null {
  const all = limitsOf(r);
  const rows = all.map(({ of, limit }) => {
    const missing = limit.everLow !== null && limit.everHigh !== null ? h('div', { class: 'small soft' }, `${percent(limit.everLow, 3)} to ${percent(limit.everHigh, 3)} with those that failed`) : null;
    return { name: `${of.name} ${limitWords(of, limit.value, limit.above)}`, cells: [h('div', {}, percentWithin(limit), missing)] };
  });
  return facts('limits', 'Probability of exceeding a limit', rows, moreAbout(all.length - few, 'limit'), ['95 % confidence interval']);
}

// Of a study of rare events.
function probabilities(rel: Reliability): HTMLElement | null {
  const each = limitsOnly(rel).sort((a, b) => b.probability - a.probability);
  const rows = each.length > 1 ? [anyOf(rel), ...each] : each;
  const shown = rows.map((p) => ({ name: limitText(p), cells: [p.probability > 0 ? probability(p.probability) : `< ${probability(p.upper)}`, known(p.beta) && p.probability > 0 ? `β = ${p.beta.toFixed(2)}` : ''] }));
  return facts('probabilities', 'Probability of failure', shown, moreAbout(shown.length - few, 'limit', '#reliability'));
}

function scalars(r: Result): HTMLElement | null {
  const band = (x: Scalar) => (x.lower.value === null ? '–' : x.upper.value === null ? `≥ ${number(x.lower.value, 3)}` : `${number(x.lower.value, 3)} … ${number(x.upper.value, 3)}`);
  const rows = r.scalars.map((x) => ({ name: labelled(x.name, x.unit), cells: r.study ? [withError(x.mean), band(x)] : [number(x.nominal)] }));
  return facts('scalars', 'Scalars', rows, moreAbout(rows.length - few, 'scalar', '#scalars'), r.study ? ['mean', `${percent(r.confidence, 4)} band`] : []);
}

// The outputs that scatter most; of a nominal motion the largest values.
function largest(r: Result): HTMLElement | null {
  const order = r.outputs.filter((o) => !r.study || scatters(r, o));
  if (!timeless(r)) order.sort((a, b) => relativeScatter(r, b) - relativeScatter(r, a));
  const row = (o: Output) => {
    const k = timeOfLargestScatter(o);
    const unit = unitText(o.unit) && ` ${unitText(o.unit)}`;
    const band = Number.isFinite(o.lower?.[k] ?? NaN) ? `${number(o.lower![k], 3)} … ${number(o.upper![k], 3)}${unit}` : `${number(o.nominal[k], 4)}${unit}`;
    return { name: o.name, cells: timeless(r) ? [band] : [`${number(r.time[k], 3)} s`, band] };
  };
  const value = r.study ? `${percent(r.confidence, 4)} band` : 'value';
  const head = timeless(r) ? [value] : ['at', value];
  return facts('largest', timeless(r) ? 'Modes' : r.study ? 'Largest scatter' : 'Largest magnitude', order.map(row), moreAbout(order.length - few, 'output'), head);
}

// How sure it is, in one line.
function sure(r: Result): HTMLElement | null {
  if (r.reliability) return h('div', { class: 'facts', 'data-facts': 'trust' }, h('h3', {}, 'How sure it is'), trafficLight(reliabilityVerdict(r.reliability)));
  const verdict = convergedVerdict(r);
  if (!verdict) return r.method === 'morris' ? h('div', { class: 'facts', 'data-facts': 'converged' }, h('h3', {}, 'What it says'), h('p', {}, 'A screening ranks variables by their effects. It computes no means, bands or probabilities.')) : null;
  return h('div', { class: 'facts', 'data-facts': 'converged' }, h('h3', {}, 'Convergence'), trafficLight(verdict));
}

// Of modes, which are numbers and no functions of time.
function instantOf(r: Result, o: Output): HTMLElement | null {
  if (!o.realizations || !r.kept) return null;
  const picture = new Distribution(o.name, o.unit, labels.band(r.confidence));
  const at = (values: ArrayLike<number> | null) => values?.[0] ?? NaN;
  picture.show(NaN, Float64Array.from(o.realizations), { mean: at(o.mean), nominal: at(o.nominal), lower: at(o.lower), upper: at(o.upper) }, o.realizations instanceof Float32Array);
  return picture.element;
}

function response(r: Result): HTMLElement | null {
  const k = keyOutput(r);
  const o = r.outputs[k];
  if (!o) return null;
  // A screening has effects, and no band.
  if (r.screening && largestSize(r.screening.of[k]!.integratedMuStar) > 0) return h('div', { class: 'first-response', 'data-output': o.name }, h('h3', { title: o.name }, `Effects on ${shortened(o.name, 60)}`), new Chart(effects(r, k, 10)).element);
  if (timeless(r)) return h('div', { class: 'first-response', 'data-output': o.name }, h('h3', { title: o.name }, labelled(shortened(o.name, 60), o.unit)), instantOf(r, o) ?? numbersOf(r, o));
  const plot = new Plot({ ...withFailure(r, k, responseSpec(r, o), 0), height: 290 });
  withMedian(plot, r, o);
  return h('div', { class: 'first-response', 'data-output': o.name }, h('h3', { title: o.name }, labelled(shortened(o.name, 60), o.unit)), plot.element, peaksNote(r, o, true));
}

export function overview(page: Page): HTMLElement | null {
  const r = page.results[0]!;
  const found = r.reliability ? [probabilities(r.reliability), scalars(r)] : r.study && r.method !== 'morris' ? [limits(r), scalars(r)] : [];
  const stated = found.filter((part) => part !== null);
  return h(
    'div',
    { 'data-section': 'overview', class: 'first' },
    h('p', { class: 'answer', 'data-words': 'answer' }, ...answer(r)),
    h('p', { class: 'dek' }, lead(r)),
    unfinished(r),
    failures(r),
    ...(r.reliability ? doubts(r.reliability).slice(0, 2) : []),
    h('div', { class: 'first-row' }, response(r), picture(r)),
    h('div', { class: 'first-facts' }, ...stated, stated.length < 2 && r.method !== 'morris' && !r.reliability ? largest(r) : null, sure(r)),
  );
}
