// The design that was chosen: first whether it may be used, then its values, then what they rest on.
import './identification.css';
import './design.css';
import { axis, canvas, Chart, logAxis, shorten, type Axis } from '../chart';
import type { Page } from '../data';
import { h, s } from '../dom';
import { count, number, percent, withError } from '../format';
import { textWidth } from '../text_width';
import { plural } from '../words';

// As design.json has it. Numbers that are not known are null.
export interface Design {
  met: boolean;
  verified: boolean;
  verdict: string;
  parameters: { name: string; value: number; written: number | null; from: number; to: number; scale: string }[];
  cost: { text: string; value: number; error: number; verified: number | null; verified_error: number | null };
  constraints: { text: string; bound: number; value: number; error: number; sure: number; verified: number | null; verified_error: number | null; verified_sure: number | null; active: boolean }[];
  evaluations: { values: number[]; cost: number | null; simulated: boolean; meets: boolean; left: (number | null)[] }[];
  chosen: number;
  trade_off_of: number;
  trade_off: { bound: number; possible: boolean; extrapolated: boolean; cost: number | null; lower: number | null; upper: number | null; values: number[] }[];
  method: string;
  samples: number;
  seed: number;
  verified_samples: number;
  verified_seed: number;
  verifications: number;
  confidence: number;
  remarks: string[];
}

const read = (text: string) => JSON.parse(text) as Design;
export const designLine = (text: string) => read(text).verdict;

function verdict(d: Design): HTMLElement {
  const words = d.verified ? 'A design was found and verified' : d.met ? 'The fresh study contradicts: do not use this design' : 'No design meets the constraints';
  const mark = h('span', { class: 'verdict-mark', 'aria-hidden': 'true' }, d.verified ? '✓' : '✕');
  return h('div', { class: `verdict ${d.verified ? 'good' : 'bad'}`, 'data-verdict': d.verified ? 'verified' : 'not-met' }, h('p', { class: 'answer', 'data-words': 'answer' }, mark, words), h('p', {}, d.verdict));
}

function table(name: string, head: string[], rows: (string | HTMLElement)[][]): HTMLElement {
  const line = (cells: (string | HTMLElement)[]) => h('tr', {}, h('th', { scope: 'row' }, cells[0]!), ...cells.slice(1).map((c) => h('td', {}, c)));
  return h('div', { class: 'scroll', 'data-part': name }, h('table', {}, h('thead', {}, h('tr', {}, ...head.map((t) => h('th', { scope: 'col' }, t)))), h('tbody', {}, ...rows.map(line))));
}

const estimate = (value: number | null, error: number | null) => (value === null ? '–' : error ? withError({ value, error }) : number(value));
const sure = (p: number | null) => (p === null ? '–' : p > 0.9995 ? 'more than 99.9\u00a0%' : p < 0.0005 ? 'less than 0.1\u00a0%' : percent(p, 3));

function parameters(d: Design): HTMLElement {
  return table('parameters', ['parameter', 'chosen', 'in the model', 'range'], d.parameters.map((p) => [p.name, number(p.value, 5), number(p.written), `${number(p.from, 3)} … ${number(p.to, 3)}`]));
}

function constraints(d: Design): HTMLElement | null {
  if (!d.constraints.length) return null;
  const rows = d.constraints.map((c) => [c.text + (c.active ? ' (active)' : ''), estimate(c.value, c.error), sure(c.sure), estimate(c.verified, c.verified_error), sure(c.verified_sure)]);
  return table('constraints', ['constraint', 'in the search', 'holds with', 'in the fresh study', 'holds with'], rows);
}

function how(d: Design): string {
  const fresh = d.verifications ? ` It was verified by a fresh study of ${count(d.verified_samples)} realizations (seed ${d.verified_seed}).` : '';
  return `${plural(d.evaluations.length, 'design')} of ${count(d.samples)} realizations each (${d.method}, seed ${d.seed}), all with the same random numbers; constraints hold with ${percent(d.confidence, 3)} confidence, given the sampling errors.${fresh}`;
}

// Axes with their grid and names; returns the place of the drawing.
function frame(svg: SVGSVGElement, x: (from: number, to: number) => Axis, y: (from: number, to: number) => Axis, width: number, height: number, names: [string, string]): { x: Axis; y: Axis } {
  const [top, bottom] = [24, height - 40];
  const vertical = y(bottom, top);
  const left = Math.max(...vertical.ticks.map((t) => textWidth(t.text, 11))) + 12;
  const across = x(left + 8, width - 14);
  svg.setAttribute('font-size', '11');
  for (const t of vertical.ticks) svg.append(s('line', { x1: left, x2: width - 6, y1: vertical.at(t.value), y2: vertical.at(t.value), stroke: 'var(--grid)' }), s('text', { x: left - 5, y: vertical.at(t.value) + 4, 'text-anchor': 'end', fill: 'var(--soft)' }, t.text));
  for (const t of across.ticks) svg.append(s('line', { x1: across.at(t.value), x2: across.at(t.value), y1: bottom, y2: bottom + 4, stroke: 'var(--soft)' }), s('text', { x: across.at(t.value), y: bottom + 16, 'text-anchor': 'middle', fill: 'var(--soft)' }, t.text));
  svg.append(s('path', { d: `M${left} ${top}V${bottom}H${width - 6}`, fill: 'none', stroke: 'var(--soft)' }));
  svg.append(s('text', { x: 2, y: 13, 'font-size': 12, 'font-weight': 600 }, shorten(names[1], width - 4)));
  svg.append(s('text', { x: (left + width) / 2, y: height - 6, 'text-anchor': 'middle', fill: 'var(--soft)' }, shorten(names[0], width - left)));
  return { x: across, y: vertical };
}

const known = (v: number | null): v is number => v !== null && Number.isFinite(v);

// The cost for other bounds of the active constraint, with its error bars and the design itself.
function tradeOff(d: Design): HTMLElement | null {
  const points = d.trade_off.filter((t) => t.possible && known(t.cost));
  const constraint = d.constraints[d.trade_off_of];
  if (!constraint || points.length < 2) return null;
  const log = constraint.text.startsWith('probability');
  const bounds = points.map((t) => t.bound);
  const costs = [...points.flatMap((t) => [t.cost, t.lower, t.upper]), d.cost.value].filter(known);
  const spread = Math.max(...costs) - Math.min(...costs) || Math.abs(d.cost.value) || 1;
  const draw = (width: number) => {
    const svg = canvas(width, 300, `cost against the bound of ${constraint.text}`);
    const horizontal = (from: number, to: number) => (log ? logAxis(Math.min(...bounds), Math.max(...bounds), from, to) : axis(Math.min(...bounds), Math.max(...bounds), from, to, 5));
    const at = frame(svg, horizontal, (from, to) => axis(Math.min(...costs) - 0.05 * spread, Math.max(...costs) + 0.05 * spread, from, to, 5), width, 300, [`bound of ${constraint.text}`, `cost: ${d.cost.text}`]);
    svg.append(s('path', { d: points.map((t, i) => `${i ? 'L' : 'M'}${at.x.at(t.bound).toFixed(1)} ${at.y.at(t.cost!).toFixed(1)}`).join(''), fill: 'none', stroke: 'var(--blue)', 'stroke-width': 1.75 }));
    for (const t of points) {
      const x = at.x.at(t.bound);
      if (known(t.lower)) svg.append(s('path', { d: `M${x} ${at.y.at(t.lower)}V${known(t.upper) ? at.y.at(t.upper) : 24}`, stroke: 'var(--ink)', 'stroke-width': 1.2, fill: 'none' }));
      svg.append(s('circle', { cx: x, cy: at.y.at(t.cost!), r: 3.4, fill: t.extrapolated ? 'var(--paper)' : 'var(--blue)', stroke: 'var(--blue)' }));
    }
    const [x, y] = [at.x.at(constraint.bound), at.y.at(d.cost.value)];
    svg.append(s('path', { d: `M${x - 6} ${y}h12M${x} ${y - 6}v12`, stroke: 'var(--vermillion)', 'stroke-width': 2.2 }));
    return svg;
  };
  const csv = () => [['bound', 'cost', 'lower', 'upper', ...d.parameters.map((p) => p.name)], ...d.trade_off.map((t) => [t.bound, t.cost ?? NaN, t.lower ?? NaN, t.upper ?? NaN, ...t.values])];
  const words = 'The least cost if the bound were another one, by interpolation between the designs looked at, with 68\u00a0% error bars. The cross is the chosen design, which has a margin for sampling errors. Hollow: extrapolated.';
  return h('div', { 'data-part': 'trade-off' }, h('h3', {}, 'Trade-off'), new Chart({ name: 'trade-off', caption: words, width: 560, draw, csv }).element);
}

// The cost against each parameter, for all designs that were looked at.
function designs(d: Design): HTMLElement {
  // The chosen one last: above the others.
  const shown = d.evaluations.map((e, i) => ({ ...e, i })).filter((e) => known(e.cost)).sort((a, b) => Number(a.i === d.chosen) - Number(b.i === d.chosen));
  const costs = shown.map((e) => e.cost!);
  const margin = 0.06 * (Math.max(...costs) - Math.min(...costs));
  const chart = (k: number) => {
    const p = d.parameters[k]!;
    const draw = (width: number) => {
      const svg = canvas(width, 240, `cost against ${p.name}`);
      const at = frame(svg, (from, to) => (p.scale === 'log' ? logAxis(p.from, p.to, from, to) : axis(p.from, p.to, from, to, 4)), (from, to) => axis(Math.min(...costs) - margin, Math.max(...costs) + margin, from, to, 4), width, 240, [p.name, 'cost']);
      for (const e of shown) svg.append(s('circle', { cx: at.x.at(e.values[k]!), cy: at.y.at(e.cost!), r: e.i === d.chosen ? 5.5 : 3.4, fill: e.i === d.chosen ? 'var(--vermillion)' : e.meets ? 'var(--blue)' : 'var(--paper)', stroke: e.i === d.chosen ? 'var(--vermillion)' : e.meets ? 'var(--blue)' : 'var(--grey)', 'stroke-width': 1.4 }));
      return svg;
    };
    return new Chart({ name: `designs, ${p.name}`, width: 380, small: true, draw, csv }).element;
  };
  const csv = () => [[...d.parameters.map((p) => p.name), 'cost', 'meets', ...d.constraints.map((c) => c.text)], ...d.evaluations.map((e) => [...e.values, e.cost ?? NaN, e.meets ? 1 : 0, ...e.left.map((v) => v ?? NaN)])];
  const failed = d.evaluations.length - shown.length;
  const words = `Filled: designs that meet all constraints with the confidence asked for; hollow: others; large: the chosen one.${failed ? ` ${plural(failed, 'design')} could not be simulated.` : ''}`;
  return h('div', { 'data-part': 'designs' }, h('h3', {}, 'Designs looked at'), h('p', { class: 'small soft' }, words), h('div', { class: 'charts' }, ...d.parameters.map((_, k) => chart(k))));
}

function notes(d: Design): HTMLElement | null {
  if (!d.remarks.length) return null;
  return h('div', { class: d.verified ? 'small' : 'warning', 'data-part': 'notes' }, h('ul', {}, ...d.remarks.map((n) => h('li', {}, n))));
}

export function design(page: Page): HTMLElement | null {
  const text = page.results[0]!.design;
  if (!text) return null;
  const d = read(text);
  const cost = h('p', {}, `Cost ${d.cost.text}: ${estimate(d.cost.value, d.cost.error)}${d.cost.verified_error ? `; in the fresh study ${estimate(d.cost.verified, d.cost.verified_error)}` : ''}.`);
  return h('div', { 'data-section': 'design', class: 'first design' }, verdict(d), parameters(d), cost, constraints(d), notes(d), h('p', { class: 'small soft' }, how(d)), h('div', { 'data-place': 'announce' }), tradeOff(d), designs(d));
}
