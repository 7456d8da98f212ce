// Random fields: how much of the variance the terms used leave out.
import { Chart } from '../chart';
import type { Field, Result } from '../data';
import { h } from '../dom';
import { percent } from '../format';
import { Plot } from '../plot';
import { scatter } from '../scatter';
import { largest } from '../series';

function field(f: Field): HTMLElement {
  const used = f.errorCurve[f.terms - 1];
  const curve = scatter({
    name: `variance error of ${f.name} by terms`,
    caption: 'Largest fraction of the variance lost, by number of terms.',
    xName: 'terms',
    xUnit: '-',
    yName: 'fraction of the variance lost',
    yUnit: '-',
    x: Array.from(f.errorCurve, (_, i) => i + 1),
    y: f.errorCurve,
    group: Array.from(f.errorCurve, (_, i) => (i + 1 === f.terms ? 1 : 0)),
    groups: ['with so many', `used: ${f.terms}`],
    logY: true,
    joined: true,
    height: 300,
  });
  const along = new Plot({
    name: `variance error of ${f.name} along the beam`,
    x: f.place,
    xName: 'along the beam',
    xUnit: 'm',
    yName: 'fraction of the variance lost',
    yUnit: '-',
    bands: [],
    curves: [{ label: `with ${f.terms} ${f.terms === 1 ? 'term' : 'terms'}`, values: f.error, colour: '--blue', width: 1.6 }],
    height: 260,
  });
  const lost = used !== undefined && Number.isFinite(used) ? used : largest(f.error);
  const words = `${f.law}; ${f.correlation}. ${f.method} with ${f.terms} ${f.terms === 1 ? 'term' : 'terms'} loses at most ${percent(lost)} of the variance.`;
  return h(
    'div',
    { 'data-part': 'field', 'data-field': f.name },
    h('h3', {}, `The random field ${f.name}`),
    h('p', {}, words),
    h('div', { class: 'pair' }, f.errorCurve.length ? new Chart(curve).element : null, f.place.length > 1 ? along.element : null),
  );
}

export const fields = (r: Result): HTMLElement[] => r.fields.map(field);
