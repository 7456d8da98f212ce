// Levels of subset simulation: thresholds on the way to failure, and how the chains moved.
import type { Level, Reliability } from '../data';
import { h } from '../dom';
import { count, number, percent } from '../format';
import { known } from '../probability';

export function levels(rel: Reliability): HTMLElement | null {
  if (!rel.levels.length) return null;
  let reached = 1;
  const row = (l: Level, k: number) => {
    const cells = [known(l.excess) ? number(l.excess, 3) : 'all', number(reached, 2), count(l.realizations), number(l.probability, 3), known(l.cov) ? percent(l.cov) : '–', k && known(l.accepted) ? percent(l.accepted) : '–', k && known(l.correlation) ? number(l.correlation, 2) : '–'];
    reached *= l.probability;
    return h('tr', {}, h('th', { scope: 'row' }, String(k)), ...cells.map((text) => h('td', {}, text)));
  };
  const head = ['level', 'excess above', 'probability', 'realizations', 'P(next)', 'cov', 'accepted', 'correlation'];
  return h(
    'div',
    { 'data-part': 'levels' },
    h('h3', {}, 'Levels'),
    h('div', { class: 'scroll' }, h('table', { class: 'reliability', 'data-table': 'levels' }, h('thead', {}, h('tr', {}, ...head.map((t) => h('th', { scope: 'col' }, t)))), h('tbody', {}, ...rel.levels.map(row)))),
    h('p', { class: 'small soft' }, 'Each level is the event that the excess over the limit is above its threshold; 0 is the limit. P(next): probability of the next level, given this one, with its coefficient of variation. Accepted: share of proposals that the chains took; correlation: between successive states of a chain.'),
  );
}
