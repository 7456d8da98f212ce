// Shares of the variance (Sobol indices): over time, and integrated.
import { bars } from '../bars';
import { Chart } from '../chart';
import type { Result, Shares } from '../data';
import { h } from '../dom';
import { count, number, percent } from '../format';
import { Plot, type Band, type PlotSpec } from '../plot';
import { acrossTime, descending, map, row, timeless } from '../series';
import { currentOutput, currentTime, nearest } from '../state';
import { palette } from '../theme';
import { share } from '../words';

const most = 6; // groups drawn by themselves; the others are one

function words(r: Result, k: number): string {
  const { groups, of } = r.shares!;
  const o = of[k]!;
  const name = r.outputs[k]!.name;
  const best = descending(o.integratedFirst)[0];
  if (best === undefined || !Number.isFinite(o.integratedFirst[best]!)) return `${name} does not scatter, or its Sobol indices are not available.`;
  const alone = o.integratedFirst[best]!;
  const total = o.integratedTotal[best]!;
  const numbers = `first-order Sobol index ${alone.toFixed(2)}${Number.isFinite(total) ? `, total ${total.toFixed(2)}` : ''}`;
  if (alone < 0.05) return `No cause by itself explains the scatter of ${name}: the largest is ${groups[best]!}, ${numbers}.`;
  const start = groups.length === 1 ? `All scatter of ${name} comes from` : alone >= 0.5 ? `Most of the scatter of ${name} comes from` : `The largest part of the scatter of ${name} comes from`;
  const left = 1 - Array.from(o.integratedFirst).reduce((a, b) => a + Math.max(0, b), 0);
  const together = left > 0.03 && groups.length > 1 ? ` Interactions contribute ${percent(left)}.` : '';
  return `${start} ${groups[best]!} (${numbers}).${together}`;
}

// Areas on top of each other, up to one. Estimates below zero count as zero, sums above one end there.
function stacked(r: Result, s: Shares, k: number): PlotSpec {
  const n = r.time.length;
  const order = descending(s.of[k]!.integratedFirst);
  const alone = order.length > most + 1 ? order.slice(0, most) : order;
  const rest = order.slice(alone.length);
  const layers = [...alone.map((g) => ({ label: s.groups[g]!, members: [g] })), ...(rest.length ? [{ label: `${rest.length} others`, members: rest }] : [])];
  let below: Float64Array = new Float64Array(n);
  const bands: Band[] = layers.map(({ label, members }, i) => {
    const lower = below;
    below = map(lower, (v, t) => Math.min(1, members.reduce((sum, g) => sum + Math.max(0, s.of[k]!.first[g * n + t]!), v)));
    return { label, lower, upper: below, colour: palette[i % (palette.length - 1)]!, opacity: 0.75, layer: true };
  });
  bands.push({ label: 'interactions', lower: below, upper: map(below, (v) => (Number.isNaN(v) ? NaN : 1)), colour: '--grey', opacity: 0.25, layer: true });
  return {
    name: `Sobol indices of ${r.outputs[k]!.name}`,
    title: `Sobol indices of ${r.outputs[k]!.name}`,
    x: r.time,
    xName: 'time',
    xUnit: 's',
    yName: 'Sobol index',
    yUnit: '-',
    bands,
    curves: [],
    linked: true,
    yRange: [0, 1],
    height: 280,
  };
}

// The shares at the time looked at.
function readout(r: Result, k: number, t: number): string {
  const s = r.shares!;
  const n = r.time.length;
  const parts = descending(s.of[k]!.integratedFirst)
    .slice(0, most)
    .map((g) => {
      const first = row(s.of[k]!.first, g, n)[t]!;
      const total = row(s.of[k]!.total, g, n)[t]!;
      return Number.isNaN(first) ? '' : `${s.groups[g]!} first-order ${share(first)}, total ${share(total)}`;
    })
    .filter((p) => p);
  return `At ${number(r.time[t])} s: ${parts.length ? parts.join('; ') : 'no scatter'}.`;
}

function integrated(r: Result, k: number): Parameters<typeof bars>[0] {
  const s = r.shares!;
  const o = s.of[k]!;
  const bar = (value: number, error: number | undefined) => ({ value, low: value - 1.96 * (error ?? NaN), high: value + 1.96 * (error ?? NaN) });
  return {
    name: `integrated Sobol indices of ${r.outputs[k]!.name}`,
    caption: `${r.outputs[k]!.name}${acrossTime(r, ': integrated over time')}${Number.isFinite(o.integratedTotalError?.[0] ?? NaN) ? '; whiskers are 95 % intervals' : ''}.`,
    xName: 'Sobol index',
    xTo: 1,
    series: ['first-order', 'total'],
    rows: descending(o.integratedTotal).map((g) => ({
      label: s.groups[g]!,
      bars: [bar(o.integratedFirst[g]!, o.integratedFirstError?.[g]), bar(o.integratedTotal[g]!, o.integratedTotalError?.[g])],
    })),
  };
}

// The other outputs, small.
function others(r: Result): HTMLElement | null {
  const list = r.outputs.map((_, k) => k).filter((k) => Number.isFinite(r.shares!.of[k]!.integratedFirst[0] ?? NaN));
  if (r.outputs.length < 2 || !list.length) return null;
  const all = h('details', {}, h('summary', {}, timeless(r) ? 'Sobol indices of all modes' : 'Integrated Sobol indices of all outputs'));
  all.addEventListener('toggle', () => {
    if (all.children.length > 1) return;
    const each = list.map((k) => new Chart({ ...bars({ ...integrated(r, k), width: 420 }), caption: r.outputs[k]!.name }).element);
    all.append(h('div', { class: 'pair' }, ...each));
  });
  return all;
}

export function shares(r: Result): HTMLElement | null {
  if (!r.shares || !r.shares.groups.length) return null;
  const s = r.shares;
  const sentence = h('p', { 'data-words': 'shares' });
  const line = h('output', { class: 'readout' });
  const plot = new Plot(stacked(r, s, currentOutput.value));
  const chart = new Chart(bars(integrated(r, currentOutput.value)));
  const tell = () => (line.textContent = readout(r, currentOutput.value, nearest(r.time, currentTime.value)));
  const show = (k: number) => {
    sentence.textContent = words(r, k);
    tell();
  };
  show(currentOutput.value);
  currentTime.subscribe(tell);
  currentOutput.subscribe((k) => {
    show(k);
    plot.update(stacked(r, s, k));
    chart.update(bars(integrated(r, k)));
    chart.element.querySelector('figcaption')!.textContent = integrated(r, k).caption ?? '';
  });
  const how = s.realizations > 0 ? `Estimated from ${count(s.realizations)} pairs of realizations: estimates scatter, and values slightly below zero are drawn as zero.` : 'They follow from the expansion or linearisation, without sampling error.';
  return h(
    'div',
    { 'data-part': 'shares' },
    h('h3', {}, 'Sobol indices'),
    sentence,
    h('div', { class: 'pair' }, timeless(r) ? null : h('div', {}, plot.element, line), chart.element),
    h('p', { class: 'small soft' }, `The first-order index is the fraction of the variance that goes when this cause alone is known; the total index the fraction that stays when all others are. ${timeless(r) ? '' : 'First-order indices are stacked; the rest up to one is due to interactions. '}${how}`),
    others(r),
  );
}
