// Sentences about a result: how it was made, and how good it is.
import type { Output, Result } from './data';
import { count, duration, number, percent } from './format';
import { acrossTime, scatters, timeOfLargestScatter } from './series';

const methods: Record<string, string> = {
  'monte-carlo': 'Monte Carlo',
  'latin-hypercube': 'Latin hypercube',
  sobol: 'Sobol sequence',
  halton: 'Halton sequence',
  'polynomial-chaos': 'polynomial chaos',
  'control-variate': 'control variate',
  multilevel: 'multilevel Monte Carlo',
  'first-order': 'first order',
  'univariate-reduction': 'univariate reduction',
  morris: 'Morris screening',
  variability: 'variability response',
  'subset-simulation': 'subset simulation',
  form: 'FORM',
  sorm: 'SORM',
  'importance-sampling': 'importance sampling',
  'line-sampling': 'line sampling',
  'enhanced-monte-carlo': 'enhanced Monte Carlo',
  auto: 'the method chosen automatically',
};
export const methodWords = (method: string): string => methods[method] ?? method;

// Whether realizations that came along follow the law of what is uncertain; points of quadratures and trajectories do not.
export function followLaw(r: Result): boolean {
  if (r.kept?.source === 'expansion') return true;
  if (r.reliability && !r.followsLaw) return false;
  return !['morris', 'first-order', 'univariate-reduction', 'variability'].includes(r.method) && !r.chaos?.how.includes('quadrature');
}

// A share of something; tiny ones are not worth their digits.
export const share = (x: number): string => (Math.abs(x) < 1e-4 ? 'about 0' : percent(x));

// "2026-11-16T01:44:14Z" → "2026-11-16, 01:44 UTC"
export const when = (created: string): string => created.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)?.*$/, '$1, $2 UTC');

export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

// How it was computed, below the answer.
export function lead(r: Result): string {
  const on = `${r.seconds === null ? 'computed' : `computed in ${duration(r.seconds)}`} on ${when(r.created)}`;
  if (!r.study) return ['Without uncertainty', on].join(' · ');
  return [
    plural(r.reliability?.simulations ?? (r.realizations || r.done), 'realization'),
    methodWords(r.method),
    plural(r.quantities.length, 'uncertain quantity', 'uncertain quantities'),
    ...(r.method === 'morris' || r.reliability ? [] : [`${number(100 * r.confidence)} % probability band`]),
    on,
  ].join(' · ');
}

const known = (x: number | null): x is number => x !== null && Number.isFinite(x);

// "a, b and c", as a sentence.
function sentence(parts: string[]): string {
  const text = parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)!}` : parts[0]!;
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

// How well the statistics of one output are known.
function accuracyOf(o: Output): string {
  const { mean, std, band } = o.accuracy;
  const parts: string[] = [];
  if (known(mean)) parts.push(`the mean of ${o.name} has a standard error of ${percent(mean)} of ${o.nominal.length === 1 ? 'its size' : 'the rms'}`);
  if (known(std)) parts.push(`${parts.length ? 'its standard deviation one' : `the standard deviation of ${o.name} has a standard error`} of ${percent(std)}`);
  if (known(band)) parts.push(`the limits of ${parts.length ? 'the band one' : `the band of ${o.name} have a standard error`} of ${percent(band)} of its width`);
  return sentence(parts);
}

// Of many outputs: from the best known to the worst.
function accuracyOfMany(outputs: Output[]): string {
  const span = (what: 'mean' | 'std' | 'band') => {
    const values = outputs.map((o) => o.accuracy[what]).filter(known);
    return values.length ? `${percent(Math.min(...values))} to ${percent(Math.max(...values))}` : '';
  };
  const [mean, std, band] = [span('mean'), span('std'), span('band')];
  const parts: string[] = [];
  if (mean) parts.push(`the means have standard errors of ${mean} of the rms`);
  if (std) parts.push(`the standard deviations of ${std}`);
  if (band) parts.push(`the band limits of ${band} of the width`);
  return `${plural(outputs.length, 'output')} scatter. ${sentence(parts)} The table of standard errors lists them.`;
}

function howErrorsFall(r: Result): string {
  const what = `These are standard errors${acrossTime(r)}`;
  if (r.chaos) return `${what}. Those of an expansion come from realizations that it has not seen.`;
  if (r.method === 'monte-carlo') return `${what}. Four times as many realizations would halve them.`;
  if (r.method === 'latin-hypercube') return `${what}, as if realizations were independent: those of a Latin hypercube are smaller. Four times as many realizations would at least halve them.`;
  if (['sobol', 'halton'].includes(r.method)) return `${what}, from independent randomisations. Four times as many realizations would halve them, or better where the response is smooth.`;
  return `${what}.`;
}

export function convergedWords(r: Result): string[] {
  if (!r.study) return [];
  if (r.method === 'morris') return ['A screening ranks variables by their effects. It computes no means, bands or probabilities.'];
  if (r.reliability) return [];
  if (r.realizations === 1) return ['One realization gives no estimate of scatter or errors.'];
  const moving = r.outputs.filter((o) => scatters(r, o));
  if (!moving.length) return ['No output scatters: all realizations are the same.'];
  const measured = moving.filter((o) => known(o.accuracy.mean) || known(o.accuracy.std) || known(o.accuracy.band));
  const lines = measured.length > 4 ? [accuracyOfMany(measured)] : measured.map(accuracyOf);
  lines.push(measured.length ? howErrorsFall(r) : noErrors(r));
  const still = r.outputs.filter((o) => !moving.includes(o)).map((o) => o.name);
  if (still.length) lines.push(`${still.slice(0, 8).join(', ')}${still.length > 8 ? ` and ${still.length - 8} more` : ''} ${still.length === 1 ? 'does' : 'do'} not scatter.`);
  if (r.rankError > 0) lines.push(`The limits of the band come from a quantile sketch, not from all realizations: their rank error is at most ${percent(r.rankError)} of the realizations.`);
  return lines;
}

function noErrors(r: Result): string {
  if (r.chaos?.how.includes('quadrature')) return 'A quadrature has no error estimate. Check how fast the variance decays with the degree, or compare two orders.';
  if (r.chaos) return 'The leave-one-out error of the expansion is in the section on convergence; standard errors are not available.';
  if (r.method === 'first-order') return 'A first-order study has no error estimate: it is accurate where the response is nearly linear within the scatter.';
  if (r.method === 'variability') return 'A variability response has no error estimate: mean and standard deviation are predictions for small scatter. Compare with a sampling method.';
  return 'The errors of these statistics are unknown.';
}

// How far the ends of a band may move, whatever the realizations that failed would have been, as a share of its width where it scatters most.
function shiftByMissing(r: Result, o: Output): number {
  const { lower, upper, lowerLow, lowerHigh, upperLow, upperHigh } = o;
  if (!lower || !upper || !lowerLow || !lowerHigh || !upperLow || !upperHigh || !scatters(r, o)) return 0;
  const k = timeOfLargestScatter(o);
  return Math.max(lower[k]! - lowerLow[k]!, lowerHigh[k]! - lower[k]!, upper[k]! - upperLow[k]!, upperHigh[k]! - upper[k]!) / (upper[k]! - lower[k]!);
}

// There are so many that a band has no bound.
export const unbounded = (r: Result): boolean => r.outputs.some((o) => shiftByMissing(r, o) === Infinity);

// What they could do to the statistics.
export function missingWords(r: Result): string {
  const shifts = r.outputs.map((o) => shiftByMissing(r, o));
  const worst = Math.max(0, ...shifts);
  const band = `${number(100 * r.confidence)} % band`;
  if (!(worst > 0)) return '';
  if (!Number.isFinite(worst)) return `There are so many that the ${band} has no bound.`;
  return `Whatever their values, they move no limit of a ${band} by more than ${percent(worst)} of its width (${r.outputs[shifts.indexOf(worst)]!.name}).`;
}
