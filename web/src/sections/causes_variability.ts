// Dynamic variability response: which wave numbers of a random field matter, and what its scatter is at most, whatever its correlation.
import type { Result } from '../data';
import { h } from '../dom';
import { count, number } from '../format';
import { Plot, type PlotSpec } from '../plot';
import { largest } from '../series';
import { currentOutput } from '../state';

function overWaveNumbers(r: Result, k: number): PlotSpec {
  const v = r.variability!;
  const { name, unit } = r.outputs[k]!;
  const o = v.of[k]!;
  return {
    name: `variability response of ${name}`,
    title: `DVRF of ${name} at ${number(o.at, 4)} s`,
    x: v.waveNumbers,
    xName: 'wave number',
    xUnit: 'rad/m',
    yName: 'DVRF',
    yUnit: !unit ? '-' : /[ /^²]/.test(unit) ? `(${unit})²` : `${unit}²`,
    bands: [],
    curves: [{ label: 'DVRF', values: o.dvrf, colour: '--blue', width: 1.6 }],
    height: 260,
  };
}

function overTime(r: Result, k: number): PlotSpec {
  const v = r.variability!;
  const { name, unit, std } = r.outputs[k]!;
  return {
    name: `bound of ${name} over time`,
    title: `Standard deviation of ${name}`,
    x: r.time,
    xName: 'time',
    xUnit: 's',
    yName: 'standard deviation',
    yUnit: unit,
    bands: [],
    curves: [
      { label: 'bound, any correlation', values: v.of[k]!.bound, colour: '--vermillion', dash: [8, 4] },
      ...(std ? [{ label: v.correlation, values: std, colour: '--blue', width: 1.6 }] : []),
    ],
    linked: true,
    height: 260,
  };
}

export function variabilityWords(r: Result, k: number): string {
  const { name, unit } = r.outputs[k]!;
  const o = r.variability!.of[k]!;
  const most = largest(o.bound);
  if (!(most > 0)) return `${name} does not depend on the field.`;
  return `Whatever its correlation, ${r.variability!.field} gives ${name} a standard deviation of at most ${number(most, 3)} ${unit} (at ${number(o.at, 4)} s), as long as its scatter is small.`;
}

export function variability(r: Result): HTMLElement | null {
  if (!r.variability) return null;
  const v = r.variability;
  const sentence = h('p', { 'data-words': 'variability' }, variabilityWords(r, currentOutput.value));
  const waves = new Plot(overWaveNumbers(r, currentOutput.value));
  const bound = new Plot(overTime(r, currentOutput.value));
  currentOutput.subscribe((k) => {
    sentence.textContent = variabilityWords(r, k);
    waves.update(overWaveNumbers(r, k));
    bound.update(overTime(r, k));
  });
  return h(
    'div',
    { 'data-part': 'variability' },
    h('h3', {}, `Variability response to ${v.field}`),
    sentence,
    h('div', { class: 'pair' }, waves.element, bound.element),
    h(
      'p',
      { class: 'small soft' },
      `${count(v.waveNumbers.length)} wave numbers, ${count(v.phases)} phases each. The variance of an output is the integral of its variability response function (DVRF) and the spectrum of the field; it is largest for a field that has all its power at the wave number of the largest DVRF. `,
      h('code', {}, 'aleator evaluate RESULTS --correlation exponential:0.4'),
      ' predicts mean and standard deviation for another correlation, without simulating.',
    ),
  );
}
