// Profile likelihoods: how well each value of a parameter explains the data, the others at their best.
import { axis, canvas, Chart, shorten, type ChartSpec } from '../chart';
import type { FreeParameter, Identification } from '../data';
import { h, s } from '../dom';
import { labelled, percent } from '../format';
import { plural } from '../words';
import { interval, known } from './identification_table';

const few = 6;

let made = 0; // drawings, for names that are unique in the page

function draw(p: FreeParameter, x: Identification, width: number): SVGSVGElement {
  const [height, top, left, right] = [190, 42, 34, width - 8];
  const bottom = height - 38;
  const drop = x.intervalDrop;
  const svg = canvas(width, height, `Profile likelihood of ${p.name}: ${interval(p)}`);
  svg.setAttribute('font-size', '11');
  const at = axis(Math.min(p.from, ...p.profileAt), Math.max(p.to, ...p.profileAt), left, right, 4);
  const up = axis(-2.4 * drop, 0.25, bottom, top, 3);
  const clip = `profile-clip-${++made}`;
  const inside = s('g', { 'clip-path': `url(#${clip})` });
  svg.append(s('clipPath', { id: clip }, s('rect', { x: left, y: top, width: right - left, height: bottom - top })));
  if (known(p.lower) && known(p.upper)) inside.append(s('rect', { x: at.at(p.lower), y: top, width: Math.max(1, at.at(p.upper) - at.at(p.lower)), height: bottom - top, fill: 'var(--blue)', 'fill-opacity': 0.12 }));
  for (const t of up.ticks) svg.append(s('line', { x1: left, x2: right, y1: up.at(t.value), y2: up.at(t.value), stroke: 'var(--grid)' }), s('text', { x: left - 5, y: up.at(t.value) + 4, 'text-anchor': 'end', fill: 'var(--soft)' }, t.text));
  for (const t of at.ticks) svg.append(s('line', { x1: at.at(t.value), x2: at.at(t.value), y1: bottom, y2: bottom + 4, stroke: 'var(--soft)' }), s('text', { x: at.at(t.value), y: bottom + 16, 'text-anchor': 'middle', fill: 'var(--soft)' }, t.text));
  const line = Array.from(p.profileAt, (v, i) => [at.at(v), up.at(p.profile[i]!)] as const).filter(([, y]) => Number.isFinite(y));
  const d = line.map(([a, b], i) => `${i ? 'L' : 'M'}${a.toFixed(1)} ${b.toFixed(1)}`).join('');
  const upright = (value: number | null, stroke: string, dash: string | null) => known(value) && inside.append(s('line', { x1: at.at(value), x2: at.at(value), y1: top, y2: bottom, stroke, 'stroke-width': 1.5, 'stroke-dasharray': dash }));
  inside.append(s('line', { x1: left, x2: right, y1: up.at(-drop), y2: up.at(-drop), stroke: 'var(--vermillion)', 'stroke-dasharray': '2 3', 'stroke-width': 1.5 }));
  upright(p.written, 'var(--grey)', '5 4');
  upright(p.estimate, 'var(--ink)', null);
  inside.append(s('path', { d, fill: 'none', stroke: 'var(--blue)', 'stroke-width': 2, 'stroke-linejoin': 'round' }));
  // Ends of the interval; an open one is an arrow.
  for (const [value, open, sign] of [[p.lower, p.openBelow, -1], [p.upper, p.openAbove, 1]] as const)
    if (known(value)) {
      const [a, b] = [at.at(value), up.at(-drop)];
      inside.append(open ? s('path', { d: `M${a - 9 * sign} ${b - 5}L${a - 1 * sign} ${b}L${a - 9 * sign} ${b + 5}`, fill: 'none', stroke: 'var(--blue)', 'stroke-width': 2 }) : s('circle', { cx: a, cy: b, r: 3.5, fill: 'var(--paper)', stroke: 'var(--blue)', 'stroke-width': 2 }));
    }
  svg.append(inside, s('path', { d: `M${left} ${top}V${bottom}H${right}`, fill: 'none', stroke: 'var(--soft)' }));
  svg.append(s('text', { x: 2, y: 13, 'font-size': 12, 'font-weight': 600 }, shorten(labelled(p.name, p.unit), width - 4)));
  svg.append(s('text', { x: 2, y: 30, fill: 'var(--soft)' }, `${percent(x.confidence, 3)}: ${interval(p)}`));
  svg.append(s('text', { x: (left + right) / 2, y: height - 5, 'text-anchor': 'middle', fill: 'var(--soft)' }, shorten(labelled(p.name.split('.').slice(-2).join('.'), p.unit), right - left)));
  return svg;
}

const chart = (p: FreeParameter, x: Identification): ChartSpec => ({
  name: `profile likelihood of ${p.name}`,
  width: 380,
  small: true,
  draw: (width) => draw(p, x, width),
  csv: () => [[labelled(p.name, p.unit), 'log-likelihood relative to the maximum'], ...Array.from(p.profileAt, (v, i) => [v, p.profile[i]!])],
});

export function profiles(x: Identification): HTMLElement | null {
  const all = x.parameters.filter((p) => p.profile.length > 1);
  if (!all.length) return null;
  const grid = (some: FreeParameter[]) => h('div', { class: 'profiles' }, ...some.map((p) => new Chart(chart(p, x)).element));
  const rest = all.slice(few);
  const more = h('details', {}, h('summary', {}, plural(rest.length, 'more parameter')));
  more.addEventListener('toggle', () => more.children.length < 2 && more.append(grid(rest)));
  return h(
    'div',
    { 'data-part': 'profiles' },
    h('h3', {}, 'Profile likelihood'),
    h('p', { class: 'small' }, `Log-likelihood relative to the maximum, maximised over the other parameters. Where the curve is above the dotted line, the value is in the ${percent(x.confidence, 3)} confidence interval (shaded).`),
    h('p', { class: 'small soft' }, h('span', { class: 'key' }), 'estimate', h('span', { class: 'key written' }), 'value in the model'),
    grid(all.slice(0, few)),
    rest.length ? more : null,
  );
}
