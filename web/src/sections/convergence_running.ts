// Mean and standard deviation of the first n realizations.
import type { Convergence, Result, Series } from '../data';
import { h } from '../dom';
import { number } from '../format';
import { Plot, type PlotSpec } from '../plot';
import { map, scatters, timeless, timeOfLargestScatter } from '../series';
import { currentOutput, nearest } from '../state';
import { palette } from '../theme';
import { followLaw } from '../words';

type Running = NonNullable<Convergence['running']>;

// Of one output at one time, for each n.
function column(table: Series, k: number, times: number): Float64Array {
  return Float64Array.from({ length: Math.floor(table.length / times) }, (_, n) => table[n * times + k]!);
}

function frame(r: Result, run: Running, k: number, output: number, what: string, values: Float64Array, half: Float64Array, words: string): PlotSpec {
  const o = r.outputs[output]!;
  const band = { label: words, lower: map(values, (v, n) => v - half[n]!), upper: map(values, (v, n) => v + half[n]!), colour: '--blue', opacity: 0.2 };
  return {
    name: `running ${what} of ${o.name}`,
    title: `${o.name}${timeless(r) ? '' : ` at ${number(run.times[k])} s`}: ${what} of the first n realizations`,
    x: run.counts,
    xName: 'realizations',
    xUnit: '-',
    yName: what,
    yUnit: o.unit,
    bands: [band],
    curves: [{ label: `${what} of the first n`, values, colour: '--blue', width: 1.6 }],
    lines: [{ label: 'with all', value: values[values.length - 1]!, colour: '--vermillion' }],
    logX: true,
    height: 260,
  };
}

function ofMean(r: Result, run: Running, k: number, output: number): PlotSpec {
  const mean = column(run.mean[output]!, k, run.times.length);
  const std = column(run.std[output]!, k, run.times.length);
  const half = map(run.counts, (n, i) => (1.96 * std[i]!) / Math.sqrt(n));
  return frame(r, run, k, output, 'mean', mean, half, '± 1.96 σ/√n');
}

// The error of a standard deviation depends on the fourth moment. The study knows its own; that of fewer realizations follows from it.
function ofStd(r: Result, run: Running, k: number, output: number): PlotSpec {
  const std = column(run.std[output]!, k, run.times.length);
  const last = run.counts[run.counts.length - 1]!;
  const known = r.method === 'monte-carlo' && !r.chaos ? r.outputs[output]!.stdError?.[nearest(r.time, run.times[k]!)] : NaN;
  const relative = known !== undefined && known > 0 ? (known / std[std.length - 1]!) * Math.sqrt(last) : NaN;
  const normal = !Number.isFinite(relative);
  const half = map(run.counts, (n, i) => (n < 2 ? NaN : 1.96 * std[i]! * (normal ? 1 / Math.sqrt(2 * (n - 1)) : relative / Math.sqrt(n))));
  return frame(r, run, k, output, 'standard deviation', std, half, normal ? '± 1.96 σ/√(2(n−1)), if normal' : '95 %, from the error with all');
}

export function running(r: Result): HTMLElement | null {
  const run = r.convergence?.running;
  if (!run || run.counts.length < 2 || !run.times.length || !followLaw(r)) return null;
  const start = (output: number) => nearest(run.times, r.time[timeOfLargestScatter(r.outputs[output]!)]!);
  let k = start(currentOutput.value);
  const mean = new Plot(ofMean(r, run, k, currentOutput.value));
  const std = new Plot(ofStd(r, run, k, currentOutput.value));
  const value = h('output', {});
  const slider = h('input', { type: 'range', min: 0, max: run.times.length - 1, step: 1, 'aria-label': 'Time of the running statistics', 'data-choice': 'running-time' });
  const still = h('p', { class: 'soft' });
  const show = () => {
    slider.value = String(k);
    value.textContent = `${number(run.times[k])} s`;
    still.textContent = scatters(r, r.outputs[currentOutput.value]!) ? '' : `${r.outputs[currentOutput.value]!.name} does not scatter.`;
  };
  const redraw = () => {
    show();
    mean.update(ofMean(r, run, k, currentOutput.value));
    std.update(ofStd(r, run, k, currentOutput.value));
  };
  show();
  slider.addEventListener('input', () => {
    k = Number(slider.value);
    redraw();
  });
  currentOutput.subscribe((output) => {
    k = start(output);
    redraw();
  });
  const dependent = ['latin-hypercube', 'sobol', 'halton'].includes(r.method);
  return h(
    'div',
    { 'data-part': 'running' },
    h('h3', {}, 'With the first n realizations'),
    still,
    run.times.length > 1 ? h('div', { class: 'controls' }, h('label', { class: 'choice' }, 'Time ', slider, ' ', value)) : null,
    h('div', { class: 'pair' }, mean.element, std.element),
    h(
      'p',
      { class: 'small soft' },
      dependent
        ? 'The shaded region is valid for independent realizations. This design is more accurate for a smooth response; the first n points of a Latin hypercube are not a Latin hypercube.'
        : `The shaded region is a pointwise 95 % interval.${timeless(r) ? '' : ' The slider starts at the time of the largest scatter.'}`,
    ),
  );
}

const dashes = [[], [8, 4], [2, 3], [8, 3, 2, 3]];

// The measure of the literature for all times at once, each output relative to its last value.
export function norms(r: Result): HTMLElement | null {
  const c = r.convergence;
  if (!c || c.counts.length < 2 || !followLaw(r) || r.kept?.source === 'expansion') return null;
  const last = (k: number) => c.norms[k]![c.norms[k]!.length - 1]!;
  const shown = r.outputs.map((_, k) => k).filter((k) => c.norms[k] && last(k) > 0 && scatters(r, r.outputs[k]!)).slice(0, 7);
  if (!shown.length) return null;
  const plot = new Plot({
    name: 'convergence of norms',
    x: c.counts,
    xName: 'realizations',
    xUnit: '-',
    yName: 'norm, relative to the last',
    yUnit: '-',
    bands: [],
    curves: shown.map((k, p) => ({ label: r.outputs[k]!.name, values: map(c.norms[k]!, (v) => v / last(k)), colour: palette[p]!, dash: dashes[p % dashes.length], width: 1.6 })),
    lines: [{ label: '1', value: 1, colour: '--grey' }],
    logX: true,
    height: 260,
  });
  const more = r.outputs.length > shown.length && shown.length === 7 ? ' The first seven outputs that scatter are shown.' : '';
  return h('div', { 'data-part': 'norms' }, h('h3', {}, timeless(r) ? 'All modes' : 'Over all times'), plot.element, h('p', { class: 'small soft' }, `${timeless(r) ? '((1/n) Σ u²)^½: the root mean square of each quantity over realizations.' : '((1/n) Σ ∫ u² dt)^½: the mean square of each output over time and realizations.'} It should become flat.${more}`));
}
