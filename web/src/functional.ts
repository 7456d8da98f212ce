// Realizations as whole curves: which one lies in the middle of the others, and whether their peaks coincide. Bands of pointwise
// quantiles tell neither.
import type { Output, Result, Series } from './data';
import { indexOfLargest, map } from './series';

const instants = 200; // times that depths are averaged over

// Modified band depth with pairs of curves (López-Pintado and Romo, 2009): the mean over time of the share of pairs between which a curve
// lies. With the number b of curves below and a above it, that is (b a + n - 1) / (n (n - 1) / 2).
export function bandDepth(values: Series, count: number, times: number): Float64Array {
  const depth = new Float64Array(count);
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const column = new Float64Array(count);
  const step = Math.max(1, Math.floor(times / instants));
  for (let t = 0; t < times; t += step) {
    for (let i = 0; i < count; ++i) column[i] = values[i * times + t]!;
    order.sort((a, b) => column[a]! - column[b]!);
    for (let rank = 0; rank < count; ++rank) depth[order[rank]!]! += rank * (count - 1 - rank) + count - 1;
  }
  return depth;
}

export const hasMedian = (r: Result, o: Output): boolean => o.realizations !== null && (r.kept?.rows.length ?? 0) >= 3;

// The row of the deepest realization, the functional median; −1 where there are too few.
export function functionalMedian(r: Result, o: Output): number {
  return hasMedian(r, o) ? indexOfLargest(bandDepth(o.realizations!, r.kept!.rows.length, r.time.length)) : -1;
}

export interface Peaks {
  typical: number; // median of the realizations' largest values, or smallest
  ofMean: number; // that of the mean
  from: number; // times of nine tenths of them
  to: number;
  largest: boolean; // false: it is about the smallest values
}

function quantile(sorted: Float64Array, p: number): number {
  return sorted[Math.round(p * (sorted.length - 1))]!;
}

// The peaks where they do not coincide in time, so that the mean is flatter than what it is the mean of; else null.
export function scatteredPeaks(r: Result, o: Output): Peaks | null {
  const count = r.kept?.rows.length ?? 0;
  const times = r.time.length;
  if (!o.realizations || !o.mean || count < 10 || times < 10) return null;
  const of = (sign: number): Peaks | null => {
    const heights = new Float64Array(count);
    const at = new Float64Array(count);
    for (let i = 0; i < count; ++i) {
      let best = 0;
      for (let t = 1; t < times; ++t) if (sign * o.realizations![i * times + t]! > sign * o.realizations![i * times + best]!) best = t;
      heights[i] = o.realizations![i * times + best]!;
      at[i] = r.time[best]!;
    }
    const mean = sign * Math.max(...map(o.mean!, (v) => sign * v));
    const typical = quantile(heights.sort(), 0.5);
    at.sort();
    return { typical, ofMean: mean, from: quantile(at, 0.05), to: quantile(at, 0.95), largest: sign > 0 };
  };
  // How much of the way from the mean level to a peak the mean curve lacks.
  const level = map(o.mean, (v) => v).reduce((a, b) => a + b, 0) / times;
  const lacking = (p: Peaks) => Math.abs(p.typical - p.ofMean) / (Math.abs(p.typical - level) || 1);
  const sides = [of(1)!, of(-1)!].filter((p) => (p.largest ? p.typical > p.ofMean : p.typical < p.ofMean));
  const worst = sides.sort((a, b) => Math.abs(b.typical - level) - Math.abs(a.typical - level))[0];
  const span = Math.max(...map(o.upper ?? o.mean, (v) => v)) - Math.min(...map(o.lower ?? o.mean, (v) => v));
  const seen = worst && Math.abs(worst.typical - worst.ofMean) > 0.04 * span; // in a plot
  if (!worst || !seen || lacking(worst) < 0.15 || worst.to - worst.from < 0.05 * (r.time[times - 1]! - r.time[0]!)) return null;
  return worst;
}
