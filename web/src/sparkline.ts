// A density as small as a word.
import type { Law } from './data';
import { densityRange } from './density';
import { s } from './dom';
import { number } from './format';
import { largest } from './series';

const [width, height] = [128, 26];

export function sparkline(law: Law): SVGElement | null {
  if (law.density.length < 2) return null;
  const [min, max] = densityRange(law);
  const peak = largest(law.density) || 1;
  const X = (v: number) => 1 + ((v - min) / (max - min || 1)) * (width - 2);
  const points: string[] = [];
  let [first, last] = [NaN, NaN];
  law.x.forEach((v: number, i: number) => {
    if (v < min || v > max || !Number.isFinite(law.density[i]!)) return;
    if (Number.isNaN(first)) first = v;
    last = v;
    points.push(`${X(v).toFixed(1)} ${(height - 1 - (law.density[i]! / peak) * (height - 3)).toFixed(1)}`);
  });
  if (!points.length) return null;
  const line = `M${points.join('L')}`;
  const at = law.nominal;
  return s(
    'svg',
    { class: 'sparkline', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `Density of ${law.name}: mean ${number(law.mean)}, standard deviation ${number(law.std, 3)}` },
    s('path', { d: `${line}L${X(last).toFixed(1)} ${height - 1}L${X(first).toFixed(1)} ${height - 1}Z`, fill: 'var(--blue)', 'fill-opacity': 0.16 }),
    s('path', { d: line, fill: 'none', stroke: 'var(--blue)', 'stroke-width': 1.25 }),
    at !== null && Number.isFinite(at) && s('line', { x1: X(at), x2: X(at), y1: 2, y2: height, stroke: 'var(--vermillion)', 'stroke-width': 1.25, 'stroke-dasharray': '3 2' }),
  );
}
