// Forces of the nominal motion as arrows: what joints, springs and loads do to their second body. The longest arrow is the largest force.
import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Quaternion, Vector3 } from 'three';
import type { Connection, Result, Series } from '../data';
import { nearest } from '../state';
import { colour } from '../theme';
import { nominalRow } from './poses';
import type { Scene } from './scene';

export type Forces = 'reactions' | 'forces';

const longest = 0.17; // of the mechanism's size
export const paints: Record<Forces, string> = { reactions: '--purple', forces: '--vermillion' };

type Known = Connection & { force: Series };
const isKnown = (c: Connection): c is Known => c.force !== null && c.frames.length > 0 && c.force.some((x) => x !== 0);

// Those whose forces are recorded.
export const known = (result: Result, which: Forces): Known[] => result.connections.filter(isKnown).filter((c) => (c.role === 'joint') === (which === 'reactions'));

const z = new Vector3(0, 0, 1);
const shaft = new CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5);
const head = new ConeGeometry(1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, -0.5);

interface Arrow {
  connection: Known;
  group: Group;
  shaft: Mesh;
  head: Mesh;
}

export class Arrows {
  largest = 0; // N, of those shown, at any time
  private readonly group = new Group();
  private readonly materials: Record<Forces, MeshBasicMaterial>;
  private readonly arrows: Record<Forces, Arrow[]>;
  private readonly shown = new Set<Forces>();
  private readonly force = new Vector3();
  private readonly turn = new Quaternion();

  constructor(
    private readonly scene: Scene,
    result: Result,
  ) {
    const make = (which: Forces) => (this.materials[which] = new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true, opacity: 0.85 }));
    this.materials = {} as Record<Forces, MeshBasicMaterial>;
    this.arrows = { reactions: [], forces: [] };
    for (const which of ['reactions', 'forces'] as const) {
      const material = make(which);
      this.arrows[which] = known(result, which).map((connection) => this.arrow(connection, material));
    }
    this.recolour();
    scene.stage.world.add(this.group);
  }

  private arrow(connection: Known, material: MeshBasicMaterial): Arrow {
    const arrow = { connection, group: new Group(), shaft: new Mesh(shaft, material), head: new Mesh(head, material) };
    for (const mesh of [arrow.shaft, arrow.head]) {
      mesh.renderOrder = 8;
      mesh.raycast = () => {};
    }
    arrow.group.add(arrow.shaft, arrow.head);
    arrow.group.visible = false;
    this.group.add(arrow.group);
    return arrow;
  }

  recolour(): void {
    for (const which of ['reactions', 'forces'] as const) this.materials[which].color.set(colour(paints[which]));
  }

  show(which: Forces, on: boolean): void {
    if (on) this.shown.add(which);
    else this.shown.delete(which);
    this.largest = 0;
    for (const name of this.shown)
      for (const { connection } of this.arrows[name])
        for (let i = 0; i + 2 < connection.force.length; i += 3)
          this.largest = Math.max(this.largest, Math.hypot(connection.force[i]!, connection.force[i + 1]!, connection.force[i + 2]!) || 0);
  }

  place(t: number): void {
    const { frames, blueprint } = this.scene.mechanism;
    for (const which of ['reactions', 'forces'] as const)
      for (const arrow of this.arrows[which]) {
        const { connection, group } = arrow;
        this.at(connection, t);
        const length = this.largest > 0 ? (longest * blueprint.size * this.force.length()) / this.largest : 0;
        group.visible = this.scene.row === nominalRow && this.shown.has(which) && length > 0.002 * blueprint.size;
        if (!group.visible) continue;
        const last = connection.frames.length - 1;
        const frame = frames[connection.frames[last]!];
        group.position.fromArray(connection.points, 3 * last);
        if (frame) group.position.applyQuaternion(frame.quaternion).add(frame.position);
        group.quaternion.copy(this.turn.setFromUnitVectors(z, this.force.normalize()));
        const r = 0.0035 * blueprint.size;
        const tip = Math.min(7 * r, 0.6 * length);
        arrow.shaft.scale.set(r, r, length - tip);
        arrow.head.scale.set(0.36 * tip, 0.36 * tip, tip);
        arrow.head.position.z = length;
      }
  }

  private at(connection: Known, t: number): void {
    const { time } = this.scene.poses.motion;
    const i = nearest(time, t);
    const j = Math.min(time.length - 1, Math.max(0, time[i]! <= t ? i + 1 : i - 1));
    const span = time[j]! - time[i]!;
    const u = span !== 0 ? Math.min(1, Math.max(0, (t - time[i]!) / span)) : 0;
    const mix = (k: number) => (1 - u) * connection.force[3 * i + k]! + u * connection.force[3 * j + k]!;
    this.force.set(mix(0), mix(1), mix(2));
  }
}
