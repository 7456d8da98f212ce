// Lines and areas in plot coordinates, for the canvas and for vector graphics alike.
import type { Series } from './data';

// A canvas path, or what writes one as text.
export interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
}

export interface Frame {
  xs: Series;
  first: number; // indices drawn
  last: number;
  X: (v: number) => number;
  Y: (v: number) => number;
  columns: number; // pixels across: more points than a few per column are not seen
}

const far = 1e5; // pixels: canvases lose precision beyond
const near = (y: number) => (y > far ? far : y < -far ? -far : y);

// One curve; gaps where it is not a number.
export function trace(pen: Pen, f: Frame, values: Series, offset = 0): void {
  if (f.last - f.first > 4 * f.columns) return traceThinned(pen, f, values, offset);
  let down = false;
  for (let i = f.first; i <= f.last; ++i) {
    const y = f.Y(values[offset + i]!);
    if (Number.isNaN(y)) {
      down = false;
      continue;
    }
    if (down) pen.lineTo(f.X(f.xs[i]!), near(y));
    else pen.moveTo(f.X(f.xs[i]!), near(y));
    down = true;
  }
}

// Per column of pixels the first, the lowest, the highest and the last: looks the same as all points.
function traceThinned(pen: Pen, f: Frame, values: Series, offset: number): void {
  let down = false;
  for (let i = f.first; i <= f.last; ) {
    const x = f.X(f.xs[i]!);
    let low = Infinity;
    let high = -Infinity;
    let start = NaN;
    let end = NaN;
    let broken = false;
    for (; i <= f.last && f.X(f.xs[i]!) < x + 1; ++i) {
      const y = near(f.Y(values[offset + i]!));
      if (Number.isNaN(y)) {
        broken = true;
        continue;
      }
      if (Number.isNaN(start)) start = y;
      end = y;
      low = Math.min(low, y);
      high = Math.max(high, y);
    }
    if (!Number.isNaN(start)) {
      if (down) pen.lineTo(x, start);
      else pen.moveTo(x, start);
      if (low < high) {
        pen.lineTo(x, low);
        pen.lineTo(x, high);
        pen.lineTo(x, end);
      }
      down = true;
    }
    if (broken) down = false;
  }
}

// The area between two curves, one closed piece per stretch without gaps.
export function traceArea(pen: Pen & { closePath(): void }, f: Frame, lower: Series, upper: Series): void {
  const known = (i: number) => !Number.isNaN(f.Y(lower[i]!)) && !Number.isNaN(f.Y(upper[i]!));
  for (let i = f.first; i <= f.last; ++i) {
    if (!known(i)) continue;
    const start = i;
    pen.moveTo(f.X(f.xs[i]!), near(f.Y(upper[i]!)));
    while (i < f.last && known(i + 1)) {
      ++i;
      pen.lineTo(f.X(f.xs[i]!), near(f.Y(upper[i]!)));
    }
    for (let k = i; k >= start; --k) pen.lineTo(f.X(f.xs[k]!), near(f.Y(lower[k]!)));
    pen.closePath();
  }
}

// Thinner the more there are, so that they darken where they crowd.
export function faintOpacity(count: number): number {
  return Math.min(0.6, Math.max(0.07, 8 / Math.max(1, count) ** 0.75));
}
