// The sign and the name of the program.
import { h, s } from './dom';

export function brand(): HTMLElement {
  const sign = s(
    'svg',
    { width: 22, height: 22, viewBox: '0 0 32 32', 'aria-hidden': 'true', fill: 'none' },
    s('path', { d: 'M11 26V14q5-16 10 0v12z', fill: 'currentColor', 'fill-opacity': 0.25 }),
    s('path', { d: 'M2 26c10 0 8-21 14-21s4 21 14 21', stroke: 'currentColor', 'stroke-width': 3, 'stroke-linecap': 'round' }),
  );
  return h('a', { class: 'brand', href: '#content', title: 'To the top' }, sign, 'Aleator');
}
