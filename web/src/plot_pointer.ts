// Mouse, fingers and keys on a plot. A drag zooms, with Shift it moves; the wheel zooms where the plot has the focus or with Ctrl, so that
// the page still scrolls over plots.
import { h } from './dom';
import type { Range } from './state';

// What a plot lets be done to it. x are values, not pixels.
export interface Handled {
  range(): Range; // shown now
  toX(pixel: number): number; // from the left of the plotting area
  hover(x: number | null): void;
  step(points: number): void; // the cursor, along the points
  zoom(range: Range | null): void; // null: everything
  log: boolean;
}

const least = 5; // px: less than that is a click

// The range after x moves by a share of it, or shrinks about a point.
export function moved(range: Range, share: number, log: boolean): Range {
  if (log) {
    const factor = (range.max / range.min) ** share;
    return { min: range.min * factor, max: range.max * factor };
  }
  const by = share * (range.max - range.min);
  return { min: range.min + by, max: range.max + by };
}

export function scaled(range: Range, about: number, factor: number, log: boolean): Range {
  const f = log ? Math.log : (v: number) => v;
  const g = log ? Math.exp : (v: number) => v;
  return { min: g(f(about) + (f(range.min) - f(about)) * factor), max: g(f(about) + (f(range.max) - f(about)) * factor) };
}

const middle = (r: Range, log: boolean) => (log ? Math.sqrt(r.min * r.max) : (r.min + r.max) / 2);

// `over` is the plotting area.
export function handlePointer(over: HTMLElement, plot: Handled): void {
  const selection = h('div', { class: 'plot-selection' });
  over.append(selection);
  let start = NaN; // of a drag
  let before: Range | null = null; // of a drag that moves
  const place = (event: PointerEvent | MouseEvent) => event.clientX - over.getBoundingClientRect().left;
  const clamped = (pixel: number) => Math.min(Math.max(pixel, 0), over.clientWidth);
  const end = () => {
    start = NaN;
    before = null;
    selection.style.width = '0';
  };
  over.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    start = place(event);
    before = event.shiftKey ? plot.range() : null;
    over.setPointerCapture(event.pointerId);
  });
  over.addEventListener('pointermove', (event) => {
    const at = clamped(place(event));
    if (before) return plot.zoom(moved(before, (start - place(event)) / over.clientWidth, plot.log));
    plot.hover(plot.toX(at));
    if (Number.isNaN(start) || event.pointerType === 'touch') return;
    selection.style.left = `${Math.min(start, at)}px`;
    selection.style.width = `${Math.abs(at - start)}px`;
  });
  over.addEventListener('pointerup', (event) => {
    const from = start;
    const at = clamped(place(event));
    const moves = before !== null;
    end();
    if (moves || Number.isNaN(from) || event.pointerType === 'touch' || Math.abs(at - from) < least) return;
    const [a, b] = [plot.toX(from), plot.toX(at)];
    plot.zoom({ min: Math.min(a, b), max: Math.max(a, b) });
  });
  over.addEventListener('pointercancel', end);
  over.addEventListener('pointerleave', () => Number.isNaN(start) && plot.hover(null));
  over.addEventListener('dblclick', () => plot.zoom(null));
}

// `area` holds the plot and can have the focus.
export function handleKeys(area: HTMLElement, plot: Handled, over: () => HTMLElement | null): void {
  // Once the mouse has left, the wheel is the page's again.
  let wheel = false;
  for (const event of ['focus', 'pointerdown', 'keydown']) area.addEventListener(event, () => (wheel = true));
  for (const event of ['blur', 'pointerleave']) area.addEventListener(event, () => (wheel = false));
  area.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const range = plot.range();
    const actions: Record<string, () => void> = {
      ArrowLeft: () => (event.shiftKey ? plot.zoom(moved(range, -0.1, plot.log)) : plot.step(-1)),
      ArrowRight: () => (event.shiftKey ? plot.zoom(moved(range, 0.1, plot.log)) : plot.step(1)),
      '+': () => plot.zoom(scaled(range, middle(range, plot.log), 0.7, plot.log)),
      '=': () => plot.zoom(scaled(range, middle(range, plot.log), 0.7, plot.log)),
      '-': () => plot.zoom(scaled(range, middle(range, plot.log), 1 / 0.7, plot.log)),
      '0': () => plot.zoom(null),
      Escape: () => plot.zoom(null),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  area.addEventListener(
    'wheel',
    (event) => {
      const target = over();
      if (!target || !(event.ctrlKey || wheel)) return;
      event.preventDefault();
      const pixel = event.clientX - target.getBoundingClientRect().left;
      plot.zoom(scaled(plot.range(), plot.toX(pixel), Math.exp(0.0015 * event.deltaY), plot.log));
    },
    { passive: false },
  );
}
