// Uncertain centres of mass: where the realizations have them, hung on the body as it starts.
import { Matrix4, Quaternion, Vector3 } from 'three';
import type { Result } from '../data';
import type { Mechanism } from './mechanism';
import { Part } from './parts';

// How many bodies have a cloud.
export function addClouds(result: Result, mechanism: Mechanism, initial: Float64Array): number {
  const inputs = result.kept?.inputs;
  if (!inputs) return 0;
  const columns = result.laws.length;
  const column = (body: string, axis: string) => result.laws.findIndex((law) => law.name === `${body}.center_of_mass.${axis}`);
  let clouds = 0;
  for (const body of result.geometry) {
    const at = ['x', 'y', 'z'].map((axis) => column(body.name, axis));
    if (body.nodes !== 1 || at.every((c) => c < 0)) continue;
    const pose = initial.subarray(7 * body.firstFrame, 7 * body.firstFrame + 7);
    const turn = new Quaternion(pose[4], pose[5], pose[6], pose[3]);
    const toBody = new Matrix4().compose(new Vector3(pose[0], pose[1], pose[2]), turn, new Vector3(1, 1, 1)).invert();
    const rows = inputs.length / columns;
    const points = new Float32Array(3 * rows);
    const p = new Vector3();
    for (let r = 0; r < rows; ++r) {
      const [x, y, z] = at.map((c, k) => (c < 0 ? pose[k]! : inputs[r * columns + c]!));
      p.set(x!, y!, z!).applyMatrix4(toBody).toArray(points, 3 * r);
    }
    const part = new Part(body.name, 'centres of mass', 'body', '--ink');
    Object.assign(part.dots, { depthTest: false, size: 2.5, transparent: true, opacity: 0.6 }); // they are inside
    mechanism.addCloud(body.firstFrame, points, part);
    ++clouds;
  }
  return clouds;
}
