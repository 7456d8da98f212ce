// What is uncertain: a card per quantity, with the density of each of its random numbers.
import { Chart } from '../chart';
import type { Law, Quantity, Result } from '../data';
import { density } from '../density';
import { h } from '../dom';
import { labelled, number, unitText } from '../format';
import { plural } from '../words';

const few = 12;
const kinds: { kind: string; title: string }[] = [
  { kind: 'scalar', title: 'Single numbers' },
  { kind: 'center_of_mass', title: 'Centres of mass' },
  { kind: 'inertia', title: 'Inertias' },
  { kind: 'field', title: 'Random fields' },
];

// "rb5.inertia.xx" is "xx" on the card of rb5.inertia.
const shortName = (law: Law) => (law.name.startsWith(`${law.quantity}.`) ? law.name.slice(law.quantity.length + 1) : law.name === law.quantity ? '' : law.name);

function drawing(law: Law): HTMLElement {
  if (law.density.length > 1) return new Chart(density(law, shortName(law))).element;
  const facts = [`mean ${number(law.mean)}`, `standard deviation ${number(law.std, 3)}`, `nominal ${number(law.nominal)}`];
  return h('div', { class: 'small' }, shortName(law) ? h('strong', {}, `${labelled(shortName(law), law.unit)}: `) : null, facts.join(', '), shortName(law) ? null : ` ${unitText(law.unit)}`);
}

function facts(q: Quantity): HTMLElement | null {
  if (!q.facts.length) return null;
  const rows = q.facts.map((f) => h('tr', {}, h('th', { scope: 'row' }, f.name), h('td', {}, f.value)));
  return h('details', {}, h('summary', {}, 'Facts'), h('table', {}, h('tbody', {}, ...rows)));
}

function card(q: Quantity, laws: Law[]): HTMLElement {
  const estimated = laws.some((l) => l.density.length > 1 && !l.exact);
  const note = estimated ? h('p', { class: 'small soft' }, laws.length > 1 ? 'Densities estimated from draws.' : 'Density estimated from draws.') : null;
  return h(
    'article',
    { class: `card ${laws.length > 3 ? 'wide' : laws.length > 1 ? 'double' : ''}`, 'data-quantity': q.name },
    h('h4', {}, q.name),
    h('p', { class: 'small soft' }, q.words),
    h('div', { class: 'grid' }, ...laws.map(drawing)),
    note,
    facts(q),
  );
}

// Cards beyond the first are made when they are asked for.
function cards(all: (() => HTMLElement)[]): HTMLElement {
  const grid = h('div', { class: 'cards' }, ...all.slice(0, few).map((make) => make()));
  const rest = all.slice(few);
  if (!rest.length) return grid;
  const more = h('details', {}, h('summary', {}, `${rest.length} more`));
  const fill = () => {
    if (more.querySelector('.cards')) return;
    more.append(h('div', { class: 'cards' }, ...rest.map((make) => make())));
  };
  more.addEventListener('toggle', fill);
  return h('div', {}, grid, more);
}

export function uncertain(r: Result): HTMLElement | null {
  if (!r.quantities.length) return null;
  const byQuantity = new Map<string, Law[]>();
  for (const law of r.laws) byQuantity.set(law.quantity, [...(byQuantity.get(law.quantity) ?? []), law]);
  const make = (q: Quantity) => () => card(q, byQuantity.get(q.name) ?? []);
  const known = new Set(kinds.map((k) => k.kind));
  const groups = [...kinds, { kind: '', title: 'Others' }]
    .map(({ kind, title }) => ({ title, members: r.quantities.filter((q) => (kind ? q.kind === kind : !known.has(q.kind))) }))
    .filter((g) => g.members.length);
  const titled = groups.length > 1 && r.quantities.length > few;
  const key = h('p', { class: 'small soft' }, h('span', { class: 'key' }), 'mean', h('span', { class: 'key nominal' }), 'nominal');
  const numbers = `${plural(r.quantities.length, 'quantity', 'quantities')}, ${plural(r.laws.length, 'random number')} in all.`;
  const body = titled
    ? groups.map((g) => h('div', {}, h('h4', {}, `${g.title} (${g.members.length})`), cards(g.members.map(make))))
    : [cards(groups.flatMap((g) => g.members.map(make)))];
  return h('div', { 'data-part': 'uncertain' }, h('h3', {}, 'Uncertain quantities'), h('p', {}, numbers), key, ...body);
}
