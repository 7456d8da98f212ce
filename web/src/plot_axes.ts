// Ranges and ticks of axes, and the way from numbers to places on them.
import { number } from './format';
import { bandShown, type PlotSpec, type Shown } from './plot_spec';
import type { Range } from './state';
import { textWidth } from './text_width';

// Of all x. One point alone gets some room.
export function rangeX(spec: PlotSpec): Range {
  let min = Infinity;
  let max = -Infinity;
  for (const x of spec.x) {
    if (!Number.isFinite(x) || (spec.logX && x <= 0)) continue;
    min = Math.min(min, x);
    max = Math.max(max, x);
  }
  if (min > max) return spec.logX ? { min: 1, max: 10 } : { min: 0, max: 1 };
  if (min < max) return { min, max };
  return spec.logX ? { min: min / 2, max: max * 2 } : { min: min - 0.5, max: max + 0.5 };
}

// The indices within a range of x, and one more on either side so that curves reach the edge.
export function indices(spec: PlotSpec, x: Range): [first: number, last: number] {
  let first = 0;
  let last = spec.x.length - 1;
  while (first < last && spec.x[first + 1]! < x.min) ++first;
  while (last > first && spec.x[last - 1]! > x.max) --last;
  return [first, last];
}

// What is shown within a range of x, with some room. Limits far away do not press the curves flat: they stay outside.
export function rangeY(spec: PlotSpec, shown: Shown, x: Range): Range {
  if (spec.yRange) return { min: spec.yRange[0], max: spec.yRange[1] };
  let min = Infinity;
  let max = -Infinity;
  const take = (v: number) => {
    if (!Number.isFinite(v) || (spec.logY && v <= 0)) return;
    if (v < min) min = v;
    if (v > max) max = v;
  };
  const [first, last] = indices(spec, x);
  const takeAll = (values: ArrayLike<number>, offset = 0) => {
    for (let i = first; i <= last; ++i) take(values[offset + i]!);
  };
  for (const c of spec.curves) if (shown(c.label) && !c.guide) takeAll(c.values);
  if (spec.fromZero) take(0);
  for (const b of spec.bands)
    if (bandShown(b, shown)) {
      takeAll(b.lower);
      takeAll(b.upper);
    }
  if (spec.faint && shown(spec.faint.label)) for (let k = 0; k < spec.faint.count; ++k) takeAll(spec.faint.values, k * spec.x.length);
  if (spec.points && shown(spec.points.label)) for (let i = 0; i < spec.points.x.length; ++i) if (spec.points.x[i]! >= x.min && spec.points.x[i]! <= x.max) take(spec.points.y[i]!);
  const none = min > max;
  const reach = 1.5 * (max - min);
  for (const l of spec.lines ?? []) if (shown(l.label) && (none || (l.value > min - reach && l.value < max + reach))) take(l.value);
  const range = padded(min, max, spec.logY ?? false);
  return spec.fromZero && min === 0 ? { ...range, min: 0 } : range;
}

const roundOff = 1e-14; // absolute: numbers in SI units below it are zeros that were computed

function padded(min: number, max: number, log: boolean): Range {
  if (min > max) return log ? { min: 0.1, max: 10 } : { min: -1, max: 1 };
  if (log) {
    const room = Math.max(1.1, (max / min) ** 0.05);
    return min === max ? { min: min / 2, max: max * 2 } : { min: min / room, max: max * room };
  }
  const size = Math.max(Math.abs(min), Math.abs(max));
  if (size < roundOff) return { min: -1, max: 1 };
  if (max - min < 1e-9 * size) return { min: min - 0.1 * size, max: max + 0.1 * size };
  const room = 0.06 * (max - min);
  return { min: min - room, max: max + room };
}

// From a number to a place: `start` is that of range.min.
export function mapping(range: Range, log: boolean, start: number, length: number): (v: number) => number {
  const f = log ? (v: number) => Math.log10(v) : (v: number) => v;
  const low = f(range.min);
  const scale = length / (f(range.max) - low);
  return (v) => start + (f(v) - low) * scale;
}

// Round numbers within a range, about so many.
export function ticks(range: Range, about: number, log: boolean): number[] {
  if (log) return logTicks(range, about);
  const raw = (range.max - range.min) / Math.max(1, about);
  if (!(raw > 0) || !Number.isFinite(raw)) return [];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((candidate) => candidate >= raw * 0.999)!;
  const out: number[] = [];
  // Multiples of the step, rounded so that 3 × 0.1 is 0.3.
  const digits = Math.min(100, Math.max(0, 1 - Math.floor(Math.log10(step))));
  for (let k = Math.ceil(range.min / step - 1e-9); k * step <= range.max + 1e-9 * step; ++k) out.push(Number((k * step).toFixed(digits)) || 0);
  return out;
}

function logTicks(range: Range, about: number): number[] {
  const decades = Math.log10(range.max / range.min);
  if (!(decades > 0) || !Number.isFinite(decades)) return [];
  if (decades < 0.7) return ticks(range, about, false);
  const parts = decades < about / 3 ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil(decades / about));
  const out: number[] = [];
  for (let e = Math.floor(Math.log10(range.min)); e <= Math.ceil(Math.log10(range.max)); ++e)
    for (const m of parts) {
      const v = Number(`${m}e${e}`);
      if (e % every === 0 && v >= range.min * (1 - 1e-9) && v <= range.max * (1 + 1e-9)) out.push(v);
    }
  return out;
}

// Ticks along a horizontal axis of so many px, about one every `spacing`, and fewer where their texts would touch.
export function fittingTicks(range: Range, length: number, spacing: number, log: boolean, letters = 12): number[] {
  const X = mapping(range, log, 0, length);
  const touch = (values: number[]) => {
    const half = tickTexts(values, log).map((text) => textWidth(text, letters) / 2 + 5);
    return values.some((v, i) => i > 0 && X(v) - X(values[i - 1]!) < half[i]! + half[i - 1]!);
  };
  let about = Math.max(2, length / spacing);
  let values = ticks(range, about, log);
  while (values.length === 0 && about < 50) values = ticks(range, (about *= 1.4), log); // no round number was within
  for (; touch(values); about *= 0.7) {
    const fewer = ticks(range, about, log);
    if (fewer.length < 2 || about < 1) return values.slice(0, 1); // one that can be read
    values = fewer;
  }
  return values;
}

// As many decimals as tell neighbours apart, the same for all of an axis.
export function tickTexts(values: number[], log: boolean): string[] {
  const size = Math.max(...values.map(Math.abs), 0);
  if (log || values.length < 2) return values.map((v) => number(v, 6));
  const step = Math.abs(values[1]! - values[0]!);
  if (size >= 1e6 || size < 1e-3) {
    // One power of ten for all: 0.5·10⁶, 1.0·10⁶.
    const power = 10 ** Math.floor(Math.log10(size) + 1e-9);
    const digits = Math.max(0, Math.min(12, Math.floor(Math.log10(power) + 1e-9) - Math.floor(Math.log10(step) + 1e-9)));
    return values.map((v) => (v === 0 ? '0' : `${(v / power).toFixed(digits)}${number(power, 1).slice(1)}`.replace(/^-/, '−')));
  }
  const decimals = Math.max(0, Math.min(12, -Math.floor(Math.log10(step) + 1e-9)));
  return values.map((v) => v.toFixed(decimals).replace(/^-/, '−'));
}
