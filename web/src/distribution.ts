// How realizations are distributed at one time: a histogram with a smooth density through it. Fast enough to follow the cursor.
import './distribution.css';
import { standalone } from './chart';
import { h, s } from './dom';
import { count, labelled, number, shortened, unitText } from './format';
import { maximiseButton } from './maximise';
import { fittingTicks, mapping, tickTexts, ticks } from './plot_axes';
import { saveButtons } from './save';

// Sorted, and what follows from that.
export interface Sample {
  sorted: Float64Array;
  mean: number;
  std: number;
  scatters: boolean; // beyond round-off
}

// Single precision holds seven digits, less one for what was computed with it.
export function sampleOf(values: Float64Array, single = false): Sample {
  const sorted = values.filter(Number.isFinite).sort();
  const n = sorted.length;
  let sum = 0;
  for (const v of sorted) sum += v;
  const mean = sum / n;
  let squares = 0;
  for (const v of sorted) squares += (v - mean) ** 2;
  const std = n > 1 ? Math.sqrt(squares / (n - 1)) : 0;
  const size = n ? Math.max(Math.abs(sorted[0]!), Math.abs(sorted[n - 1]!)) : 0;
  return { sorted, mean, std, scatters: n > 1 && std > Math.max((single ? 1e-6 : 1e-12) * size, 1e-14) };
}

function quantile(sorted: Float64Array, p: number): number {
  const at = p * (sorted.length - 1);
  const i = Math.floor(at);
  return sorted[i]! + (at - i) * ((sorted[i + 1] ?? sorted[i]!) - sorted[i]!);
}

const quartiles = (x: Sample) => quantile(x.sorted, 0.75) - quantile(x.sorted, 0.25);

// Silverman's rule: 0.9 min(s, IQR/1.34) n^(-1/5).
export function bandwidth(x: Sample): number {
  const robust = quartiles(x) / 1.34;
  return 0.9 * (robust > 0 ? Math.min(x.std, robust) : x.std) * x.sorted.length ** -0.2;
}

// Equal bins by the rule of Freedman and Diaconis, within what can be seen.
export function histogram(x: Sample, most = 40): { start: number; width: number; counts: number[] } {
  const { sorted } = x;
  const start = sorted[0]!;
  const length = sorted[sorted.length - 1]! - start;
  const rule = (2 * quartiles(x)) / Math.cbrt(sorted.length);
  const bins = Math.round(Math.min(most, Math.max(10, rule > 0 ? length / rule : 10)));
  const counts = new Array<number>(bins).fill(0);
  for (const v of sorted) ++counts[Math.min(bins - 1, Math.floor(((v - start) / length) * bins))]!;
  return { start, width: length / bins, counts };
}

// Gaussian kernels, of values put on a fine grid first: the cost does not grow with values times points.
export function density(x: Sample, from: number, to: number, points = 160): Float64Array {
  const step = (to - from) / (points - 1);
  const weights = new Float64Array(points);
  for (const v of x.sorted) {
    const at = (v - from) / step;
    const i = Math.floor(at);
    if (i < 0 || i >= points - 1) continue;
    weights[i]! += i + 1 - at;
    weights[i + 1]! += at - i;
  }
  const width = Math.max(bandwidth(x), 0.7 * step);
  const reach = Math.min(points, Math.ceil((4 * width) / step));
  const kernel = Float64Array.from({ length: reach + 1 }, (_, k) => Math.exp(-0.5 * ((k * step) / width) ** 2) / (width * Math.sqrt(2 * Math.PI) * x.sorted.length));
  const out = new Float64Array(points);
  for (let i = 0; i < points; ++i) {
    if (weights[i] === 0) continue;
    for (let k = Math.max(0, i - reach); k <= Math.min(points - 1, i + reach); ++k) out[k]! += weights[i]! * kernel[Math.abs(k - i)]!;
  }
  return out;
}

export interface Marks {
  mean: number;
  nominal: number;
  lower: number;
  upper: number;
}

const box = { width: 320, height: 230, left: 54, right: 12, top: 10, bottom: 46 };

// Attributes, not a style sheet: a saved figure has none.
const barLook = { fill: 'var(--grey)', 'fill-opacity': 0.4, stroke: 'var(--paper)', 'stroke-width': 0.5 };
const nominalLook = { stroke: 'var(--ink)', 'stroke-width': 1.5, 'stroke-dasharray': '5 4' };

export class Distribution {
  readonly element: HTMLElement;
  private heading = h('h4', { class: 'distribution-time' });
  private words = h('p', { class: 'soft small distribution-words' });
  private band = s('rect', { fill: 'var(--blue)', opacity: 0.14, y: box.top, height: box.height - box.top - box.bottom });
  private bars = s('path', barLook);
  private curve = s('path', { fill: 'none', stroke: 'var(--ink)', 'stroke-width': 1.5 });
  private mean = this.mark({ stroke: 'var(--blue)', 'stroke-width': 2 });
  private nominal = this.mark(nominalLook);
  private axis = s('g', {});
  private svg: SVGSVGElement;
  private time = 0;
  private values: Float64Array = new Float64Array();

  constructor(
    name: string,
    private unit: string,
    private bandWords: string,
  ) {
    const middle = (box.left + box.width - box.right) / 2;
    this.svg = s(
      'svg',
      { width: box.width, height: box.height, viewBox: `0 0 ${box.width} ${box.height}`, role: 'img', fill: 'var(--soft)', 'font-family': 'system-ui, DejaVu Sans, sans-serif', 'font-size': 12 },
      this.axis,
      this.band,
      this.bars,
      this.curve,
      this.mean,
      this.nominal,
      s('text', { x: middle, y: box.height - 6, 'text-anchor': 'middle' }, shortened(labelled(name, unit), 40)),
      s('text', { x: 10, y: 100, 'text-anchor': 'middle', transform: 'rotate(-90 10 100)' }, 'realizations'),
    );
    const save = saveButtons(() => ({ name: `${name} at ${number(this.time, 5)} s`, svg: () => standalone(this.svg), csv: () => [[labelled(name, unit)], ...Array.from(this.values, (v) => [v])] }));
    this.element = h('div', { class: 'distribution', 'data-distribution': name }, this.heading, this.words, this.svg, h('div', { class: 'distribution-saves no-print' }, maximiseButton(() => this.element), save));
  }

  // `single`: the values are of single precision.
  show(time: number, values: Float64Array, marks: Marks, single = false): void {
    this.time = time;
    this.values = values;
    const x = sampleOf(values, single);
    const n = x.sorted.length;
    this.heading.textContent = Number.isNaN(time) ? 'Distribution' : `At ${number(time, 5)} s`;
    this.element.dataset.time = String(time);
    this.element.dataset.count = String(n);
    this.svg.style.visibility = x.scatters ? 'visible' : 'hidden';
    if (!x.scatters) {
      const all = n > 1 ? `All ${count(n)} realizations are the same here` : n === 1 ? 'One realization' : 'No realization has a value here';
      this.words.textContent = n ? `${all}: ${number(x.sorted[0], 6)} ${unitText(this.unit)}.` : `${all}.`;
      return;
    }
    this.draw(x, marks);
    const shaded = Number.isFinite(marks.lower) ? `, ${this.bandWords} shaded` : '';
    this.words.textContent = `${count(n)} realizations. Mean solid, nominal dashed${shaded}.`;
    this.svg.setAttribute('aria-label', `Distribution of ${count(n)} realizations at ${number(time, 5)} s: mean ${number(marks.mean)}, standard deviation ${number(x.std)} ${unitText(this.unit)}.`);
  }

  private mark(look: Record<string, string | number>): SVGLineElement {
    return s('line', { ...look, y1: box.top, y2: box.height - box.bottom });
  }

  private draw(x: Sample, marks: Marks): void {
    const bins = histogram(x);
    const known = Object.values(marks).filter(Number.isFinite);
    const low = Math.min(x.sorted[0]!, ...known);
    const high = Math.max(x.sorted[x.sorted.length - 1]!, ...known);
    const room = 0.08 * (high - low);
    const range = { min: low - room, max: high + room };
    const smooth = density(x, range.min, range.max);
    const scale = x.sorted.length * bins.width; // from a density to realizations per bin
    const tallest = 1.05 * Math.max(...bins.counts, scale * Math.max(...smooth));
    const bottom = box.height - box.bottom;
    const X = mapping(range, false, box.left, box.width - box.left - box.right);
    const Y = mapping({ min: 0, max: tallest }, false, bottom, box.top - bottom);
    let bars = '';
    bins.counts.forEach((c, i) => (bars += c ? `M${X(bins.start + i * bins.width).toFixed(1)} ${bottom}V${Y(c).toFixed(1)}H${X(bins.start + (i + 1) * bins.width).toFixed(1)}V${bottom}Z` : ''));
    this.bars.setAttribute('d', bars);
    let curve = '';
    const pixel = (box.width - box.left - box.right) / (smooth.length - 1);
    smooth.forEach((d, i) => (curve += `${i ? 'L' : 'M'}${(box.left + i * pixel).toFixed(1)} ${Y(d * scale).toFixed(1)}`));
    this.curve.setAttribute('d', curve);
    this.place(this.mean, X(marks.mean));
    this.place(this.nominal, X(marks.nominal));
    const banded = Number.isFinite(marks.lower) && Number.isFinite(marks.upper);
    this.band.setAttribute('x', banded ? X(marks.lower).toFixed(1) : '0');
    this.band.setAttribute('width', banded ? Math.max(0, X(marks.upper) - X(marks.lower)).toFixed(1) : '0');
    this.drawAxis(range, tallest, X, Y);
  }

  private place(line: SVGLineElement, x: number): void {
    line.style.display = Number.isFinite(x) ? '' : 'none';
    if (!Number.isFinite(x)) return;
    line.setAttribute('x1', x.toFixed(1));
    line.setAttribute('x2', x.toFixed(1));
  }

  private drawAxis(range: { min: number; max: number }, tallest: number, X: (v: number) => number, Y: (v: number) => number): void {
    const bottom = box.height - box.bottom;
    const length = box.width - box.left - box.right;
    const places = fittingTicks(range, length, length / 5, false);
    const texts = tickTexts(places, false);
    const counts = ticks({ min: 0, max: tallest }, 3, false).filter(Number.isInteger);
    this.axis.replaceChildren(
      ...counts.map((c) => s('line', { stroke: 'var(--grid)', x1: box.left, x2: box.width - box.right, y1: Y(c), y2: Y(c) })),
      ...counts.map((c) => s('text', { x: box.left - 5, y: Y(c) + 4, 'text-anchor': 'end' }, String(c))),
      ...places.map((v, i) => s('text', { x: X(v), y: bottom + 16, 'text-anchor': 'middle' }, texts[i]!)),
    );
  }
}

// In a row of a table.
export function smallHistogram(values: Float64Array, nominal: number, label: string): SVGElement | null {
  const x = sampleOf(values);
  if (!x.scatters) return null;
  const [width, height] = [132, 30];
  const bins = histogram(x, 24);
  const low = Math.min(bins.start, Number.isFinite(nominal) ? nominal : Infinity);
  const high = Math.max(bins.start + bins.counts.length * bins.width, Number.isFinite(nominal) ? nominal : -Infinity);
  const X = mapping({ min: low, max: high }, false, 1, width - 2);
  const tallest = Math.max(...bins.counts);
  const path = bins.counts.map((c, i) => (c ? `M${X(bins.start + i * bins.width)} ${height}V${height - (c / tallest) * (height - 2)}H${X(bins.start + (i + 1) * bins.width)}V${height}Z` : '')).join('');
  return s(
    'svg',
    { class: 'small-histogram', width, height, role: 'img', 'aria-label': label },
    s('path', { ...barLook, d: path }),
    Number.isFinite(nominal) && s('line', { ...nominalLook, x1: X(nominal), x2: X(nominal), y1: 0, y2: height }),
  );
}
