// Points: realizations, effects, coefficients.
import { axis, canvas, legend, logAxis, type Axis, type ChartSpec } from './chart';
import { textWidth } from './text_width';
import { s } from './dom';
import { labelled, number } from './format';
import { palette } from './theme';

export interface ScatterSpec {
  name: string;
  caption?: string;
  xName: string;
  xUnit: string;
  yName: string;
  yUnit: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  group?: ArrayLike<number>; // of each point: colour and mark
  groups?: string[]; // their names
  labels?: string[]; // of each point: they are written beside it
  errors?: ArrayLike<number>; // of x, drawn as whiskers
  fromZero?: boolean;
  logY?: boolean;
  joined?: boolean; // by a thin line
  width?: number;
  height?: number;
}

// Marks differ in shape as well as in colour.
const shapes = [
  (r: number) => `m${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
  (r: number) => `m${-r} ${-r}h${2 * r}v${2 * r}h${-2 * r}z`,
  (r: number) => `m0 ${-1.3 * r}l${1.2 * r} ${2.2 * r}h${-2.4 * r}z`,
  (r: number) => `m0 ${-1.4 * r}l${1.4 * r} ${1.4 * r}l${-1.4 * r} ${1.4 * r}l${-1.4 * r} ${-1.4 * r}z`,
];
const shape = (k: number, r: number) => shapes[k % shapes.length]!(r);
const tint = (k: number) => `var(${palette[k % palette.length]!})`;

function limits(x: ArrayLike<number>, spec: ScatterSpec): [number, number] {
  let low = spec.fromZero ? 0 : Infinity;
  let high = spec.fromZero ? 0 : -Infinity;
  for (let i = 0; i < x.length; ++i) {
    if (!Number.isFinite(x[i]!)) continue;
    low = Math.min(low, x[i]!);
    high = Math.max(high, x[i]!);
  }
  if (!(high >= low)) return [0, 1];
  const room = 0.04 * (high - low);
  return spec.fromZero ? [low, high + 2 * room] : [low - room, high + room];
}

function yAxis(spec: ScatterSpec, top: number, bottom: number): Axis {
  if (!spec.logY) return axis(...limits(spec.y, spec), bottom, top);
  const positive = Array.from(spec.y).filter((v) => v > 0 && Number.isFinite(v));
  if (!positive.length) return logAxis(0.1, 1, bottom, top);
  const high = positive.reduce((a, b) => Math.max(a, b));
  // Round-off, far below, would squeeze what matters.
  return logAxis(Math.max(1e-16 * high, positive.reduce((a, b) => Math.min(a, b))), high, bottom, top);
}

function draw(spec: ScatterSpec, width: number): SVGSVGElement {
  const height = spec.height ?? 340;
  const mark = (k: number) => (x: number, y: number) => s('path', { d: `M${x + 7} ${y}${shape(k, 4)}`, fill: tint(k) });
  const names = legend((spec.groups ?? []).map((label, k) => ({ label, mark: mark(k) })), 60, 10, width);
  const [top, bottom] = [8 + names.height, height - 44];
  const y = yAxis(spec, top, bottom);
  const left = Math.max(...y.ticks.map((t) => textWidth(t.text))) + 30;
  const [xMin, xMax] = limits(spec.x, spec);
  const x = axis(xMin, xMax, left, width - 14, width < 420 ? 3 : 6);
  const svg = canvas(width, height, `${labelled(spec.yName, spec.yUnit)} against ${labelled(spec.xName, spec.xUnit)}`);
  svg.append(names.group, ...frame(spec, x, y, left, width - 14, top, bottom));
  const shown = Array.from(spec.x, (_, i) => i).filter((i) => Number.isFinite(spec.x[i]!) && Number.isFinite(spec.y[i]!) && (!spec.logY || spec.y[i]! >= y.min));
  const place = (i: number) => `M${x.at(spec.x[i]!).toFixed(1)} ${y.at(spec.y[i]!).toFixed(1)}`;
  if (spec.joined && shown.length > 1)
    svg.append(s('path', { d: shown.map((i, k) => (k ? place(i).replace('M', 'L') : place(i))).join(''), fill: 'none', stroke: 'var(--soft)', 'stroke-width': 1 }));
  if (spec.errors) svg.append(...shown.map((i) => whisker(x, y.at(spec.y[i]!), spec.x[i]!, spec.errors![i]!)));
  const radius = shown.length > 400 ? 2 : shown.length > 80 ? 2.6 : 4;
  const marks = new Map<number, string[]>();
  for (const i of shown) {
    const k = spec.group?.[i] ?? 0;
    if (!marks.has(k)) marks.set(k, []);
    marks.get(k)!.push(place(i) + shape(k, radius));
  }
  // One path for all of a kind: a thousand points move with the time without delay.
  for (const [k, paths] of marks) svg.append(s('path', { d: paths.join(''), fill: tint(k), 'fill-opacity': shown.length > 80 ? 0.55 : 0.9 }));
  if (spec.labels) svg.append(...texts(spec, shown, x, y, width));
  svg.append(...readout(spec, shown, x, y, svg));
  return svg;
}

function frame(spec: ScatterSpec, x: Axis, y: Axis, left: number, right: number, top: number, bottom: number): SVGElement[] {
  const parts: SVGElement[] = [];
  for (const t of x.ticks) {
    const at = x.at(t.value);
    parts.push(s('line', { x1: at, x2: at, y1: top, y2: bottom, stroke: 'var(--grid)' }));
    parts.push(s('text', { x: at, y: bottom + 16, 'text-anchor': 'middle', fill: 'var(--soft)' }, t.text));
  }
  for (const t of y.ticks) {
    const at = y.at(t.value);
    parts.push(s('line', { x1: left, x2: right, y1: at, y2: at, stroke: 'var(--grid)' }));
    parts.push(s('text', { x: left - 6, y: at + 4, 'text-anchor': 'end', fill: 'var(--soft)' }, t.text));
  }
  parts.push(s('path', { d: `M${left} ${top}V${bottom}H${right}`, fill: 'none', stroke: 'var(--soft)' }));
  parts.push(s('text', { x: (left + right) / 2, y: bottom + 36, 'text-anchor': 'middle', fill: 'var(--soft)' }, labelled(spec.xName, spec.xUnit)));
  const middle = (top + bottom) / 2;
  parts.push(s('text', { x: 12, y: middle, 'text-anchor': 'middle', transform: `rotate(-90 12 ${middle})`, fill: 'var(--soft)' }, labelled(spec.yName, spec.yUnit)));
  return parts;
}

function whisker(x: Axis, y: number, value: number, error: number): SVGElement {
  if (!Number.isFinite(error)) return s('g', {});
  const [a, b] = [x.at(Math.max(x.min, value - error)), x.at(value + error)];
  return s('path', { d: `M${a} ${y}H${b}M${a} ${y - 3}v6M${b} ${y - 3}v6`, stroke: 'var(--soft)', fill: 'none' });
}

// Names beside points, the most important first; one that would lie on another is left to the readout.
function texts(spec: ScatterSpec, shown: number[], x: Axis, y: Axis, width: number): SVGElement[] {
  const taken: [number, number, number][] = [];
  const out: SVGElement[] = [];
  for (const i of [...shown].sort((a, b) => spec.x[b]! - spec.x[a]!)) {
    const label = spec.labels![i]!;
    const length = textWidth(label, 11);
    const px = x.at(spec.x[i]!);
    const from = px + length + 8 > width ? px - length : px + 5;
    const free = (line: number) => !taken.some(([a, b, t]) => from < b && from + length > a && Math.abs(t - line) < 12);
    const line = [-7, 15].map((shift) => y.at(spec.y[i]!) + shift).find(free);
    if (line === undefined) continue;
    taken.push([from, from + length, line]);
    out.push(s('text', { x: from, y: line, 'font-size': 11 }, label));
  }
  return out;
}

// The point nearest to the pointer, in words.
function readout(spec: ScatterSpec, shown: number[], x: Axis, y: Axis, svg: SVGSVGElement): SVGElement[] {
  const ring = s('circle', { r: 6, fill: 'none', stroke: 'var(--ink)', visibility: 'hidden' });
  const title = s('title', {});
  svg.prepend(title);
  svg.addEventListener('pointermove', (event) => {
    const box = svg.getBoundingClientRect();
    const scale = Number(svg.getAttribute('width')) / box.width;
    const [px, py] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    let best = -1;
    let distance = 18 ** 2;
    for (const i of shown) {
      const d = (x.at(spec.x[i]!) - px) ** 2 + (y.at(spec.y[i]!) - py) ** 2;
      if (d < distance) [best, distance] = [i, d];
    }
    ring.setAttribute('visibility', best < 0 ? 'hidden' : 'visible');
    if (best < 0) return title.replaceChildren();
    ring.setAttribute('cx', String(x.at(spec.x[best]!)));
    ring.setAttribute('cy', String(y.at(spec.y[best]!)));
    const who = spec.labels?.[best] ?? spec.groups?.[spec.group?.[best] ?? 0];
    title.replaceChildren(`${who ? `${who}\n` : ''}${spec.xName}: ${number(spec.x[best]!)}\n${spec.yName}: ${number(spec.y[best]!)}`);
  });
  svg.addEventListener('pointerleave', () => ring.setAttribute('visibility', 'hidden'));
  return [ring];
}

export function scatter(spec: ScatterSpec): ChartSpec {
  const optional = (header: string, cells: ((i: number) => string) | null) => ({ header, cells });
  const extra = [
    optional('name', spec.labels ? (i) => spec.labels![i]! : null),
    optional('kind', spec.groups ? (i) => spec.groups![spec.group?.[i] ?? 0]! : null),
  ].filter((e) => e.cells);
  return {
    name: spec.name,
    caption: spec.caption,
    width: spec.width,
    draw: (width) => draw(spec, width),
    csv: () => [
      [...extra.map((e) => e.header), labelled(spec.xName, spec.xUnit), labelled(spec.yName, spec.yUnit)],
      ...Array.from(spec.x, (v, i) => [...extra.map((e) => e.cells!(i)), v, spec.y[i]!]),
    ],
  };
}
