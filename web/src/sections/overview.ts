import type { Page } from '../data';
import { h } from '../dom';

export function overview(_page: Page): HTMLElement | null {
  return h('p', {}, 'Overview');
}
