// What came out, in one sentence: the headline of the page.
import type { Limit, Output, Reliability, Result } from './data';
import { h } from './dom';
import { count, number, percent, percentWithError, shortened, unitText } from './format';
import { keyOutput } from './key_output';
import { anyOf, eventText, interval, probability } from './probability';
import { scatters, timeOfLargestScatter } from './series';
import { screeningWords } from './sections/causes_screening';

type Part = string | HTMLElement;

const figure = (text: string): HTMLElement => h('em', { class: 'figure' }, text);
const named = (o: Output): string => shortened(o.name, 40);
const value = (x: number | null | undefined, unit: string, digits = 3): string => `${number(x, digits)} ${unitText(unit)}`.trim();

interface Passed {
  output: Output;
  limit: Limit;
}

// All limits, the most likely to be exceeded first.
export function limitsOf(r: Result): Passed[] {
  const all = r.outputs.flatMap((output) => output.limits.map((limit) => ({ output, limit })));
  return all.sort((a, b) => (b.limit.ever || 0) - (a.limit.ever || 0));
}

function ofLimits(r: Result, all: Passed[]): Part[] {
  const [{ output, limit }, ...others] = all as [Passed, ...Passed[]];
  const n = r.realizations;
  if (!(limit.ever > 0)) {
    const none = all.length === 1 ? `${named(output)} is never ${limit.above ? 'above' : 'below'} ${value(limit.value, output.unit)}` : `None of the ${all.length} limits is exceeded`;
    // No event in n independent trials: with 95 % confidence the probability is below 3/n.
    const bound = r.method === 'monte-carlo' && n >= 30 ? `: the probability is below ${percent(3 / n)} (95 % confidence)` : '';
    return [n ? `${none} in ${count(n)} realizations${bound}.` : `${none}.`];
  }
  const rest = others.length ? `; ${others.length === 1 ? 'the other limit' : `the other ${others.length} limits`} with ${others.length === 1 ? '' : 'at most '}${percentWithError(others[0]!.limit.ever, others[0]!.limit.everError)}` : '';
  return [`${named(output)} ${limit.above ? 'exceeds' : 'falls below'} ${value(limit.value, output.unit)} with a probability of `, figure(percentWithError(limit.ever, limit.everError)), `${rest}.`];
}

function ofScatter(r: Result, o: Output): Part[] {
  const k = timeOfLargestScatter(o);
  const at = `${number(r.time[k], 3)} s`;
  const known = Number.isFinite(o.lower?.[k] ?? NaN) && Number.isFinite(o.upper?.[k] ?? NaN);
  const start = `${named(o)} ${r.outputs.length > 1 ? 'scatters most, ' : 'scatters '}at ${at}: `;
  if (known) return [start, `${percent(r.confidence, 4)} of realizations lie between `, figure(`${number(o.lower![k], 3)} and ${value(o.upper![k], o.unit)}`), ` (nominal ${number(o.nominal[k], 3)}).`];
  return [start, 'standard deviation ', figure(value(o.std?.[k], o.unit)), ` (nominal ${value(o.nominal[k], o.unit)}).`];
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
  return [r.realizations === 1 ? 'One realization says nothing about scatter.' : 'No output scatters: all realizations are the same.'];
}
