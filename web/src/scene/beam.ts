// A beam drawn as its cross-section along the curve through its nodes: cubic between two nodes, along the x axes of their frames there.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage } from 'three';
import type { Body } from '../data';
import { axisOf } from './poses';

const ringsPerElement = 8;

// A corner of the section's outline, with the direction in which the surface looks there: y is the height, z the width.
interface Corner {
  y: number;
  z: number;
  ny: number;
  nz: number;
}

interface Section {
  outline: Corner[]; // sides are between corners 2k and 2k + 1 when it is sharp, else between all
  sharp: boolean;
  hole: number; // its radius as a share of the outline's
}

function sectionOf(kind: string, size: ArrayLike<number>): Section {
  if (kind === 'rectangle-section') {
    const [y, z] = [size[0]! / 2, size[1]! / 2];
    const side = (ny: number, nz: number): Corner[] => [
      { y: ny * y + nz * y, z: nz * z - ny * z, ny, nz },
      { y: ny * y - nz * y, z: nz * z + ny * z, ny, nz },
    ];
    return { outline: [...side(1, 0), ...side(0, 1), ...side(-1, 0), ...side(0, -1)], sharp: true, hole: 0 };
  }
  const outline: Corner[] = [];
  for (let i = 0; i < 24; ++i) {
    const [ny, nz] = [Math.cos((i * Math.PI) / 12), Math.sin((i * Math.PI) / 12)];
    outline.push({ y: size[0]! * ny, z: size[0]! * nz, ny, nz });
  }
  return { outline, sharp: false, hole: kind === 'tube-section' ? size[1]! / size[0]! : 0 };
}

const ta = new Float64Array(3);
const tb = new Float64Array(3);

// The cubic between nodes a and b (places of their poses), at u from 0 to 1: point and slope d/du.
// Its slope at the ends, chord / cos²(θ/4), takes it through the middle of the arc that has this chord and turns by this angle θ.
export function curve(poses: Float64Array, a: number, b: number, u: number, point: Float64Array, slope: Float64Array): void {
  axisOf(poses, a + 3, 0, ta);
  axisOf(poses, b + 3, 0, tb);
  const chord = Math.hypot(poses[b]! - poses[a]!, poses[b + 1]! - poses[a + 1]!, poses[b + 2]! - poses[a + 2]!);
  const cosine = Math.max(-1, ta[0]! * tb[0]! + ta[1]! * tb[1]! + ta[2]! * tb[2]!);
  const length = (2 * chord) / (1 + Math.sqrt((1 + cosine) / 2));
  const [h0, h1, h2, h3] = [1 - u * u * (3 - 2 * u), u * (1 - u) * (1 - u), u * u * (3 - 2 * u), -u * u * (1 - u)];
  const [s0, s1, s3] = [6 * u * (u - 1), (1 - u) * (1 - 3 * u), u * (3 * u - 2)];
  for (let k = 0; k < 3; ++k) {
    point[k] = h0 * poses[a + k]! + h2 * poses[b + k]! + length * (h1 * ta[k]! + h3 * tb[k]!);
    slope[k] = s0 * (poses[a + k]! - poses[b + k]!) + length * (s1 * ta[k]! + s3 * tb[k]!);
  }
}

const point = new Float64Array(3);
const slope = new Float64Array(3);
const y = new Float64Array(3);
const z = new Float64Array(3);
const other = new Float64Array(3);

function between(poses: Float64Array, a: number, b: number, u: number, axis: number, out: Float64Array): void {
  axisOf(poses, a + 3, axis, out);
  axisOf(poses, b + 3, axis, other);
  for (let k = 0; k < 3; ++k) out[k] = (1 - u) * out[k]! + u * other[k]!;
  const norm = Math.hypot(out[0]!, out[1]!, out[2]!) || 1;
  for (let k = 0; k < 3; ++k) out[k]! /= norm;
}

function dynamic(values: number): BufferAttribute {
  const attribute = new BufferAttribute(new Float32Array(values), 3);
  attribute.setUsage(DynamicDrawUsage);
  return attribute;
}

// The surface and its edges; both are changed in place when the beam moves.
export class BeamSurface {
  readonly surface = new BufferGeometry();
  readonly edges = new BufferGeometry();
  private readonly section: Section;
  private readonly rings: number;
  private readonly caps: number; // vertices before those of the caps

  constructor(
    private readonly body: Body,
    kind: string,
    size: ArrayLike<number>,
    private readonly bare = false, // it is seen by its edges alone
  ) {
    this.section = sectionOf(kind, size);
    this.rings = ringsPerElement * (body.nodes - 1) + 1;
    const m = this.section.outline.length;
    this.caps = this.rings * m;
    const vertices = this.caps + 2 * 2 * m; // a cap: the outline, and the hole's
    this.surface.setAttribute('position', dynamic(3 * vertices));
    this.surface.setAttribute('normal', dynamic(3 * vertices));
    this.surface.setIndex([...this.sideTriangles(m), ...this.capTriangles(m)]);
    this.edges.setAttribute('position', this.surface.getAttribute('position'));
    this.edges.setIndex(this.lines(m));
  }

  private sides(m: number): [number, number][] {
    const all: [number, number][] = [];
    for (let i = 0; i < m; i += this.section.sharp ? 2 : 1) all.push([i, (i + 1) % m]);
    return all;
  }

  private sideTriangles(m: number): number[] {
    const index: number[] = [];
    for (let r = 0; r + 1 < this.rings; ++r)
      for (const [i, j] of this.sides(m)) {
        const [a, b, c, e] = [r * m + i, r * m + j, (r + 1) * m + i, (r + 1) * m + j];
        index.push(a, b, c, c, b, e);
      }
    return index;
  }

  private capTriangles(m: number): number[] {
    const index: number[] = [];
    for (const end of [0, 1])
      for (let i = 0; i < m; ++i) {
        const first = this.caps + end * 2 * m;
        const [a, b, c, e] = [first + i, first + ((i + 1) % m), first + m + i, first + m + ((i + 1) % m)];
        if (end) index.push(a, b, c, c, b, e);
        else index.push(a, c, b, b, c, e);
      }
    return index;
  }

  private lines(m: number): number[] {
    const index: number[] = [];
    for (const end of [0, 1]) {
      const first = this.caps + end * 2 * m;
      for (let i = 0; i < m; ++i) {
        index.push(first + i, first + ((i + 1) % m));
        if (this.section.hole > 0) index.push(first + m + i, first + m + ((i + 1) % m));
      }
    }
    if (this.bare && !this.section.sharp) for (let r = 0; r + 1 < this.rings; ++r) for (let i = 0; i < m; i += m / 4) index.push(r * m + i, (r + 1) * m + i);
    if (this.section.sharp) for (let r = 0; r + 1 < this.rings; ++r) for (let i = 0; i < m; i += 2) index.push(r * m + i, (r + 1) * m + i);
    return index;
  }

  update(poses: Float64Array): void {
    const position = this.surface.getAttribute('position') as BufferAttribute;
    const normal = this.surface.getAttribute('normal') as BufferAttribute;
    const m = this.section.outline.length;
    for (let r = 0; r < this.rings; ++r) {
      const element = Math.min(Math.floor(r / ringsPerElement), this.body.nodes - 2);
      const u = r / ringsPerElement - element;
      const a = 7 * (this.body.firstFrame + element);
      curve(poses, a, a + 7, u, point, slope);
      between(poses, a, a + 7, u, 1, y);
      between(poses, a, a + 7, u, 2, z);
      this.ring(position, normal, r * m, 1, 0);
      const end = r === 0 ? 0 : r === this.rings - 1 ? 1 : -1;
      if (end < 0) continue;
      const first = this.caps + end * 2 * m;
      this.ring(position, normal, first, 1, end ? 1 : -1);
      this.ring(position, normal, first + m, this.section.hole, end ? 1 : -1);
    }
    position.needsUpdate = true;
    normal.needsUpdate = true;
  }

  // The outline around `point`; its surface looks outwards (facing 0), or along the beam.
  private ring(position: BufferAttribute, normal: BufferAttribute, first: number, scale: number, facing: number): void {
    const p = position.array;
    const n = normal.array;
    const length = Math.hypot(slope[0]!, slope[1]!, slope[2]!) || 1;
    for (let i = 0; i < this.section.outline.length; ++i) {
      const c = this.section.outline[i]!;
      for (let k = 0; k < 3; ++k) {
        p[3 * (first + i) + k] = point[k]! + scale * (c.y * y[k]! + c.z * z[k]!);
        n[3 * (first + i) + k] = facing ? (facing * slope[k]!) / length : c.ny * y[k]! + c.nz * z[k]!;
      }
    }
  }
}
