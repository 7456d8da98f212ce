// Independent sets of realizations and what each gives: dots, with the estimate of all and its confidence interval.
import { canvas, Chart, type ChartSpec } from '../chart';
import type { Reliability } from '../data';
import { h, s } from '../dom';
import { count, number } from '../format';
import { fittingTicks, mapping, tickTexts } from '../plot_axes';
import { anyOf, known, probability } from '../probability';

export const rejected = 0.01; // sets that differ so improbably do not agree

function draw(rel: Reliability, width: number): SVGSVGElement {
  const any = anyOf(rel);
  const values = [...rel.sets, any.probability, any.lower, any.upper].filter((v): v is number => known(v) && v > 0);
  const [left, right, pitch, top] = [76, 18, 22, 8];
  const bottom = top + pitch * (rel.sets.length + 1);
  const svg = canvas(width, bottom + 42, `Probability by ${rel.sets.length} independent sets: ${Array.from(rel.sets, probability).join(', ')}; all together ${probability(any.probability)}`);
  const range = { min: Math.min(...values) / 1.4, max: 1.4 * Math.max(...values) };
  const X = mapping(range, true, left, width - right - left);
  const places = fittingTicks(range, width - right - left, 80, true);
  tickTexts(places, true).forEach((text, i) => {
    const at = X(places[i]!);
    svg.append(s('line', { x1: at, x2: at, y1: top, y2: bottom, stroke: 'var(--grid)' }), s('text', { x: at, y: bottom + 16, 'text-anchor': 'middle', fill: 'var(--soft)' }, text));
  });
  if (known(any.lower) && known(any.upper) && any.upper > 0) {
    const from = X(Math.max(any.lower, range.min));
    svg.append(s('rect', { x: from, y: top, width: Math.max(1, X(any.upper) - from), height: bottom - top, fill: 'var(--blue)', 'fill-opacity': 0.14 }));
  }
  const mean = X(any.probability);
  svg.append(s('line', { x1: mean, x2: mean, y1: top, y2: bottom, stroke: 'var(--blue)', 'stroke-width': 2 }));
  const row = (label: string, value: number, k: number, all: boolean) => {
    const y = top + (k + 0.5) * pitch;
    const at = value > 0 ? X(value) : left;
    const group = s('g', {}, s('title', {}, `${label}: ${probability(value)}`), s('text', { x: left - 10, y: y + 4, 'text-anchor': 'end' }, label));
    if (all) group.append(s('path', { d: `M${at} ${y - 6}l6 6l-6 6l-6 -6z`, fill: 'var(--blue)' }));
    else group.append(s('circle', { cx: at, cy: y, r: 5, fill: value > 0 ? 'var(--orange)' : 'none', stroke: 'var(--orange)' }));
    svg.append(group);
  };
  rel.sets.forEach((p: number, k: number) => row(`set ${k + 1}`, p, k, false));
  row('all', any.probability, rel.sets.length, true);
  svg.append(s('text', { x: (left + width - right) / 2, y: bottom + 36, 'text-anchor': 'middle', fill: 'var(--soft)' }, 'probability of failure'));
  return svg;
}

function words(rel: Reliability): string {
  const p = known(rel.agreement) ? ` (p = ${number(rel.agreement, 2)})` : '';
  if (known(rel.agreement) && rel.agreement < rejected) return `The ${count(rel.sets.length)} sets differ by more than chance allows${p}: a part of the failures may have been missed.`;
  return `The ${count(rel.sets.length)} sets share no realizations, and they agree${p}.`;
}

export function sets(rel: Reliability): HTMLElement | null {
  if (rel.sets.length < 2 || !(anyOf(rel).probability > 0)) return null;
  const spec: ChartSpec = {
    name: 'independent sets',
    width: 640,
    draw: (width) => draw(rel, width),
    csv: () => [['set', 'probability'], ...Array.from(rel.sets, (p: number, k: number) => [k + 1, p])],
  };
  return h('div', { 'data-part': 'sets' }, h('h3', {}, 'Agreement of independent sets'), h('p', { 'data-words': 'sets' }, words(rel)), new Chart(spec).element, h('p', { class: 'small soft' }, 'Line and shade: the estimate of all sets and its 95 % confidence interval.'));
}
