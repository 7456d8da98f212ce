// Enhanced Monte Carlo: the tail of a sample, and the function that extrapolates it to the limit.
import type { Reliability, Tail } from '../data';
import { h, select } from '../dom';
import { number } from '../format';
import { Plot, type PlotSpec } from '../plot';
import { known } from '../probability';
import { interpolate, map } from '../series';

const fitted = (t: Tail) => (x: number) => (known(t.q) && known(t.a) && known(t.b) && known(t.c) && x > t.b ? t.q * Math.exp(-t.a * (x - t.b) ** t.c) : NaN);

function spec(name: string, t: Tail): PlotSpec {
  const start = t.lambda[0]!;
  const end = Math.max(1.04, t.lambda[t.lambda.length - 1]!);
  const x = Float64Array.from({ length: 201 }, (_, i) => start + ((end - start) * i) / 200);
  const curve = map(x, fitted(t));
  const low = 0.3 * Math.min(...Array.from([...curve, ...t.estimate]).filter((p) => p > 0));
  const positive = (values: Float64Array) => map(values, (p) => (Number.isNaN(p) ? NaN : Math.max(p, low)));
  const ends = [t.from, t.to].filter(known).map((value, i) => ({ label: i ? 'fitted to' : 'fitted from', value, colour: '--grey' }));
  return {
    name: `tail of ${name}`,
    title: `Tail of ${name}`,
    x,
    xName: 'λ',
    xUnit: '',
    yName: 'P(λ)',
    yUnit: '',
    bands: [{ label: 'sample, 95 % confidence', lower: positive(interpolate(t.lambda, t.lower, x)), upper: positive(interpolate(t.lambda, t.upper, x)), colour: '--grey', opacity: 0.25 }],
    curves: [{ label: 'fit', values: curve, colour: '--blue', width: 2 }],
    points: { label: 'sample', x: t.lambda, y: t.estimate, colour: '--ink' },
    uprights: [{ label: 'limit', value: 1, colour: '--vermillion' }, ...ends],
    logY: true,
    yRange: [low, 1.5],
    height: 300,
  };
}

export function tails(rel: Reliability): HTMLElement | null {
  const all = rel.tails.map((tail, k) => ({ tail, name: rel.of[k]?.limit ?? String(k) })).filter(({ tail }) => tail.lambda.length > 1);
  if (!all.length) return null;
  const words = ({ tail: t, name }: (typeof all)[number]) => `${name}: P(λ) = ${number(t.q, 3)} exp(−${number(t.a, 3)} (λ − ${number(t.b, 3)})^${number(t.c, 3)}), fitted for λ from ${number(t.from, 3)} to ${number(t.to, 3)}; P(1) = ${number(fitted(t)(1), 3)}.`;
  const last = all.length - 1;
  const plot = new Plot(spec(all[last]!.name, all[last]!.tail));
  const text = h('p', { 'data-words': 'tail' }, words(all[last]!));
  const choice = last > 0 && select('Limit', all.map(({ name }, k) => ({ value: String(k), text: name })), String(last), (k) => {
    plot.update(spec(all[Number(k)]!.name, all[Number(k)]!.tail));
    text.textContent = words(all[Number(k)]!);
  });
  return h('div', { 'data-part': 'tails' }, h('h3', {}, 'Tail of the sample'), text, choice && h('div', { class: 'controls no-print' }, choice), plot.element, h('p', { class: 'small soft' }, 'λ moves the limits from what happens often (λ small) to the limits themselves (λ = 1). The fit extrapolates: its form is an assumption.'));
}
