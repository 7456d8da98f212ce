// Random processes: a few realizations, and the density asked for against that of what was generated.
import type { Page, Process, Result } from '../data';
import { h } from '../dom';
import { count } from '../format';
import { Plot } from '../plot';
import { map } from '../series';

const positive = (values: Process['estimated']) => map(values, (v) => (v > 0 ? v : NaN));
const colours = ['--blue', '--orange', '--green', '--purple', '--grey'];

function overTime(p: Process): HTMLElement {
  const plot = new Plot({
    name: `realizations of ${p.name}`,
    title: `${p.name}: ${count(p.realizations.length)} realizations`,
    x: p.time,
    xName: 'time',
    xUnit: 's',
    yName: p.name,
    yUnit: '',
    bands: [],
    curves: p.realizations.map((values, i) => ({ label: `realization ${i + 1}`, values, colour: colours[i % colours.length]!, width: 1 })),
    height: 220,
  });
  return h('div', { 'data-process-time': p.name }, plot.element);
}

function density(p: Process): HTMLElement {
  const asked = p.asked.length > 0 ? [{ label: 'asked for', values: positive(p.asked), colour: '--orange', width: 2 }] : [];
  const plot = new Plot({
    name: `density of ${p.name}`,
    title: `${p.name}: power spectral density`,
    x: p.frequency,
    xName: 'frequency',
    xUnit: 'Hz',
    yName: `density of ${p.name}`,
    yUnit: '1/Hz',
    bands: [{ label: '95 % confidence', lower: positive(p.lower), upper: positive(p.upper), colour: '--blue', opacity: 0.25 }],
    curves: [...asked, { label: `of ${count(p.counted)} realizations`, values: positive(p.estimated), colour: '--blue', width: 1.4 }],
    logX: true,
    logY: true,
    height: 260,
  });
  return h('div', { 'data-process-density': p.name }, plot.element);
}

export function processes(page: Page): HTMLElement | null {
  const r = page.results[0]!;
  if (!r.processes.length) return null;
  const one = (p: Process) => [h('h3', {}, p.name), h('p', {}, `${p.words}.`), overTime(p), density(p)];
  return h(
    'div',
    { 'data-section': 'processes' },
    ...r.processes.flatMap(one),
    h('p', { class: 'soft small' }, 'Densities are one-sided, without envelope, in bands of frequencies.'),
  );
}

// "1 random process: road"
export function processesLine(r: Result): string {
  return `${count(r.processes.length)} random process${r.processes.length === 1 ? '' : 'es'}: ${r.processes.map((p) => p.name).join(', ')}`;
}
