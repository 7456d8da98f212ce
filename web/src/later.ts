// What takes long to draw comes when the page can be read and worked with already: one piece after the other.
import { h } from './dom';

const waiting: (() => void)[] = [];

// An empty place of the class given, into which the piece comes.
export function later(place: string, make: () => HTMLElement): HTMLElement {
  const holder = h('div', { class: place, 'aria-busy': 'true' });
  waiting.push(() => {
    try {
      holder.replaceWith(make());
    } catch (error) {
      console.error(error);
      holder.replaceWith(h('p', { class: 'warning' }, `This could not be drawn: ${String(error)}`));
    }
  });
  return holder;
}

export function drawWaiting(done: () => void): void {
  const next = () => {
    const piece = waiting.shift();
    if (!piece) return done();
    piece();
    wait();
  };
  // When the browser has nothing else to do; not all can say so.
  const wait = () => ('requestIdleCallback' in window ? requestIdleCallback(next, { timeout: 1000 }) : setTimeout(next, 100));
  wait();
}
