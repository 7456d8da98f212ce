// Surfaces and edges of the shapes of rigid bodies, in the frame of their body.
import { BoxGeometry, BufferGeometry, CapsuleGeometry, CylinderGeometry, EdgesGeometry, ExtrudeGeometry, Float32BufferAttribute, Matrix4, Quaternion, Shape as Outline, SphereGeometry, Vector2, Vector3 } from 'three';
import { toCreasedNormals } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { ConvexGeometry } from 'three/examples/jsm/geometries/ConvexGeometry.js';
import type { Shape } from '../data';

export interface Drawn {
  surface: BufferGeometry | null; // null: only the points below
  edges: BufferGeometry; // line segments
  points: BufferGeometry | null;
}

const quarter = Math.PI / 2;

function segments(corners: number[]): BufferGeometry {
  return new BufferGeometry().setAttribute('position', new Float32BufferAttribute(corners, 3));
}

// A closed polygon of points (x y z each) as segments.
function loop(count: number, at: (angle: number) => [number, number, number]): number[] {
  const out: number[] = [];
  for (let i = 0; i < count; ++i) out.push(...at((2 * Math.PI * i) / count), ...at((2 * Math.PI * (i + 1)) / count));
  return out;
}

// A cross on its ends shows that a cylinder turns.
function cylinder(radius: number, length: number): Drawn {
  const surface = new CylinderGeometry(radius, radius, length, 48).rotateX(quarter);
  const lines: number[] = [];
  for (const z of [-length / 2, length / 2]) {
    lines.push(...loop(48, (a) => [radius * Math.cos(a), radius * Math.sin(a), z]));
    const lifted = z * 1.002; // above the face
    lines.push(-radius, 0, lifted, radius, 0, lifted, 0, -radius, lifted, 0, radius, lifted);
  }
  return { surface, edges: segments(lines), points: null };
}

function sphere(radius: number): Drawn {
  const r = radius * 1.003;
  const lines = [
    ...loop(64, (a) => [r * Math.cos(a), r * Math.sin(a), 0]),
    ...loop(64, (a) => [r * Math.cos(a), 0, r * Math.sin(a)]),
    ...loop(64, (a) => [0, r * Math.cos(a), r * Math.sin(a)]),
  ];
  return { surface: new SphereGeometry(radius, 48, 32), edges: segments(lines), points: null };
}

function ellipsoid(x: number, y: number, z: number): Drawn {
  const drawn = sphere(1);
  for (const geometry of [drawn.surface, drawn.edges]) geometry?.scale(x, y, z);
  return drawn;
}

function capsule(radius: number, length: number): Drawn {
  const r = radius * 1.003;
  const lines: number[] = [];
  for (const z of [-length / 2, length / 2]) lines.push(...loop(48, (a) => [r * Math.cos(a), r * Math.sin(a), z]));
  for (const a of [0, quarter, 2 * quarter, 3 * quarter]) lines.push(r * Math.cos(a), r * Math.sin(a), -length / 2, r * Math.cos(a), r * Math.sin(a), length / 2);
  return { surface: new CapsuleGeometry(radius, length, 12, 48).rotateX(quarter), edges: segments(lines), points: null };
}

// How many points, x y z of each, and three of them for each triangle. Faces that meet at less than 40 degrees look round.
function mesh(size: ArrayLike<number>): Drawn | null {
  const numbers = Array.from(size);
  const count = numbers[0]!;
  const corners = numbers.slice(1 + 3 * count);
  if (corners.length < 3 || corners.some((k) => !(k >= 0 && k < count))) return null;
  const surface = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(numbers.slice(1, 1 + 3 * count), 3));
  surface.setIndex(corners);
  return { surface: toCreasedNormals(surface, (40 * Math.PI) / 180), edges: new EdgesGeometry(surface, 40), points: null };
}

function prism(size: ArrayLike<number>): Drawn {
  const corners: Vector2[] = [];
  for (let i = 1; i + 1 < size.length; i += 2) corners.push(new Vector2(size[i], size[i + 1]));
  const length = size[0]!;
  const surface = new ExtrudeGeometry(new Outline(corners), { depth: length, bevelEnabled: false, steps: 1 }).translate(0, 0, -length / 2);
  return { surface, edges: new EdgesGeometry(surface, 20), points: null };
}

// Whether points span a volume: the largest tetrahedron found from far points, against the cube of their extent.
function spansVolume(points: Vector3[]): boolean {
  const farthest = (measure: (p: Vector3) => number) => points.reduce((best, p) => (measure(p) > measure(best) ? p : best), points[0]!);
  if (points.length < 4) return false;
  const a = points[0]!;
  const b = farthest((p) => p.distanceTo(a));
  const ab = b.clone().sub(a);
  const c = farthest((p) => p.clone().sub(a).cross(ab).length());
  const normal = c.clone().sub(a).cross(ab);
  const e = farthest((p) => Math.abs(p.clone().sub(a).dot(normal)));
  return Math.abs(e.clone().sub(a).dot(normal)) > 1e-6 * ab.length() ** 3;
}

function hull(size: ArrayLike<number>): Drawn {
  const points: Vector3[] = [];
  for (let i = 0; i + 2 < size.length; i += 3) points.push(new Vector3(size[i], size[i + 1], size[i + 2]));
  if (!spansVolume(points)) return { surface: null, edges: segments([]), points: segments(points.flatMap((p) => p.toArray())) };
  const surface = new ConvexGeometry(points);
  return { surface, edges: new EdgesGeometry(surface, 20), points: null };
}

function plain(shape: Shape): Drawn | null {
  const size = shape.size;
  switch (shape.kind) {
    case 'box': {
      const surface = new BoxGeometry(size[0], size[1], size[2]);
      return { surface, edges: new EdgesGeometry(surface), points: null };
    }
    case 'cylinder':
      return cylinder(size[0]!, size[1]!);
    case 'sphere':
      return sphere(size[0]!);
    case 'capsule':
      return capsule(size[0]!, size[1]!);
    case 'ellipsoid':
      return ellipsoid(size[0]!, size[1]!, size[2]!);
    case 'mesh':
      return size.length >= 13 ? mesh(size) : null;
    case 'prism':
      return size.length >= 7 ? prism(size) : null;
    case 'mesh-points':
      return size.length >= 3 ? hull(size) : null;
    default:
      return null;
  }
}

// null: a kind this page does not know.
export function draw(shape: Shape): Drawn | null {
  const drawn = plain(shape);
  if (!drawn) return null;
  const [w, x, y, z] = shape.quaternion;
  const place = new Matrix4().compose(new Vector3(...shape.position), new Quaternion(x, y, z, w), new Vector3(1, 1, 1));
  for (const geometry of [drawn.surface, drawn.edges, drawn.points]) geometry?.applyMatrix4(place);
  return drawn;
}
