// Two or more results side by side; the first is the one the page is about.
import type { Comparison, Difference, Output, Page, Result } from '../data';
import { h } from '../dom';
import { labelled, number, percent } from '../format';
import { Plot, type PlotSpec } from '../plot';
import { interpolate } from '../series';
import { currentOutput } from '../state';
import { palette } from '../theme';
import { methodWords, plural } from '../words';
import { outputSelect } from './output_select';

const dashes = [[], [9, 5], [3, 3], [9, 3, 2, 3]];

function overlay(page: Page, output: Output): PlotSpec {
  const first = page.results[0]!;
  const bands: PlotSpec['bands'] = [];
  const curves: PlotSpec['curves'] = [];
  page.results.forEach((r, k) => {
    const o = r.outputs.find((x) => x.name === output.name && x.unit === output.unit);
    if (!o) return;
    const on = (y: NonNullable<Output['mean']>) => (r === first ? y : interpolate(r.time, y, first.time));
    const colour = palette[k % palette.length]!;
    const dash = dashes[k % dashes.length];
    if (o.lower && o.upper) bands.push({ label: `${r.label}, ${number(100 * r.confidence)} % band`, lower: on(o.lower), upper: on(o.upper), colour, opacity: 0.16, outline: true });
    if (o.mean) curves.push({ label: `${r.label}, mean`, values: on(o.mean), colour, dash, width: 1.8 });
    else curves.push({ label: `${r.label}, nominal`, values: on(o.nominal), colour, dash, width: 1.8 });
  });
  return { name: `comparison of ${output.name}`, x: first.time, xName: 'time', xUnit: 's', yName: output.name, yUnit: output.unit, bands, curves, linked: true, height: 340 };
}

const above = (d: Difference) => d.value !== null && d.noise !== null && d.noise > 0 && d.value > 2 * d.noise;

function cells(d: Difference): HTMLElement[] {
  const strong = above(d);
  return [h('td', {}, strong ? h('strong', {}, percent(d.value)) : percent(d.value), strong ? h('span', { class: 'small' }, ' above noise') : null), h('td', { class: 'soft' }, percent(d.noise))];
}

function table(c: Comparison): HTMLElement {
  const head = ['mean', 'standard deviation', 'lower end', 'upper end'];
  const row = (name: string, unit: string, differences: Difference[], p: number | null, star: boolean) =>
    h('tr', {}, h('th', { scope: 'row' }, `${labelled(name, unit)}${star ? ' *' : ''}`), ...differences.flatMap(cells), ...Array.from({ length: 2 * (4 - differences.length) }, () => h('td', {})), h('td', {}, number(p, 2)));
  return h(
    'div',
    { class: 'scroll' },
    h(
      'table',
      { 'data-table': 'comparison' },
      h(
        'thead',
        {},
        h('tr', {}, h('th', {}), ...head.map((t) => h('th', { colspan: 2, scope: 'colgroup' }, t)), h('th', {}, 'same distribution?')),
        h('tr', {}, h('th', {}, 'output'), ...head.flatMap(() => [h('th', { scope: 'col' }, 'difference'), h('th', { scope: 'col' }, 'noise')]), h('th', { scope: 'col' }, 'p')),
      ),
      h(
        'tbody',
        {},
        ...c.outputs.map((o) => row(o.name, o.unit, c.bands ? [o.mean, o.std, o.lower, o.upper] : [o.mean, o.std], o.p, o.byScatter)),
        ...c.scalars.map((s) => row(`${s.name} (scalar)`, s.unit, [s.mean, s.std], s.p, false)),
      ),
    ),
  );
}

function notes(c: Comparison, first: Result, second: Result): string[] {
  const out: string[] = [];
  if (c.interpolated) out.push('The times differ: one is interpolated onto those of the other.');
  if (!c.bands) out.push(`The bands have different probabilities (${percent(first.confidence)} and ${percent(second.confidence)}): their limits are not compared.`);
  if (c.outputs.some((o) => o.byScatter)) out.push('* the mean is not significantly different from zero; its difference is relative to the standard deviation.');
  if (c.onlyFirst.length) out.push(`Only in ${first.label}: ${c.onlyFirst.join(', ')}.`);
  if (c.onlySecond.length) out.push(`Only in ${second.label}: ${c.onlySecond.join(', ')}.`);
  return out;
}

function part(c: Comparison, first: Result, second: Result): HTMLElement {
  const large = c.outputs.filter((o) => [o.mean, o.std, ...(c.bands ? [o.lower, o.upper] : [])].some(above)).map((o) => o.name);
  const words = large.length ? `Differences well above noise (more than twice): ${large.join(', ')}.` : 'No difference is more than twice the noise, where the noise is known.';
  return h(
    'div',
    { 'data-part': 'differences' },
    h('h3', {}, `${second.label} against ${first.label}`),
    ...c.verdict.map((line) => h('p', { class: 'verdict' }, line)),
    c.outputs.length || c.scalars.length ? h('p', {}, words) : null,
    c.outputs.length || c.scalars.length ? table(c) : null,
    ...notes(c, first, second).map((n) => h('p', { class: 'small soft' }, n)),
  );
}

function legend(page: Page): HTMLElement {
  const of = (r: Result) => (r.study ? `${methodWords(r.method)}, ${plural(r.realizations, 'realization')}` : 'nominal motion');
  return h('ul', {}, ...page.results.map((r) => h('li', {}, h('strong', {}, r.label), `: ${of(r)}`, r.file ? h('span', { class: 'soft small' }, ` (${r.file})`) : null)));
}

export function comparison(page: Page): HTMLElement | null {
  if (page.results.length < 2) return null;
  const first = page.results[0]!;
  const plot = new Plot(overlay(page, first.outputs[currentOutput.value]!));
  currentOutput.subscribe((k) => plot.update(overlay(page, first.outputs[k]!)));
  return h(
    'div',
    { 'data-section': 'comparison' },
    legend(page),
    first.outputs.length > 1 ? outputSelect(first) : null,
    plot.element,
    ...page.comparisons.flatMap((c, k) => (page.results[k + 1] ? [part(c, first, page.results[k + 1]!)] : [])),
    h(
      'p',
      { class: 'small soft' },
      `A difference is the integral over time of |result − reference|, divided by that of the reference, ${first.label}: of |mean|, of the standard deviation, of the width of the band for its limits. Noise is the difference expected from sampling alone, from the standard errors of both. p is the smallest of Kolmogorov–Smirnov tests at several times, corrected for their number: below 0.01 the distributions differ.`,
    ),
  );
}
