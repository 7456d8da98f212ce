// Many thin curves as an image of how many pass through each pixel. Strokes of a thousand half transparent paths take a canvas seconds;
// counting takes milliseconds.
import type { Series } from './data';
import { faintOpacity, type Frame } from './plot_trace';

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

// Adds to the pixels of a column from low to high, to those at the ends in part. A line is at least a pixel thick.
function cover(column: Float32Array, low: number, high: number, weight: number): void {
  const thin = Math.max(0, 1 - (high - low)) / 2;
  const from = Math.max(0, low - thin);
  const to = Math.min(column.length, high + thin);
  if (!(from < to)) return;
  const first = Math.floor(from);
  const last = Math.min(column.length - 1, Math.floor(to));
  if (first === last) {
    column[first]! += weight * (to - from);
    return;
  }
  column[first]! += weight * (first + 1 - from);
  for (let i = first + 1; i < last; ++i) column[i]! += weight;
  column[last]! += weight * (to - last);
}

// [column][row] how many curves cover a pixel.
function coverage(f: Frame, values: Series, count: number, box: Box): Float32Array {
  const { width, height } = box;
  const out = new Float32Array(width * height);
  const columns = Array.from({ length: width }, (_, x) => out.subarray(x * height, (x + 1) * height));
  const n = f.last - f.first + 1;
  const xs = Float64Array.from({ length: n }, (_, i) => f.X(f.xs[f.first + i]!) - box.left);
  const ys = new Float64Array(n);
  const draw = n > 2 * width ? envelope : segments;
  for (let k = 0; k < count; ++k) {
    const offset = k * f.xs.length + f.first;
    for (let i = 0; i < n; ++i) ys[i] = f.Y(values[offset + i]!) - box.top;
    draw(columns, xs, ys);
  }
  return out;
}

// Few points per column: each straight piece counts as much as it is long, so that points close together do not darken a curve.
function segments(columns: Float32Array[], xs: Float64Array, ys: Float64Array): void {
  for (let i = 1; i < xs.length; ++i) {
    const [x0, y0, x1, y1] = [xs[i - 1]!, ys[i - 1]!, xs[i]!, ys[i]!];
    if (Number.isNaN(y0) || Number.isNaN(y1)) continue;
    const slope = (y1 - y0) / (x1 - x0);
    const last = Math.min(columns.length, Math.ceil(x1));
    for (let x = Math.max(0, Math.floor(x0)); x < last; ++x) {
      const a = Math.max(x, x0);
      const b = Math.min(x + 1, x1);
      const ya = y0 + slope * (a - x0);
      const yb = y0 + slope * (b - x0);
      cover(columns[x]!, Math.min(ya, yb), Math.max(ya, yb), Math.min(1, Math.max(b - a, Math.abs(yb - ya))));
    }
  }
}

// Many points per column: from the lowest to the highest.
function envelope(columns: Float32Array[], xs: Float64Array, ys: Float64Array): void {
  let i = 0;
  while (i < xs.length) {
    const x = Math.floor(xs[i]!);
    const before = i > 0 ? ys[i - 1]! : NaN; // joins with the column before
    let low = Number.isNaN(before) ? Infinity : before;
    let high = Number.isNaN(before) ? -Infinity : before;
    for (; i < xs.length && Math.floor(xs[i]!) === x; ++i) {
      if (ys[i]! < low) low = ys[i]!;
      if (ys[i]! > high) high = ys[i]!;
    }
    if (x >= 0 && x < columns.length && low <= high) cover(columns[x]!, low, high, 1);
  }
}

const darkest = 215; // of 255: what is drawn on top stays readable

// `ink` is a colour as canvases write it: "#1b1f24".
export function drawFaint(ctx: CanvasRenderingContext2D, f: Frame, values: Series, count: number, box: Box, ink: string, opacity = faintOpacity(count)): void {
  const whole: Box = { left: Math.round(box.left), top: Math.round(box.top), width: Math.round(box.width), height: Math.round(box.height) };
  const { width, height } = whole;
  if (width < 1 || height < 1) return;
  const covered = coverage(f, values, count, whole);
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(ink.slice(at, at + 2), 16)) as [number, number, number];
  const colour = (blue << 16) | (green << 8) | red;
  const rate = Math.log(1 - opacity);
  for (let x = 0; x < width; ++x)
    for (let y = 0; y < height; ++y) {
      const c = covered[x * height + y]!;
      if (c > 0) pixels[y * width + x] = colour | (Math.round(darkest * (1 - Math.exp(rate * c))) << 24);
    }
  const layer = document.createElement('canvas');
  layer.width = width;
  layer.height = height;
  layer.getContext('2d')!.putImageData(image, 0, 0);
  ctx.drawImage(layer, whole.left, whole.top);
}
