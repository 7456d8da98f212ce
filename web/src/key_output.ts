// Which output a reader wants to see first: one with a limit, the most likely to be exceeded; else the one that scatters most, relative to
// its size; of modes the first; of a nominal motion the first that peaks on its way.
import type { Output, Result } from './data';
import { outputOf } from './probability';
import { largest, largestSize, scatters, timeless, timeOfLargestScatter } from './series';

export function relativeScatter(r: Result, o: Output): number {
  if (!scatters(r, o)) return 0;
  return largest(o.std) / (largestSize(o.mean) || largestSize(o.nominal) || 1);
}

// Of a study of rare events: the output whose limit is passed most often.
function leastReliable(r: Result): number {
  const all = (r.reliability?.of ?? []).map((p) => ({ p: p.probability, k: outputOf(r, p.limit) })).filter(({ k }) => k >= 0);
  return all.sort((a, b) => b.p - a.p)[0]?.k ?? -1;
}

const mostLikely = (o: Output): number => Math.max(-1, ...o.limits.map((l) => l.ever).filter(Number.isFinite));

// It is largest neither at the start nor at the end.
function peaks(o: Output): boolean {
  const at = timeOfLargestScatter(o);
  return at > 0 && at < o.nominal.length - 1;
}

export function keyOutput(r: Result): number {
  const best = (value: (o: Output) => number, least: number) => {
    let at = -1;
    let most = least;
    r.outputs.forEach((o, k) => {
      if (!(value(o) > most)) return;
      at = k;
      most = value(o);
    });
    return at;
  };
  if (leastReliable(r) >= 0) return leastReliable(r);
  const limited = best(mostLikely, -1);
  if (limited >= 0) return limited;
  if (timeless(r)) return Math.max(0, r.outputs.findIndex((o) => scatters(r, o))); // the lowest frequency
  if (!r.study) return Math.max(0, r.outputs.findIndex((o) => peaks(o)));
  // Symmetric models have means of round-off: what hardly moves at all is no answer.
  const sizes = new Map<string, number>();
  for (const o of r.outputs) sizes.set(o.unit, Math.max(sizes.get(o.unit) ?? 0, largest(o.std) || 0));
  const matters = (o: Output) => (largest(o.std) >= 1e-3 * sizes.get(o.unit)! ? Math.min(1, relativeScatter(r, o)) : 0);
  return Math.max(0, best(matters, 0));
}
