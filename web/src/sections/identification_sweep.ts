// How the spread of each output goes with each parameter, the others as they are written.
import { axis, canvas, Chart, shorten, type ChartSpec } from '../chart';
import { textWidth } from '../text_width';
import type { Identification } from '../data';
import { h, s, select } from '../dom';
import { labelled } from '../format';
import { known } from './identification_table';

const atOnce = 3; // outputs; of more, one is chosen

type What = 'spread' | 'width';
const names: Record<What, string> = { spread: 'spread', width: 'width of the band' };

function draw(x: Identification, output: number, k: number, what: What, width: number): SVGSVGElement {
  const [sweep, p, o] = [x.sweeps[k]!, x.parameters[k]!, x.outputs[output]!];
  const values = sweep[what][output]!;
  const error = (i: number) => (what === 'spread' ? sweep.spreadError[output]?.[i] ?? NaN : NaN);
  const [height, top] = [210, 24];
  const bottom = height - 40;
  // All parameters on the same axis: those that matter stand out.
  const highest = x.sweeps.reduce((m, other) => Math.max(m, ...Array.from(other[what][output]!, (v, i) => v + (what === 'spread' ? 2 * (other.spreadError[output]?.[i] ?? 0) : 0)).filter(Number.isFinite)), 0);
  const y = axis(0, 1.05 * highest || 1, bottom, top, 4);
  const left = Math.max(...y.ticks.map((t) => textWidth(t.text, 11))) + 12;
  const at = axis(sweep.at[0]!, sweep.at[sweep.at.length - 1]!, left + 6, width - 12, 4);
  const svg = canvas(width, height, `${names[what]} of ${o.name} against ${p.name}`);
  svg.setAttribute('font-size', '11');
  for (const t of y.ticks) svg.append(s('line', { x1: left, x2: width - 6, y1: y.at(t.value), y2: y.at(t.value), stroke: 'var(--grid)' }), s('text', { x: left - 5, y: y.at(t.value) + 4, 'text-anchor': 'end', fill: 'var(--soft)' }, t.text));
  for (const t of at.ticks) svg.append(s('line', { x1: at.at(t.value), x2: at.at(t.value), y1: bottom, y2: bottom + 4, stroke: 'var(--soft)' }), s('text', { x: at.at(t.value), y: bottom + 16, 'text-anchor': 'middle', fill: 'var(--soft)' }, t.text));
  if (known(p.written)) svg.append(s('line', { x1: at.at(p.written), x2: at.at(p.written), y1: top, y2: bottom, stroke: 'var(--grey)', 'stroke-width': 1.5, 'stroke-dasharray': '5 4' }));
  const place = (i: number) => [at.at(sweep.at[i]!), y.at(values[i]!)] as const;
  const shown = Array.from(values, (_, i) => i).filter((i) => Number.isFinite(values[i]!));
  svg.append(s('path', { d: shown.map((i, n) => `${n ? 'L' : 'M'}${place(i).map((v) => v.toFixed(1)).join(' ')}`).join(''), fill: 'none', stroke: 'var(--blue)', 'stroke-width': 1.75 }));
  for (const i of shown) {
    const [a, b] = place(i);
    const e = 2 * error(i);
    if (e > 0) svg.append(s('path', { d: `M${a} ${y.at(values[i]! - e)}V${y.at(values[i]! + e)}m-3 0h6M${a - 3} ${y.at(values[i]! - e)}h6`, stroke: 'var(--ink)', 'stroke-width': 1.2, fill: 'none' }));
    svg.append(s('circle', { cx: a, cy: b, r: 3.2, fill: 'var(--blue)' }));
  }
  svg.append(s('path', { d: `M${left} ${top}V${bottom}H${width - 6}`, fill: 'none', stroke: 'var(--soft)' }));
  svg.append(s('text', { x: 2, y: 13, 'font-size': 12, 'font-weight': 600 }, shorten(labelled(`${names[what]} of ${o.name}`, o.unit), width - 4)));
  svg.append(s('text', { x: (left + width) / 2, y: height - 6, 'text-anchor': 'middle', fill: 'var(--soft)' }, shorten(labelled(p.name, p.unit), width - left)));
  return svg;
}

function chart(x: Identification, output: number, k: number, what: What): ChartSpec {
  const [sweep, p, o] = [x.sweeps[k]!, x.parameters[k]!, x.outputs[output]!];
  return {
    name: `${names[what]} of ${o.name} against ${p.name}`,
    width: 380,
    small: true,
    draw: (width) => draw(x, output, k, what, width),
    csv: () => [[labelled(p.name, p.unit), 'spread', 'standard error', 'width of the band'], ...Array.from(sweep.at, (v, i) => [v, sweep.spread[output]![i]!, sweep.spreadError[output]?.[i] ?? NaN, sweep.width[output]?.[i] ?? NaN])],
  };
}

export function sweep(x: Identification): HTMLElement | null {
  if (!x.sweeps.length || !x.outputs.length) return null;
  const few = x.outputs.length <= atOnce;
  const chosen = { output: 0, what: 'spread' as What };
  const place = h('div', {});
  const row = (output: number) => h('div', { class: 'profiles', 'data-sweep': x.outputs[output]!.name }, ...x.sweeps.map((_, k) => new Chart(chart(x, output, k, chosen.what)).element));
  const show = () => place.replaceChildren(...(few ? x.outputs.map((_, k) => row(k)) : [row(chosen.output)]));
  const outputs = x.outputs.map((o, k) => ({ value: String(k), text: o.name }));
  const choice = few ? null : select('Output', outputs, '0', (k) => ((chosen.output = Number(k)), show()));
  const widths = x.sweeps.every((one) => one.width.length === x.outputs.length);
  const kind = widths ? select('Show', (['spread', 'width'] as const).map((value) => ({ value, text: names[value] })), 'spread', (value) => ((chosen.what = value as What), show())) : null;
  show();
  return h(
    'div',
    { 'data-part': 'sweep' },
    h('h3', {}, 'Spread against each parameter'),
    h('p', { class: 'small' }, 'Spread is the standard deviation over realizations, its square averaged over time; bars are two standard errors to either side. The other parameters have their values in the model (dashed line).'),
    h('div', { class: 'controls' }, choice, kind),
    place,
  );
}
