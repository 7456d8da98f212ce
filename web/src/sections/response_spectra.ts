// Power spectral densities of outputs.
import type { Result, Spectrum } from '../data';
import { h } from '../dom';
import { count, number } from '../format';
import { Plot } from '../plot';
import { map } from '../series';

// What is not positive has no place on a logarithmic axis.
const positive = (values: Spectrum['mean']) => map(values, (v) => (v > 0 ? v : NaN));

// Round-off is not worth looking at: of more than ten decades the upper eight are shown.
function shownRange(s: Spectrum): [number, number] | undefined {
  const all = Array.from(s.mean).filter((v) => v > 0);
  const most = Math.max(...all);
  return Math.min(...all) < 1e-10 * most ? [1e-8 * most, 3 * most] : undefined;
}

function picture(s: Spectrum): HTMLElement {
  const band = { label: '95 % confidence of the mean', lower: positive(s.lower), upper: positive(s.upper), colour: '--blue', opacity: 0.25 };
  const still = !s.nominal.some((v) => v > 1e-12 * Math.max(...s.mean));
  const plot = new Plot({
    name: `spectrum of ${s.output}`,
    title: `${s.output}: power spectral density`,
    x: s.frequency,
    xName: 'frequency',
    xUnit: 'Hz',
    yName: `density of ${s.output}`,
    yUnit: s.unit,
    bands: s.lower.some(Number.isFinite) ? [band] : [],
    curves: [
      { label: 'mean of realizations', values: positive(s.mean), colour: '--blue', width: 1.6 },
      ...(still ? [] : [{ label: 'nominal', values: positive(s.nominal), colour: '--grey', width: 1.2, dash: [6, 4], hidden: true }]),
    ],
    logX: true,
    logY: true,
    yRange: shownRange(s),
    height: 280,
  });
  return h('div', { 'data-spectrum': s.output }, plot.element);
}

export function spectra(result: Result): HTMLElement | null {
  if (result.spectra.length === 0) return null;
  const from = (s: Spectrum) => (s.from > 0 ? ` from ${number(s.from)} s on` : '');
  const how = (s: Spectrum) => `${s.output}: ${count(s.segments)} segments of ${number(s.segment)} s${from(s)}`;
  return h(
    'div',
    { class: 'response-spectra', id: 'spectra' },
    h('h3', {}, 'Spectra'),
    ...result.spectra.map(picture),
    h('p', { class: 'soft small' }, `Power spectral density, one-sided: Welch's estimate of each realization (Hann window, half overlap), and its mean. ${result.spectra.map(how).join('; ')}.`),
  );
}
