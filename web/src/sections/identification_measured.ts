// What was measured over what the model predicts.
import type { Identification, MeasuredOutput, Series } from '../data';
import { h, select } from '../dom';
import { count, labelled, number, percent, unitText } from '../format';
import { Plot, type PlotSpec } from '../plot';
import type { Points } from '../plot_spec';
import { interpolate } from '../series';
import { plural } from '../words';

const atOnce = 4; // outputs; of more, one is chosen
const sparse = 60; // a specimen with so few points is drawn as points
const lineOpacity = (n: number) => Math.min(0.7, Math.max(0.06, 1.6 / Math.sqrt(n))); // the band must be seen through them
const finest = 6000; // places of a plot

const finite = (y: Series) => Array.from(y).filter(Number.isFinite).length;

// The times of everything; where that is too many, evenly spaced ones.
function grid(x: Identification): Float64Array {
  const all = new Set<number>(x.time);
  for (const s of x.specimens) for (const t of s.time) all.add(t);
  const sorted = Float64Array.from(all).sort();
  if (sorted.length <= finest) return sorted;
  const [from, to] = [sorted[0]!, sorted[sorted.length - 1]!];
  return Float64Array.from({ length: finest / 2 }, (_, i) => from + ((to - from) * i) / (finest / 2 - 1));
}

// Single points between gaps, which no line would show; or all.
function marks(x: Identification, k: number, all: boolean): { x: number[]; y: number[] } {
  const out = { x: [] as number[], y: [] as number[] };
  for (const s of x.specimens) {
    const y = s.values[k]!;
    y.forEach((v: number, i: number) => {
      if (!Number.isFinite(v) || !(all || !(Number.isFinite(y[i - 1] ?? NaN) || Number.isFinite(y[i + 1] ?? NaN)))) return;
      out.x.push(s.time[i]!);
      out.y.push(v);
    });
  }
  return out;
}

function spec(x: Identification, k: number): PlotSpec {
  const o = x.outputs[k]!;
  const few = x.specimens.length > 0 && x.specimens.every((s) => finite(s.values[k]!) <= sparse);
  const times = grid(x);
  const on = (y: Series) => interpolate(x.time, y, times);
  const label = x.specimens.length === 1 ? `measured: ${x.specimens[0]!.name}` : 'measured';
  const single = marks(x, k, few);
  const points: Points | undefined = single.x.length ? { label, x: Float64Array.from(single.x), y: Float64Array.from(single.y), colour: '--ink' } : undefined;
  const lines = new Float32Array(few ? 0 : x.specimens.length * times.length);
  if (!few) x.specimens.forEach((s, i) => lines.set(interpolate(s.time, s.values[k]!, times), i * times.length));
  return {
    name: `${o.name} measured and predicted`,
    x: times,
    xName: 'time',
    xUnit: 's',
    yName: o.name,
    yUnit: o.unit,
    bands: o.lower && o.upper ? [{ label: `predicted ${percent(x.bandConfidence, 3)} band`, lower: on(o.lower), upper: on(o.upper), colour: '--blue', opacity: 0.25, outline: true }] : [],
    curves: o.mean ? [{ label: o.lower ? 'predicted mean' : 'fitted', values: on(o.mean), colour: '--blue', width: 2 }] : [],
    faint: few || !x.specimens.length ? undefined : { values: lines, count: x.specimens.length, label, names: x.specimens.map((s) => s.name), colour: '--ink', over: true, opacity: lineOpacity(x.specimens.length) },
    points,
    linked: true,
  };
}

function coverage(x: Identification, o: MeasuredOutput): string {
  const c = o.coverage;
  if (!c || !Number.isFinite(c.share)) return '';
  const inside = `${count(Math.round(c.share * o.points))} of ${count(o.points)} measured points, ${percent(c.share, 3)}, are inside the ${percent(x.bandConfidence, 3)} band`;
  const expected = `${percent(c.lower, 3)} to ${percent(c.upper, 3)} are expected for specimens of the model`;
  if (c.share < c.lower) return `${inside}. That is too few: ${expected}.`;
  if (c.share > c.upper) return `${inside}. That is too many: ${expected}. The band is too wide.`;
  return `${inside}; ${expected}.`;
}

function block(x: Identification, k: number): HTMLElement {
  const o = x.outputs[k]!;
  const noise = o.noise > 0 ? ` Measurement noise: ${number(o.noise, 3)} ${unitText(o.unit)}.` : '';
  const sentence = `${coverage(x, o)}${noise}`.trim();
  return h('article', { 'data-measured': o.name }, h('h4', {}, labelled(o.name, o.unit)), new Plot(spec(x, k)).element, sentence ? h('p', { class: 'small', 'data-words': 'coverage' }, sentence) : null);
}

export function measured(x: Identification): HTMLElement | null {
  if (!x.outputs.length || !x.specimens.length) return null;
  const few = x.outputs.length <= atOnce;
  const place = h('div', { class: few ? 'pair' : '' }, ...x.outputs.slice(0, few ? atOnce : 1).map((_, k) => block(x, k)));
  const options = x.outputs.map((o, k) => ({ value: String(k), text: o.name }));
  const choice = few ? null : h('div', { class: 'controls' }, select('Output', options, '0', (k) => place.replaceChildren(block(x, Number(k)))));
  const of = !x.outputs.some((o) => o.mean) ? 'Measured' : x.method === 'least-squares' ? 'Measured and fitted' : 'Measured and predicted';
  return h(
    'div',
    { 'data-part': 'measured' },
    h('h3', {}, of),
    choice,
    place,
    h('p', { class: 'small soft' }, [`${plural(x.specimenCount, 'specimen')}.`, ...x.notes].join(' ')),
  );
}
