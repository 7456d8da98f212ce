// Why a failure probability may be wrong: each a sentence or two.
import type { Reliability } from '../data';
import { h } from '../dom';

export function doubts(rel: Reliability): HTMLElement[] {
  return rel.doubts.map((text) => h('p', { class: 'warning', 'data-doubt': true }, h('strong', {}, 'Doubt: '), text));
}
