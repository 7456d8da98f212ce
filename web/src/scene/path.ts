// The path of a body's frame over the whole motion.
import { BufferGeometry, Float32BufferAttribute, Line, LineBasicMaterial } from 'three';
import type { Body } from '../data';
import { colour } from '../theme';
import { nominalRow } from './poses';
import type { Scene } from './scene';

export class Path {
  private line: Line<BufferGeometry, LineBasicMaterial> | null = null;
  constructor(private readonly scene: Scene) {}

  // Of this body (a beam's middle node), in a colour; null: none.
  show(body: Body | null, variable: string): void {
    if (this.line) {
      this.scene.stage.world.remove(this.line);
      this.line.geometry.dispose();
      this.line.material.dispose();
      this.line = null;
    }
    if (!body) return;
    const { poses, stage } = this.scene;
    const all = new Float64Array(7 * poses.frames);
    const frame = 7 * (body.firstFrame + (body.nodes >> 1));
    const points: number[] = [];
    for (const t of poses.motion.time) {
      poses.at(nominalRow, t, all);
      const [x, y, z] = all.subarray(frame, frame + 3);
      if (Number.isFinite(x! + y! + z!)) points.push(x!, y!, z!);
    }
    const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points, 3));
    this.line = new Line(geometry, new LineBasicMaterial({ color: colour(variable), depthTest: false }));
    this.line.raycast = () => {};
    stage.world.add(this.line);
  }
}
