// Paths of chosen points over the whole motion: faint, and strong as far as they have come.
import { BufferGeometry, Float32BufferAttribute, Group, Line, LineBasicMaterial, Quaternion, Vector3 } from 'three';
import type { Body, Result } from '../data';
import { nearest } from '../state';
import { bodyColour, shade } from './parts';
import type { Scene } from './scene';

export interface TrailPoint {
  label: string;
  frame: number;
  point: [number, number, number]; // in that frame
  paint: string;
}

// The frame of a rigid body is at its centre of mass.
export const ofBody = (body: Body, index: number): TrailPoint => ({
  label: body.nodes > 1 ? `middle of ${body.name}` : `centre of mass of ${body.name}`,
  frame: body.firstFrame + (body.nodes >> 1),
  point: [0, 0, 0],
  paint: bodyColour(index, body.colour),
});

export function outputPoints(result: Result): TrailPoint[] {
  const owner = (frame: number) => result.geometry.findIndex((b) => frame >= b.firstFrame && frame < b.firstFrame + b.nodes);
  return result.points.map(({ output, frame, point }) => ({ label: `point of ${output}`, frame, point, paint: ofBody(result.geometry[owner(frame)]!, owner(frame)).paint }));
}

type Path = Line<BufferGeometry, LineBasicMaterial>;

export class Trails {
  private readonly group = new Group();
  private points: TrailPoint[] = [];
  private passed: Path[] = [];

  constructor(private readonly scene: Scene) {
    scene.stage.world.add(this.group);
  }

  show(points: TrailPoint[]): void {
    this.points = points;
    this.refresh();
  }

  // After colours or the exaggeration have changed.
  refresh(): void {
    for (const line of this.group.children as Path[]) {
      line.geometry.dispose();
      line.material.dispose();
    }
    this.group.clear();
    this.passed = [];
    const places = this.places();
    this.points.forEach((point, k) => {
      const geometry = () => new BufferGeometry().setAttribute('position', new Float32BufferAttribute(places[k]!, 3));
      const line = (opacity: number) => new Line(geometry(), new LineBasicMaterial({ color: shade(point.paint), transparent: true, opacity, depthTest: false }));
      const [faint, strong] = [line(0.3), line(1)];
      for (const path of [faint, strong]) {
        path.raycast = () => {};
        path.renderOrder = 6;
      }
      this.passed.push(strong);
      this.group.add(faint, strong);
    });
  }

  // Of all points, x y z at all times.
  private places(): number[][] {
    const { poses } = this.scene;
    const all = new Float64Array(7 * poses.frames);
    const out: number[][] = this.points.map(() => []);
    if (this.points.length === 0) return out;
    const [p, turn] = [new Vector3(), new Quaternion()];
    for (const t of poses.motion.time) {
      poses.at(this.scene.row, t, all);
      this.points.forEach(({ frame, point }, k) => {
        const i = 7 * frame;
        turn.set(all[i + 4]!, all[i + 5]!, all[i + 6]!, all[i + 3]!);
        p.set(...point).applyQuaternion(turn);
        out[k]!.push(p.x + all[i]!, p.y + all[i + 1]!, p.z + all[i + 2]!);
      });
    }
    return out;
  }

  place(t: number): void {
    const { time } = this.scene.poses.motion;
    for (const line of this.passed) line.geometry.setDrawRange(0, nearest(time, t) + 1);
  }
}
