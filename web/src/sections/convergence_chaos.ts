// How fast an expansion converges: its coefficients, the variance by degree, the error it states.
import { Chart, type ChartSpec } from '../chart';
import type { Result } from '../data';
import { h } from '../dom';
import { count, number } from '../format';
import { scatter } from '../scatter';
import { acrossTime } from '../series';
import { currentOutput } from '../state';

const manyDegrees = 5;

function coefficients(r: Result, k: number): ChartSpec {
  const o = r.chaos!.of[k]!;
  const highest = Math.max(1, ...Array.from(o.degrees));
  // Each degree has a mark while they can be told apart, then ranges of degrees.
  const width = Math.max(1, Math.ceil(highest / manyDegrees));
  const names = Array.from({ length: Math.ceil(highest / width) }, (_, g) => (width === 1 ? `degree ${g + 1}` : `degrees ${g * width + 1}–${Math.min(highest, (g + 1) * width)}`));
  return scatter({
    name: `coefficients of ${r.outputs[k]!.name}`,
    caption: `Coefficients${acrossTime(r)}, the largest first.`,
    xName: 'rank',
    xUnit: '-',
    yName: 'size, relative to the largest',
    yUnit: '-',
    x: Array.from(o.magnitudes, (_, i) => i + 1),
    y: o.magnitudes,
    group: Array.from(o.degrees, (d) => Math.max(0, Math.ceil(d / width) - 1)),
    groups: names,
    logY: true,
    height: 320,
  });
}

function byDegree(r: Result, k: number): ChartSpec {
  const { decay } = r.chaos!.of[k]!;
  return scatter({
    name: `variance of ${r.outputs[k]!.name} by degree`,
    caption: 'Fraction of the variance by total degree.',
    xName: 'degree',
    xUnit: '-',
    yName: 'fraction of the variance',
    yUnit: '-',
    x: Array.from(decay, (_, i) => i + 1),
    y: decay,
    logY: true,
    joined: true,
    height: 320,
  });
}

function words(r: Result, k: number): string {
  const { leaveOneOut, verdict, decay } = r.chaos!.of[k]!;
  const name = r.outputs[k]!.name;
  if (!decay.length || !(Math.max(...Array.from(decay)) > 0)) return `${name} is not expanded, or does not vary.`;
  const error = leaveOneOut === null || !Number.isFinite(leaveOneOut) ? 'A quadrature has no error estimate; the variance by degree is what it shows.' : 'The leave-one-out error is the mean square error at a realization excluded from the fit.';
  return `${name}: ${verdict}. ${error}`;
}

export function chaos(r: Result): HTMLElement | null {
  if (!r.chaos) return null;
  const sentence = h('p', { 'data-words': 'chaos' }, words(r, currentOutput.value));
  const place = h('div', { class: 'pair' });
  const nothing = (k: number) => !r.chaos!.of[k]!.magnitudes.length || !(r.chaos!.of[k]!.decay.length > 0);
  const show = (k: number) => {
    sentence.textContent = words(r, k);
    place.replaceChildren(...(nothing(k) ? [] : [new Chart(byDegree(r, k)).element, new Chart(coefficients(r, k)).element]));
  };
  show(currentOutput.value);
  currentOutput.subscribe(show);
  const rests = `The response as polynomials of ${r.chaos.variables.length === 1 ? r.chaos.variables[0]! : `${number(r.chaos.variables.length)} variables`}: ${r.chaos.how}. ${count(r.chaos.terms)} terms from ${count(r.chaos.points)} realizations.`;
  return h('div', { 'data-part': 'chaos' }, h('h3', {}, 'The expansion'), h('p', {}, rests), sentence, place);
}
