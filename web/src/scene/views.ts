// Which way is up, and from where one looks.
import { Vector3 } from 'three';
import type { Motion, Result, Series } from '../data';

export interface Directions {
  planar: boolean;
  falls: boolean; // gravity says which way is down
  up: Vector3;
  front: Vector3; // from the mechanism to the eye
  side: Vector3;
}

const axes = () => [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)] as const;

interface Upward {
  axis: number; // −1: gravity says nothing
  sign: number;
}

function upOf(result: Result): Upward {
  if (!result.gravity) return upOfText(result.model);
  const g = result.gravity;
  const largest = g.reduce((best, x, i) => (Math.abs(x) > Math.abs(g[best]!) ? i : best), 0);
  return g[largest] === 0 ? { axis: -1, sign: 1 } : { axis: largest, sign: g[largest]! < 0 ? 1 : -1 };
}

// Results of earlier versions do not contain gravity: by the model's text, where it has numbers.
function upOfText(model: string): Upward {
  const found = /^\s*"?gravity"?\s*:\s*\[([^\]]*)\]/m.exec(model);
  const values = (found?.[1] ?? '').split(',').map(Number);
  if (values.length < 2 || values.some((x) => !Number.isFinite(x))) return { axis: -1, sign: 1 };
  const plane = /^\s*"?plane"?\s*:\s*"?(xy|xz|yz)/m.exec(model)?.[1];
  const names = plane ? [...plane] : ['x', 'y', 'z'];
  const largest = values.reduce((best, x, i) => (Math.abs(x) > Math.abs(values[best]!) ? i : best), 0);
  if (values[largest] === 0) return { axis: -1, sign: 1 };
  return { axis: 'xyz'.indexOf(names[largest] ?? 'z'), sign: values[largest]! < 0 ? 1 : -1 };
}

// How far frames leave their plane across each axis: positions against each other, rotations against the first pose.
class Leaving {
  readonly low = [Infinity, Infinity, Infinity];
  readonly high = [-Infinity, -Infinity, -Infinity];
  readonly turning = [0, 0, 0];
  constructor(private readonly motion: Motion) {}

  add(data: Series, sets: number): void {
    const frames = this.motion.frames.length;
    const poses = this.motion.time.length;
    const stride = Math.max(1, Math.floor(poses / 60));
    for (let s = 0; s < sets; ++s)
      for (let p = 0; p < poses; p += stride) for (let f = 0; f < frames; ++f) this.pose(data, 7 * ((s * poses + p) * frames + f), 7 * f);
  }

  private pose(data: Series, i: number, first: number): void {
    const q0 = this.motion.nominal;
    const [a, b, c, e] = [data[i + 3]!, data[i + 4]!, data[i + 5]!, data[i + 6]!];
    const [w, x, y, z] = [q0[first + 3]!, -q0[first + 4]!, -q0[first + 5]!, -q0[first + 6]!];
    const turn = [a * x + b * w + c * z - e * y, a * y - b * z + c * w + e * x, a * z + b * y - c * x + e * w];
    for (let k = 0; k < 3; ++k) {
      this.low[k] = Math.min(this.low[k]!, data[i + k]!);
      this.high[k] = Math.max(this.high[k]!, data[i + k]!);
      this.turning[k] = Math.max(this.turning[k]!, Math.abs(turn[k]!));
    }
  }

  // The axis across the plane in which everything moves; −1: none, or more than one.
  normal(): number {
    const extent = [0, 1, 2].map((k) => this.high[k]! - this.low[k]!);
    const small = 1e-6 * Math.max(...extent);
    const across = [0, 1, 2].filter((k) => extent[k]! <= small && [1, 2].every((j) => this.turning[(k + j) % 3]! < 1e-6));
    return across.length === 1 ? across[0]! : -1;
  }
}

export function directionsOf(result: Result): Directions {
  const motion = result.motion;
  let normal = -1;
  if (motion && motion.frames.length > 0) {
    const leaving = new Leaving(motion);
    leaving.add(motion.nominal, 1);
    if (motion.realizations) leaving.add(motion.realizations, motion.rows.length);
    normal = leaving.normal();
  }
  const gravity = upOf(result);
  let up = gravity.axis >= 0 ? gravity.axis : normal === 2 ? 1 : 2;
  if (up === normal) normal = -1; // seen from above a mechanism that moves on the floor would lose its up
  const across = normal >= 0 ? normal : up === 2 ? 1 : 2;
  const upward = axes()[up]!.multiplyScalar(gravity.axis >= 0 ? gravity.sign : 1);
  const front = axes()[across]!;
  const side = upward.clone().cross(front);
  if (side.x + side.y + side.z < 0) front.negate(), side.negate(); // coordinates grow to the right
  return { planar: normal >= 0, falls: gravity.axis >= 0, up: upward, front, side };
}

export type View = 'front' | 'side' | 'top' | 'isometric';

// From where one looks. Exactly from above, left and right would be lost: a hair to the front.
export function direction(d: Directions, view: View): Vector3 {
  const mix = (front: number, side: number, up: number) =>
    new Vector3().addScaledVector(d.front, front).addScaledVector(d.side, side).addScaledVector(d.up, up).normalize();
  if (view === 'front') return mix(1, 0, 0);
  if (view === 'side') return mix(0, 1, 0);
  if (view === 'top') return mix(1e-4, 0, 1);
  return mix(1, 0.7, 0.6);
}

export const startView = (d: Directions): View => (d.planar ? 'front' : 'isometric');

export interface Framing {
  camera: Vector3;
  target: Vector3;
  height: number; // of the picture, in a parallel projection
}

const filled = 0.88; // of the picture

// Half of what parallel rays along −towards see of all points, and its middle; how near and far they are.
export function fitParallel(points: Float32Array, towards: Vector3, up: Vector3, aspect: number): Framing {
  const x = up.clone().cross(towards).normalize();
  const y = towards.clone().cross(x);
  const range = (axis: Vector3) => extent(points, axis);
  const [a, b, c] = [range(x), range(y), range(towards)];
  const height = Math.max(b[1] - b[0], (a[1] - a[0]) / aspect, 1e-9) / filled;
  const target = new Vector3().addScaledVector(x, (a[0] + a[1]) / 2).addScaledVector(y, (b[0] + b[1]) / 2).addScaledVector(towards, (c[0] + c[1]) / 2);
  const away = 2 * Math.max(height, a[1] - a[0], c[1] - c[0]);
  return { camera: target.clone().addScaledVector(towards, away), target, height };
}

// From where to where points (x y z each) reach along an axis.
export function extent(points: Float32Array, axis: Vector3): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 3) {
    const x = axis.x * points[i]! + axis.y * points[i + 1]! + axis.z * points[i + 2]!;
    low = Math.min(low, x);
    high = Math.max(high, x);
  }
  return [low, high];
}

// Where camera and target must be for all points (x y z each) to fill the picture, seen along −towards.
export function fit(points: Float32Array, towards: Vector3, up: Vector3, fov: number, aspect: number): Framing {
  const x = up.clone().cross(towards).normalize();
  const y = towards.clone().cross(x);
  const ty = filled * Math.tan(fov / 2);
  const tx = ty * aspect;
  // Every point asks for |a − a0| ≤ (distance − c) tan: two half-planes, so the largest of each side decides.
  const most = { right: -Infinity, left: -Infinity, above: -Infinity, below: -Infinity, near: -Infinity, far: Infinity };
  const p = new Vector3();
  for (let i = 0; i < points.length; i += 3) {
    p.set(points[i]!, points[i + 1]!, points[i + 2]!);
    const [a, b, c] = [p.dot(x), p.dot(y), p.dot(towards)];
    most.right = Math.max(most.right, a + c * tx);
    most.left = Math.max(most.left, -a + c * tx);
    most.above = Math.max(most.above, b + c * ty);
    most.below = Math.max(most.below, -b + c * ty);
    most.near = Math.max(most.near, c);
    most.far = Math.min(most.far, c);
  }
  const distance = Math.max((most.right + most.left) / (2 * tx), (most.above + most.below) / (2 * ty), most.near + 1e-9);
  const middle = (most.near + most.far) / 2;
  const centre = x.multiplyScalar((most.right - most.left) / 2).addScaledVector(y, (most.above - most.below) / 2);
  return { camera: centre.clone().addScaledVector(towards, distance), target: centre.addScaledVector(towards, middle), height: 2 * (distance - middle) * Math.tan(fov / 2) };
}
