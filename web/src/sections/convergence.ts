// How the numbers settle with more realizations, terms or degrees.
import './causes.css';
import type { Page, Result } from '../data';
import { h } from '../dom';
import { percent } from '../format';
import { acrossTime } from '../series';
import { convergedVerdict, trafficLight } from '../verdict';
import { convergedWords } from '../words';
import { chaos } from './convergence_chaos';
import { fields } from './convergence_fields';
import { norms, running } from './convergence_running';
import { outputSelect } from './output_select';

const few = 12;

function accuracies(r: Result): HTMLElement | null {
  const known = r.outputs.filter((o) => [o.accuracy.mean, o.accuracy.std, o.accuracy.band].some((a) => a !== null && Number.isFinite(a)));
  if (!known.length) return null;
  const head = ['output', 'mean', 'standard deviation', 'limits of the band'];
  const rows = known.map((o) => h('tr', {}, h('th', { scope: 'row' }, o.name), ...[o.accuracy.mean, o.accuracy.std, o.accuracy.band].map((a) => h('td', {}, percent(a)))));
  const table = (body: HTMLElement[]) =>
    h('div', { class: 'scroll' }, h('table', { 'data-table': 'accuracy' }, h('thead', {}, h('tr', {}, ...head.map((t) => h('th', { scope: 'col' }, t)))), h('tbody', {}, ...body)));
  return h(
    'div',
    { 'data-part': 'accuracy' },
    h('h3', {}, `Standard errors${acrossTime(r)}`),
    table(rows.slice(0, few)),
    rows.length > few ? h('details', {}, h('summary', {}, `${rows.length - few} more`), table(rows.slice(few))) : null,
    h('p', { class: 'small soft' }, 'The error of the mean is relative to the rms of the response, that of the standard deviation to itself, that of the band to its width.'),
  );
}

// What the samplers of random matrices and centres of mass say about themselves.
function samplers(r: Result): HTMLElement | null {
  const list = r.quantities.filter((q) => ['inertia', 'center_of_mass'].includes(q.kind) && q.facts.length);
  if (!list.length) return null;
  const rows = list.flatMap((q) =>
    q.facts.map((f, i) => h('tr', {}, i === 0 ? h('th', { scope: 'rowgroup', rowspan: q.facts.length }, q.name) : null, h('td', {}, f.name), h('td', {}, f.value))),
  );
  return h('div', { 'data-part': 'samplers' }, h('h3', {}, 'Sampling of inertias and centres of mass'), h('div', { class: 'scroll' }, h('table', { class: 'samplers', 'data-table': 'samplers' }, h('tbody', {}, ...rows))));
}

// One line, then what is known about each output.
function summary(r: Result): HTMLElement | null {
  const verdict = convergedVerdict(r);
  const lines = convergedWords(r);
  if (!verdict && !lines.length) return null;
  return h('div', { 'data-words': 'converged' }, verdict ? trafficLight(verdict) : null, ...lines.map((t) => h('p', {}, t)));
}

function evidence(r: Result): HTMLElement | null {
  if (!r.evidence.length) return null;
  return h('div', {}, h('h3', {}, 'Log of the method'), h('pre', { class: 'evidence' }, r.evidence.join('\n')));
}

export function convergence(page: Page): HTMLElement | null {
  const r = page.results[0]!;
  if (!convergedVerdict(r)) return null;
  const byOutput = [running(r), chaos(r)].filter((part) => part !== null);
  const parts = [accuracies(r), norms(r), ...fields(r), samplers(r)].filter((part) => part !== null);
  return h('div', { 'data-section': 'convergence' }, summary(r), byOutput.length && r.outputs.length > 1 ? outputSelect(r) : null, ...byOutput, ...parts, evidence(r));
}
