import type { Page } from '../data';
import { h } from '../dom';

export function causes(_page: Page): HTMLElement | null {
  return h('p', {}, 'Causes');
}
