// Realizations that failed, by reason, and a run that was interrupted.
import type { FailureGroup, Result } from '../data';
import { h } from '../dom';
import { count, number } from '../format';
import { missingWords, plural } from '../words';

// "3, 17 and 20", "3, 17, 20, … 397"
function which(g: FailureGroup): string {
  const all = g.realizations.map(count);
  if (g.count > g.realizations.length) return `${all.slice(0, 5).join(', ')}, … ${count(g.last)}`;
  return all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)!}` : (all[0] ?? '');
}

function times(g: FailureGroup): string {
  if (g.from === null || g.to === null) return 'before they began';
  return g.from === g.to ? `at ${number(g.from)} s` : `at ${number(g.from)} to ${number(g.to)} s`;
}

// One line; the reasons come when they are asked for.
export function failures(r: Result): HTMLElement | null {
  const { count: n, groups } = r.failures;
  if (!n) return null;
  const rows = groups.map((g) => h('li', {}, h('strong', {}, plural(g.count, 'realization')), ` (${which(g)}) failed ${times(g)}: ${g.reason}`));
  const listed = groups.reduce((sum, g) => sum + g.count, 0);
  const element = h(
    'details',
    { class: 'warning', 'data-warning': 'failures' },
    h('summary', {}, `${plural(n, 'realization')} of ${count(r.done)} failed and ${n === 1 ? 'is' : 'are'} excluded from the statistics (${plural(groups.length, 'reason')}). ${missingWords(r)}`),
    h('ul', {}, ...rows),
    listed < n ? h('p', { class: 'small' }, `and ${count(n - listed)} more for other reasons`) : null,
  );
  addEventListener('beforeprint', () => (element.open = true)); // paper cannot be asked
  return element;
}

export function unfinished(r: Result): HTMLElement | null {
  if (!r.study || r.complete) return null;
  const words = `This run was interrupted: ${count(r.done)} of ${count(r.planned)} realizations are finished. The command with --resume continues it.`;
  return h('p', { class: 'warning', 'data-warning': 'incomplete' }, words);
}
