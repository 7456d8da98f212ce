// Who is to blame for the scatter.
import './causes.css';
import type { Page, Result, Series } from '../data';
import { h } from '../dom';
import { number, shortened } from '../format';
import { keyOutput } from '../key_output';
import { descending } from '../series';
import { correlations } from './causes_correlations';
import { points } from './causes_points';
import { screening } from './causes_screening';
import { shares } from './causes_shares';
import { variability, variabilityWords } from './causes_variability';
import { variables } from './causes_variables';
import { outputSelect } from './output_select';

// The most that is known about what the key output depends on, in a few words.
export function causesLine(r: Result): string {
  const k = keyOutput(r);
  const name = shortened(r.outputs[k]?.name ?? '', 30);
  const best = (names: string[], values: Series) => names[descending(values)[0] ?? 0] ?? '';
  const top = (values: Series) => values[descending(values)[0] ?? 0] ?? NaN;
  if (r.shares?.groups.length) {
    const { integratedFirst } = r.shares.of[k]!;
    if (Number.isFinite(top(integratedFirst))) return `${name}: ${best(r.shares.groups, integratedFirst)} has a first-order Sobol index of ${number(top(integratedFirst), 2)}`;
  }
  if (r.screening?.variables.length) return `${name}: the largest effect is that of ${best(r.screening.variables, r.screening.of[k]!.integratedMuStar)}`;
  if (r.variability) return variabilityWords(r, k);
  if (r.correlations?.columns.length) {
    const values = r.correlations.of[k]!.integratedPearson;
    if (Number.isFinite(top(values))) return `${name} correlates most with ${best(r.correlations.columns, values)} (R² = ${number(top(values) ** 2, 2)})`;
  }
  return 'random numbers against outputs';
}

export function causes(page: Page): HTMLElement | null {
  const r = page.results[0]!;
  if (!r.study || !r.quantities.length) return null;
  const known = [shares(r), variables(r), correlations(r), screening(r), variability(r)].filter((part) => part !== null);
  const cloud = points(r);
  const missing = r.shares || r.screening || r.variability ? null : h('p', {}, 'This study has no Sobol indices. ', h('code', {}, 'aleator run MODEL --sensitivity'), ' computes them.');
  if (!known.length && !cloud) return h('div', { 'data-section': 'causes' }, missing);
  return h('div', { 'data-section': 'causes' }, missing, known.length && r.outputs.length > 1 ? outputSelect(r) : null, ...known, cloud);
}
