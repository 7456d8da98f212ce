// Shares are those of groups. What each random number does follows from the realizations: partial rank correlations, as
// src/analysis/correlations.hpp has them, of studies whose file has none.
import { bars } from '../bars';
import { Chart, type ChartSpec } from '../chart';
import type { Result } from '../data';
import { h } from '../dom';
import { acrossTime, descending, ranks } from '../series';
import { currentOutput } from '../state';
import { followLaw } from '../words';

const most = 15;
const instants = 100; // times that the integral is taken over

// By Gauss and Jordan; null where it is singular.
function inverse(matrix: number[][]): number[][] | null {
  const n = matrix.length;
  const a = matrix.map((line, i) => [...line, ...line.map((_, j) => (i === j ? 1 : 0))]);
  for (let k = 0; k < n; ++k) {
    let pivot = k;
    for (let i = k + 1; i < n; ++i) if (Math.abs(a[i]![k]!) > Math.abs(a[pivot]![k]!)) pivot = i;
    [a[k], a[pivot]] = [a[pivot]!, a[k]!];
    const scale = a[k]![k]!;
    if (!(Math.abs(scale) > 1e-9)) return null;
    a[k] = a[k]!.map((v) => v / scale);
    for (let i = 0; i < n; ++i) {
      const factor = a[i]![k]!;
      if (i !== k && factor !== 0) a[i] = a[i]!.map((v, j) => v - factor * a[k]![j]!);
    }
  }
  return a.map((line) => line.slice(n));
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  let sum = 0;
  for (let i = 0; i < a.length; ++i) sum += a[i]! * b[i]!;
  return sum;
};

function centred(x: Float64Array): { values: Float64Array; square: number } {
  const mean = x.reduce((a, b) => a + b, 0) / x.length;
  const values = x.map((v) => v - mean);
  return { values, square: dot(values, values) };
}

// Of ranks, with mean zero and length one.
function unitRanks(x: Float64Array): Float64Array {
  const { values, square } = centred(ranks(x));
  return values.map((v) => v / Math.sqrt(square));
}

// (∫r²σ² dt / ∫σ² dt)^½ of the partial rank correlation with each number; null where one of them follows from others.
function partialRanks(r: Result, k: number): Float64Array | null {
  const [columns, times] = [r.laws.length, r.time.length];
  const values = r.outputs[k]!.realizations!;
  const good = Array.from(r.kept!.rows, (_, i) => i).filter((i) => Number.isFinite(values[i * times]!));
  const x = r.laws.map((_, c) => unitRanks(Float64Array.from(good, (i) => r.kept!.inputs![i * columns + c]!)));
  const p = inverse(x.map((a) => x.map((b) => dot(a, b))));
  if (!p) return null;
  const sum = new Float64Array(columns);
  let all = 0;
  for (let t = 0; t < times; t += Math.max(1, Math.floor(times / instants))) {
    const y = Float64Array.from(good, (i) => values[i * times + t]!);
    const weight = centred(y).square;
    if (!(weight > 0)) continue;
    const ranked = unitRanks(y);
    const s = x.map((column) => dot(column, ranked));
    const b = p.map((line) => dot(line, s));
    const e = Math.max(0, 1 - dot(s, b));
    all += weight;
    b.forEach((v, i) => (sum[i]! += (weight * v * v) / (e * p[i]![i]! + v * v || 1)));
  }
  return sum.map((v) => Math.sqrt(v / all));
}

function chart(r: Result, k: number, values: Float64Array): ChartSpec {
  const error = Math.sqrt(1.06 / Math.max(1, r.kept!.rows.length - r.laws.length - 2));
  const end = (value: number, shift: number) => Math.max(0, Math.tanh(Math.atanh(Math.min(0.9999999, value)) + shift));
  return bars({
    name: `partial correlations of ${r.outputs[k]!.name} by variable`,
    xName: `partial rank correlation${acrossTime(r)}`,
    xTo: 1,
    series: ['correlation'],
    rows: descending(values)
      .slice(0, most)
      .map((i) => ({ label: r.laws[i]!.name, bars: [{ value: values[i]!, low: end(values[i]!, -1.96 * error), high: end(values[i]!, 1.96 * error) }] })),
  });
}

export function variables(r: Result): HTMLElement | null {
  if (!r.shares || r.correlations || !followLaw(r) || !r.kept?.inputs?.length || r.kept.rows.length < r.laws.length + 10) return null;
  if (r.laws.length <= r.shares.groups.length || r.outputs.some((o) => !o.realizations)) return null;
  const first = partialRanks(r, currentOutput.value);
  if (!first) return null;
  const bar = new Chart(chart(r, currentOutput.value, first));
  currentOutput.subscribe((k) => bar.update(chart(r, k, partialRanks(r, k) ?? first)));
  const words = `Partial rank correlation of the output with each random number; 95 % intervals from ${r.kept.rows.length} realizations. The Sobol indices above are those of whole groups and include nonlinearity and interactions; correlations do not.`;
  return h('div', { 'data-part': 'variables' }, h('h3', {}, 'By variable'), bar.element, h('p', { class: 'small soft' }, words));
}
