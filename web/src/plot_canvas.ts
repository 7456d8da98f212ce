// A plot on a canvas: uPlot draws axes and curves, bands and faint curves are drawn here, below them.
import uPlot from 'uplot';
import { labelled, shortened } from './format';
import { fittingTicks, indices, mapping, tickTexts, ticks } from './plot_axes';
import { drawFaint } from './plot_faint';
import { bandShown, limitDash, pointOpacity, pointRadius, type PlotSpec, type Points, type Shown } from './plot_spec';
import { trace, traceArea, type Frame } from './plot_trace';
import { font as fontFamily, textWidth } from './text_width';
import { colour } from './theme';

const font = `12px ${fontFamily}`;
const ySpacing = 34; // px between ticks, about
const xSpacing = (length: number) => (length < 420 ? 60 : 90);
const narrowestAxis = 54; // px: plots below one another keep their times aligned

// uPlot wants null in gaps.
function column(values: ArrayLike<number>, log: boolean): (number | null)[] {
  return Array.from(values, (v) => (Number.isFinite(v) && (!log || v > 0) ? v : null));
}

function frame(u: uPlot, spec: PlotSpec): Frame {
  const { left, top, width, height } = u.bbox;
  const x = { min: u.scales.x!.min!, max: u.scales.x!.max! };
  const y = { min: u.scales.y!.min!, max: u.scales.y!.max! };
  const [first, last] = indices(spec, x);
  const Y = mapping(y, spec.logY ?? false, top + height, -height);
  return { xs: spec.x, first, last, X: mapping(x, spec.logX ?? false, left, width), Y: spec.logY ? (v) => (v > 0 ? Y(v) : NaN) : Y, columns: width };
}

function drawBelow(u: uPlot, spec: PlotSpec, shown: Shown): void {
  const ctx = u.ctx;
  const f = frame(u, spec);
  ctx.save();
  clip(u);
  const faint = (over: boolean) => {
    if (spec.faint && (spec.faint.over ?? false) === over && shown(spec.faint.label)) drawFaint(ctx, f, spec.faint.values, spec.faint.count, u.bbox, colour(spec.faint.colour ?? '--grey'), spec.faint.opacity);
  };
  faint(false);
  for (const band of spec.bands) {
    if (!bandShown(band, shown)) continue;
    const path = new Path2D();
    traceArea(path, f, band.lower, band.upper);
    ctx.globalAlpha = band.opacity;
    ctx.fillStyle = colour(band.colour);
    ctx.fill(path);
    if (!band.outline) continue;
    ctx.globalAlpha = 0.6;
    ctx.strokeStyle = ctx.fillStyle;
    ctx.lineWidth = uPlot.pxRatio;
    ctx.beginPath();
    trace(ctx, f, band.lower);
    trace(ctx, f, band.upper);
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
  faint(true);
  if (spec.points && shown(spec.points.label)) drawPoints(ctx, f, spec.points);
  ctx.restore();
}

function drawPoints(ctx: CanvasRenderingContext2D, f: Frame, points: Points): void {
  const radius = pointRadius(points) * uPlot.pxRatio;
  ctx.globalAlpha = pointOpacity(points);
  ctx.fillStyle = colour(points.colour);
  ctx.beginPath();
  for (let i = 0; i < points.x.length; ++i) {
    const [x, y] = [f.X(points.x[i]!), f.Y(points.y[i]!)];
    if (Number.isNaN(y)) continue;
    ctx.moveTo(x + radius, y);
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
  }
  ctx.fill();
}

function drawLines(u: uPlot, spec: PlotSpec, shown: Shown): void {
  const ctx = u.ctx;
  const f = frame(u, spec);
  const { left, top, width, height } = u.bbox;
  ctx.save();
  clip(u);
  ctx.font = font.replace('12px', `${12 * uPlot.pxRatio}px`);
  ctx.textAlign = 'right';
  ctx.textBaseline = 'alphabetic';
  for (const line of spec.lines ?? []) {
    const y = f.Y(line.value);
    if (!shown(line.label) || !(y >= top && y <= top + height)) continue;
    ctx.strokeStyle = ctx.fillStyle = colour(line.colour);
    ctx.lineWidth = 1.5 * uPlot.pxRatio;
    ctx.setLineDash(limitDash.map((d) => d * uPlot.pxRatio));
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(left + width, y);
    ctx.stroke();
    const above = y > top + 20 * uPlot.pxRatio;
    ctx.fillText(line.label, left + width - 6 * uPlot.pxRatio, y + (above ? -5 : 15) * uPlot.pxRatio);
  }
  for (const line of spec.uprights ?? []) {
    const x = f.X(line.value);
    if (!shown(line.label) || !(x >= left && x <= left + width)) continue;
    ctx.strokeStyle = ctx.fillStyle = colour(line.colour);
    ctx.lineWidth = 1.5 * uPlot.pxRatio;
    ctx.setLineDash(limitDash.map((d) => d * uPlot.pxRatio));
    ctx.beginPath();
    ctx.moveTo(x, top);
    ctx.lineTo(x, top + height);
    ctx.stroke();
    const before = x - left > ctx.measureText(line.label).width + 10 * uPlot.pxRatio;
    ctx.textAlign = before ? 'right' : 'left';
    ctx.fillText(line.label, x + (before ? -5 : 5) * uPlot.pxRatio, top + 14 * uPlot.pxRatio);
  }
  ctx.restore();
}

function clip(u: uPlot): void {
  u.ctx.beginPath();
  u.ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  u.ctx.clip();
}

function axisWidth(u: uPlot, texts: string[]): number {
  u.ctx.save();
  u.ctx.font = font;
  const widest = Math.max(0, ...(texts ?? []).map((text) => u.ctx.measureText(text).width));
  u.ctx.restore();
  return Math.max(narrowestAxis, Math.ceil(widest) + 16);
}

// Ranges are ours: uPlot would widen logarithmic ones to whole decades.
const asSet = (_u: uPlot, min: number, max: number): uPlot.Range.MinMax => [min, max];

export function makeChart(place: HTMLElement, spec: PlotSpec, shown: Shown, width: number, height: number): uPlot {
  const axis = (log: boolean, side: 'width' | 'height'): uPlot.Axis => ({
    stroke: () => colour('--soft'),
    font,
    labelFont: font,
    labelSize: 20,
    grid: { stroke: () => colour('--grid'), width: 1 },
    ticks: { stroke: () => colour('--rule'), width: 1, size: 5 },
    splits: (u, _axis, min, max) => {
      const length = u.bbox[side] / uPlot.pxRatio;
      return side === 'width' ? fittingTicks({ min, max }, length, xSpacing(length), log) : ticks({ min, max }, Math.max(2, length / ySpacing), log);
    },
    filter: (_u, splits) => splits, // all that were chosen: by itself a logarithmic axis drops those between powers of ten
    values: (_u, values) => tickTexts(values, log),
  });
  const options: uPlot.Options = {
    width,
    height,
    padding: [10, 24, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, auto: false, range: asSet, distr: spec.logX ? 3 : 1 },
      y: { auto: false, range: asSet, distr: spec.logY ? 3 : 1 },
    },
    axes: [
      { ...axis(spec.logX ?? false, 'width'), label: labelled(spec.xName, spec.xUnit), size: 34 },
      { ...axis(spec.logY ?? false, 'height'), label: shortened(labelled(spec.yName, spec.yUnit), Math.floor(height / 9)), size: axisWidth },
    ],
    series: [
      {},
      ...spec.curves.map((c): uPlot.Series => ({
        label: c.label,
        stroke: () => colour(c.colour),
        width: c.width ?? 1.75,
        dash: c.dash,
        pxAlign: 0, // points stay where they are, between pixels too
        show: shown(c.label),
        points: c.guide ? { show: false } : { size: 5, fill: () => colour(c.colour) }, // where points are far enough apart to be told
      })),
    ],
    hooks: { drawAxes: [(u) => drawBelow(u, spec, shown)], draw: [(u) => drawLines(u, spec, shown)] },
  };
  const data = [Array.from(spec.x), ...spec.curves.map((c) => column(c.values, spec.logY ?? false))] as uPlot.AlignedData;
  return new uPlot(options, data, place);
}

// Where the texts of an axis are, px: for those who ask whether they touch.
export function tickPlaces(u: uPlot, spec: PlotSpec, axis: 'x' | 'y'): { text: string; from: number; to: number }[] {
  const { min, max } = u.scales[axis]!;
  const log = (axis === 'x' ? spec.logX : spec.logY) ?? false;
  const range = { min: min!, max: max! };
  const length = u.bbox[axis === 'x' ? 'width' : 'height'] / uPlot.pxRatio;
  const values = axis === 'x' ? fittingTicks(range, length, xSpacing(length), log) : ticks(range, Math.max(2, length / ySpacing), log);
  return tickTexts(values, log).map((text, i) => {
    const half = axis === 'x' ? textWidth(text) / 2 : 6;
    const at = u.valToPos(values[i]!, axis);
    return { text, from: at - half, to: at + half };
  });
}
