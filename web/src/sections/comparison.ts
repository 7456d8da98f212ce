// Two or more results side by side; the first is the reference.
import './comparison.css';
import type { Comparison, Difference, Output, Page, Result } from '../data';
import { h } from '../dom';
import { labelled, number, percent, shortened } from '../format';
import { keyOutput } from '../key_output';
import { Plot, type PlotSpec } from '../plot';
import { indexOfLargest, interpolate } from '../series';
import { palette } from '../theme';
import { convergedVerdict, trafficLight } from '../verdict';
import { methodWords, plural } from '../words';
import { failures } from './failures';
import { limits } from './overview';
import { outputSelect } from './output_select';
import { known } from './response_plots';

const significant = 0.01; // p-values below it
const most = 6; // outputs on the first screen
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
    const mean = known(o.mean) ? o.mean : null;
    const label = `${r.label}, ${mean ? 'mean' : 'nominal'}`;
    // Of many, a band comes and goes with its mean.
    const several = page.results.length > 2;
    const band = { lower: known(o.lower) && on(o.lower), upper: known(o.upper) && on(o.upper), colour, opacity: several ? 0.1 : 0.16, outline: true };
    if (band.lower && band.upper) bands.push({ ...band, lower: band.lower, upper: band.upper, label: `${r.label}, ${number(100 * r.confidence)} % band`, ...(several ? { of: label, wide: true } : {}) });
    curves.push({ label, values: on(mean ?? o.nominal), colour, dash, width: 1.8 });
  });
  return { name: `comparison of ${output.name}`, x: first.time, xName: 'time', xUnit: 's', yName: output.name, yUnit: output.unit, bands, curves, linked: true, height: 300 };
}

// How far a difference stands out of the noise; where that is not known, the difference itself.
function standsOut(differences: Difference[]): number {
  const each = differences.map((d) => (d.value === null ? 0 : d.noise !== null && d.noise > 0 ? d.value / d.noise : d.value));
  return Math.max(0, ...each.filter(Number.isFinite));
}

type Line = Comparison['outputs'][number];
const differencesOf = (c: Comparison, o: Line) => (c.bands ? [o.mean, o.std, o.lower, o.upper] : [o.mean, o.std]);

// The output that differs most.
function differsMost(page: Page): number {
  const first = page.results[0]!;
  const by = new Map<string, number>();
  for (const c of page.comparisons) for (const o of c.outputs) by.set(o.name, Math.max(by.get(o.name) ?? 0, standsOut(differencesOf(c, o))));
  const values = first.outputs.map((o) => by.get(o.name) ?? -1);
  return values.some((v) => v > 0) ? indexOfLargest(values) : keyOutput(first);
}

const above = (d: Difference) => d.value !== null && d.noise !== null && d.noise > 0 && d.value > 2 * d.noise;

function cells(d: Difference): HTMLElement[] {
  const strong = above(d);
  return [h('td', {}, strong ? h('strong', {}, percent(d.value)) : percent(d.value), strong ? h('span', { class: 'small' }, ' above noise') : null), h('td', { class: 'soft' }, percent(d.noise))];
}

// The test by name, and what it says.
function tested(p: number | null): HTMLElement {
  if (p === null || Number.isNaN(p)) return h('td', { class: 'soft' }, '–');
  return h('td', {}, number(p, 2), h('span', { class: 'small soft' }, p < significant ? ' they differ' : ' no difference seen'));
}

function table(c: Comparison): HTMLElement {
  const head = ['mean', 'standard deviation', 'lower end', 'upper end'];
  const row = (name: string, unit: string, differences: Difference[], p: number | null, star: boolean) =>
    h('tr', {}, h('th', { scope: 'row', title: name }, `${labelled(shortened(name, 40), unit)}${star ? ' *' : ''}`), ...differences.flatMap(cells), ...Array.from({ length: 2 * (4 - differences.length) }, () => h('td', {})), tested(p));
  const order = [...c.outputs].sort((a, b) => standsOut(differencesOf(c, b)) - standsOut(differencesOf(c, a)));
  return h(
    'div',
    { class: order.length > 12 ? 'scroll tall' : 'scroll' },
    h(
      'table',
      { 'data-table': 'comparison' },
      h(
        'thead',
        {},
        h('tr', {}, h('th', {}), ...head.map((t) => h('th', { colspan: 2, scope: 'colgroup' }, t)), h('th', {}, 'same distribution?')),
        h('tr', {}, h('th', {}, 'output'), ...head.flatMap(() => [h('th', { scope: 'col' }, 'difference'), h('th', { scope: 'col' }, 'noise')]), h('th', { scope: 'col' }, 'p-value')),
      ),
      h(
        'tbody',
        {},
        ...order.map((o) => row(o.name, o.unit, differencesOf(c, o), o.p, o.byScatter)),
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
  return h(
    'div',
    { 'data-part': 'differences' },
    h('h3', {}, `${second.label} against ${first.label}`),
    h('p', {}, sentence(c)),
    c.outputs.length || c.scalars.length ? table(c) : null,
    ...notes(c, first, second).map((n) => h('p', { class: 'small soft' }, n)),
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

// What the tests say, and the differences.
function sentence(c: Comparison): string {
  const large = c.outputs.filter((o) => differencesOf(c, o).some(above)).map((o) => o.name);
  const few = `${large.slice(0, 5).join(', ')}${large.length > 5 ? ` and ${large.length - 5} more` : ''}`;
  const words = large.length ? `More than twice the noise: ${few}.` : 'No difference is more than twice the noise, where the noise is known.';
  return [...c.verdict.map((line) => `${capital(line)}.`), ...(c.outputs.length || c.scalars.length ? [words] : [])].join(' ');
}

// The headline. Of several, how many differ.
function answer(page: Page): string {
  const first = page.results[0]!;
  const differing = page.comparisons.map((c, k) => (c.outputs.some((o) => (o.p !== null && o.p < significant) || differencesOf(c, o).some(above)) ? page.results[k + 1]!.label : '')).filter((name) => name);
  const measured = (d: Difference) => d.value !== null;
  const none = page.comparisons.every((c) => !c.outputs.some((o) => differencesOf(c, o).some(measured)) && !c.scalars.some((s) => measured(s.mean) || measured(s.std)));
  const why = page.comparisons.some((c) => c.outputs.length) ? 'there are no statistics to compare' : page.comparisons[0]?.verdict[0];
  if (none) return `${page.results.map((r) => r.label).join(', ')}: ${why ?? 'nothing can be compared'}.`;
  // Where noise is not known anywhere, the size of the difference is what there is to say.
  const lines = page.comparisons.flatMap((c, k) => c.outputs.map((o) => ({ o, name: page.results[k + 1]!.label, differences: differencesOf(c, o) })));
  if (lines.length && !lines.some(({ o, differences }) => o.p !== null || differences.some((d) => d.noise !== null && d.noise > 0))) {
    const worst = lines.reduce((a, b) => (standsOut(b.differences) > standsOut(a.differences) ? b : a));
    return `${worst.name} differs from ${first.label} by at most ${percent(standsOut(worst.differences))} (${worst.o.name}); the noise is not known.`;
  }
  if (page.comparisons.length > 1) return differing.length ? `${differing.length} of ${page.comparisons.length} results differ from ${first.label} by more than noise: ${differing.join(', ')}.` : `No result differs from ${first.label} by more than noise.`;
  const second = page.results[1]!.label;
  return differing.length ? `${second} differs from ${first.label} by more than noise.` : `${second} does not differ from ${first.label} by more than noise.`;
}

interface Row {
  name: string;
  of: string; // the output, where rows are results
  c: Comparison;
  line: Line | undefined;
}

// Of two results the outputs that differ most; of several a row for each, with the output in which it differs most.
function rowsOf(page: Page): Row[] {
  const by = (c: Comparison) => [...c.outputs].sort((a, b) => standsOut(differencesOf(c, b)) - standsOut(differencesOf(c, a)));
  if (page.comparisons.length === 1) return by(page.comparisons[0]!).slice(0, most).map((line) => ({ name: line.name, of: '', c: page.comparisons[0]!, line }));
  return page.comparisons.map((c, k) => ({ name: page.results[k + 1]!.label, of: by(c)[0]?.name ?? '–', c, line: by(c)[0] }));
}

function largestDifferences(page: Page): HTMLElement {
  const several = page.comparisons.length > 1;
  const rows = rowsOf(page).filter((x) => x.line && [x.line.mean, x.line.std].some((d) => d.value !== null));
  const cell = (d: Difference | undefined) => h('td', { class: d && above(d) ? 'above' : '' }, d ? percent(d.value) : '–', d && d.noise !== null ? h('span', { class: 'soft' }, ` (${percent(d.noise)})`) : null);
  const row = (x: Row) =>
    h('tr', {}, h('th', { scope: 'row', title: x.name }, shortened(x.name, 24)), several ? h('td', { class: 'unit', title: x.of }, shortened(x.of, 20)) : null, cell(x.line?.mean), cell(x.line?.std), h('td', {}, number(x.line?.p ?? null, 2)));
  const head = ['', ...(several ? ['most in'] : []), 'mean', 'standard deviation', 'p-value'];
  const words = several && rows.length ? ['A p-value below 0.01 means that the distributions differ.'] : page.comparisons.map(sentence);
  return h(
    'div',
    { class: 'facts differences', 'data-facts': 'differences' },
    h('h3', {}, `Largest differences from ${page.results[0]!.label} (what noise alone would give)`),
    rows.length > 0 && h('div', { class: 'scroll' }, h('table', {}, h('thead', {}, h('tr', {}, ...head.map((t) => h('th', { scope: 'col', class: t === 'most in' ? 'unit' : null }, t)))), h('tbody', {}, ...rows.map(row)))),
    ...words.map((w) => h('p', { class: 'small', 'data-words': 'difference' }, w)),
  );
}

// Each result, in columns.
function columns(page: Page): HTMLElement {
  const of = (r: Result) => (r.study ? `${methodWords(r.method)}, ${plural(r.realizations, 'realization')}` : 'nominal motion');
  const one = (r: Result, k: number) => {
    const verdict = convergedVerdict(r);
    const swatch = h('span', { class: 'result-swatch' });
    swatch.style.background = `var(${palette[k % palette.length]!})`;
    const name = h('h3', { class: 'result-name', title: r.file }, swatch, r.label, k === 0 ? h('span', { class: 'soft' }, ' reference') : null);
    return h('div', { class: 'result', 'data-result': r.label }, name, h('p', { class: 'small soft' }, of(r)), verdict ? trafficLight(verdict) : null, limits(r), failures(r));
  };
  return h('div', { class: page.results.length === 3 ? 'result-columns' : 'result-columns narrow' }, ...page.results.map(one));
}

export function comparison(page: Page): HTMLElement | null {
  if (page.results.length < 2) return null;
  const first = page.results[0]!;
  const two = page.results.length === 2; // there is room beside the plot
  let k = differsMost(page);
  const plot = new Plot(overlay(page, first.outputs[k]!));
  const title = h('h3', {});
  const show = () => (title.textContent = labelled(first.outputs[k]!.name, first.outputs[k]!.unit));
  show();
  const choice = first.outputs.length > 1 ? outputSelect(first, k, (next) => ((k = next), show(), plot.update(overlay(page, first.outputs[k]!)))) : null;
  return h(
    'div',
    { 'data-section': 'comparison', class: 'first' },
    h('p', { class: 'answer', 'data-words': 'answer' }, answer(page)),
    h('p', { class: 'dek' }, `${first.label} is the reference.`),
    h('div', { class: 'first-row' }, h('div', { class: 'first-response' }, h('div', { class: 'figure-head' }, title, choice), plot.element), h('div', {}, largestDifferences(page), two ? columns(page) : null)),
    two ? null : columns(page),
  );
}

// The same in full, below the first screen.
export function differences(page: Page): HTMLElement | null {
  if (page.results.length < 2) return null;
  const first = page.results[0]!;
  return h(
    'div',
    { 'data-section': 'differences' },
    ...page.comparisons.flatMap((c, k) => (page.results[k + 1] ? [part(c, first, page.results[k + 1]!)] : [])),
    h(
      'p',
      { class: 'small soft' },
      `A difference is the integral over time of |result − reference|, divided by that of the reference, ${first.label}: of |mean|, of the standard deviation, of the width of the band for its limits. Noise is the difference expected from sampling alone, from the standard errors of both. The p-value is the smallest of Kolmogorov–Smirnov tests at several times, corrected for their number: it is the probability of a difference as large as this one if both had the same distribution. Below ${significant} the distributions differ.`,
    ),
  );
}
