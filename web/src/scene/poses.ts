// Poses of all frames at any time: between the stored times positions are linear and rotations turn evenly. What is small can be shown
// larger: displacements from the start, the scatter about the nominal motion, or the bending of beams.
// A pose is seven numbers, x y z qw qx qy qz; `at` is the place of the first of them.
import type { Body, Motion, Series } from '../data';

export type About = 'start' | 'nominal' | 'bending';

export const nominalRow = -1;
export const failureRow = (k: number): number => -2 - k; // of failures of a method for rare events
const largestAngle = Math.PI / 3; // to which rotations are exaggerated; larger ones are shown as they are

// out = p q
function multiply(p: ArrayLike<number>, i: number, q: ArrayLike<number>, j: number, out: Float64Array, k: number): void {
  const [a, b, c, d] = [p[i]!, p[i + 1]!, p[i + 2]!, p[i + 3]!];
  const [e, f, g, h] = [q[j]!, q[j + 1]!, q[j + 2]!, q[j + 3]!];
  out[k] = a * e - b * f - c * g - d * h;
  out[k + 1] = a * f + b * e + c * h - d * g;
  out[k + 2] = a * g - b * h + c * e + d * f;
  out[k + 3] = a * h + b * g - c * f + d * e;
}

function conjugate(q: Float64Array, i: number, out: Float64Array): void {
  out[0] = q[i]!;
  for (let k = 1; k < 4; ++k) out[k] = -q[i + k]!;
}

// Axis k = 0, 1, 2 of the frame with quaternion q[at …], into out.
export function axisOf(q: ArrayLike<number>, at: number, k: number, out: Float64Array): void {
  const [w, x, y, z] = [q[at]!, q[at + 1]!, q[at + 2]!, q[at + 3]!];
  if (k === 0) {
    out[0] = 1 - 2 * (y * y + z * z);
    out[1] = 2 * (x * y + w * z);
    out[2] = 2 * (x * z - w * y);
  } else if (k === 1) {
    out[0] = 2 * (x * y - w * z);
    out[1] = 1 - 2 * (x * x + z * z);
    out[2] = 2 * (y * z + w * x);
  } else {
    out[0] = 2 * (x * z + w * y);
    out[1] = 2 * (y * z - w * x);
    out[2] = 1 - 2 * (x * x + y * y);
  }
}

// v turned by q[at …].
export function turned(q: ArrayLike<number>, at: number, v: ArrayLike<number>, from: number, out: Float64Array): void {
  const [w, x, y, z] = [q[at]!, q[at + 1]!, q[at + 2]!, q[at + 3]!];
  const [a, b, c] = [v[from]!, v[from + 1]!, v[from + 2]!];
  const tx = 2 * (y * c - z * b);
  const ty = 2 * (z * a - x * c);
  const tz = 2 * (x * b - y * a);
  out[0] = a + w * tx + y * tz - z * ty;
  out[1] = b + w * ty + z * tx - x * tz;
  out[2] = c + w * tz + x * ty - y * tx;
}

// Between the rotations p[i …] and q[j …]; u from 0 to 1.
function slerp(p: ArrayLike<number>, i: number, q: ArrayLike<number>, j: number, u: number, out: Float64Array, k: number): void {
  let cosine = 0;
  for (let n = 0; n < 4; ++n) cosine += p[i + n]! * q[j + n]!;
  const sign = cosine < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  const sine = Math.sin(angle);
  const a = sine > 1e-6 ? Math.sin((1 - u) * angle) / sine : 1 - u;
  const b = sign * (sine > 1e-6 ? Math.sin(u * angle) / sine : u);
  let norm = 0;
  for (let n = 0; n < 4; ++n) {
    const value = a * p[i + n]! + b * q[j + n]!;
    out[k + n] = value;
    norm += value * value;
  }
  norm = Math.sqrt(norm) || 1;
  for (let n = 0; n < 4; ++n) out[k + n]! /= norm;
}

// Chord frames of beams need a rotation from three axes.
function quaternionOf(e1: Float64Array, e2: Float64Array, e3: Float64Array, out: Float64Array): void {
  const m = [e1[0]!, e2[0]!, e3[0]!, e1[1]!, e2[1]!, e3[1]!, e1[2]!, e2[2]!, e3[2]!] as const;
  const t = [1 + m[0] + m[4] + m[8], 1 + m[0] - m[4] - m[8], 1 - m[0] + m[4] - m[8], 1 - m[0] - m[4] + m[8]] as const;
  let k = 0;
  for (let i = 1; i < 4; ++i) if (t[i]! > t[k]!) k = i;
  const r = 0.5 / Math.sqrt(t[k]!);
  const [a, b, c] = [m[7] - m[5], m[2] - m[6], m[3] - m[1]];
  const [d, e, f] = [m[3] + m[1], m[2] + m[6], m[7] + m[5]];
  const rows = [
    [t[0], a, b, c],
    [a, t[1], d, e],
    [b, d, t[2], f],
    [c, e, f, t[3]],
  ] as const;
  for (let i = 0; i < 4; ++i) out[i] = rows[k]![i]! * r;
}

// Scratch; nothing is allocated while the mechanism moves.
const v = new Float64Array(4);
const d = new Float64Array(4);
const e1 = new Float64Array(4);
const e2 = new Float64Array(4);
const e3 = new Float64Array(4);
const then = new Float64Array(4);
const now = new Float64Array(4);
const turn = new Float64Array(4);

// The frame of a beam's chord: x from the first node to the last, y as near as can be to the mean of the nodes' y.
function chordFrame(poses: Float64Array, body: Body, out: Float64Array): boolean {
  const first = 7 * body.firstFrame;
  const last = first + 7 * (body.nodes - 1);
  e2.fill(0);
  for (let n = 0; n < body.nodes; ++n) {
    axisOf(poses, first + 7 * n + 3, 1, v);
    for (let k = 0; k < 3; ++k) e2[k]! += v[k]!;
  }
  for (let k = 0; k < 3; ++k) e1[k] = poses[last + k]! - poses[first + k]!;
  const length = Math.hypot(e1[0]!, e1[1]!, e1[2]!);
  for (let k = 0; k < 3; ++k) e1[k]! /= length;
  const along = e1[0]! * e2[0]! + e1[1]! * e2[1]! + e1[2]! * e2[2]!;
  for (let k = 0; k < 3; ++k) e2[k]! -= along * e1[k]!;
  const across = Math.hypot(e2[0]!, e2[1]!, e2[2]!);
  if (!(length > 0) || !(across > 1e-6)) return false; // a ring has no chord
  for (let k = 0; k < 3; ++k) e2[k]! /= across;
  for (let k = 0; k < 3; ++k) e3[k] = e1[(k + 1) % 3]! * e2[(k + 2) % 3]! - e1[(k + 2) % 3]! * e2[(k + 1) % 3]!;
  quaternionOf(e1, e2, e3, out);
  return true;
}

export class Poses {
  readonly frames: number;
  readonly start: number; // s
  readonly end: number;
  about: About = 'start';
  factor = 1;
  private readonly initial: Float64Array; // of the nominal motion
  private readonly reference: Float64Array;

  constructor(
    readonly motion: Motion,
    private readonly bodies: Body[],
  ) {
    this.frames = motion.frames.length;
    this.start = motion.time[0] ?? 0;
    this.end = motion.time[motion.time.length - 1] ?? 0;
    this.initial = new Float64Array(7 * this.frames);
    this.reference = new Float64Array(7 * this.frames);
    this.stored(nominalRow, this.start, this.initial);
  }

  // Poses of a row of realizations, or of the nominal motion, as they are shown: out is [frames][7].
  at(row: number, t: number, out: Float64Array): void {
    this.stored(row, t, out);
    if (this.factor === 1) return;
    if (this.about === 'bending') {
      for (const body of this.bodies) if (body.nodes > 1) this.bend(row, body, out);
      return;
    }
    if (this.about === 'nominal') this.stored(nominalRow, t, this.reference);
    const from = this.about === 'nominal' ? this.reference : this.initial;
    for (let i = 0; i < 7 * this.frames; i += 7) this.exaggerate(from, out, i);
  }

  private stored(row: number, t: number, out: Float64Array): void {
    const { time, nominal, realizations, failures } = this.motion;
    const data: Series = row === nominalRow ? nominal : row < nominalRow ? failures! : realizations!;
    const offset = row === nominalRow ? 0 : (row < nominalRow ? -2 - row : row) * time.length * 7 * this.frames;
    let low = 0;
    let high = time.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (time[middle]! <= t) low = middle;
      else high = middle;
    }
    const span = time[high]! - time[low]!;
    const u = span > 0 ? Math.min(1, Math.max(0, (t - time[low]!) / span)) : 0;
    const a = offset + low * 7 * this.frames;
    const b = offset + high * 7 * this.frames;
    for (let i = 0; i < 7 * this.frames; i += 7) {
      for (let k = 0; k < 3; ++k) out[i + k] = (1 - u) * data[a + i + k]! + u * data[b + i + k]!;
      slerp(data, a + i + 3, data, b + i + 3, u, out, i + 3);
    }
  }

  // The pose out[i …] further away from the one in `from`.
  private exaggerate(from: Float64Array, out: Float64Array, i: number): void {
    for (let k = 0; k < 3; ++k) out[i + k] = from[i + k]! + this.factor * (out[i + k]! - from[i + k]!);
    conjugate(from, i + 3, v);
    multiply(out, i + 3, v, 0, d, 0);
    if (d[0]! < 0) for (let k = 0; k < 4; ++k) d[k] = -d[k]!;
    const sine = Math.hypot(d[1]!, d[2]!, d[3]!);
    const angle = 2 * Math.atan2(sine, d[0]!);
    if (sine < 1e-12) return;
    const shown = Math.min(this.factor * angle, Math.max(angle, largestAngle));
    const scale = Math.sin(shown / 2) / sine;
    d[0] = Math.cos(shown / 2);
    for (let k = 1; k < 4; ++k) d[k]! *= scale;
    multiply(d, 0, from, i + 3, out, i + 3);
  }

  // Nodes of a beam further away from where they would be, had the beam moved with its chord without bending.
  private bend(row: number, body: Body, out: Float64Array): void {
    const ref = this.reference;
    this.stored(row, this.start, ref);
    if (!chordFrame(ref, body, then) || !chordFrame(out, body, now)) return;
    conjugate(then, 0, v);
    multiply(now, 0, v, 0, turn, 0);
    const first = 7 * body.firstFrame;
    const [x0, y0, z0] = [ref[first]!, ref[first + 1]!, ref[first + 2]!];
    for (let i = first; i < first + 7 * body.nodes; i += 7) {
      ref[i]! -= x0;
      ref[i + 1]! -= y0;
      ref[i + 2]! -= z0;
      turned(turn, 0, ref, i, v);
      multiply(turn, 0, ref, i + 3, ref, i + 3);
      for (let k = 0; k < 3; ++k) ref[i + k] = v[k]! + out[first + k]!;
    }
    for (let i = first; i < first + 7 * body.nodes; i += 7) this.exaggerate(ref, out, i);
  }
}
