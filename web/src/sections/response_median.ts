// The functional median: the realization that lies deepest among the others, as a whole curve. The reader asks for it.
import type { Output, Result } from '../data';
import { count } from '../format';
import { functionalMedian } from '../functional';
import type { Curve, Plot } from '../plot';
import { row } from '../series';
import { Shared } from '../state';

export const showMedian = new Shared<boolean>(false);

export function medianCurve(r: Result, o: Output): Curve | null {
  const k = functionalMedian(r, o);
  if (k < 0) return null;
  return { label: `functional median (realization ${count(r.kept!.rows[k]!)})`, values: row(o.realizations!, k, r.time.length), colour: '--orange', width: 2 };
}

// Keeps a plot of one output with or without it.
export function withMedian(plot: Plot, r: Result, o: Output): void {
  const before = plot.shows;
  let curve: Curve | null | undefined;
  const show = (on: boolean) => {
    if (on) curve ??= medianCurve(r, o);
    plot.update(on && curve ? { ...before, curves: [...before.curves, curve] } : before);
  };
  showMedian.subscribe(show);
  if (showMedian.value) show(true);
}
