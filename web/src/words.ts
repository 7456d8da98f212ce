// Sentences about a result: how it was made, and how good it is.
import type { Output, Result } from './data';
import { count, duration, number, percent } from './format';
import { scatters } from './series';

const methods: Record<string, string> = {
  'monte-carlo': 'Monte Carlo',
  'latin-hypercube': 'Latin hypercube',
  sobol: 'Sobol sequence',
  halton: 'Halton sequence',
  'polynomial-chaos': 'polynomial chaos',
  'control-variate': 'control variate',
  multilevel: 'multilevel Monte Carlo',
  'first-order': 'first order',
  morris: 'Morris screening',
  auto: 'the method chosen automatically',
};
export const methodWords = (method: string): string => methods[method] ?? method;

// Whether realizations that came along follow the law of what is uncertain; points of quadratures and trajectories do not.
export function followLaw(r: Result): boolean {
  if (r.kept?.source === 'expansion') return true;
  return !['morris', 'first-order'].includes(r.method) && !r.chaos?.how.includes('quadrature');
}

// "2026-11-16T01:44:14Z" → "2026-11-16, 01:44 UTC"
export const when = (created: string): string => created.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)?.*$/, '$1, $2 UTC');

export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

export function lead(r: Result): string {
  const name = r.title || r.label;
  if (!r.study) return `The nominal motion of “${name}”: nothing is uncertain here. Computed on ${when(r.created)}.`;
  const time = r.seconds === null ? 'computed' : `computed in ${duration(r.seconds)}`;
  const how = r.method === 'morris' ? `${methodWords(r.method)}, which ranks causes and states no statistics` : `${methodWords(r.method)}, ${number(100 * r.confidence)} % confidence`;
  const what = plural(r.quantities.length, 'uncertain quantity', 'uncertain quantities');
  return `${plural(r.realizations || r.done, 'realization')} of “${name}” with ${what}, ${how}; ${time} on ${when(r.created)}.`;
}

// How well the statistics of one output are known. Empty: there is nothing to say.
function accuracyOf(r: Result, o: Output): string {
  if (!scatters(r, o)) return `${o.name} does not scatter.`;
  const known = (x: number | null): x is number => x !== null && Number.isFinite(x);
  const { mean, std, band } = o.accuracy;
  if (!known(mean) && !known(std) && !known(band)) return '';
  const parts: string[] = [];
  if (known(mean)) parts.push(`the mean of ${o.name} is known to ${percent(mean)} of its size`);
  if (known(std)) parts.push(`${parts.length ? 'its standard deviation' : `the standard deviation of ${o.name}`} to ${percent(std)}`);
  if (known(band)) parts.push(`the ends of the band to ${percent(band)} of its width`);
  const text = parts.length > 1 ? `${parts.slice(0, -1).join(', ')}${parts.length > 2 ? ',' : ''} and ${parts.at(-1)!}` : parts[0]!;
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

export function convergedWords(r: Result, most = 6): string[] {
  if (!r.study) return [];
  if (r.method === 'morris') return ['A screening ranks causes by their effects. It states no means, bands or probabilities.'];
  const lines: string[] = [];
  const said = r.outputs.map((o) => accuracyOf(r, o));
  const still = r.outputs.filter((o) => !scatters(r, o)).map((o) => o.name);
  const about = said.filter((line, k) => line && scatters(r, r.outputs[k]!));
  if (still.length === r.outputs.length) return ['Nothing scatters: every realization gives the same.'];
  lines.push(...about.slice(0, most));
  if (about.length > most) lines.push(`The table of accuracies in the section on convergence has the other ${about.length - most}.`);
  if (still.length) lines.push(`${still.slice(0, 8).join(', ')}${still.length > 8 ? ` and ${still.length - 8} more` : ''} ${still.length === 1 ? 'does' : 'do'} not scatter.`);
  if (!about.length) lines.push(noErrors(r));
  else if (['monte-carlo', 'latin-hypercube'].includes(r.method) && !r.chaos) lines.push('These are standard errors, integrated over time. Four times as many realizations would halve them.');
  else if (['sobol', 'halton'].includes(r.method)) lines.push('These are standard errors, integrated over time, from independent randomisations. Four times as many realizations would at least halve them where the response is smooth.');
  else if (r.chaos) lines.push('These are standard errors, integrated over time. Those of a fit follow from its leave-one-out error.');
  else lines.push('These are standard errors, integrated over time.');
  if (r.rankError > 0) lines.push(`The ends of the band come from a summary of the realizations, not from all of them: each may be off by ${percent(r.rankError)} of the realizations in rank.`);
  return lines;
}

function noErrors(r: Result): string {
  if (r.chaos?.how.includes('quadrature')) return 'A quadrature states no errors. Look at how fast the variance falls with the degree, or compare two orders.';
  if (r.chaos) return 'The expansion states its leave-one-out error, see the section on convergence; standard errors are not known.';
  if (r.method === 'first-order') return 'A first-order study states no errors: it is good where the response is nearly linear within the scatter.';
  if (r.realizations < 2) return 'With one realization nothing can be said about errors.';
  return 'The errors of these statistics are not known.';
}
