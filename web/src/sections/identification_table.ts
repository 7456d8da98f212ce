// The parameters, with what the data say about each.
import type { FreeParameter, Identification } from '../data';
import { h } from '../dom';
import { count, number, percent, unitText } from '../format';

export const known = (v: number | null): v is number => v !== null && Number.isFinite(v);

// Digits that tell the ends of its interval apart.
function digits(p: FreeParameter, least = 3): number {
  if (!known(p.lower) || !known(p.upper) || !(p.upper > p.lower)) return least;
  return Math.min(10, Math.max(least, 3 + Math.floor(Math.log10(Math.max(Math.abs(p.lower), Math.abs(p.upper)) / (p.upper - p.lower)))));
}

// An end that is that of the admissible range is no bound.
export function interval(p: FreeParameter): string {
  if (!known(p.lower) || !known(p.upper)) return '–';
  if (p.openBelow && p.openAbove) return 'not bounded';
  if (p.openBelow) return `≤ ${number(p.upper, digits(p))}`;
  if (p.openAbove) return `≥ ${number(p.lower, digits(p))}`;
  return `${number(p.lower, digits(p))} … ${number(p.upper, digits(p))}`;
}

interface Column {
  head: string;
  text: (p: FreeParameter) => string;
  shown: (p: FreeParameter) => boolean; // left out where no parameter has it
  value?: boolean; // not to be used when the data are not explained
}

const badRHat = 1.05;
const fewColumns = 5; // beside which there is room for words

function columns(x: Identification): Column[] {
  const c = percent(x.confidence, 3);
  const least = x.method === 'least-squares';
  return [
    { head: 'in the model', text: (p) => number(p.written), shown: (p) => known(p.written) },
    { head: least ? 'fitted' : 'estimate', text: (p) => number(p.estimate, digits(p, 4)), shown: (p) => known(p.estimate), value: true },
    { head: 'standard error', text: (p) => number(p.std, 2), shown: (p) => least && known(p.std), value: true },
    { head: `${c} confidence`, text: interval, shown: (p) => known(p.lower), value: true },
    { head: 'posterior mean', text: (p) => number(p.mean, digits(p, 4)), shown: (p) => known(p.mean), value: true },
    { head: 'posterior std', text: (p) => number(p.std, 2), shown: (p) => !least && known(p.std), value: true },
    { head: `${c} credible`, text: (p) => `${number(p.credibleLower, digits(p))} … ${number(p.credibleUpper, digits(p))}`, shown: (p) => known(p.credibleLower), value: true },
    { head: 'admissible', text: (p) => `${number(p.from, 3)} … ${number(p.to, 3)}`, shown: () => true },
    { head: 'R̂', text: (p) => number(p.rHat, 4), shown: (p) => known(p.rHat) },
    { head: 'effective draws', text: (p) => (known(p.effectiveDraws) ? count(Math.round(p.effectiveDraws)) : '–'), shown: (p) => known(p.effectiveDraws) },
  ];
}

function notes(x: Identification): string[] {
  const out: string[] = [];
  const names = (test: (p: FreeParameter) => boolean) => x.parameters.filter(test).map((p) => p.name);
  const open = names((p) => p.openBelow || p.openAbove);
  if (open.length) out.push(`≥, ≤, not bounded: the data do not bound ${open.join(', ')} on that side; the interval ends where the admissible range does.`);
  const stuck = names((p) => known(p.rHat) && p.rHat > badRHat);
  if (stuck.length) out.push(`R̂ should be close to 1; above ${badRHat} the sampler has not converged: ${stuck.join(', ')}.`);
  return out;
}

export function parameterTable(x: Identification): HTMLElement | null {
  if (!x.parameters.length) return null;
  const bad = !x.explained && x.method !== 'sweep';
  const shown = columns(x).filter((c) => x.parameters.some(c.shown));
  const units = x.parameters.some((p) => unitText(p.unit));
  const cell = (c: Column, p: FreeParameter) => h('td', {}, bad && c.value ? h('del', {}, c.text(p)) : c.text(p));
  const head = h('tr', {}, h('th', { scope: 'col' }, 'parameter'), units ? h('th', { scope: 'col', class: 'unit' }, 'unit') : null, ...shown.map((c) => h('th', { scope: 'col' }, c.head)));
  const rows = x.parameters.map((p) => h('tr', { 'data-parameter': p.name }, h('th', { scope: 'row' }, p.name), units ? h('td', { class: 'unit' }, unitText(p.unit) || '–') : null, ...shown.map((c) => cell(c, p))));
  return h(
    'div',
    { 'data-part': 'parameters', 'data-wide': shown.length > fewColumns },
    h('h3', {}, 'Parameters', bad ? h('span', { class: 'do-not-use' }, 'do not use') : null),
    h('div', { class: 'scroll' }, h('table', { class: 'free-parameters' }, h('thead', {}, head), h('tbody', {}, ...rows))),
    ...notes(x).map((n) => h('p', { class: 'small soft' }, n)),
  );
}
