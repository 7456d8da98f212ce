// Who is to blame for the scatter.
import './causes.css';
import type { Page, Result } from '../data';
import { h } from '../dom';
import { keyOutput } from '../key_output';
import { correlations, correlationWords } from './causes_correlations';
import { points } from './causes_points';
import { screening, screeningWords } from './causes_screening';
import { shares, shareWords } from './causes_shares';
import { variables } from './causes_variables';
import { outputSelect } from './output_select';

// The most that is known about what the scatter of the key output comes from.
export function causesLine(r: Result): string {
  const k = keyOutput(r);
  if (r.shares?.groups.length) return shareWords(r, k);
  if (r.screening?.variables.length) return screeningWords(r, k);
  if (r.correlations?.columns.length) return correlationWords(r, k);
  return 'random numbers against outputs';
}

export function causes(page: Page): HTMLElement | null {
  const r = page.results[0]!;
  if (!r.study || !r.quantities.length) return null;
  const known = [shares(r), variables(r), correlations(r), screening(r)].filter((part) => part !== null);
  const cloud = points(r);
  const missing = r.shares || r.screening ? null : h('p', {}, 'This study has no Sobol indices. ', h('code', {}, 'aleator run MODEL --sensitivity'), ' computes them.');
  if (!known.length && !cloud) return h('div', { 'data-section': 'causes' }, missing);
  return h('div', { 'data-section': 'causes' }, missing, known.length && r.outputs.length > 1 ? outputSelect(r) : null, ...known, cloud);
}
