// The probability that the extreme of an output is beyond b, for all b of one run.
import type { ExceedanceCurve, Reliability, Result, Series } from '../data';
import { h, select } from '../dom';
import { number, unitText } from '../format';
import { Plot, type PlotSpec } from '../plot';
import { isBelow, known, limitedBy } from '../probability';
import { map } from '../series';

// Ascending, as a plot wants it.
function ascending(c: ExceedanceCurve): ExceedanceCurve {
  const order = Array.from(c.b, (_, i) => i).sort((i, j) => c.b[i]! - c.b[j]!);
  const sorted = (x: Series) => Float64Array.from(order, (i) => x[i]!);
  return { ...c, b: sorted(c.b), probability: sorted(c.probability), lower: sorted(c.lower), upper: sorted(c.upper) };
}

// On a logarithmic axis: what is 0 is at its lower end.
function rangeOf(c: ExceedanceCurve): [number, number] {
  const least = Math.min(...Array.from(c.probability).filter((p) => p > 0));
  const lower = Math.min(...Array.from(c.lower).filter((p) => p > 0));
  return [Math.max(Math.min(least, lower) / 1.5, least / 100), 1.5];
}

function spec(rel: Reliability, given: ExceedanceCurve): PlotSpec {
  const c = ascending(given);
  const [low, high] = rangeOf(c);
  const at = rel.of.find((p) => p.limit === c.limit)?.value ?? null;
  const what = isBelow(c.limit) ? `P(min ${limitedBy(c.limit)} < b)` : `P(max ${limitedBy(c.limit)} > b)`;
  return {
    name: `exceedance of ${c.limit}`,
    title: what,
    x: c.b,
    xName: 'b',
    xUnit: c.unit,
    yName: what,
    yUnit: '',
    bands: [{ label: '95 % confidence', lower: map(c.lower, (p) => Math.max(p, low)), upper: c.upper, colour: '--blue', opacity: 0.22 }],
    curves: [{ label: 'probability', values: map(c.probability, (p) => (p > 0 ? p : NaN)), colour: '--blue', width: 2 }],
    uprights: known(at) ? [{ label: `limit ${number(at)} ${unitText(c.unit)}`.trim(), value: at, colour: '--vermillion' }] : [],
    logY: true,
    yRange: [low, high],
    height: 320,
  };
}

export function exceedance(_: Result, rel: Reliability): HTMLElement | null {
  const curves = rel.curves.filter((c) => c.b.length > 1 && Array.from(c.probability).some((p) => p > 0));
  if (!curves.length) return null;
  const plot = new Plot(spec(rel, curves[0]!));
  const choice = curves.length > 1 ? select('Limit', curves.map((c, k) => ({ value: String(k), text: c.limit })), '0', (k) => plot.update(spec(rel, curves[Number(k)]!))) : null;
  return h(
    'div',
    { 'data-part': 'exceedance' },
    h('h3', {}, 'Probability of exceedance'),
    choice && h('div', { class: 'controls no-print' }, choice),
    plot.element,
    h('p', { class: 'small soft' }, 'The probability that the extreme of the output over the whole motion is beyond b, from the same realizations; the limit is marked.'),
  );
}
