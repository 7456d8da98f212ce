import type { Page } from '../data';
import { h } from '../dom';

export function responses(_page: Page): HTMLElement | null {
  return h('p', {}, 'Responses');
}
