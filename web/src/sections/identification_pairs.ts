// Two parameters at a time: regions of the profile likelihood, draws from the posterior; on the diagonal each alone.
import { axis, canvas, Chart, shorten, type Axis, type ChartSpec } from '../chart';
import { contours, pathOf, refined } from '../contours';
import type { Identification } from '../data';
import { h, s } from '../dom';
import { labelled, number, percent } from '../format';
import { descending } from '../series';
import { known } from './identification_table';

const mostInMatrix = 6;
const mostPairs = 9;
const mostDots = 6000; // in all: browsers draw no more of them quickly
const inner = [0.5, 0.8]; // confidence of regions within the outermost

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
interface Pair {
  across: number; // parameters
  up: number;
}

let made = 0;

const drops = (x: Identification) => [...inner.filter((c) => c < x.confidence).map((c) => -Math.log(1 - c)), x.pairDrop];

// The range that is worth looking at: what is possible, not all that is admissible.
function range(x: Identification, k: number): [number, number] {
  const p = x.parameters[k]!;
  const far = x.pairDrop * 1.4;
  const possible = Array.from(p.profileAt).filter((_, i) => p.profile[i]! > -far);
  const drawn = x.draws ? Array.from({ length: x.draws.length / x.parameters.length }, (_, i) => x.draws![i * x.parameters.length + k]!) : [];
  const all = [...possible, p.estimate, ...drawn].filter((v): v is number => known(v));
  const [low, high] = all.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
  return low < high ? [low, high] : [p.from, p.to];
}

function axes(x: Identification, k: number, b: Box, direction: 'across' | 'up'): Axis {
  const [low, high] = range(x, k);
  return direction === 'across' ? axis(low, high, b.x, b.x + b.width, Math.max(2, b.width / 60)) : axis(low, high, b.y + b.height, b.y, Math.max(2, b.height / 45));
}

function clipped(b: Box, ...children: SVGElement[]): SVGElement[] {
  const id = `pairs-clip-${++made}`;
  return [s('clipPath', { id }, s('rect', { ...b })), s('g', { 'clip-path': `url(#${id})` }, ...children)];
}

function pairCell(x: Identification, { across, up }: Pair, b: Box): SVGElement[] {
  const [ax, ay] = [axes(x, across, b, 'across'), axes(x, up, b, 'up')];
  const parts: SVGElement[] = [];
  const profile = x.pairs.find((p) => (p.first === across && p.second === up) || (p.first === up && p.second === across));
  if (profile) {
    const turned = profile.first !== across;
    const [n, m] = [profile.firstAt.length, profile.secondAt.length];
    const values = turned ? Float64Array.from({ length: n * m }, (_, i) => profile.values[(i % n) * m + Math.floor(i / n)]!) : profile.values;
    const [xs, ys] = turned ? [profile.secondAt, profile.firstAt] : [profile.firstAt, profile.secondAt];
    const field = refined({ x: Array.from(xs, ax.at), y: Array.from(ys, ay.at), values });
    for (const drop of drops(x)) parts.push(s('path', { d: pathOf(contours(field, -drop, true)), fill: 'var(--blue)', 'fill-opacity': 0.16, 'fill-rule': 'evenodd' }));
    parts.push(s('path', { d: pathOf(contours(field, -x.pairDrop, false)), fill: 'none', stroke: 'var(--blue)', 'stroke-width': 1.5 }));
  }
  if (x.draws) {
    const n = x.parameters.length;
    const every = Math.ceil(((x.draws.length / n) * n * (n - 1)) / 2 / mostDots);
    const dots: string[] = [];
    for (let i = 0; i < x.draws.length / n; i += every) dots.push(`M${(ax.at(x.draws[i * n + across]!) - 1).toFixed(1)} ${(ay.at(x.draws[i * n + up]!) - 1).toFixed(1)}h2v2h-2z`);
    parts.push(s('path', { d: dots.join(''), fill: 'var(--orange)', 'fill-opacity': Math.min(0.7, 250 / dots.length + 0.2) }));
  }
  const [p, q] = [x.parameters[across]!, x.parameters[up]!];
  if (known(p.written) && known(q.written)) parts.push(s('path', { d: `M${ax.at(p.written)} ${ay.at(q.written)}m0 -5l5 5l-5 5l-5 -5z`, fill: 'none', stroke: 'var(--ink)', 'stroke-width': 1.5 }));
  if (known(p.estimate) && known(q.estimate)) parts.push(s('path', { d: `M${ax.at(p.estimate)} ${ay.at(q.estimate)}m-5 0h10m-5 -5v10`, stroke: 'var(--ink)', 'stroke-width': 2 }));
  return [...clipped(b, ...parts), frame(b)];
}

// Each alone: how draws are distributed, or how likely each value is.
function ownCell(x: Identification, k: number, b: Box): SVGElement[] {
  const ax = axes(x, k, b, 'across');
  const p = x.parameters[k]!;
  const parts: SVGElement[] = [];
  const room = 0.85 * b.height;
  const bottom = b.y + b.height;
  if (x.draws) {
    const [n, bins] = [x.parameters.length, 24];
    const counts = new Float64Array(bins);
    for (let i = 0; i < x.draws.length / n; ++i) counts[Math.min(bins - 1, Math.max(0, Math.floor(((x.draws[i * n + k]! - ax.min) / (ax.max - ax.min)) * bins)))]!++;
    const most = Math.max(1, ...counts);
    const wide = b.width / bins;
    counts.forEach((c, i) => c && parts.push(s('rect', { x: b.x + i * wide, y: bottom - (room * c) / most, width: wide, height: (room * c) / most, fill: 'var(--orange)', 'fill-opacity': 0.35 })));
  }
  if (p.profile.length > 1) {
    const d = Array.from(p.profileAt, (v, i) => `${i ? 'L' : 'M'}${ax.at(v).toFixed(1)} ${(bottom - room * Math.exp(p.profile[i]!)).toFixed(1)}`).join('');
    parts.push(s('path', { d, fill: 'none', stroke: 'var(--blue)', 'stroke-width': 2 }));
  }
  if (known(p.estimate)) parts.push(s('line', { x1: ax.at(p.estimate), x2: ax.at(p.estimate), y1: b.y, y2: bottom, stroke: 'var(--ink)', 'stroke-width': 1.5 }));
  return [...clipped(b, ...parts), frame(b)];
}

const frame = (b: Box) => s('rect', { ...b, fill: 'none', stroke: 'var(--rule)' });

function labelsAcross(x: Identification, k: number, b: Box): SVGElement[] {
  const ax = axes(x, k, b, 'across');
  const p = x.parameters[k]!;
  return [
    ...ax.ticks.map((t) => s('text', { x: ax.at(t.value), y: b.y + b.height + 15, 'text-anchor': 'middle', fill: 'var(--soft)', 'font-size': 11 }, t.text)),
    s('text', { x: b.x + b.width / 2, y: b.y + b.height + 33, 'text-anchor': 'middle' }, shorten(labelled(p.name, p.unit), b.width + 4)),
  ];
}

function labelsUp(x: Identification, k: number, b: Box, name = true): SVGElement[] {
  const ay = axes(x, k, b, 'up');
  const p = x.parameters[k]!;
  const [at, middle] = [b.x - 50, b.y + b.height / 2];
  return [
    ...ay.ticks.map((t) => s('text', { x: b.x - 6, y: ay.at(t.value) + 4, 'text-anchor': 'end', fill: 'var(--soft)', 'font-size': 11 }, t.text)),
    ...(name ? [s('text', { x: at, y: middle, 'text-anchor': 'middle', transform: `rotate(-90 ${at} ${middle})` }, shorten(labelled(p.name, p.unit), b.height + 4))] : []),
  ];
}

// Above the diagonal: the correlation of the estimates.
function correlationCell(x: Identification, row: number, column: number, b: Box): SVGElement[] {
  if (!x.correlation) return [];
  const r = x.correlation[row * x.parameters.length + column]!;
  if (!Number.isFinite(r)) return [];
  const [cx, cy] = [b.x + b.width / 2, b.y + b.height / 2];
  return [s('text', { x: cx, y: cy + 5, 'text-anchor': 'middle', 'font-size': 14, fill: 'var(--ink)', 'fill-opacity': 0.45 + 0.55 * Math.abs(r) }, number(r, 2))];
}

function matrix(x: Identification, width: number): SVGSVGElement {
  const n = x.parameters.length;
  const [left, gap] = [64, 10];
  const size = (width - left - 6) / n - gap;
  const high = n <= 2 ? 0.7 * size : size;
  const svg = canvas(width, 8 + n * (high + gap) + 36, `Pairs of ${x.parameters.map((p) => p.name).join(', ')}`);
  for (let row = 0; row < n; ++row)
    for (let column = 0; column < n; ++column) {
      const b: Box = { x: left + column * (size + gap), y: 6 + row * (high + gap), width: size, height: high };
      if (column < row) svg.append(...pairCell(x, { across: column, up: row }, b));
      else if (column === row) svg.append(...ownCell(x, row, b));
      else svg.append(...correlationCell(x, row, column, b));
      if (column === 0 && row > 0) svg.append(...labelsUp(x, row, b));
      if (row === n - 1) svg.append(...labelsAcross(x, column, b));
    }
  return svg;
}

function single(x: Identification, pair: Pair, width: number): SVGSVGElement {
  const b: Box = { x: 64, y: 8, width: width - 72, height: 0.8 * (width - 72) };
  const svg = canvas(width, b.height + 52, `${x.parameters[pair.up]!.name} against ${x.parameters[pair.across]!.name}`);
  svg.append(...pairCell(x, pair, b), ...labelsAcross(x, pair.across, b), ...labelsUp(x, pair.up, b));
  return svg;
}

// The profiles of some pairs; the draws where there are none.
function table(x: Identification, some: Pair[]): (string | number)[][] {
  const n = x.parameters.length;
  if (!x.pairs.length && x.draws) return [x.parameters.map((p) => labelled(p.name, p.unit)), ...Array.from({ length: x.draws.length / n }, (_, i) => Array.from(x.draws!.subarray(i * n, (i + 1) * n)))];
  const rows: (string | number)[][] = [['first', 'second', 'first value', 'second value', 'log-likelihood relative to the maximum']];
  for (const p of x.pairs) {
    if (!some.some((q) => [q.across, q.up].includes(p.first) && [q.across, q.up].includes(p.second))) continue;
    p.firstAt.forEach((a: number, i: number) => p.secondAt.forEach((b: number, j: number) => rows.push([x.parameters[p.first]!.name, x.parameters[p.second]!.name, a, b, p.values[i * p.secondAt.length + j]!])));
  }
  return rows;
}

// Of many parameters: the pairs that depend on each other most.
function strongest(x: Identification): Pair[] {
  const n = x.parameters.length;
  const all: Pair[] = [];
  for (let up = 1; up < n; ++up) for (let across = 0; across < up; ++across) if (x.draws || x.pairs.some((p) => (p.first === across && p.second === up) || (p.first === up && p.second === across))) all.push({ across, up });
  if (!x.correlation) return all.slice(0, mostPairs);
  return descending(all.map((p) => Math.abs(x.correlation![p.up * n + p.across]!))).slice(0, mostPairs).map((i) => all[i]!);
}

function words(x: Identification): string {
  const shares = [...inner.filter((c) => c < x.confidence), x.confidence].map((c) => percent(c, 3));
  const region = x.pairs.length ? `Blue: regions of ${shares.slice(0, -1).join(', ')} and, with a line, ${shares.at(-1)} confidence for the two parameters, maximised over the others. ` : '';
  const drawn = x.draws ? 'Orange: draws from the posterior. ' : '';
  const numbers = x.correlation && x.parameters.length <= mostInMatrix ? ' Numbers above the diagonal: correlations of the estimates.' : '';
  return `${region}${drawn}Cross: estimate; diamond: values in the model.${numbers}`;
}

export function pairs(x: Identification): HTMLElement | null {
  const n = x.parameters.length;
  if (!x.draws && (n < 2 || !x.pairs.length)) return null;
  const small = n <= mostInMatrix;
  const some = strongest(x);
  const chart = (name: string, width: number, draw: ChartSpec['draw'], of: Pair[], small = false): ChartSpec => ({ name, width, draw, csv: () => table(x, of), small });
  const width = n === 1 ? 420 : Math.min(1100, 130 + 190 * n);
  const body = small
    ? new Chart(chart('pairs of parameters', width, (w) => matrix(x, w), some)).element
    : h('div', { class: 'profiles' }, ...some.map((p) => new Chart(chart(`${x.parameters[p.up]!.name} against ${x.parameters[p.across]!.name}`, 380, (w) => single(x, p, w), [p], true)).element));
  if (small) body.style.maxWidth = `${width}px`;
  const left = small ? null : h('p', { class: 'small soft' }, `The ${some.length} most strongly dependent pairs of ${n} parameters.`);
  const title = n === 1 ? 'Posterior' : 'Pairs of parameters';
  return h('div', { 'data-part': 'pairs', class: 'pairs-part' }, h('h3', {}, title), h('p', { class: 'small' }, n === 1 ? 'Orange: draws from the posterior; blue: the profile likelihood.' : words(x)), left, body);
}
