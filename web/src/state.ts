// What the parts of a page share: the time one looks at, the range of times shown, light or dark. Parts subscribe and are told.

export class Shared<T> {
  private listeners = new Set<(value: T, source: unknown) => void>();
  constructor(public value: T) {}
  // `source` is who sets it, so that it need not be told about its own doing.
  set(value: T, source: unknown = null): void {
    if (value === this.value) return;
    this.value = value;
    for (const listener of this.listeners) listener(value, source);
  }
  subscribe(listener: (value: T, source: unknown) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

export interface Range {
  min: number;
  max: number;
}

// Plots over the same x share the place looked at and the range shown.
export interface Link {
  at: Shared<number>;
  range: Shared<Range | null>; // null: all
}

export const currentTime = new Shared<number>(0); // s: hovered in a plot, or shown by the animation
export const timeRange = new Shared<Range | null>(null); // null: all
export const time: Link = { at: currentTime, range: timeRange };
export const currentOutput = new Shared<number>(0); // index of the output looked at
export const currentMotion = new Shared<number>(-1); // of the animation: the nominal one, or a kept failure
export const dark = new Shared<boolean>(false);

// Index of the time nearest to t.
export function nearest(times: ArrayLike<number>, t: number): number {
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= t) low = middle;
    else high = middle;
  }
  return high >= 0 && Math.abs(times[high]! - t) < Math.abs(times[low]! - t) ? high : Math.max(0, low);
}
