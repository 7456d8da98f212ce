// The principal components that responses were reduced to, by the fraction of the energy in each.
import { canvas, Chart, legend, logAxis } from '../chart';
import type { Identification } from '../data';
import { h, s } from '../dom';
import { number, percent } from '../format';
import { plural } from '../words';

const beyond = 6; // components shown after those that are used
const least = 1e-6; // of the energy: what is less is not drawn

function draw(x: Identification, width: number): SVGSVGElement {
  const shown = Array.from(x.energy).slice(0, x.components + beyond).filter((e) => e >= least);
  const [height, left, right] = [250, 62, width - 8];
  const used = { fill: 'var(--blue)' };
  const unused = { fill: 'var(--grey)', 'fill-opacity': 0.2, stroke: 'var(--grey)', 'stroke-dasharray': '3 2' };
  const mark = (style: object) => (a: number, b: number) => s('rect', { x: a, y: b - 5, width: 14, height: 10, ...style });
  const names = legend([{ label: 'used', mark: mark(used) }, { label: 'not used', mark: mark(unused) }].slice(0, x.components < shown.length ? 2 : 1), left, 10, width);
  const [top, bottom] = [names.height + 10, height - 40];
  const y = logAxis(Math.max(least, Math.min(...shown) * 0.5), 1, bottom, top);
  const svg = canvas(width, height, `Energy of principal components: ${sentence(x)}`);
  svg.append(names.group);
  for (const t of y.ticks) svg.append(s('line', { x1: left, x2: right, y1: y.at(t.value), y2: y.at(t.value), stroke: 'var(--grid)' }), s('text', { x: left - 6, y: y.at(t.value) + 4, 'text-anchor': 'end', fill: 'var(--soft)' }, percent(t.value, 3)));
  const pitch = (right - left) / shown.length;
  const bar = Math.min(34, 0.72 * pitch);
  shown.forEach((e, i) => {
    const middle = left + (i + 0.5) * pitch;
    const style = i < x.components ? used : unused;
    svg.append(s('rect', { x: middle - bar / 2, y: y.at(e), width: bar, height: bottom - y.at(e), ...style }, s('title', {}, `component ${i + 1}: ${percent(e, 3)}${i < x.components ? '' : ', not used'}`)));
    if (pitch > 40) svg.append(s('text', { x: middle, y: y.at(e) - 4, 'text-anchor': 'middle', 'font-size': 10, fill: 'var(--soft)' }, percent(e)));
    if (pitch > 18 || i % 5 === 4 || i === 0) svg.append(s('text', { x: middle, y: bottom + 16, 'text-anchor': 'middle', fill: 'var(--soft)' }, String(i + 1)));
  });
  svg.append(s('path', { d: `M${left} ${top}V${bottom}H${right}`, fill: 'none', stroke: 'var(--soft)' }));
  svg.append(s('text', { x: (left + right) / 2, y: height - 6, 'text-anchor': 'middle', fill: 'var(--soft)' }, 'principal component'));
  return svg;
}

const sentence = (x: Identification) => `${plural(x.components, 'component')} ${x.components === 1 ? 'holds' : 'hold'} ${number(100 * x.captured, 4)}\u00a0% of the energy.`;

export function reduction(x: Identification): HTMLElement | null {
  if (!x.energy.length || !x.components) return null;
  const chart = new Chart({ name: 'energy of principal components', width: 760, draw: (width) => draw(x, width), csv: () => [['component', 'fraction of the energy', 'used'], ...Array.from(x.energy, (e, i) => [i + 1, e, i < x.components ? 1 : 0])] });
  return h('div', { 'data-part': 'reduction' }, h('h3', {}, 'Principal components'), h('p', { class: 'small' }, `Responses are compared by the coordinates along their principal components, which are those of simulations over the whole admissible range. ${sentence(x)}`), chart.element);
}
