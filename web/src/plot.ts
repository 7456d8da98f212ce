// Curves over time or anything else: one description, drawn in the page by uPlot, and as vector graphics for export and on paper.
import './plot.css';
import type uPlot from 'uplot';
import { h } from './dom';
import { labelled } from './format';
import { lazily } from './lazy';
import { maximiseButton } from './maximise';
import { rangeX, rangeY } from './plot_axes';
import { makeChart, tickPlaces } from './plot_canvas';
import { exportButtons } from './plot_export';
import { Legend } from './plot_legend';
import { handleKeys, handlePointer, type Handled } from './plot_pointer';
import { hiddenAtFirst, valuesAt, type PlotSpec } from './plot_spec';
import { drawSvg } from './plot_svg';
import { dark, nearest, time, type Link, type Range } from './state';

export type { Band, Curve, Faint, Line, PlotSpec } from './plot_spec';

export interface PlotElement extends HTMLElement {
  plot: Plot;
}

const plots = new Set<Plot>(); // those that may be printed

export class Plot implements Handled {
  readonly element: PlotElement;
  private chart: uPlot | null = null; // from when the plot has a width
  private legend: Legend;
  private area: HTMLElement;
  private line = h('div', { class: 'plot-cursor' });
  private reset: HTMLElement;
  private off: Set<string>; // labels not shown
  private own: Range | null = null; // the zoom, unless it is the page's
  private cursor = NaN; // x
  private width = 0;
  private large = false; // over the whole window
  private stale = false; // ranges or what is shown have changed
  private request: () => void;
  private ends: (() => void)[] = [];

  constructor(private spec: PlotSpec) {
    this.off = new Set(hiddenAtFirst(spec));
    this.legend = new Legend(spec, (label) => this.show(label, this.off.has(label)));
    this.area = h('div', { class: 'plot-area', tabindex: 0, role: 'img', 'aria-keyshortcuts': 'ArrowLeft ArrowRight + - 0' });
    this.reset = h('button', { type: 'button', class: 'quiet plot-reset', 'data-reset': 'zoom', click: () => this.zoom(null) }, 'Whole range');
    const foot = h('div', { class: 'plot-foot no-print' }, this.reset, maximiseButton(() => this.element, (large) => this.enlarge(large)), exportButtons(() => ({ spec: this.spec, x: this.range(), shown: this.shown })));
    this.element = Object.assign(h('figure', { class: 'plot' }, this.area, h('div', { class: 'plot-below' }, foot, this.legend.element)), { plot: this });
    this.request = lazily(this.element, () => this.draw());
    handleKeys(this.area, this, () => this.chart?.over ?? null);
    new ResizeObserver(() => this.resized()).observe(this.area);
    this.ends.push(dark.subscribe(() => this.chart?.redraw(false)));
    // Arrows in the plot are read out, the mouse is not.
    this.area.addEventListener('focus', () => this.legend.element.setAttribute('aria-live', 'polite'));
    this.area.addEventListener('blur', () => this.legend.element.removeAttribute('aria-live'));
    this.link();
    this.describe();
    plots.add(this);
  }

  get log(): boolean {
    return this.spec.logX ?? false;
  }

  get shows(): PlotSpec {
    return this.spec;
  }

  // Shows something else in the same place.
  update(spec: PlotSpec): void {
    const known = new Set([...this.spec.curves, ...this.spec.bands].map((part) => part.label));
    for (const label of hiddenAtFirst(spec)) if (!known.has(label)) this.off.add(label);
    this.spec = spec;
    const legend = new Legend(spec, (label) => this.show(label, this.off.has(label)));
    this.legend.element.replaceWith(legend.element);
    this.legend = legend;
    this.own = null;
    this.describe();
    this.make();
    this.setCursor(this.cursor);
  }

  // It is not used any more.
  destroy(): void {
    this.ends.forEach((end) => end());
    this.chart?.destroy();
    plots.delete(this);
    this.element.remove();
  }

  // Everything at the x nearest to the one asked for: curves by their label, bands as LABEL.lower and LABEL.upper.
  valuesAt(x: number): Record<string, number> {
    return valuesAt(this.spec, x);
  }

  // Switches what has this label on or off.
  show(label: string, on: boolean): void {
    if (on) this.off.delete(label);
    else this.off.add(label);
    this.legend.press(this.shown);
    this.changed();
  }

  // The texts of the axes, and where they are.
  ticks(axis: 'x' | 'y'): { text: string; from: number; to: number }[] {
    return this.chart ? tickPlaces(this.chart, this.spec, axis) : [];
  }

  range(): Range {
    const all = rangeX(this.spec);
    const zoom = this.linked ? this.linked.range.value : this.own;
    return zoom && zoom.min < all.max && zoom.max > all.min ? { min: Math.max(zoom.min, all.min), max: Math.min(zoom.max, all.max) } : all;
  }

  toX(pixel: number): number {
    return this.chart ? this.chart.posToVal(pixel, 'x') : NaN;
  }

  hover(x: number | null): void {
    if (this.linked) {
      if (x !== null) this.linked.at.set(this.spec.x[nearest(this.spec.x, x)] ?? 0, this);
    } else this.setCursor(x ?? NaN);
  }

  step(points: number): void {
    const { x } = this.spec;
    const { min, max } = this.range();
    const at = Number.isNaN(this.cursor) ? nearest(x, min) : nearest(x, this.cursor) + points;
    const next = x[Math.min(Math.max(at, 0), x.length - 1)] ?? NaN;
    this.hover(Math.min(Math.max(next, min), max));
  }

  zoom(range: Range | null): void {
    const all = rangeX(this.spec);
    let next = range;
    if (range) {
      // Moving beyond an end stops there; a range wider than everything is everything; closer than three points there is nothing to see.
      const width = Math.min(range.max - range.min, all.max - all.min);
      const min = this.log ? Math.max(range.min, all.min) : Math.min(Math.max(range.min, all.min), all.max - width);
      const max = this.log ? Math.min(range.max, all.max) : min + width;
      const closest = (all.max - all.min) * 1e-5;
      if (!(max - min > closest)) return;
      next = min <= all.min && max >= all.max ? null : { min, max };
    }
    if (this.linked) this.linked.range.set(next, this);
    else {
      this.own = next;
      this.changed();
    }
  }

  // On paper the plot is vector graphics.
  print(on: boolean): void {
    this.element.querySelector('.plot-paper')?.remove();
    this.element.classList.toggle('printing', on && this.width > 0);
    if (!on || this.width === 0) return;
    const { svg } = drawSvg({ spec: this.spec, x: this.range(), shown: this.shown });
    this.element.prepend(h('div', { class: 'plot-paper' }, svg));
  }

  private shown = (label: string): boolean => !this.off.has(label);

  private get linked(): Link | null {
    return this.spec.linked === true ? time : this.spec.linked || null;
  }

  private link(): void {
    if (!this.linked) return;
    this.cursor = this.linked.at.value;
    this.ends.push(
      this.linked.at.subscribe((x) => this.setCursor(x)),
      this.linked.range.subscribe(() => this.changed()),
    );
  }

  private describe(): void {
    const { spec } = this;
    const shows = [...spec.curves, ...spec.bands.filter((b) => b.of === undefined), ...(spec.lines ?? []), ...(spec.uprights ?? [])].map((part) => part.label);
    this.element.dataset.plot = spec.name;
    this.area.setAttribute('aria-label', `Plot of ${labelled(spec.yName, spec.yUnit)} over ${labelled(spec.xName, spec.xUnit)}: ${shows.join(', ')}.`);
    this.legend.press(this.shown);
    this.setCursor(this.cursor);
  }

  private resized(): void {
    const width = this.area.clientWidth;
    if (width > 0 && this.stale) this.request();
    if (width === 0 || width === this.width) return;
    const first = this.width === 0 || !this.chart;
    this.width = width;
    if (first) this.make();
    else {
      this.chart!.setSize({ width, height: this.height() });
      this.drawCursor();
    }
  }

  private height(): number {
    const below = this.legend.element.parentElement?.offsetHeight ?? 0;
    return this.large ? Math.max(260, innerHeight - below - 48) : (this.spec.height ?? 300);
  }

  private enlarge(large: boolean): void {
    this.large = large;
    this.width = this.area.clientWidth;
    this.make();
  }

  private make(): void {
    if (this.width === 0) return;
    this.chart?.destroy();
    this.chart = makeChart(this.area, this.spec, this.shown, this.width, this.height());
    this.chart.over.append(this.line);
    handlePointer(this.chart.over, this);
    this.changed();
    this.draw();
  }

  private changed(): void {
    this.stale = true;
    this.reset.hidden = (this.linked ? this.linked.range.value : this.own) === null;
    this.request();
  }

  private draw(): void {
    if (this.stale) this.fit();
    this.drawCursor();
  }

  // Shows the range of x and what y is in it.
  private fit(): void {
    if (!this.chart || this.area.clientWidth === 0) return;
    this.stale = false;
    const x = this.range();
    const y = rangeY(this.spec, this.shown, x);
    this.chart.batch(() => {
      this.spec.curves.forEach((c, k) => this.chart!.series[k + 1]!.show !== this.shown(c.label) && this.chart!.setSeries(k + 1, { show: this.shown(c.label) }));
      this.chart!.setScale('x', x);
      this.chart!.setScale('y', y);
    });
    for (const l of this.spec.lines ?? []) this.legend.outside(l.label, l.value < y.min || l.value > y.max);
  }

  private setCursor(x: number): void {
    this.cursor = x;
    if (Number.isNaN(x)) delete this.element.dataset.cursor;
    else this.element.dataset.cursor = String(this.spec.x[nearest(this.spec.x, x)]);
    this.request();
  }

  private drawCursor(): void {
    const x = this.spec.x[nearest(this.spec.x, this.cursor)] ?? NaN;
    const { min, max } = this.range();
    const inside = !Number.isNaN(this.cursor) && x >= min && x <= max;
    this.line.hidden = !inside;
    if (inside && this.chart) this.line.style.transform = `translateX(${this.chart.valToPos(x, 'x')}px)`;
    this.legend.show(this.cursor);
  }
}

addEventListener('beforeprint', () => plots.forEach((plot) => plot.print(true)));
addEventListener('afterprint', () => plots.forEach((plot) => plot.print(false)));
