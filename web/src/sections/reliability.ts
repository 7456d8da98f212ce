// How probable it is that limits are passed; what then happens, and why. The answer first, doubts next.
import './reliability.css';
import type { LimitProbability, Page, Reliability, Result } from '../data';
import { h } from '../dom';
import { count, number, percent } from '../format';
import { anyOf, errorText, eventText, interval, known, limitText, probability } from '../probability';
import { methodWords, plural } from '../words';
import { failureCauses } from './reliability_causes';
import { exceedance } from './reliability_curve';
import { doubts } from './reliability_doubts';
import { failing } from './reliability_failures';
import { levels } from './reliability_levels';
import { sets } from './reliability_sets';
import { tails } from './reliability_tail';

function answerWords(r: Result, rel: Reliability): string {
  const any = anyOf(rel);
  const from = `${plural(rel.simulations, 'realization')} by ${methodWords(rel.method)}`;
  if (!(any.probability > 0)) return `No failure was found in ${from}: with 95 % confidence the probability is below ${probability(any.upper)}.`;
  const error = errorText(any);
  const beta = known(any.beta) ? `reliability index β = ${any.beta.toFixed(2).replace('-', '−')}` : '';
  const end = r.time.length ? ` at any time in ${number(r.time[r.time.length - 1])} s` : '';
  return `The probability of failure (${eventText(rel)}${end}) is ${probability(any.probability)}: ${[error || 'its error is not known', beta].filter(Boolean).join('; ')}. From ${from}.`;
}

export function reliabilityLine(r: Result): string {
  const rel = r.reliability!;
  const any = anyOf(rel);
  const doubt = rel.doubts.length ? `; ${plural(rel.doubts.length, 'doubt')}` : '';
  return any.probability > 0 ? `P(failure) = ${probability(any.probability)}, ${known(any.cov) ? `cov ${percent(any.cov)}` : 'error not known'}${doubt}` : `no failure found, below ${probability(any.upper)}${doubt}`;
}

function limitsTable(rel: Reliability): HTMLElement | null {
  if (rel.of.length < 3) return null; // one limit is the event itself
  const row = (p: LimitProbability) => {
    const none = !(p.probability > 0);
    const cells = [none ? `below ${probability(p.upper)}` : probability(p.probability), none ? '' : interval(p), known(p.cov) && !none ? percent(p.cov) : '', known(p.beta) ? p.beta.toFixed(2) : ''];
    return h('tr', { class: p.limit === 'any' ? 'total' : null }, h('th', { scope: 'row' }, limitText(p)), ...cells.map((text) => h('td', {}, text)));
  };
  const head = ['limit', 'probability', '95 % confidence', 'cov', 'β'];
  return h('div', { class: 'scroll' }, h('table', { class: 'reliability', 'data-table': 'probabilities' }, h('thead', {}, h('tr', {}, ...head.map((t) => h('th', { scope: 'col' }, t)))), h('tbody', {}, ...rel.of.map(row))));
}

export function reliability(page: Page): HTMLElement | null {
  const r = page.results[0]!;
  const rel = r.reliability;
  if (!rel) return null;
  return h(
    'div',
    { 'data-section': 'reliability' },
    h('p', { 'data-words': 'reliability' }, answerWords(r, rel)),
    ...doubts(rel),
    rel.failed ? h('p', { class: 'warning' }, `${count(rel.failed)} of ${count(rel.simulations)} simulations could not be completed.`) : null,
    limitsTable(rel),
    exceedance(r, rel),
    failing(r, rel),
    failureCauses(r, rel),
    tails(rel),
    sets(rel),
    levels(rel),
    h('p', { class: 'small soft' }, 'cov: coefficient of variation, the standard error relative to the probability; β: reliability index, Φ(−β) is the probability.'),
  );
}
