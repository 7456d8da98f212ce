// The density of one random number, small: many of them side by side say what is uncertain.
import { axis, canvas, type ChartSpec } from './chart';
import type { Law } from './data';
import { s } from './dom';
import { labelled, number, unitText } from './format';
import { largest } from './series';

// Where the density is worth drawing: a long thin tail would squeeze the rest.
export function densityRange(law: Law): [number, number] {
  const low = 1e-3 * largest(law.density);
  let [a, b] = [0, law.x.length - 1];
  while (a < b && !(law.density[a]! > low)) ++a;
  while (b > a && !(law.density[b]! > low)) --b;
  const marks = [law.mean, law.nominal].filter((v): v is number => v !== null && Number.isFinite(v));
  return [Math.min(law.x[Math.max(0, a - 1)]!, ...marks), Math.max(law.x[Math.min(law.x.length - 1, b + 1)]!, ...marks)];
}

function draw(law: Law, name: string, width: number): SVGSVGElement {
  const [height, top] = [112, 22];
  const bottom = height - 20;
  const svg = canvas(width, height, `Density of ${law.name}`);
  svg.setAttribute('font-size', '11');
  const [min, max] = densityRange(law);
  const x = axis(min, max, 4, width - 4, 4);
  const peak = largest(law.density) || 1;
  const y = (v: number) => bottom - (v / peak) * (bottom - top);
  let line = '';
  let first = NaN;
  let last = NaN;
  law.x.forEach((v: number, i: number) => {
    if (v < min || v > max || !Number.isFinite(law.density[i]!)) return;
    if (Number.isNaN(first)) first = v;
    last = v;
    line += `${line ? 'L' : 'M'}${x.at(v).toFixed(1)} ${y(law.density[i]!).toFixed(1)}`;
  });
  const facts = [`mean ${number(law.mean)}`, `standard deviation ${number(law.std, 3)}`, `nominal ${number(law.nominal)}`];
  svg.append(s('title', {}, `${labelled(law.name, law.unit)}\n${facts.join('\n')}`));
  svg.append(s('path', { d: `${line}L${x.at(last)} ${bottom}L${x.at(first)} ${bottom}Z`, fill: 'var(--blue)', 'fill-opacity': 0.18 }));
  svg.append(s('path', { d: line, fill: 'none', stroke: 'var(--blue)', 'stroke-width': 1.5 }));
  svg.append(s('line', { x1: 4, x2: width - 4, y1: bottom, y2: bottom, stroke: 'var(--soft)' }));
  const upright = (value: number | null, stroke: string, dash: string) => {
    if (value === null || !Number.isFinite(value)) return;
    svg.append(s('line', { x1: x.at(value), x2: x.at(value), y1: top - 2, y2: bottom, stroke, 'stroke-width': 1.5, 'stroke-dasharray': dash }));
  };
  upright(law.mean, 'var(--ink)', 'none');
  upright(law.nominal, 'var(--vermillion)', '4 3');
  for (const t of x.ticks) {
    const at = x.at(t.value);
    const anchor = at < 24 ? 'start' : at > width - 24 ? 'end' : 'middle';
    svg.append(s('line', { x1: at, x2: at, y1: bottom, y2: bottom + 3, stroke: 'var(--soft)' }));
    svg.append(s('text', { x: at, y: height - 4, 'text-anchor': anchor, fill: 'var(--soft)' }, t.text));
  }
  const head = name ? labelled(name, law.unit) : unitText(law.unit);
  svg.append(s('text', { x: 2, y: 12, 'font-weight': name ? 600 : 400, fill: name ? 'var(--ink)' : 'var(--soft)' }, head));
  return svg;
}

// `name` is what it is called within its quantity; empty where that has one number.
export function density(law: Law, name: string): ChartSpec {
  return {
    name: `density of ${law.name}`,
    width: 300,
    small: true,
    draw: (width) => draw(law, name, width),
    csv: () => [[labelled(law.name, law.unit), 'density'], ...Array.from(law.x, (v: number, i: number) => [v, law.density[i]!])],
  };
}
