import type { Page } from '../data';
import { h } from '../dom';

export function motion(_page: Page): HTMLElement | null {
  return h('p', {}, 'Motion');
}
