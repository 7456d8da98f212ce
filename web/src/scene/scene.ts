// A picture of a mechanism: its bodies on a stage, their names, and the frame around them.
import './scene.css';
import type { Motion, Result } from '../data';
import { h } from '../dom';
import { Blueprint, Mechanism } from './mechanism';
import { Names } from './names';
import { Poses, nominalRow } from './poses';
import { Stage } from './stage';
import { directionsOf, startView, type View } from './views';

// The results say where bodies are.
export function drawable(result: Result): result is Result & { motion: Motion } {
  return result.motion !== null && result.motion.time.length > 0 && result.geometry.length > 0;
}

export class Scene {
  readonly ghosts: Mechanism[] = [];
  readonly poses: Poses;
  readonly frame: HTMLElement;
  readonly names: Names;
  readonly view: View; // it starts with
  row = nominalRow; // whose motion is shown

  // Of drawable results; null when the browser has no WebGL. `name` tells canvases apart.
  static make(result: Result, name: string, size: 'small' | 'large'): Scene | null {
    if (!drawable(result)) return null;
    const directions = directionsOf(result);
    const canvas = h('canvas', { tabindex: 0, 'data-canvas': name, 'aria-label': `The mechanism in three dimensions. Arrow keys rotate it, + and − zoom.`, role: 'img' });
    const stage = Stage.make(canvas, directions, size === 'large');
    if (!stage) return null;
    const poses = new Poses(result.motion, result.geometry);
    const now = new Float64Array(7 * poses.frames);
    poses.at(nominalRow, poses.start, now);
    const blueprint = new Blueprint(result, directions, now);
    return new Scene(stage, poses, new Mechanism(blueprint), now, startView(directions), size);
  }

  private constructor(
    readonly stage: Stage,
    poses: Poses,
    readonly mechanism: Mechanism,
    private readonly now: Float64Array,
    view: View,
    size: 'small' | 'large',
  ) {
    this.poses = poses;
    this.view = view;
    stage.world.add(mechanism.group);
    this.names = new Names(stage, mechanism, () => this.ghosts);
    this.frame = h('div', { class: `scene scene-${size}` }, stage.canvas, stage.overlay.root, this.names.tip);
    stage.recolour = () => this.names.show();
    mechanism.place(now);
  }

  // Frames what is seen over these times, as it is shown now.
  frameTimes(times: number[], view: View): void {
    const points: number[] = [];
    for (const t of times) {
      this.poses.at(this.row, t, this.now);
      for (const x of this.mechanism.blueprint.corners(this.now)) points.push(x);
    }
    for (const x of this.mechanism.blueprint.feet()) points.push(x);
    this.stage.setPoints(new Float32Array(points), view);
  }

  // `count` realizations, evenly among those there are, as copies of edges alone.
  setGhosts(count: number): void {
    while (this.ghosts.length > count) {
      const ghost = this.ghosts.pop()!;
      this.stage.world.remove(ghost.group);
      for (const part of ghost.parts) part.dispose();
    }
    while (this.ghosts.length < count) {
      const ghost = new Mechanism(this.mechanism.blueprint, true);
      this.ghosts.push(ghost);
      this.stage.world.add(ghost.group);
    }
    // Many of them are as dark as few.
    for (const ghost of this.ghosts) for (const part of ghost.parts) part.line.opacity = Math.max(0.12, Math.min(0.5, 1.5 / Math.sqrt(count)));
    this.names.show();
  }

  place(t: number): void {
    this.poses.at(this.row, t, this.now);
    this.mechanism.place(this.now);
    const rows = this.poses.motion.rows.length;
    for (let g = 0; g < this.ghosts.length; ++g) {
      this.poses.at(Math.floor((g * rows) / this.ghosts.length), t, this.now);
      this.ghosts[g]!.place(this.now);
    }
  }
}
