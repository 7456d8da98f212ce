// Arithmetic on columns of numbers that several sections need.
import type { Output, Result, Series } from './data';

// Of modes: numbers, no functions of time.
export const timeless = (r: Result): boolean => r.time.length === 1;
// What was made of a function of time: 'integrated over time', where there is any.
export const acrossTime = (r: Result, before = ', integrated over time'): string => (timeless(r) ? '' : before);

// Row k of a table with n columns.
export function row(table: Series, k: number, n: number): Series {
  return table.subarray(k * n, (k + 1) * n);
}

export function map(x: Series, f: (value: number, i: number) => number): Float64Array {
  return Float64Array.from(x as ArrayLike<number>, f);
}

// Of the finite values; NaN if there are none.
export function largest(x: Series | null): number {
  let best = NaN;
  for (const v of x ?? []) if (Number.isFinite(v) && !(v <= best)) best = v;
  return best;
}

export function largestSize(x: Series | null): number {
  let best = 0;
  for (const v of x ?? []) if (Math.abs(v) > best && Number.isFinite(v)) best = Math.abs(v);
  return best;
}

export function indexOfLargest(x: ArrayLike<number>): number {
  let at = 0;
  for (let i = 1; i < x.length; ++i) if (x[i]! > x[at]! || Number.isNaN(x[at]!)) at = i;
  return at;
}

// Indices, the largest value first; NaN last.
export function descending(x: ArrayLike<number>): number[] {
  const key = (i: number) => (Number.isNaN(x[i]!) ? -Infinity : x[i]!);
  return Array.from(x, (_, i) => i).sort((a, b) => (key(a) === key(b) ? a - b : key(b) > key(a) ? 1 : -1));
}

// The largest value among outputs of each unit; asked for often.
const sizes = new WeakMap<Result, Map<string, number>>();
function sizesOf(result: Result): Map<string, number> {
  let known = sizes.get(result);
  if (!known) {
    known = new Map();
    for (const o of result.outputs) known.set(o.unit, Math.max(known.get(o.unit) ?? 0, largestSize(o.nominal), largestSize(o.mean)));
    sizes.set(result, known);
  }
  return known;
}

// What is 5e-9 of the largest value among outputs of its unit is round-off, or left by time stepping (src/analysis/accuracy.hpp).
export function scatters(result: Result, output: Output): boolean {
  return largestSize(output.std) > 5e-9 * (sizesOf(result).get(output.unit) ?? 0);
}

// Index of the time at which the output scatters most; of its largest value where nothing is known about scatter.
export function timeOfLargestScatter(output: Output): number {
  return indexOfLargest(Number.isNaN(largest(output.std)) ? map(output.nominal, Math.abs) : output.std!);
}

// Ranks from 0; equal values have the average of theirs.
export function ranks(x: ArrayLike<number>): Float64Array {
  const order = Array.from(x, (_, i) => i).sort((a, b) => x[a]! - x[b]!);
  const out = new Float64Array(x.length);
  for (let i = 0; i < order.length; ) {
    let j = i;
    while (j < order.length && x[order[j]!] === x[order[i]!]) ++j;
    for (let k = i; k < j; ++k) out[order[k]!] = (i + j - 1) / 2;
    i = j;
  }
  return out;
}

export function correlation(x: ArrayLike<number>, y: ArrayLike<number>): number {
  const n = x.length;
  let mx = 0;
  let my = 0;
  for (let i = 0; i < n; ++i) {
    mx += x[i]! / n;
    my += y[i]! / n;
  }
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = 0; i < n; ++i) {
    xx += (x[i]! - mx) ** 2;
    yy += (y[i]! - my) ** 2;
    xy += (x[i]! - mx) * (y[i]! - my);
  }
  return xy / Math.sqrt(xx * yy);
}

export const spearman = (x: ArrayLike<number>, y: ArrayLike<number>): number => correlation(ranks(x), ranks(y));

// y of x at other places, linear between; NaN outside.
export function interpolate(x: Series, y: Series, to: Series): Float64Array {
  let k = 0;
  return map(to, (t) => {
    if (!x.length || t < x[0]! || t > x[x.length - 1]!) return NaN;
    while (k + 2 < x.length && x[k + 1]! < t) ++k;
    if (x.length === 1) return y[0]!;
    const w = (t - x[k]!) / (x[k + 1]! - x[k]!);
    return w === 0 ? y[k]! : w === 1 ? y[k + 1]! : (1 - w) * y[k]! + w * y[k + 1]!;
  });
}
