import type { Page } from '../data';
import { h } from '../dom';

export function comparison(_page: Page): HTMLElement | null {
  return h('p', {}, 'Comparison');
}
