// Elementary effects (Morris): how large they are, and how much they depend on where one is.
import { bars } from '../bars';
import { Chart, type ChartSpec } from '../chart';
import type { Result } from '../data';
import { h } from '../dom';
import { count } from '../format';
import { Plot, type PlotSpec } from '../plot';
import { scatter } from '../scatter';
import { descending, row, timeless } from '../series';
import { currentOutput } from '../state';
import { palette } from '../theme';

const most = 20;

export function effects(r: Result, k: number, atMost = most): ChartSpec {
  const { variables, of } = r.screening!;
  const o = of[k]!;
  return bars({
    name: `effects on ${r.outputs[k]!.name}`,
    xName: 'effect μ*, relative to the scatter of the output',
    series: ['effect'],
    rows: descending(o.integratedMuStar)
      .slice(0, atMost)
      .map((i) => {
        const [value, error] = [o.integratedMuStar[i]!, o.integratedMuStarError[i]!];
        return { label: variables[i]!, bars: [{ value, low: Math.max(0, value - 1.96 * error), high: value + 1.96 * error }] };
      }),
  });
}

function map(r: Result, k: number): ChartSpec {
  const { variables, of } = r.screening!;
  const o = of[k]!;
  const [x, y] = [o.integratedMuStar, o.integratedSigma];
  return scatter({ name: `effects on ${r.outputs[k]!.name}, map`, xName: 'effect μ*', xUnit: '-', yName: 'curvature and interactions σ', yUnit: '-', x, y, labels: variables, fromZero: true, height: 320 });
}

const dashes = [[], [8, 4], [2, 3], [8, 3, 2, 3], [12, 4]];

function overTime(r: Result, k: number): PlotSpec {
  const { variables, of } = r.screening!;
  const curves = descending(of[k]!.integratedMuStar)
    .slice(0, dashes.length)
    .map((i, p) => ({ label: variables[i]!, values: row(of[k]!.muStar, i, r.time.length), colour: palette[p]!, dash: dashes[p] }));
  return { name: `effects on ${r.outputs[k]!.name} over time`, title: `Effects on ${r.outputs[k]!.name}`, x: r.time, xName: 'time', xUnit: 's', yName: 'effect μ*', yUnit: r.outputs[k]!.unit, bands: [], curves, linked: true, height: 260 };
}

export function screeningWords(r: Result, k: number): string {
  const { variables, of } = r.screening!;
  const values = of[k]!.integratedMuStar;
  const order = descending(values).filter((i) => Number.isFinite(values[i]!) && values[i]! > 0);
  if (!order.length) return `No variable has an effect on ${r.outputs[k]!.name}.`;
  const idle = variables.length - order.filter((i) => values[i]! >= 0.36).length;
  const rest = idle ? ` ${count(idle)} of ${count(variables.length)} variables have less than a tenth of the effect of a single cause: each contributes about one per cent of the variance or less.` : '';
  return `The largest effect on ${r.outputs[k]!.name} is that of ${variables[order[0]!]!}.${rest}`;
}

export function screening(r: Result): HTMLElement | null {
  if (!r.screening || !r.screening.variables.length) return null;
  const sentence = h('p', { 'data-words': 'screening' }, screeningWords(r, currentOutput.value));
  const list = new Chart(effects(r, currentOutput.value));
  const cloud = new Chart(map(r, currentOutput.value));
  const plot = new Plot(overTime(r, currentOutput.value));
  currentOutput.subscribe((k) => {
    sentence.textContent = screeningWords(r, k);
    list.update(effects(r, k));
    cloud.update(map(r, k));
    plot.update(overTime(r, k));
  });
  const all = r.screening.variables.length;
  return h(
    'div',
    { 'data-part': 'screening' },
    h('h3', {}, 'Screening'),
    sentence,
    h('div', { class: 'pair' }, list.element, cloud.element),
    timeless(r) ? null : plot.element,
    h(
      'p',
      { class: 'small soft' },
      `Elementary effects of ${count(r.screening.trajectories)} trajectories; whiskers are 95 % intervals.${all > most ? ` The ${most} largest of ${all} are in the bars.` : ''} A variable that causes all the scatter, linearly, has an effect of about 3.6. Where σ is as large as μ*, the effect depends on the other variables, or is nonlinear. The effects are for ranking; they are not Sobol indices.`,
    ),
  );
}
