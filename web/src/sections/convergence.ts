import type { Page } from '../data';
import { h } from '../dom';

export function convergence(_page: Page): HTMLElement | null {
  return h('p', {}, 'Convergence');
}
