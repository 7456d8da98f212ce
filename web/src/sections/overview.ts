// What was computed, what came out, and how far to trust it; then what is uncertain.
import './overview.css';
import type { Output, Page, Result } from '../data';
import { h } from '../dom';
import { count, labelled, number, percent, unitText, withError } from '../format';
import { picture } from '../picture';
import { largestSize, scatters, timeOfLargestScatter } from '../series';
import { convergedWords, lead, missingWords, plural, when } from '../words';
import { uncertain } from './uncertain';

const few = 8;

function failures(r: Result): HTMLElement | null {
  const { count: n, first } = r.failures;
  if (!n) return null;
  const at = (time: number | null) => (time === null ? '' : ` at t = ${number(time)} s`);
  const list = h('ul', {}, ...first.map((f) => h('li', {}, `realization ${f.realization}${at(f.time)}: ${f.reason}`)));
  const more = first.length && first.length < n ? h('p', { class: 'small' }, `and ${count(n - first.length)} more`) : null;
  return h('div', { class: 'warning', 'data-warning': 'failures' }, `${plural(n, 'realization')} of ${count(r.done)} failed and are excluded from the statistics. ${missingWords(r)}`, list, more);
}

function unfinished(r: Result): HTMLElement | null {
  if (!r.study || r.complete) return null;
  const words = `This run was interrupted: ${count(r.done)} of ${count(r.planned)} realizations are finished. The command with --resume continues it.`;
  return h('div', { class: 'warning', 'data-warning': 'incomplete' }, words);
}

function keyRow(r: Result, o: Output): HTMLElement {
  const k = timeOfLargestScatter(o);
  const time = `${number(r.time[k])} s`;
  const name = h('th', { scope: 'row' }, labelled(o.name, o.unit));
  if (!r.study) return h('tr', {}, name, h('td', {}, time), h('td', {}, number(o.nominal[k])));
  const at = (value: Output['mean'], error: Output['mean']) => withError({ value: value?.[k] ?? null, error: error?.[k] ?? null });
  if (!scatters(r, o)) return h('tr', {}, name, h('td', {}, '–'), h('td', {}, number(o.nominal[k])), h('td', { colspan: 3, class: 'soft' }, r.realizations === 1 ? 'one realization' : o.mean && Number.isFinite(o.mean[k]!) ? 'does not scatter' : 'no statistics'));
  const band = `${number(o.lower?.[k], 3)} … ${number(o.upper?.[k], 3)}`;
  const cells = [time, number(o.nominal[k]), at(o.mean, o.meanError), at(o.std, o.stdError), band];
  return h('tr', {}, name, ...cells.map((c) => h('td', {}, c)));
}

function keyResults(r: Result): HTMLElement {
  const head = r.study ? ['output', 'largest scatter at', 'nominal', 'mean', 'standard deviation', `${number(100 * r.confidence)} % band`] : ['output', 'largest at', 'value there'];
  const table = (outputs: Output[]) =>
    h('div', { class: 'scroll' }, h('table', {}, h('thead', {}, h('tr', {}, ...head.map((t) => h('th', { scope: 'col' }, t)))), h('tbody', {}, ...outputs.map((o) => keyRow(r, o)))));
  const rest = r.outputs.slice(few);
  const errors = r.outputs.some((o) => largestSize(o.meanError) > 0);
  const note = r.study ? `Each output at the time of its largest scatter${errors ? '; ± is one standard error' : ''}.` : 'Each output at its largest magnitude.';
  return h(
    'div',
    { 'data-table': 'key-results' },
    h('h3', {}, 'Key results'),
    h('p', { class: 'small soft' }, note),
    table(r.outputs.slice(0, few)),
    rest.length ? h('details', {}, h('summary', {}, `${plural(rest.length, 'more output')}`), table(rest)) : null,
  );
}

function limits(r: Result): HTMLElement | null {
  const lines = r.outputs.flatMap((o) =>
    o.limits.map((l) => {
      const range = l.everError !== null && l.everError > 0 ? ` ± ${percent(l.everError, 1)}` : '';
      const missing = l.everLow !== null && l.everHigh !== null ? `; including the failed realizations between ${percent(l.everLow, 3)} and ${percent(l.everHigh, 3)}` : '';
      const none = l.ever === 0 ? (r.realizations ? ` (none of ${count(r.realizations)})` : '') : '';
      return h('li', {}, `${o.name} ${l.above ? 'above' : 'below'} ${number(l.value)} ${unitText(o.unit)}: `, h('strong', {}, percent(l.ever, 3)), `${range}${none}${missing}`);
    }),
  );
  if (!lines.length) return null;
  const rest = lines.length > few ? h('details', {}, h('summary', {}, plural(lines.length - few, 'more limit')), h('ul', {}, ...lines.slice(few))) : null;
  return h('div', { 'data-table': 'limits' }, h('h3', {}, 'Limits'), h('p', {}, 'Probability that a limit is exceeded at any time:'), h('ul', {}, ...lines.slice(0, few)), rest);
}

function converged(r: Result): HTMLElement | null {
  const lines = convergedWords(r);
  if (!lines.length) return null;
  return h('div', { 'data-words': 'converged' }, h('h3', {}, r.method === 'morris' ? 'What it says' : 'Convergence of the statistics'), ...lines.map((t) => h('p', {}, t)));
}

// What it looks like, and beside it what there is to say.
function opening(left: HTMLElement | null, right: (HTMLElement | null)[]): HTMLElement {
  const said = right.filter((part) => part !== null);
  if (!left || !said.length) return h('div', {}, left, ...said);
  return h('div', { class: 'opening' }, left, h('div', {}, ...said));
}

function evidence(r: Result): HTMLElement | null {
  if (!r.evidence.length) return null;
  return h('div', {}, h('h3', {}, 'Log of the method'), h('pre', { class: 'evidence' }, r.evidence.join('\n')));
}

export function overview(page: Page): HTMLElement | null {
  const r = page.results[0]!;
  return h(
    'div',
    { 'data-section': 'overview' },
    h('p', { class: 'lead' }, lead(r), h('span', { class: 'date' }, when(r.created)), '.'),
    unfinished(r),
    failures(r),
    opening(picture(r), r.study ? [limits(r), converged(r)] : [keyResults(r)]),
    r.study && r.method !== 'morris' ? keyResults(r) : null,
    evidence(r),
    r.notes.length ? h('div', { class: 'small soft' }, ...r.notes.map((n) => h('p', {}, n))) : null,
    uncertain(r),
  );
}
