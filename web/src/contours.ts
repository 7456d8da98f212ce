// Lines on which a table of values has one level, by marching squares, in the places of the drawing.

export interface Field {
  x: ArrayLike<number>; // places
  y: ArrayLike<number>;
  values: ArrayLike<number>; // [x][y]
}

type Point = [number, number];

// The edges of a square, from its corner (i, j): 0 to i + 1, 1 across at i + 1, 2 across to j + 1, 3 at i. For each way its corners may be
// above the level (1: i j, 2: i+1 j, 4: i+1 j+1, 8: i j+1), the edges that are joined.
const joins: [number, number][][] = [
  [], [[3, 0]], [[0, 1]], [[3, 1]], [[1, 2]], [[3, 2], [1, 0]], [[0, 2]], [[3, 2]],
  [[2, 3]], [[2, 0]], [[0, 3], [2, 1]], [[2, 1]], [[1, 3]], [[1, 0]], [[0, 3]], [],
];

// Four times as fine along each direction, by cubics through the values (Catmull and Rom): lines are round where the table is coarse.
const finer = 4;
export function refined(f: Field): Field {
  if (f.x.length < 3 || f.y.length < 3 || !Array.from(f.values).every(Number.isFinite)) return f;
  const [n, m] = [f.x.length, f.y.length];
  const rows = Array.from({ length: n }, (_, i) => cubic(Array.from({ length: m }, (_, j) => f.values[i * m + j]!)));
  const columns = rows[0]!.map((_, j) => cubic(rows.map((row) => row[j]!)));
  const values = columns[0]!.flatMap((_, i) => columns.map((column) => column[i]!));
  return { x: cubic(Array.from(f.x)), y: cubic(Array.from(f.y)), values };
}

function cubic(v: number[]): number[] {
  const n = v.length;
  const at = (i: number) => (i < 0 ? 2 * v[0]! - v[1]! : i >= n ? 2 * v[n - 1]! - v[n - 2]! : v[i]!);
  return Array.from({ length: finer * (n - 1) + 1 }, (_, k) => {
    const i = Math.min(n - 2, Math.floor(k / finer));
    const t = k / finer - i;
    const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
  });
}

// Around the table lies what is far below: what is above the level is then closed everywhere.
function framed(f: Field, outside: number): Field {
  const [n, m] = [f.x.length, f.y.length];
  const wide = (a: ArrayLike<number>) => [a[0]!, ...Array.from(a), a[a.length - 1]!];
  const values = new Float64Array((n + 2) * (m + 2)).fill(outside);
  for (let i = 0; i < n; ++i) for (let j = 0; j < m; ++j) values[(i + 1) * (m + 2) + j + 1] = f.values[i * m + j]!;
  return { x: wide(f.x), y: wide(f.y), values };
}

// `closed`: areas above the level, to be filled; otherwise lines that end where the table does.
export function contours(field: Field, level: number, closed: boolean): Point[][] {
  const f = closed ? framed(field, level - 1e9) : field;
  const m = f.y.length;
  const value = (i: number, j: number) => (Number.isFinite(f.values[i * m + j]!) ? f.values[i * m + j]! : level - 1e9);
  const between = (a: number, b: number) => (level - a) / (b - a);
  // A point lies on an edge, which has a number of its own: two squares share it.
  const points = new Map<number, Point>();
  const point = (i: number, j: number, edge: number): number => {
    const [a, b, upright] = edge === 0 ? [i, j, 0] : edge === 1 ? [i + 1, j, 1] : edge === 2 ? [i, j + 1, 0] : [i, j, 1];
    const key = 2 * (a! * m + b!) + upright!;
    if (!points.has(key)) {
      const t = upright ? between(value(a!, b!), value(a!, b! + 1)) : between(value(a!, b!), value(a! + 1, b!));
      points.set(key, upright ? [f.x[a!]!, f.y[b!]! + t * (f.y[b! + 1]! - f.y[b!]!)] : [f.x[a!]! + t * (f.x[a! + 1]! - f.x[a!]!), f.y[b!]!]);
    }
    return key;
  };
  const next = new Map<number, number>();
  const before = new Set<number>();
  for (let i = 0; i + 1 < f.x.length; ++i)
    for (let j = 0; j + 1 < m; ++j) {
      const kind = (value(i, j) > level ? 1 : 0) | (value(i + 1, j) > level ? 2 : 0) | (value(i + 1, j + 1) > level ? 4 : 0) | (value(i, j + 1) > level ? 8 : 0);
      for (const [from, to] of joins[kind]!) {
        const end = point(i, j, to);
        next.set(point(i, j, from), end);
        before.add(end);
      }
    }
  return chains(next, before).map((chain) => chain.map((key) => points.get(key)!));
}

// Open lines from their beginning, then those that close.
function chains(next: Map<number, number>, before: Set<number>): number[][] {
  const out: number[][] = [];
  const follow = (start: number) => {
    const chain = [start];
    for (let at = next.get(start); at !== undefined; at = next.get(at)) {
      next.delete(chain[chain.length - 1]!);
      chain.push(at);
      if (at === start) break;
    }
    out.push(chain);
  };
  for (const start of [...next.keys()]) if (!before.has(start) && next.has(start)) follow(start);
  for (const start of [...next.keys()]) if (next.has(start)) follow(start);
  return out;
}

export const pathOf = (lines: Point[][]): string => lines.map((line) => `M${line.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`).join('');
