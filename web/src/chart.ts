// Small charts as vector graphics: bars, points and densities are drawn by their own files; here is what they share: the place in the
// page, axes, and export. Colours are written as var(--…), so that light and dark need no redrawing.
import './chart.css';
import { h, s } from './dom';
import { shortened, unitText } from './format';
import { maximiseButton } from './maximise';
import { fittingTicks, ticks, tickTexts } from './plot_axes';
import { saveButtons } from './save';
import { font, textWidth } from './text_width';
import { colour } from './theme';

export interface ChartSpec {
  name: string; // of the file when it is exported
  caption?: string;
  draw: (width: number) => SVGSVGElement;
  csv: () => (string | number)[][]; // a header and rows
  width?: number; // at most
  small?: boolean; // one of many: its buttons show when they are needed
}

export class Chart {
  readonly element: HTMLElement;
  private place = h('div', { class: 'chart-place' });
  private width = 0;

  constructor(private spec: ChartSpec) {
    const buttons = saveButtons(() => ({ name: this.spec.name, svg: () => standalone(this.place.querySelector('svg')!), csv: this.spec.csv }));
    this.element = h('figure', { class: spec.small ? 'chart small-chart' : 'chart', 'data-chart': spec.name }, this.place, h('div', { class: 'chart-buttons no-print' }, maximiseButton(() => this.element), buttons));
    if (spec.caption) this.element.append(h('figcaption', {}, spec.caption));
    this.draw(spec.width ?? 640);
    new ResizeObserver(() => requestAnimationFrame(() => this.fit())).observe(this.place);
  }

  update(spec: ChartSpec): void {
    this.spec = spec;
    this.element.dataset.chart = spec.name;
    this.draw(this.width);
  }

  private fit(): void {
    const width = Math.min(this.spec.width ?? 760, Math.floor(this.place.clientWidth));
    if (width > 60 && width !== this.width) this.draw(width);
  }

  private draw(width: number): void {
    this.width = width;
    this.place.replaceChildren(this.spec.draw(width));
  }
}

// An empty drawing of this size, described for those who cannot see it.
export function canvas(width: number, height: number, words: string): SVGSVGElement {
  const size = { width, height, viewBox: `0 0 ${width} ${height}` };
  return s('svg', { ...size, role: 'img', 'aria-label': words, 'font-family': font, 'font-size': 12, fill: 'var(--ink)' });
}

// The drawing as a file of its own: colours in place of variables, and paper behind it.
export function standalone(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.prepend(s('rect', { width: '100%', height: '100%', fill: 'var(--paper)' }));
  return new XMLSerializer().serializeToString(copy).replace(/var\((--[\w-]+)\)/g, (_, name: string) => colour(name));
}

export interface Axis {
  min: number;
  max: number;
  at: (value: number) => number; // its place in the drawing
  ticks: { value: number; text: string }[];
}

// Round numbers, about n of them, between min and max.
export function axis(min: number, max: number, from: number, to: number, n = 5): Axis {
  if (!(max > min)) [min, max] = [min - (Math.abs(min) || 1) / 2, min + (Math.abs(min) || 1) / 2];
  // Along the width texts need room; above one another they have it.
  const places = to > from ? fittingTicks({ min, max }, to - from, (to - from) / n, false) : ticks({ min, max }, n, false);
  const texts = tickTexts(places, false);
  return { min, max, at: (v) => from + ((v - min) / (max - min)) * (to - from), ticks: places.map((value, i) => ({ value, text: texts[i]! })) };
}

// Powers of ten.
export function logAxis(min: number, max: number, from: number, to: number): Axis {
  const low = Math.floor(Math.log10(min) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.log10(max) - 1e-9));
  const every = Math.ceil((high - low) / 8);
  const places: Axis['ticks'] = [];
  for (let k = high; k >= low; k -= every) places.push({ value: 10 ** k, text: k === 0 ? '1' : unitText(`10^${k}`) });
  return { min: 10 ** low, max: 10 ** high, at: (v) => from + ((Math.log10(v) - low) / (high - low)) * (to - from), ticks: places };
}

// A row of names with their colours and marks.
export function legend(items: { label: string; mark: (x: number, y: number) => SVGElement }[], x: number, y: number, width: number): { group: SVGGElement; height: number } {
  const group = s('g', {});
  let at = x;
  let line = y;
  for (const item of items) {
    const length = 22 + textWidth(item.label) + 16;
    if (at > x && at + length > width) [at, line] = [x, line + 18];
    group.append(item.mark(at, line), s('text', { x: at + 20, y: line + 4 }, item.label));
    at += length;
  }
  return { group, height: items.length ? line - y + 18 : 0 };
}

// Without its middle where it is wider than that.
export function shorten(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let n = text.length - 1;
  while (n > 4 && textWidth(shortened(text, n)) > width) --n;
  return shortened(text, n);
}
