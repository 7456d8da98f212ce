// What is uncertain: one row per random number, with its density as a sparkline; a click shows the density in full, and the facts.
import './uncertain.css';
import { Chart } from '../chart';
import type { Law, Page, Quantity, Result } from '../data';
import { density } from '../density';
import { h } from '../dom';
import { number, percent, shortened, unitText } from '../format';
import { sparkline } from '../sparkline';
import { plural } from '../words';

const few = 20; // quantities; of more, those of a kind are together
const wide = 40; // letters of a name
const columns = 8;
const kinds: { kind: string; title: string }[] = [
  { kind: 'scalar', title: 'Single numbers' },
  { kind: 'center_of_mass', title: 'Centres of mass' },
  { kind: 'inertia', title: 'Inertias' },
  { kind: 'field', title: 'Random fields' },
  { kind: 'process', title: 'Random processes' },
];

// "rb5.inertia.xx" is "xx" below rb5.inertia.
const shortName = (law: Law) => (law.name.startsWith(`${law.quantity}.`) ? law.name.slice(law.quantity.length + 1) : law.name === law.quantity ? '' : law.name);

interface Entry {
  quantity: Quantity;
  laws: Law[];
  same: string[]; // quantities that share its random numbers
}

function entries(r: Result): Entry[] {
  const laws = new Map<string, Law[]>();
  for (const law of r.laws) laws.set(law.quantity, [...(laws.get(law.quantity) ?? []), law]);
  const names = new Set(r.quantities.map((q) => q.name));
  // "wheel_fl" or "wheel_fl.mass": the model names the body, the file the quantity.
  const target = (q: Quantity) => [q.sameAs, `${q.sameAs}.${q.name.split('.').at(-1)!}`].find((name) => name !== q.name && names.has(name));
  const shared = (q: Quantity) => (q.sameAs ? target(q) : undefined);
  return r.quantities.filter((q) => !shared(q)).map((quantity) => ({ quantity, laws: laws.get(quantity.name) ?? [], same: r.quantities.filter((q) => shared(q) === quantity.name).map((q) => q.name) }));
}

const cov = (law: Law) => (law.mean && law.std !== null && Number.isFinite(law.std / law.mean) ? percent(Math.abs(law.std / law.mean)) : '–');

// The row that opens below: densities in full, and facts.
function details(e: Entry): HTMLElement {
  const drawn = e.laws.filter((law) => law.density.length > 1);
  const estimated = drawn.some((law) => !law.exact);
  const facts = e.quantity.facts.map((f) => h('tr', {}, h('th', { scope: 'row' }, f.name === 'law' ? 'distribution' : f.name), h('td', {}, f.value)));
  return h(
    'td',
    { colspan: columns },
    h('div', { class: 'densities' }, ...drawn.map((law) => new Chart(density(law, shortName(law))).element)),
    estimated ? h('p', { class: 'small soft' }, 'Densities estimated from draws. Solid: mean, dashed: nominal.') : null,
    facts.length ? h('table', { class: 'law-facts' }, h('tbody', {}, ...facts)) : null,
  );
}

function rows(e: Entry): HTMLElement[] {
  const { quantity: q, laws, same } = e;
  const below = h('tr', { class: 'law-details', hidden: true });
  const open = h('button', { type: 'button', class: 'link', 'aria-expanded': 'false', title: q.name, 'data-open': q.name }, shortened(q.name, wide));
  open.addEventListener('click', () => {
    if (!below.firstChild) below.append(details(e));
    below.hidden = !below.hidden;
    open.setAttribute('aria-expanded', String(!below.hidden));
  });
  const also = same.length ? h('div', { class: 'small soft', title: same.join(', ') }, `the same for ${same.length > 3 ? `${same.slice(0, 3).join(', ')} and ${same.length - 3} more` : same.join(', ')}`) : null;
  const numbers = (law: Law) => [number(law.nominal), number(law.mean), number(law.std, 3), cov(law)].map((text) => h('td', {}, text));
  const name = h('th', { scope: 'row' }, open, h('div', { class: 'small soft narrow-only' }, q.words), also);
  const words = h('td', { class: 'law-words' }, q.words);
  if (laws.length === 1 && !shortName(laws[0]!)) return [h('tr', { 'data-quantity': q.name }, name, words, h('td', { class: 'unit' }, unitText(laws[0]!.unit)), ...numbers(laws[0]!), h('td', { class: 'law-density' }, sparkline(laws[0]!))), below];
  const part = (law: Law) => h('tr', { class: 'law-part' }, h('th', { scope: 'row' }, shortName(law)), h('td', { class: 'law-words' }), h('td', { class: 'unit' }, unitText(law.unit)), ...numbers(law), h('td', { class: 'law-density' }, sparkline(law)));
  return [h('tr', { 'data-quantity': q.name }, name, words, h('td', { colspan: columns - 2 })), ...laws.map(part), below];
}

export function uncertain(page: Page): HTMLElement | null {
  const r = page.results[0]!;
  if (!r.quantities.length) return null;
  const all = entries(r);
  const known = new Set(kinds.map((k) => k.kind));
  const groups = [...kinds, { kind: '', title: 'Others' }]
    .map(({ kind, title }) => ({ title, members: all.filter(({ quantity: q }) => (kind ? q.kind === kind : !known.has(q.kind))) }))
    .filter((g) => g.members.length);
  const titled = groups.length > 1 && all.length > few;
  const heading = (title: string, n: number) => h('tr', { class: 'law-kind' }, h('th', { scope: 'rowgroup', colspan: columns }, `${title}: ${n}`));
  const body = titled ? groups.flatMap((g) => [heading(g.title, g.members.length), ...g.members.flatMap(rows)]) : all.flatMap(rows);
  const head = ['quantity', 'distribution', 'unit', 'nominal', 'mean', 'std', 'cov', 'density'];
  const classes: Record<string, string> = { distribution: 'law-words', unit: 'unit', density: 'law-density' };
  return h(
    'div',
    { 'data-section': 'uncertain', 'data-part': 'uncertain' },
    h('p', {}, `${uncertainLine(r)}. A name shows densities in full, and parameters.`),
    h('div', { class: 'scroll' }, h('table', { class: 'laws', 'data-table': 'uncertain' }, h('thead', {}, h('tr', {}, ...head.map((t) => h('th', { scope: 'col', class: classes[t] ?? null }, t)))), h('tbody', {}, ...body))),
    h('p', { class: 'small soft' }, 'std: standard deviation; cov: coefficient of variation, its ratio to the mean. ', h('span', { class: 'key nominal' }), 'nominal.'),
  );
}

// "3 uncertain quantities, 10 random numbers in all"
export function uncertainLine(r: Result): string {
  return `${plural(r.quantities.length, 'uncertain quantity', 'uncertain quantities')}, ${plural(r.laws.length, 'random number')} in all`;
}
