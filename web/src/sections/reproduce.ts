import type { Page } from '../data';
import { h } from '../dom';

export function reproduce(_page: Page): HTMLElement | null {
  return h('p', {}, 'Reproduce');
}
