// What came out, in one sentence: the headline of the page.
import type { Output, Reliability, Result, Scalar, ScalarLimit } from './data';
import { h } from './dom';
import { count, number, percent, percentWithin, shortened, unitText } from './format';
import { keyOutput } from './key_output';
import { anyOf, eventText, interval, probability } from './probability';
import { scatters, timeless, timeOfLargestScatter } from './series';
import { screeningWords } from './sections/causes_screening';

type Part = string | HTMLElement;

const figure = (text: string): HTMLElement => h('em', { class: 'figure' }, text);
const named = (o: Output | Scalar): string => shortened(o.name, 40);
const value = (x: number | null | undefined, unit: string, digits = 3): string => `${number(x, digits)} ${unitText(unit)}`.trim();

interface Passed {
  of: Output | Scalar;
  limit: ScalarLimit;
}

// All limits, the most likely to be exceeded first.
export function limitsOf(r: Result): Passed[] {
  const all = [...r.outputs, ...r.scalars].flatMap((of: Output | Scalar) => of.limits.map((limit) => ({ of, limit })));
  return all.sort((a, b) => (b.limit.ever || 0) - (a.limit.ever || 0));
}

function ofLimits(r: Result, all: Passed[]): Part[] {
  const [{ of, limit }, ...others] = all as [Passed, ...Passed[]];
  const n = r.realizations;
  if (!(limit.ever > 0)) {
    const none = all.length === 1 ? `${named(of)} is ${timeless(r) ? 'not' : 'never'} ${limit.above ? 'above' : 'below'} ${value(limit.value, of.unit)}` : `None of the ${all.length} limits is exceeded`;
    const most = Math.max(...all.map((x) => x.limit.everTo ?? NaN));
    const bound = Number.isFinite(most) ? `: ${all.length === 1 ? 'the probability' : 'each probability'} is below ${percent(most, 2)} (95 % confidence)` : '';
    return [n ? `${none} in ${count(n)} realizations${bound}.` : `${none}.`];
  }
  const rest = others.length ? `; ${others.length === 1 ? 'the other limit' : `the other ${others.length} limits`} with ${others.length === 1 ? '' : 'at most '}${percentWithin(others[0]!.limit)}` : '';
  return [`${named(of)} ${limit.above ? 'exceeds' : 'falls below'} ${value(limit.value, of.unit)} with a probability of `, figure(percentWithin(limit)), `${rest}.`];
}

function ofScatter(r: Result, o: Output): Part[] {
  const k = timeOfLargestScatter(o);
  const at = `${number(r.time[k], 3)} s`;
  const known = Number.isFinite(o.lower?.[k] ?? NaN) && Number.isFinite(o.upper?.[k] ?? NaN);
  const start = timeless(r) ? `${named(o)}: ` : `${named(o)} ${r.outputs.length > 1 ? 'scatters most, ' : 'scatters '}at ${at}: `;
  if (known) return [start, `${percent(r.confidence, 4)} of realizations lie between `, figure(`${number(o.lower![k], 3)} and ${value(o.upper![k], o.unit)}`), ` (nominal ${number(o.nominal[k], 3)}).`];
  return [start, 'standard deviation ', figure(value(o.std?.[k], o.unit)), ` (nominal ${value(o.nominal[k], o.unit)}).`];
}

// Where no output scatters: a number made of parameters may.
function ofScalar(r: Result, x: Scalar): Part[] {
  const band = x.lower.value !== null && x.upper.value !== null;
  if (!band) return [`${named(x)}: standard deviation `, figure(value(x.std.value, x.unit)), ` (nominal ${value(x.nominal, x.unit)}).`];
  return [`${named(x)}: ${percent(r.confidence, 4)} of realizations lie between `, figure(`${number(x.lower.value, 3)} and ${value(x.upper.value, x.unit)}`), ` (nominal ${number(x.nominal, 3)}).`];
}

function ofMotion(r: Result, o: Output): Part[] {
  const k = timeOfLargestScatter(o);
  return [`The nominal motion: ${named(o)} reaches `, figure(value(o.nominal[k], o.unit)), ` at ${number(r.time[k], 3)} s.`];
}

function ofRareEvent(rel: Reliability): Part[] {
  const any = anyOf(rel);
  const event = eventText(rel);
  if (!(any.probability > 0)) return [`No failure (${event}) was found: its probability is below `, figure(probability(any.upper)), '.'];
  const error = interval(any) ? ` (95 % confidence: ${interval(any)})` : '';
  return [`The probability of failure (${event}) is `, figure(probability(any.probability)), `${error}.`];
}

export function answer(r: Result): Part[] {
  const k = keyOutput(r);
  const o = r.outputs[k];
  if (!o) return ['There are no outputs.'];
  if (!r.study) return ofMotion(r, o);
  if (r.reliability?.of.length) return ofRareEvent(r.reliability);
  if (r.screening) return [screeningWords(r, k)];
  const limits = limitsOf(r);
  if (limits.length) return ofLimits(r, limits);
  if (scatters(r, o)) return ofScatter(r, o);
  const scalar = r.scalars.find((x) => (x.std.value ?? 0) > 1e-9 * Math.abs(x.mean.value ?? 0));
  if (scalar) return ofScalar(r, scalar);
  return [r.realizations === 1 ? 'One realization says nothing about scatter.' : 'No output scatters: all realizations are the same.'];
}
