// Numbers of a whole motion, such as a largest value: a table.
import type { Result, Scalar, ScalarLimit } from '../data';
import { smallHistogram } from '../distribution';
import { h } from '../dom';
import { count, labelled, number, percent, percentWithin, withError } from '../format';
import { limitWords } from './response_plots';

// How likely a limit is passed.
const ofLimit = (x: Scalar, limit: ScalarLimit) => h('div', { class: 'small', 'data-ever': limit.ever }, `${limitWords(x, limit.value, limit.above)}: ${percentWithin(limit)}`);

export function scalarTable(result: Result): HTMLElement | null {
  const { scalars } = result;
  if (scalars.length === 0) return null;
  const pictures = scalars.map((x) => x.values && smallHistogram(Float64Array.from(x.values), x.nominal ?? NaN, `Distribution of ${x.name}; the nominal value is dashed`));
  const pictured = pictures.some((p) => p);
  const fewer = scalars.some((x) => x.count < result.realizations);
  const head = ['', 'nominal', 'mean', 'standard deviation', `${percent(result.confidence, 4)} of realizations`, 'realizations', ...(pictured ? ['distribution'] : [])];
  const row = (x: Scalar, i: number) =>
    h(
      'tr',
      { 'data-scalar': x.name },
      h('th', { scope: 'row' }, labelled(x.name, x.unit), h('div', { class: 'soft small' }, x.output ? `${x.kind.replaceAll('_', ' ')} of ${x.output}` : 'made of parameters'), ...x.limits.map((limit) => ofLimit(x, limit))),
      h('td', {}, number(x.nominal)),
      h('td', {}, withError(x.mean)),
      h('td', {}, withError(x.std)),
      h('td', {}, x.lower.value === null ? '–' : `${number(x.lower.value)} … ${number(x.upper.value)}`),
      h('td', {}, count(x.count)),
      pictured && h('td', {}, pictures[i]),
    );
  return h(
    'div',
    { class: 'response-scalars', id: 'scalars' },
    h('h3', {}, 'Scalars'),
    h('div', { class: 'scroll' }, h('table', {}, h('thead', {}, h('tr', {}, ...head.map((text) => h('th', { scope: 'col' }, text)))), h('tbody', {}, ...scalars.map(row)))),
    h('p', { class: 'soft small' }, `± one standard error; of probabilities the 95 % confidence interval.${pictured ? ' Dashed in the pictures: nominal.' : ''}${fewer ? ' Where fewer realizations are counted, the others have no value.' : ''}`),
  );
}
