// Shares are those of groups. What each random number does, as far as a straight line says it, follows from the realizations.
import { bars } from '../bars';
import { Chart, type ChartSpec } from '../chart';
import type { Result } from '../data';
import { h } from '../dom';
import { descending } from '../series';
import { currentOutput } from '../state';
import { followLaw } from '../words';

const most = 15;
const instants = 100; // times that the integral is taken over

// ∫r²σ² dt / ∫σ² dt of the linear correlation with each number.
function linearShares(r: Result, k: number): Float64Array {
  const [rows, columns, times] = [r.kept!.rows.length, r.laws.length, r.time.length];
  const { inputs } = r.kept!;
  const values = r.outputs[k]!.realizations!;
  const good = Array.from({ length: rows }, (_, i) => i).filter((i) => Number.isFinite(values[i * times]!));
  const centred = (at: (i: number) => number) => {
    const mean = good.reduce((sum, i) => sum + at(i), 0) / good.length;
    return Float64Array.from(good, (i) => at(i) - mean);
  };
  const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, v, i) => sum + v * b[i]!, 0);
  const x = Array.from({ length: columns }, (_, c) => centred((i) => inputs![i * columns + c]!));
  const xx = x.map((column) => dot(column, column));
  const explained = new Float64Array(columns);
  let all = 0;
  for (let t = 0; t < times; t += Math.max(1, Math.floor(times / instants))) {
    const y = centred((i) => values[i * times + t]!);
    all += dot(y, y);
    x.forEach((column, c) => (explained[c]! += xx[c]! > 0 ? dot(column, y) ** 2 / xx[c]! : 0));
  }
  return explained.map((v) => v / all);
}

function chart(r: Result, k: number): ChartSpec {
  const values = linearShares(r, k);
  const error = 1 / Math.sqrt(Math.max(1, r.kept!.rows.length - 3));
  const end = (share: number, shift: number) => Math.max(0, Math.tanh(Math.atanh(Math.min(0.9999999, Math.sqrt(share))) + shift)) ** 2;
  return bars({
    name: `linear shares of ${r.outputs[k]!.name} by variable`,
    xName: 'squared correlation, integrated over time',
    xTo: 1,
    series: ['squared correlation'],
    rows: descending(values)
      .slice(0, most)
      .map((i) => ({ label: r.laws[i]!.name, bars: [{ value: values[i]!, low: end(values[i]!, -1.96 * error), high: end(values[i]!, 1.96 * error) }] })),
  });
}

export function variables(r: Result): HTMLElement | null {
  if (!r.shares || r.correlations || !followLaw(r) || !r.kept?.inputs?.length || r.kept.rows.length < 10) return null;
  if (r.laws.length <= r.shares.groups.length || r.outputs.some((o) => !o.realizations)) return null;
  const bar = new Chart(chart(r, currentOutput.value));
  currentOutput.subscribe((k) => bar.update(chart(r, k)));
  const words = `What a straight line of each random number alone would explain, from ${r.kept.rows.length} realizations with 95 % intervals. Shares, above, are those of whole groups and know curvature and interactions; these do not.`;
  return h('div', { 'data-part': 'variables' }, h('h3', {}, 'By variable'), bar.element, h('p', { class: 'small soft' }, words));
}
