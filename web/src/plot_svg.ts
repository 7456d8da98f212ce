// A plot as vector graphics that need nothing else: for papers, and for printing. Always in light colours.
import { s } from './dom';
import { labelled, shortened } from './format';
import { fittingTicks, indices, mapping, rangeY, tickTexts, ticks } from './plot_axes';
import { bandShown, entries, limitDash, pointOpacity, pointRadius, type Entry, type PlotSpec, type Shown } from './plot_spec';
import { faintOpacity, trace, traceArea, type Frame } from './plot_trace';
import type { Range } from './state';
import { textWidth } from './text_width';

// What is seen of a plot.
export interface View {
  spec: PlotSpec;
  x: Range;
  shown: Shown;
}

const width = 840;
const margin = { left: 84, right: 20, bottom: 52 };
const size = 13; // px of letters

// Writes a path, to a tenth of a pixel.
class Text {
  text = '';
  private last = '';
  private add(letter: string, x: number, y: number) {
    const point = `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
    if (letter === 'L' && point === this.last) return;
    this.text += letter + point;
    this.last = point;
  }
  moveTo(x: number, y: number) {
    this.add('M', x, y);
  }
  lineTo(x: number, y: number) {
    this.add('L', x, y);
  }
  closePath() {
    this.text += 'Z';
  }
}

function path(draw: (pen: Text) => void): string {
  const pen = new Text();
  draw(pen);
  return pen.text;
}

// The colours that the page has in the light, whichever it shows now.
export function lightColours(): (variable: string) => string {
  const root = document.documentElement;
  const before = root.dataset.theme;
  root.dataset.theme = 'light';
  const style = getComputedStyle(root);
  const known = new Map(['--ink', '--soft', '--grid', '--rule', '--blue', '--orange', '--green', '--vermillion', '--purple', '--sky', '--yellow', '--grey', '--accent', '--warn'].map((v) => [v, style.getPropertyValue(v).trim()]));
  if (before === undefined) delete root.dataset.theme;
  else root.dataset.theme = before;
  return (variable) => known.get(variable) ?? '#000000';
}

// Entries in rows that fit.
function legend(list: Entry[], colour: (v: string) => string): { parts: SVGElement[]; height: number } {
  const parts: SVGElement[] = [];
  let x = margin.left;
  let y = 44;
  for (const entry of list) {
    const text = shortened(entry.label, 90);
    const needs = 34 + textWidth(text, size) + 18;
    if (x + needs > width - margin.right && x > margin.left) {
      x = margin.left;
      y += 20;
    }
    if (entry.kind === 'band') parts.push(s('rect', { x, y: y - 10, width: 26, height: 12, fill: colour(entry.colour), 'fill-opacity': Math.max(0.15, entry.opacity) }));
    else if (entry.kind === 'points') parts.push(s('circle', { cx: x + 13, cy: y - 4, r: 3, fill: colour(entry.colour) }));
    else parts.push(s('line', { x1: x, y1: y - 4, x2: x + 26, y2: y - 4, stroke: colour(entry.colour), 'stroke-width': entry.kind === 'faint' ? 1 : 2, 'stroke-dasharray': entry.dash.join(' ') || null }));
    parts.push(s('text', { x: x + 34, y }, text));
    x += needs;
  }
  return { parts, height: list.length ? y + 14 : 36 };
}

function axes(f: Frame, x: Range, y: Range, spec: PlotSpec, box: { top: number; bottom: number }, colour: (v: string) => string): SVGElement[] {
  const right = width - margin.right;
  const parts: SVGElement[] = [];
  const xs = fittingTicks(x, right - margin.left, 90, spec.logX ?? false, size);
  const ys = ticks(y, (box.bottom - box.top) / 38, spec.logY ?? false);
  const grid = { stroke: colour('--grid') };
  tickTexts(xs, spec.logX ?? false).forEach((text, i) => {
    const at = f.X(xs[i]!);
    parts.push(s('line', { x1: at, y1: box.top, x2: at, y2: box.bottom, ...grid }), s('text', { x: at, y: box.bottom + 18, 'text-anchor': 'middle', fill: colour('--soft') }, text));
  });
  tickTexts(ys, spec.logY ?? false).forEach((text, i) => {
    const at = f.Y(ys[i]!);
    parts.push(s('line', { x1: margin.left, y1: at, x2: right, y2: at, ...grid }), s('text', { x: margin.left - 8, y: at + 4, 'text-anchor': 'end', fill: colour('--soft') }, text));
  });
  const middle = (box.top + box.bottom) / 2;
  parts.push(
    s('path', { d: `M${margin.left} ${box.top}V${box.bottom}H${right}`, fill: 'none', stroke: colour('--soft') }),
    s('text', { x: (margin.left + right) / 2, y: box.bottom + 40, 'text-anchor': 'middle' }, labelled(spec.xName, spec.xUnit)),
    s('text', { x: 18, y: middle, 'text-anchor': 'middle', transform: `rotate(-90 18 ${middle})` }, shortened(labelled(spec.yName, spec.yUnit), Math.floor((box.bottom - box.top) / 8))),
  );
  return parts;
}

function content(f: Frame, { spec, shown }: View, colour: (v: string) => string): SVGElement[] {
  const parts: SVGElement[] = [];
  const { faint, points } = spec;
  const drawFaint = (over: boolean) => {
    if (!faint || (faint.over ?? false) !== over || !shown(faint.label)) return;
    const group = s('g', { fill: 'none', stroke: colour(faint.colour ?? '--grey'), 'stroke-opacity': faint.opacity ?? faintOpacity(faint.count), 'stroke-width': 0.8 });
    for (let k = 0; k < faint.count; ++k) group.append(s('path', { d: path((pen) => trace(pen, f, faint.values, k * spec.x.length)) }));
    parts.push(group);
  };
  drawFaint(false);
  for (const band of spec.bands) {
    if (!bandShown(band, shown)) continue;
    parts.push(s('path', { d: path((pen) => traceArea(pen, f, band.lower, band.upper)), fill: colour(band.colour), 'fill-opacity': band.opacity }));
    if (!band.outline) continue;
    const edges = path((pen) => [band.lower, band.upper].forEach((values) => trace(pen, f, values)));
    parts.push(s('path', { d: edges, fill: 'none', stroke: colour(band.colour), 'stroke-opacity': 0.6 }));
  }
  drawFaint(true);
  if (points && shown(points.label)) {
    const r = pointRadius(points);
    const marks = Array.from(points.x, (x, i) => [f.X(x).toFixed(1), f.Y(points.y[i]!)] as const).filter(([, y]) => !Number.isNaN(y));
    const d = marks.map(([x, y]) => `M${x} ${y.toFixed(1)}m${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`).join('');
    parts.push(s('path', { d, fill: colour(points.colour), 'fill-opacity': pointOpacity(points) }));
  }
  for (const c of spec.curves) {
    if (!shown(c.label)) continue;
    const d = path((pen) => trace(pen, f, c.values));
    parts.push(s('path', { d, fill: 'none', stroke: colour(c.colour), 'stroke-width': c.width ?? 1.75, 'stroke-dasharray': c.dash?.join(' ') ?? null, 'stroke-linejoin': 'round' }));
  }
  return parts;
}

let made = 0; // figures, for names that are unique in a printed page

export function drawSvg(view: View): { svg: SVGSVGElement; width: number; height: number } {
  const { spec, x, shown } = view;
  const colour = lightColours();
  const keys = legend(entries(spec).filter((e) => shown(e.label)), colour);
  const box = { top: keys.height, bottom: keys.height + Math.max(140, 1.15 * (spec.height ?? 300)) };
  const height = Math.ceil(box.bottom + margin.bottom);
  const right = width - margin.right;
  const y = rangeY(spec, shown, x);
  const Y = mapping(y, spec.logY ?? false, box.bottom, box.top - box.bottom);
  const [first, last] = indices(spec, x);
  const X = mapping(x, spec.logX ?? false, margin.left, right - margin.left);
  const f: Frame = { xs: spec.x, first, last, X, Y: spec.logY ? (v) => (v > 0 ? Y(v) : NaN) : Y, columns: 2 * (right - margin.left) };
  const lines = (spec.lines ?? []).filter((l) => shown(l.label) && l.value >= y.min && l.value <= y.max);
  const uprights = (spec.uprights ?? []).filter((l) => shown(l.label) && l.value >= x.min && l.value <= x.max);
  const clip = `plot-clip-${++made}`;
  const title = spec.title ?? labelled(spec.yName, spec.yUnit);
  const svg = s(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height, 'font-family': 'system-ui, "DejaVu Sans", Arial, sans-serif', 'font-size': size, fill: colour('--ink'), role: 'img' },
    s('title', {}, title),
    s('rect', { width, height, fill: '#ffffff' }),
    s('clipPath', { id: clip }, s('rect', { x: margin.left, y: box.top, width: right - margin.left, height: box.bottom - box.top })),
    s('text', { x: margin.left, y: 20, 'font-size': 15, 'font-weight': 600 }, shortened(title, 84)),
    ...keys.parts,
    ...axes(f, x, y, spec, box, colour),
    s('g', { 'clip-path': `url(#${clip})` }, ...content(f, view, colour)),
    ...lines.flatMap((l) => [
      s('line', { x1: margin.left, y1: f.Y(l.value), x2: right, y2: f.Y(l.value), stroke: colour(l.colour), 'stroke-width': 1.5, 'stroke-dasharray': limitDash.join(' ') }),
      s('text', { x: right - 6, y: f.Y(l.value) - 5, 'text-anchor': 'end', fill: colour(l.colour), 'font-size': 12 }, l.label),
    ]),
    ...uprights.flatMap((l) => {
      const before = f.X(l.value) - margin.left > textWidth(l.label, 12) + 10;
      return [
        s('line', { x1: f.X(l.value), y1: box.top, x2: f.X(l.value), y2: box.bottom, stroke: colour(l.colour), 'stroke-width': 1.5, 'stroke-dasharray': limitDash.join(' ') }),
        s('text', { x: f.X(l.value) + (before ? -5 : 5), y: box.top + 14, 'text-anchor': before ? 'end' : 'start', fill: colour(l.colour), 'font-size': 12 }, l.label),
      ];
    }),
  );
  return { svg, width, height };
}

export function svgText(view: View): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(drawSvg(view).svg)}\n`;
}
