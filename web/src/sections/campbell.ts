// Natural frequencies over a parameter: a Campbell diagram, where that is a speed.
import './campbell.css';
import type { Campbell, Page, Result, Series } from '../data';
import { h } from '../dom';
import { labelled, number, unitText } from '../format';
import { Plot, type Curve, type PlotSpec } from '../plot';
import { map } from '../series';
import { nearest, Shared, type Link, type Range } from '../state';
import { palette } from '../theme';
import { lead, plural } from '../words';

const dashes = [[], [8, 4], [2, 3], [8, 3, 2, 3]];
const orderColours = ['--ink', '--soft'];

const withUnit = (d: Campbell, x: number, digits = 5): string => `${number(x, digits)} ${unitText(d.unit)}`.trim();
const orderName = (order: number): string => `${number(order)}×`;

export const campbellTitle = (r: Result): string => (r.campbell!.orders.length ? 'Campbell diagram' : `Frequencies over ${r.campbell!.parameter}`);
export function campbellLine(r: Result): string {
  const d = r.campbell!;
  const critical = d.orders.length ? `, ${d.crossings.length ? plural(d.crossings.length, 'critical speed') : 'no critical speeds'}` : '';
  return `${plural(d.modes.length, 'mode')} over ${d.parameter}${critical}`;
}

// Modes have colours first, then dashes; neither is that of order lines.
const modeCurve = (k: number, values: Series): Curve => ({
  label: `mode ${k + 1}`,
  values,
  colour: palette[k % palette.length]!,
  dash: dashes[Math.floor(k / palette.length) % dashes.length],
  width: 1.7,
});

function frequencies(d: Campbell, linked: Link): PlotSpec {
  const orders = d.orders.map((order, k): Curve => ({ label: orderName(order), values: map(d.values, (x) => Math.abs(order * x) * d.orderHertz), colour: orderColours[k % 2]!, dash: dashes[1 + (k % 3)], width: 1, guide: true }));
  return {
    name: `natural frequencies over ${d.parameter}`,
    x: d.values,
    xName: d.parameter,
    xUnit: d.unit,
    yName: 'natural frequency',
    yUnit: 'Hz',
    bands: [],
    curves: [...d.modes.map((m, k) => modeCurve(k, m.frequency)), ...orders],
    points: d.crossings.length ? { label: 'critical speeds', x: Float64Array.from(d.crossings, (c) => c.value), y: Float64Array.from(d.crossings, (c) => c.frequency), colour: '--ink', large: true } : undefined,
    linked,
    fromZero: true,
    height: 400,
  };
}

function dampingRatios(d: Campbell, linked: Link): PlotSpec {
  return {
    name: `damping ratios over ${d.parameter}`,
    x: d.values,
    xName: d.parameter,
    xUnit: d.unit,
    yName: 'damping ratio',
    yUnit: '-',
    bands: [],
    curves: d.modes.map((m, k) => modeCurve(k, m.damping)),
    lines: d.modes.some((m) => m.damping.some((v) => v < 0)) ? [{ label: 'unstable below', value: 0, colour: '--warn' }] : [],
    linked,
    height: 240,
  };
}

const table = (name: string, head: string[], body: HTMLElement): HTMLElement => h('div', { class: 'scroll' }, h('table', { 'data-table': name }, h('thead', {}, h('tr', {}, ...head.map((t) => h('th', { scope: 'col' }, t)))), body));
const line = (cells: string[]): HTMLElement => h('tr', {}, h('th', { scope: 'row' }, cells[0]!), ...cells.slice(1).map((c) => h('td', {}, c)));

function critical(d: Campbell): HTMLElement | null {
  if (!d.orders.length) return null;
  if (!d.crossings.length) return h('p', { 'data-words': 'critical' }, 'No mode crosses an order line in this range.');
  const row = (c: Campbell['crossings'][number]) => line([orderName(c.order), `mode ${c.mode + 1}`, number(c.value, 6), number(c.frequency, 5), number(c.damping, 3)]);
  return h('div', {}, h('h3', {}, 'Critical speeds'), table('critical', ['order', 'mode', labelled(d.parameter, d.unit), 'frequency [Hz]', 'damping ratio'], h('tbody', {}, ...d.crossings.map(row))));
}

// Everything at the place under the cursor.
function values(d: Campbell, at: Shared<number>): HTMLElement {
  const title = h('h3', {});
  const body = h('tbody', {});
  const multiple = d.orders.length > 0;
  const show = (value: number) => {
    const i = nearest(d.values, value);
    const x = d.values[i] ?? NaN;
    const order = Math.abs(x) * d.orderHertz;
    title.textContent = `At ${d.parameter} = ${withUnit(d, x)}`;
    const row = (m: Campbell['modes'][number], k: number) => line([`mode ${k + 1}`, m.motion, number(m.frequency[i], 5), number(m.damping[i], 3), ...(multiple ? [order > 0 ? number(m.frequency[i]! / order, 4) : '–'] : []), number(m.mac[i], 3)]);
    body.replaceChildren(...d.modes.map(row));
  };
  show(at.value);
  at.subscribe(show);
  return h('div', { 'data-part': 'values' }, title, table('values', ['mode', 'largest motion', 'frequency [Hz]', 'damping ratio', ...(multiple ? ['order'] : []), 'MAC'], body));
}

const abouts: Record<string, string> = {
  start: 'about the drawing, at rest',
  equilibrium: 'about the static equilibrium at each value',
  steady: 'about the steady motion of the start',
  rotation: 'about a steady rotation, seen in its frame',
};

function answer(d: Campbell): string {
  const over = `from ${number(d.values[0])} to ${withUnit(d, d.values[d.values.length - 1]!)}`;
  const lowest = d.crossings.length ? d.crossings.reduce((a, b) => (b.value < a.value ? b : a)) : null;
  if (lowest) return `${plural(d.crossings.length, 'critical speed')} ${over}: ${d.crossings.length > 1 ? 'the lowest ' : ''}at ${d.parameter} = ${withUnit(d, lowest.value, 4)}, mode ${lowest.mode + 1} with order ${number(lowest.order)}.`;
  return d.orders.length ? `No critical speeds ${over}.` : `Natural frequencies of ${plural(d.modes.length, 'mode')} over ${d.parameter}, ${over}.`;
}

export function campbell(page: Page): HTMLElement | null {
  const r = page.results[0]!;
  const d = r.campbell!;
  const linked: Link = { at: new Shared<number>(d.values[d.values.length >> 1] ?? 0), range: new Shared<Range | null>(null) };
  const how = `Small vibrations ${abouts[d.about] ?? ''}, at ${plural(d.values.length, 'value')} of ${d.parameter}. Modes keep their numbers through crossings: they are followed by their shapes (MAC, the modal assurance criterion with the shape at the value before).`;
  const orders = d.orders.length ? ' Order lines have the frequency of so many times the speed; where a mode crosses one, the speed is critical. These speeds were computed by the model, not read off the curves.' : '';
  return h(
    'div',
    { 'data-section': 'campbell', class: r.study ? null : 'first' },
    h('p', { class: r.study ? null : 'answer', 'data-words': 'answer' }, answer(d)),
    r.study ? h('p', { class: 'small soft' }, 'Of the nominal model.') : h('p', { class: 'dek' }, lead(r)),
    ...d.notes.map((note) => h('p', { class: 'warning' }, `${note[0]!.toUpperCase()}${note.slice(1)}.`)),
    new Plot(frequencies(d, linked)).element,
    h('div', { class: 'campbell-tables' }, critical(d), values(d, linked.at)),
    h('h3', {}, 'Damping'),
    new Plot(dampingRatios(d, linked)).element,
    h('p', { class: 'small soft' }, how + orders),
  );
}
