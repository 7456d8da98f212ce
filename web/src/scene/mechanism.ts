// The mechanism as objects of three.js: one group per frame that shapes hang on, surfaces of beams, symbols of joints and forces.
import { Box3, BufferGeometry, CylinderGeometry, DoubleSide, Float32BufferAttribute, Group, LineSegments, Mesh, Object3D, Points, SphereGeometry, Vector3 } from 'three';
import type { Body, Connection, Result } from '../data';
import { BeamSurface } from './beam';
import { Connections, footHeight } from './connections';
import { Part, bodyColour } from './parts';
import { draw, type Drawn } from './shapes';
import type { Directions } from './views';

const symbolSize = 0.011; // of symbols, relative to the mechanism
const isBeam = (body: Body) => body.nodes > 1;
const sections = /-section$/;

// What copies of a mechanism share: shapes, and how large it is.
export class Blueprint {
  readonly drawn: Drawn[][]; // [bodies][shapes]
  readonly connections: Connection[]; // those that have a place
  readonly size: number; // m: a length to scale symbols with

  constructor(
    readonly result: Result,
    readonly directions: Directions,
    initial: Float64Array,
  ) {
    this.drawn = result.geometry.map((body) => (isBeam(body) ? [] : body.shapes.map(draw).filter((d) => d !== null)));
    this.connections = result.connections.filter((c) => c.frames.length > 0 && c.points.length >= 3 * c.frames.length);
    const box = new Box3();
    const points = this.corners(initial);
    for (let i = 0; i < points.length; i += 3) box.expandByPoint(new Vector3(points[i], points[i + 1], points[i + 2]));
    this.size = box.isEmpty() ? 1 : box.getSize(new Vector3()).length() || 1;
  }

  // x y z of points that together are as large as the mechanism in these poses.
  corners(poses: Float64Array): number[] {
    const out: number[] = [];
    const p = new Vector3();
    const add = (frame: number, x: number, y: number, z: number) => {
      p.set(x, y, z);
      if (frame >= 0) placeOf(poses, frame).apply(p);
      if (Number.isFinite(p.x + p.y + p.z)) out.push(p.x, p.y, p.z);
    };
    this.result.geometry.forEach((body, b) => {
      if (isBeam(body)) {
        const r = Math.max(0, ...body.shapes.map((s) => s.size[0]!)) / 2;
        for (let n = 0; n < body.nodes; ++n) for (const side of [-r, r]) add(body.firstFrame + n, 0, side, side);
      } else if (!this.drawn[b]!.length) add(body.firstFrame, 0, 0, 0);
      for (const { surface, points } of this.drawn[b]!) {
        const geometry = (surface ?? points)!;
        if (!geometry.boundingBox) geometry.computeBoundingBox();
        const { min, max } = geometry.boundingBox!;
        for (const x of [min.x, max.x]) for (const y of [min.y, max.y]) for (const z of [min.z, max.z]) add(body.firstFrame, x, y, z);
      }
    });
    for (const c of this.connections) c.frames.forEach((frame, i) => add(frame, c.points[3 * i]!, c.points[3 * i + 1]!, c.points[3 * i + 2]!));
    return out;
  }

  // Lowest points of the supports on the ground, x y z each.
  feet(): number[] {
    const out: number[] = [];
    for (const c of this.connections)
      c.frames.forEach((frame, i) => {
        if (frame < 0) out.push(...new Vector3().fromArray(c.points, 3 * i).addScaledVector(this.directions.up, -footHeight * symbolSize * this.size).toArray());
      });
    return out;
  }
}

const helper = new Object3D();
function placeOf(poses: Float64Array, frame: number): { apply: (p: Vector3) => void } {
  setPose(helper, poses, frame);
  return { apply: (p) => p.applyQuaternion(helper.quaternion).add(helper.position) };
}

function setPose(object: Object3D, poses: Float64Array, frame: number): void {
  const i = 7 * frame;
  object.position.set(poses[i]!, poses[i + 1]!, poses[i + 2]!);
  object.quaternion.set(poses[i + 4]!, poses[i + 5]!, poses[i + 6]!, poses[i + 3]!);
}

export class Mechanism {
  readonly group = new Group();
  readonly parts: Part[] = [];
  readonly frames: Group[];
  private readonly beams: BeamSurface[] = [];
  private readonly connections: Connections | null = null;
  private readonly marks: Group[] = [];

  constructor(
    readonly blueprint: Blueprint,
    private readonly ghost = false,
  ) {
    const { result, connections, size } = blueprint;
    const count = Math.max(0, ...result.geometry.map((b) => b.firstFrame + b.nodes), result.motion?.frames.length ?? 0);
    this.frames = Array.from({ length: count }, () => new Group());
    this.group.add(...this.frames);
    result.geometry.forEach((body, b) => this.addBody(body, b));
    if (!ghost && connections.length > 0) {
      this.connections = new Connections(connections, blueprint.directions, symbolSize * size);
      this.parts.push(...this.connections.parts);
      this.group.add(this.connections.group);
    }
  }

  private addBody(body: Body, b: number): void {
    const kind = isBeam(body) ? `beam with ${body.nodes} nodes` : 'rigid body';
    const part = new Part(body.name, kind, 'body', bodyColour(b, body.colour), this.ghost);
    this.parts.push(part);
    if (isBeam(body)) this.addBeam(body, part);
    else if (this.blueprint.drawn[b]!.length) for (const drawn of this.blueprint.drawn[b]!) this.addShape(this.frames[body.firstFrame]!, drawn, part);
    else this.addRods(body, part);
  }

  private own(parent: Object3D, object: Object3D, part: Part): void {
    object.userData.part = part;
    object.castShadow = object instanceof Mesh;
    parent.add(object);
  }

  private addShape(frame: Group, drawn: Drawn, part: Part): void {
    if (drawn.surface && !this.ghost) this.own(frame, new Mesh(drawn.surface, part.surface), part);
    if (drawn.points) this.own(frame, new Points(drawn.points, part.dots), part);
    this.own(frame, new LineSegments(drawn.edges, part.line), part);
  }

  private addBeam(body: Body, part: Part): void {
    const known = body.shapes.find((s) => sections.test(s.kind));
    const thin = 0.004 * this.blueprint.size;
    const beam = new BeamSurface(body, known?.kind ?? 'circle-section', known?.size ?? [thin], this.ghost);
    this.beams.push(beam);
    if (known?.kind === 'tube-section') part.surface.side = DoubleSide; // one can look into it
    const edges = new LineSegments(beam.edges, part.line);
    for (const object of this.ghost ? [edges] : [new Mesh(beam.surface, part.surface), edges]) {
      object.frustumCulled = false; // its vertices move
      this.own(this.group, object, part);
    }
  }

  // A body without a shape: rods between the points where something is connected to it, and a mark at its frame.
  private addRods(body: Body, part: Part): void {
    const frame = this.frames[body.firstFrame]!;
    const r = 0.006 * this.blueprint.size;
    const points: Vector3[] = [];
    for (const c of this.blueprint.connections)
      c.frames.forEach((f, i) => {
        const p = new Vector3().fromArray(c.points, 3 * i);
        if (f === body.firstFrame && !points.some((q) => q.distanceTo(p) < r / 10)) points.push(p);
      });
    const middle = new Vector3();
    if (points.length > 1) points.forEach((p) => middle.addScaledVector(p, 1 / points.length));
    const pairs: [Vector3, Vector3][] = [];
    if (points.length === 1 || points.length > 3) points.forEach((p) => pairs.push([middle, p]));
    else if (points.length === 2) pairs.push([points[0]!, points[1]!]);
    else points.forEach((p, i) => pairs.push([p, points[(i + 1) % points.length]!]));
    for (const [a, c] of pairs) this.addRod(frame, a, c, r, part);
    if (points.length > 1) this.addRod(frame, new Vector3(), middle, r / 3, part);
    if (!this.ghost) this.own(frame, new Mesh(new SphereGeometry(1.7 * r, 24, 16), part.surface), part);
    const arm = 5 * r;
    const cross = new Float32BufferAttribute([-arm, 0, 0, arm, 0, 0, 0, -arm, 0, 0, arm, 0, 0, 0, -arm, 0, 0, arm], 3);
    if (!pairs.length) this.own(frame, new LineSegments(new BufferGeometry().setAttribute('position', cross), part.line), part);
  }

  private addRod(frame: Group, a: Vector3, b: Vector3, radius: number, part: Part): void {
    const length = a.distanceTo(b);
    if (!(length > 0)) return;
    if (this.ghost) {
      const ends = new Float32BufferAttribute([...a.toArray(), ...b.toArray()], 3);
      this.own(frame, new LineSegments(new BufferGeometry().setAttribute('position', ends), part.line), part);
      return;
    }
    const rod = new Mesh(new CylinderGeometry(radius, radius, length, 16).rotateX(Math.PI / 2), part.surface);
    rod.position.copy(a).add(b).multiplyScalar(0.5);
    rod.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), b.clone().sub(a).divideScalar(length));
    this.own(frame, rod, part);
  }

  // Points hung on the frame of a body; x y z of each in that frame.
  addCloud(frame: number, points: Float32Array, part: Part): void {
    const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points, 3));
    const cloud = new Group().add(new Points(geometry, part.dots));
    this.parts.push(part);
    this.marks.push(cloud);
    this.frames[frame]?.add(cloud);
  }

  showClouds(visible: boolean): void {
    for (const cloud of this.marks) cloud.visible = visible;
  }

  // Joints and forces are seen through bodies, or not.
  seeJoints(on: boolean): void {
    this.connections?.seeThroughBodies(on);
  }

  place(poses: Float64Array): void {
    this.group.visible = poses.every(Number.isFinite); // a realization may have failed
    if (!this.group.visible) return;
    for (let f = 0; f < this.frames.length && 7 * f < poses.length; ++f) setPose(this.frames[f]!, poses, f);
    for (const beam of this.beams) beam.update(poses);
    this.connections?.place(this.frames);
  }

  // Before rays are cast: beams have moved.
  refreshBounds(): void {
    for (const beam of this.beams) beam.surface.computeBoundingSphere();
  }
}
