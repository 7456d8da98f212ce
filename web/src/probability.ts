// What methods for rare events say about probabilities, in words.
import type { LimitProbability, Reliability, Result } from './data';
import { count, number, percent, shortened, unitText } from './format';

export const known = (x: number | null | undefined): x is number => x !== null && x !== undefined && Number.isFinite(x);

// "3.4·10⁻⁵"
export const probability = (p: number | null): string => number(p, 2);

// Of the event itself, that any limit is passed.
export const anyOf = (rel: Reliability): LimitProbability => rel.of[rel.of.length - 1]!;

// Of each limit; a single one is the event itself.
export const limitsOnly = (rel: Reliability): LimitProbability[] => rel.of.slice(0, -1);

export function interval(p: LimitProbability): string {
  return known(p.lower) && known(p.upper) && known(p.cov) ? `${probability(p.lower)} to ${probability(p.upper)}` : '';
}

// "drift.above" is a limit of "drift".
export const limitedBy = (limit: string): string => limit.replace(/\.(above|below)$/, '');
export const isBelow = (limit: string): boolean => limit.endsWith('.below');

// The output that a limit belongs to; -1: it is one of a scalar.
export const outputOf = (r: Result, limit: string): number => r.outputs.findIndex((o) => o.name === limitedBy(limit));

// "drift above 0.012 m"
export function limitText(p: LimitProbability): string {
  if (p.limit === 'any') return 'any limit';
  const at = known(p.value) ? ` ${number(p.value)} ${unitText(p.unit)}` : ' its limit';
  return `${shortened(limitedBy(p.limit), 40)} ${isBelow(p.limit) ? 'below' : 'above'}${at}`.trim();
}

// The event: one limit by its name, several together.
export function eventText(rel: Reliability): string {
  const all = limitsOnly(rel);
  return all.length === 1 ? limitText(all[0]!) : `any of ${count(all.length)} limits is passed`;
}

// How well it is known: "cov 21 %, 95 % confidence 2.3·10⁻⁵ to 5.1·10⁻⁵"
export function errorText(p: LimitProbability): string {
  const parts = [known(p.cov) && p.cov > 0 ? `coefficient of variation ${percent(p.cov)}` : '', interval(p) ? `95 % confidence interval ${interval(p)}` : ''];
  return parts.filter(Boolean).join(', ');
}

// "most probable failure", "failure 2"
export const failureName = (k: number): string => (k === 0 ? 'most probable failure' : `failure ${k + 1}`);
