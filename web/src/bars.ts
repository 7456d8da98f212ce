// Horizontal bars with whiskers, several per row.
import { axis, canvas, legend, shorten, type ChartSpec } from './chart';
import { textWidth } from './text_width';
import { s } from './dom';
import { number } from './format';

export interface BarsSpec {
  name: string;
  caption?: string;
  xName: string;
  xTo?: number; // the axis reaches this at least
  series: string[]; // their names; the first is filled, the second pale with an edge
  colour?: string;
  rows: { label: string; bars: { value: number; low: number; high: number }[] }[]; // low and high: ends of the whisker, NaN without
  small?: boolean;
  width?: number;
}

const written = (b: { value: number; low: number; high: number }) =>
  Number.isFinite(b.low) && Number.isFinite(b.high) ? `${number(b.value, 2)} (${number(b.low, 2)} … ${number(b.high, 2)})` : number(b.value, 2);

function draw(spec: BarsSpec, width: number): SVGSVGElement {
  const thick = spec.series.length > 1 ? 10 : 13;
  const pitch = thick * spec.series.length + 10;
  const left = Math.min(0.42 * width, 12 + Math.max(...spec.rows.map((r) => textWidth(r.label))));
  const right = 52;
  const fill = `var(${spec.colour ?? '--blue'})`;
  const style = (k: number) => (k === 0 ? { fill } : { fill, 'fill-opacity': 0.25, stroke: fill, 'stroke-width': 1, 'stroke-dasharray': '3 2' });
  const mark = (k: number) => (x: number, y: number) => s('rect', { x, y: y - 5, width: 14, height: 10, ...style(k) });
  const names = legend(spec.series.length > 1 ? spec.series.map((label, k) => ({ label, mark: mark(k) })) : [], 0, 10, width);
  const top = names.height + 6;
  const bottom = top + pitch * spec.rows.length;
  const svg = canvas(width, bottom + 40, `${spec.name}: bars`);
  const all = spec.rows.flatMap((r) => r.bars.flatMap((b) => [b.value, b.low, b.high])).filter(Number.isFinite);
  const x = axis(Math.min(0, ...all), Math.max(spec.xTo ?? 0, 1e-300, ...all), left, width - right, width < 420 ? 3 : 5);
  svg.append(names.group);
  for (const t of x.ticks) {
    const at = x.at(t.value);
    svg.append(s('line', { x1: at, x2: at, y1: top, y2: bottom, stroke: 'var(--grid)' }));
    svg.append(s('text', { x: at, y: bottom + 16, 'text-anchor': 'middle', fill: 'var(--soft)' }, t.text));
  }
  svg.append(s('text', { x: (left + width - right) / 2, y: bottom + 34, 'text-anchor': 'middle', fill: 'var(--soft)' }, spec.xName));
  const zero = x.at(0);
  spec.rows.forEach((r, i) => {
    const y = top + i * pitch + 5;
    const words = r.bars.map((b, k) => `${spec.series[k]}: ${written(b)}`).join('\n');
    const group = s('g', {}, s('title', {}, `${r.label}\n${words}`));
    group.append(s('rect', { x: 0, y: y - 4, width, height: pitch - 2, fill: 'transparent' }));
    group.append(s('text', { x: left - 8, y: y + (thick * r.bars.length) / 2 + 4, 'text-anchor': 'end' }, shorten(r.label, left - 8)));
    let end = zero;
    r.bars.forEach((b, k) => {
      if (!Number.isFinite(b.value)) return;
      const to = x.at(b.value);
      const middle = y + (k + 0.5) * thick;
      group.append(s('rect', { x: Math.min(zero, to), y: y + k * thick, width: Math.max(0.5, Math.abs(to - zero)), height: thick - 1, ...style(k) }));
      end = Math.max(end, to);
      if (!Number.isFinite(b.low) || !Number.isFinite(b.high)) return;
      const [a, c] = [x.at(b.low), x.at(b.high)];
      group.append(s('path', { d: `M${a} ${middle}H${c}M${a} ${middle - 3}v6M${c} ${middle - 3}v6`, stroke: 'var(--ink)', 'stroke-width': 1.2, fill: 'none' }));
      end = Math.max(end, c);
    });
    const value = r.bars[0]!.value;
    group.append(s('text', { x: end + 6, y: y + thick / 2 + 4, fill: 'var(--soft)', 'font-size': 11 }, Number.isFinite(value) ? (Math.abs(value) < 1e-4 * (x.max - x.min) ? '≈ 0' : number(value, 2)) : '–'));
    svg.append(group);
  });
  svg.append(s('line', { x1: zero, x2: zero, y1: top, y2: bottom, stroke: 'var(--soft)' }));
  return svg;
}

export function bars(spec: BarsSpec): ChartSpec {
  return {
    ...spec,
    draw: (width) => draw(spec, width),
    csv: () => [
      ['name', ...spec.series.flatMap((n) => [n, `${n}: low`, `${n}: high`])],
      ...spec.rows.map((r) => [r.label, ...r.bars.flatMap((b) => [b.value, b.low, b.high])]),
    ],
  };
}
