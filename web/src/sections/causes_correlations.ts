// Which random number goes with which output: correlations, integrated and over time.
import { bars } from '../bars';
import { Chart, type ChartSpec } from '../chart';
import type { Correlations, Result } from '../data';
import { h, select } from '../dom';
import { count, number, percent } from '../format';
import { Plot, type PlotSpec } from '../plot';
import { acrossTime, descending, map, row, scatters, timeless } from '../series';
import { currentOutput } from '../state';
import { palette } from '../theme';

type Kind = 'partialRank' | 'spearman' | 'pearson';
const kinds: { value: Kind; text: string; words: string }[] = [
  { value: 'partialRank', text: 'partial rank', words: 'monotone dependence of the output on this number, after removing the effect of the others' },
  { value: 'spearman', text: 'rank (Spearman)', words: 'monotone dependence of the output on this number' },
  { value: 'pearson', text: 'linear (Pearson)', words: 'linear dependence of the output on this number; its square is the Sobol index if the response is linear and the inputs are independent' },
];

const most = 15; // bars
const mostCurves = 5;

function parts(c: Correlations, k: number, kind: Kind) {
  const o = c.of[k]!;
  if (kind === 'pearson') return { integrated: o.integratedPearson, over: o.pearson, error: c.pearsonError };
  if (kind === 'spearman') return { integrated: o.integratedSpearman, over: o.spearman, error: c.spearmanError };
  return { integrated: o.integratedPartialRank, over: o.partialRank, error: c.partialRankError };
}

const end = (r: number, shift: number) => Math.tanh(Math.atanh(Math.min(0.9999999, r)) + shift);

function integrated(r: Result, k: number, kind: Kind): ChartSpec {
  const c = r.correlations!;
  const { integrated: values, error } = parts(c, k, kind);
  return bars({
    name: `correlations of ${r.outputs[k]!.name}`,
    xName: `${kinds.find((o) => o.value === kind)!.text} correlation${acrossTime(r)}`,
    xTo: 1,
    series: ['correlation'],
    rows: descending(values)
      .slice(0, most)
      .map((i) => ({ label: c.columns[i]!, bars: [{ value: values[i]!, low: Math.max(0, end(values[i]!, -1.96 * error)), high: end(values[i]!, 1.96 * error) }] })),
  });
}

const dashes = [[], [8, 4], [2, 3], [8, 3, 2, 3], [12, 4]];

function overTime(r: Result, k: number, kind: Kind): PlotSpec {
  const c = r.correlations!;
  const n = r.time.length;
  const { integrated: values, over, error } = parts(c, k, kind);
  const chance = Math.tanh(1.96 * error);
  const level = (v: number) => map(r.time, () => v);
  return {
    name: `correlations of ${r.outputs[k]!.name} over time`,
    title: `Correlations with ${r.outputs[k]!.name}`,
    x: r.time,
    xName: 'time',
    xUnit: 's',
    yName: `${kinds.find((o) => o.value === kind)!.text} correlation`,
    yUnit: '-',
    bands: Number.isFinite(chance) ? [{ label: 'chance (95 %)', lower: level(-chance), upper: level(chance), colour: '--grey', opacity: 0.2 }] : [],
    curves: descending(values)
      .filter((i) => Number.isFinite(values[i]!))
      .slice(0, mostCurves)
      .map((i, p) => ({ label: c.columns[i]!, values: row(over, i, n), colour: palette[p]!, dash: dashes[p], width: 1.6 })),
    linked: true,
    yRange: [-1, 1],
    height: 280,
  };
}

// Squared linear correlations stand in for shares where there are none.
function words(r: Result, k: number): string {
  const name = r.outputs[k]!.name;
  if (!scatters(r, r.outputs[k]!)) return `${name} does not scatter.`;
  const c = r.correlations!;
  const values = c.of[k]!.integratedSpearman;
  const best = descending(values)[0];
  if (best === undefined || !Number.isFinite(values[best]!)) return `No correlations of ${name} are available.`;
  if (Math.atanh(Math.min(0.9999, values[best]!)) < 2.5 * c.spearmanError) return `No correlation with ${name} is significant.`;
  const share = c.of[k]!.integratedPearson[best]! ** 2;
  return `${name} correlates most with ${c.columns[best]!}: R² = ${number(share, 2)}, that is, a linear fit explains ${percent(share)} of the variance.`;
}

export function correlations(r: Result): HTMLElement | null {
  const c = r.correlations;
  if (!c || !c.columns.length) return null;
  let kind: Kind = 'partialRank';
  const sentence = h('p', { 'data-words': 'correlations' });
  const meaning = h('p', { class: 'small soft' });
  const plot = new Plot(overTime(r, currentOutput.value, kind));
  const chart = new Chart(integrated(r, currentOutput.value, kind));
  const explain = () => {
    const note = c.columns.length > most ? ` The ${most} largest of ${c.columns.length} are shown.` : '';
    meaning.textContent = `Here: ${kinds.find((o) => o.value === kind)!.words}. Whiskers are 95 % intervals from ${count(c.realizations)} realizations.${note} A correlation of zero does not mean that a number has no effect: a response that rises on both sides of the mean has none.`;
  };
  const show = () => {
    sentence.textContent = words(r, currentOutput.value);
    explain();
  };
  const redraw = () => {
    show();
    plot.update(overTime(r, currentOutput.value, kind));
    chart.update(integrated(r, currentOutput.value, kind));
  };
  show();
  currentOutput.subscribe(redraw);
  const choice = select('Correlation', kinds, kind, (value) => {
    kind = value as Kind;
    redraw();
  });
  const determined = c.columns.map((name, i) => (c.determinedBy[i] ? `${name} is determined by ${c.determinedBy[i]!}` : '')).filter((t) => t);
  return h(
    'div',
    { 'data-part': 'correlations' },
    h('h3', {}, r.shares ? 'By variable: correlations' : 'Correlations'),
    sentence,
    r.shares ? h('p', {}, 'Sobol indices are those of independent groups; correlations are those of single random numbers.') : null,
    h('div', { class: 'controls' }, choice),
    h('div', { class: 'pair' }, timeless(r) ? null : plot.element, chart.element),
    meaning,
    determined.length ? h('p', { class: 'small soft' }, `No partial correlations: ${determined.slice(0, 5).join('; ')}${determined.length > 5 ? '; …' : ''}.`) : null,
  );
}
