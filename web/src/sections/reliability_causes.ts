// Why it fails: importance factors of the design point, and how random numbers are distributed given failure.
import { bars } from '../bars';
import { axis, canvas, Chart, type ChartSpec } from '../chart';
import type { DesignPoint, FailureCause, Law, Reliability, Result, Series } from '../data';
import { densityRange } from '../density';
import { h, s } from '../dom';
import { labelled, number, percent, shortened, unitText } from '../format';
import { known, probability } from '../probability';
import { descending, largest } from '../series';

const most = 20; // bars
const few = 6; // densities that are shown at once

// Gaussian kernels of weighted values: bandwidth by Silverman's rule for as many as the weights are worth.
// Where the support ends, as `ends` say, what would be beyond is mirrored.
export function weightedDensity(values: Series, weights: Series, at: Float64Array, ends: number[] = []): Float64Array {
  let [sum, squares, mean] = [0, 0, 0];
  values.forEach((v: number, i: number) => {
    const w = weights[i] ?? 0;
    sum += w;
    squares += w * w;
    mean += w * v;
  });
  mean /= sum;
  let variance = 0;
  values.forEach((v: number, i: number) => (variance += ((weights[i] ?? 0) / sum) * (v - mean) ** 2));
  const width = 1.06 * Math.sqrt(variance) * (sum * sum / squares) ** -0.2;
  const scale = 1 / (width * Math.sqrt(2 * Math.PI) * sum);
  return at.map((x) => {
    let d = 0;
    for (const place of [x, ...ends.map((end) => 2 * end - x)]) values.forEach((v: number, i: number) => (d += (weights[i] ?? 0) * Math.exp(-0.5 * ((place - v) / width) ** 2)));
    return scale * d;
  });
}

// Ends of the support at which the density does not vanish.
function endsOf(law: Law | undefined): number[] {
  if (!law || law.density.length < 2) return [];
  const [last, much] = [law.x.length - 1, 0.05 * largest(law.density)];
  return [0, last].filter((i) => law.density[i]! > much).map((i) => law.x[i]!);
}

function path(x: ArrayLike<number>, y: ArrayLike<number>, X: (v: number) => number, Y: (v: number) => number): string {
  return Array.from(x, (v, i) => `${i ? 'L' : 'M'}${X(v).toFixed(1)} ${Y(y[i]!).toFixed(1)}`).join('');
}

const shiftWords = (c: FailureCause) => (known(c.shift) ? `shifted by ${number(c.shift, 2)} standard deviations` : 'shift not known');

function drawCause(c: FailureCause, law: Law | undefined, weights: Series, width: number): SVGSVGElement {
  const [height, top, bottom] = [138, 40, 116];
  const svg = canvas(width, height, `${c.name}: mean ${number(c.mean)}, given failure ${number(c.meanFailing)} ${unitText(c.unit)}, ${shiftWords(c)}`);
  svg.setAttribute('font-size', '11');
  const values = c.values!;
  const ends = endsOf(law);
  const [low, high] = [-largest(values.map((v) => -v) as Series), largest(values)];
  const inside = (v: number) => Math.max(ends.includes(law?.x[0] ?? NaN) ? law!.x[0]! : -Infinity, Math.min(ends.includes(law?.x.at(-1) ?? NaN) ? law!.x.at(-1)! : Infinity, v));
  const own: [number, number] = [inside(low - 0.2 * (high - low)), inside(high + 0.2 * (high - low))];
  const before: [number, number] = law && law.density.length > 1 ? densityRange(law) : own;
  const x = axis(Math.min(own[0], before[0]), Math.max(own[1], before[1]), 4, width - 4, 4);
  const grid = Float64Array.from({ length: 161 }, (_, i) => x.min + ((x.max - x.min) * i) / 160);
  const after = weightedDensity(values, weights, grid, ends);
  const peak = Math.max(largest(after), law ? largest(law.density) || 0 : 0) || 1;
  const Y = (v: number) => bottom - (v / peak) * (bottom - top);
  const area = (d: string, from: number, to: number, paint: string, dash: string) =>
    svg.append(s('path', { d: `${d}L${x.at(to)} ${bottom}L${x.at(from)} ${bottom}Z`, fill: `var(${paint})`, 'fill-opacity': 0.14 }), s('path', { d, fill: 'none', stroke: `var(${paint})`, 'stroke-width': 1.6, 'stroke-dasharray': dash }));
  if (law && law.density.length > 1) {
    const seen = Array.from(law.x, (_, i) => i).filter((i) => law.x[i]! >= x.min && law.x[i]! <= x.max && Number.isFinite(law.density[i]!));
    const at = seen.map((i) => law.x[i]!);
    area(path(at, seen.map((i) => law.density[i]!), x.at, Y), at[0]!, at[at.length - 1]!, '--blue', '5 3');
  }
  area(path(grid, after, x.at, Y), grid[0]!, grid[160]!, '--vermillion', 'none');
  svg.append(s('line', { x1: 4, x2: width - 4, y1: bottom, y2: bottom, stroke: 'var(--soft)' }));
  for (const t of x.ticks) {
    const at = x.at(t.value);
    const anchor = at < 24 ? 'start' : at > width - 24 ? 'end' : 'middle';
    svg.append(s('line', { x1: at, x2: at, y1: bottom, y2: bottom + 3, stroke: 'var(--soft)' }), s('text', { x: at, y: height - 6, 'text-anchor': anchor, fill: 'var(--soft)' }, t.text));
  }
  svg.append(s('text', { x: 2, y: 12, 'font-weight': 600 }, shortened(labelled(c.name, c.unit), Math.floor(width / 7))));
  svg.append(s('text', { x: 2, y: 27, fill: 'var(--soft)' }, known(c.shift) ? `mean ${number(c.mean, 3)} → ${number(c.meanFailing, 3)}, shift ${number(c.shift, 2)} σ` : ''));
  return svg;
}

function causeChart(c: FailureCause, law: Law | undefined, weights: Series): HTMLElement {
  const spec: ChartSpec = {
    name: `${c.name} given failure`,
    width: 420,
    small: true,
    draw: (width) => drawCause(c, law, weights, width),
    csv: () => [[labelled(c.name, c.unit), 'weight'], ...Array.from(c.values!, (v: number, i: number) => [v, weights[i]!])],
  };
  return new Chart(spec).element;
}

// Before and given failure.
function conditional(r: Result, rel: Reliability): HTMLElement | null {
  const shown = rel.causes.filter((c) => c.values && c.values.length > 1 && known(c.std) && c.std > 0);
  if (!shown.length) return null;
  const laws = new Map(r.laws.map((law) => [law.name, law]));
  const charts = (list: FailureCause[]) => h('div', { class: 'failure-causes' }, ...list.map((c) => causeChart(c, laws.get(c.name), rel.failures.weights)));
  const rest = shown.slice(few);
  const more = rest.length ? h('details', {}, h('summary', {}, `${rest.length} more`)) : null;
  if (more) {
    const open = () => more.childElementCount < 2 && more.append(charts(rest));
    more.addEventListener('toggle', open);
    addEventListener('beforeprint', () => ((more.open = true), open()));
  }
  const top = shown[0]!;
  const words = known(top.shift) && Math.abs(top.shift) >= 0.3 ? `${top.name} differs most between failures and all realizations: its mean is ${number(top.meanFailing, 3)} instead of ${number(top.mean, 3)} ${unitText(top.unit)}, ${number(Math.abs(top.shift), 2)} standard deviations ${top.shift > 0 ? 'higher' : 'lower'}.` : 'No random number differs much between failures and all realizations: it is the random excitation, or a combination of several, that leads to failure.';
  return h(
    'div',
    { 'data-part': 'conditional' },
    h('p', { 'data-words': 'conditional' }, words),
    charts(shown.slice(0, few)),
    more,
    h('p', { class: 'small soft' }, h('span', { style: 'color: var(--blue)' }, 'Dashed blue'), ': distribution before; ', h('span', { style: 'color: var(--vermillion)' }, 'solid red'), ': given failure. Ordered by the shift of the mean, in standard deviations.'),
  );
}

const valueAt = (r: Result, d: DesignPoint, variable: string): string => {
  const k = r.laws.findIndex((law) => law.name === variable);
  return k >= 0 && known(d.inputs[k]) ? `${number(d.inputs[k])} ${unitText(r.laws[k]!.unit)}`.trim() : '–';
};

function designPoint(r: Result, rel: Reliability, d: DesignPoint): HTMLElement {
  const order = descending(d.importance).slice(0, most);
  const name = (i: number) => rel.variables[i] ?? `random process ${i - rel.variables.length + 1}`;
  const chart = bars({ name: `importance factors of ${d.limit}`, xName: 'importance factor α²', series: ['importance'], xTo: 1, rows: order.map((i) => ({ label: name(i), bars: [{ value: d.importance[i]!, low: NaN, high: NaN }] })) });
  const row = (i: number) => h('tr', {}, h('th', { scope: 'row' }, shortened(name(i), 32)), ...[valueAt(r, d, name(i)), number(d.u[i], 3), percent(d.importance[i])].map((text) => h('td', {}, text)));
  const orders = [known(d.form) ? `first order (FORM) ${probability(d.form)}` : '', known(d.sorm) ? `second order (SORM) ${probability(d.sorm)}` : ''].filter(Boolean).join(', ');
  return h(
    'div',
    { 'data-part': 'design-point' },
    h('p', {}, `Design point of ${d.limit}: β = ${d.beta.toFixed(3)}${orders ? `, ${orders}` : ''}. It is the most probable combination of the random numbers that fails.`),
    d.converged ? null : h('p', { class: 'warning' }, 'The search for this point did not converge.'),
    h('div', { class: 'pair' }, new Chart(chart).element, h('div', { class: 'scroll' }, h('table', { class: 'reliability', 'data-table': 'design-point' }, h('thead', {}, h('tr', {}, ...['variable', 'value', 'standard normal', 'importance'].map((t) => h('th', { scope: 'col' }, t)))), h('tbody', {}, ...order.map(row))))),
    d.importance.length > most ? h('p', { class: 'small soft' }, `The ${most} largest of ${d.importance.length} are shown.`) : null,
  );
}

export function failureCauses(r: Result, rel: Reliability): HTMLElement | null {
  const parts = [...rel.designPoints.map((d) => designPoint(r, rel, d)), conditional(r, rel)].filter((part) => part !== null);
  return parts.length ? h('div', { 'data-part': 'failure-causes' }, h('h3', {}, 'Causes of failure'), ...parts) : null;
}
