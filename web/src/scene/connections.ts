// Joints and forces, drawn by simple symbols: pins along their axis, guides, balls, springs; and where they hold on to the ground.
import { BoxGeometry, BufferGeometry, ConeGeometry, CylinderGeometry, EdgesGeometry, Float32BufferAttribute, Group, Line, LineSegments, Matrix4, Mesh, Object3D, OctahedronGeometry, Quaternion, SphereGeometry, Vector3 } from 'three';
import type { Connection } from '../data';
import { Part, forceColour, jointColour } from './parts';
import type { Directions } from './views';

export const words = (kind: string) => kind.replace(/[_-]/g, ' ');

// Symbols of unit size with their axis along z; they are scaled to the mechanism.
function symbol(kind: string): BufferGeometry {
  switch (kind) {
    case 'revolute':
    case 'universal':
    case 'torsion_spring':
      return new CylinderGeometry(1, 1, 2.2, 24).rotateX(Math.PI / 2);
    case 'cylindrical':
      return new CylinderGeometry(0.7, 0.7, 5, 24).rotateX(Math.PI / 2);
    case 'prismatic':
      return new BoxGeometry(1.3, 1.3, 5);
    case 'point_on_line':
      return new BoxGeometry(0.6, 0.6, 6);
    case 'planar':
    case 'point_on_plane':
      return new CylinderGeometry(2.2, 2.2, 0.3, 32).rotateX(Math.PI / 2);
    case 'fixed':
      return new BoxGeometry(1.6, 1.6, 1.6);
    case 'bushing':
    case 'bouc_wen':
      return new CylinderGeometry(1.6, 1.6, 1.2, 24).rotateX(Math.PI / 2);
    case 'force':
    case 'torque':
    case 'generic':
      return new OctahedronGeometry(1.4);
    default:
      return new SphereGeometry(1.1, 24, 16);
  }
}

const turns = 7;

// A helix from z = 0 to 1, straight near its ends.
function helix(radius: number): BufferGeometry {
  const points: number[] = [0, 0, 0, 0, 0, 0.12];
  for (let i = 0; i <= 24 * turns; ++i) {
    const a = (2 * Math.PI * i) / 24;
    points.push(radius * Math.cos(a), radius * Math.sin(a), 0.12 + (0.76 * i) / (24 * turns));
  }
  points.push(0, 0, 0.88, 0, 0, 1);
  return new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points, 3));
}

function straight(): BufferGeometry {
  return new BufferGeometry().setAttribute('position', new Float32BufferAttribute([0, 0, 0, 0, 0, 1], 3));
}

export const footHeight = 3.9;

// A support below a point of the ground: a triangle on hatched floor. x to the side, y up, z to the front.
function support(part: Part): Group {
  const foot = new ConeGeometry(1.7, 2.4, 4).rotateY(Math.PI / 4).translate(0, -1.9, 0);
  const floor: number[] = [-2.6, -3.1, 0, 2.6, -3.1, 0];
  for (let x = -2.4; x <= 2.4; x += 0.8) floor.push(x, -3.1, 0, x - 0.7, -footHeight, 0);
  const hatch = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(floor, 3));
  const group = new Group();
  group.add(new Mesh(foot, part.surface), new LineSegments(new EdgesGeometry(foot), part.line), new LineSegments(hatch, part.line));
  return group;
}

const z = new Vector3(0, 0, 1);
const between = new Vector3();
const turn = new Quaternion();

interface Drawn {
  connection: Connection;
  mark: Object3D | null; // at a point, along the axis
  reach: Object3D | null; // from the first point to the second
}

export class Connections {
  readonly group = new Group();
  readonly parts: Part[] = [];
  private readonly drawn: Drawn[] = [];
  private readonly hidden: Object3D[] = [];
  private readonly places = [new Vector3(), new Vector3()];

  constructor(connections: Connection[], directions: Directions, size: number) {
    const standing = new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(directions.side, directions.up, directions.front));
    const taken = new Set<string>(); // several joints at one point of the ground share a support
    for (const connection of connections) {
      const joint = connection.role === 'joint';
      const part = new Part(connection.name, words(connection.kind) + (joint ? ' joint' : ''), joint ? 'joint' : 'force', joint ? jointColour : forceColour);
      this.parts.push(part);
      this.drawn.push(this.draw(connection, part, size));
      connection.frames.forEach((frame, i) => {
        const place = new Vector3().fromArray(connection.points, 3 * i);
        const key = place.toArray().join(' ');
        if (frame >= 0 || taken.has(key)) return;
        taken.add(key);
        const foot = support(part);
        foot.position.copy(place);
        foot.quaternion.copy(standing);
        foot.scale.setScalar(size);
        this.own(foot, part);
      });
    }
  }

  // With a faint copy of everything for where it is hidden.
  private own(object: Object3D, part: Part): void {
    const copies: [Object3D, Object3D][] = [];
    object.traverse((o) => {
      o.userData.part = part;
      if (o instanceof Mesh) copies.push([o, new Mesh(o.geometry, part.hiddenSurface)]);
      else if (o instanceof LineSegments) copies.push([o, new LineSegments(o.geometry, part.hiddenLine)]);
      else if (o instanceof Line) copies.push([o, new Line(o.geometry, part.hiddenLine)]);
    });
    for (const [o, copy] of copies) {
      copy.userData.part = part;
      copy.renderOrder = 5; // when bodies are there
      this.hidden.push(copy);
      o.add(copy);
    }
    this.group.add(object);
  }

  seeThroughBodies(on: boolean): void {
    for (const copy of this.hidden) copy.visible = on;
  }

  private draw(connection: Connection, part: Part, size: number): Drawn {
    const spring = connection.kind === 'spring_damper';
    const joins = spring || connection.kind === 'distance';
    const drawn: Drawn = { connection, mark: null, reach: null };
    if (connection.frames.length > 1) {
      drawn.reach = new Line(spring ? helix(size) : straight(), part.line);
      this.own(drawn.reach, part);
    }
    if (!joins || connection.frames.length < 2) {
      const geometry = symbol(connection.kind);
      drawn.mark = new Group().add(new Mesh(geometry, part.surface), new LineSegments(new EdgesGeometry(geometry, 30), part.line));
      drawn.mark.scale.setScalar(size);
      this.own(drawn.mark, part);
    }
    return drawn;
  }

  // Frames are where the bodies are now.
  place(frames: Object3D[]): void {
    for (const { connection, mark, reach } of this.drawn) {
      const n = Math.min(2, connection.frames.length);
      for (let i = 0; i < n; ++i) {
        const frame = frames[connection.frames[i]!];
        const place = this.places[i]!.fromArray(connection.points, 3 * i);
        if (frame) place.applyQuaternion(frame.quaternion).add(frame.position);
      }
      const last = this.places[n - 1]!;
      if (mark) {
        mark.position.copy(last);
        mark.quaternion.identity();
        const first = frames[connection.frames[0]!];
        if (connection.axis.length === 3) mark.quaternion.setFromUnitVectors(z, between.fromArray(connection.axis).normalize());
        if (first) mark.quaternion.premultiply(first.quaternion);
      }
      if (reach) this.stretch(reach, this.places[0]!, last);
    }
  }

  private stretch(reach: Object3D, a: Vector3, b: Vector3): void {
    between.subVectors(b, a);
    const length = between.length();
    reach.visible = length > 0;
    if (!reach.visible) return;
    reach.position.copy(a);
    reach.quaternion.copy(turn.setFromUnitVectors(z, between.divideScalar(length)));
    reach.scale.set(1, 1, length);
  }
}
