// The curve of beams and what becomes of poses, checked by numbers: node --test web/tests
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const src = join(dirname(fileURLToPath(import.meta.url)), '..', 'src');
const { outputFiles } = await build({
  stdin: { contents: "export * from './scene/beam'; export * from './scene/poses'; export * from './scene/playback'; export * from './scene/exaggeration';", resolveDir: src, loader: 'ts' },
  bundle: true,
  write: false,
  format: 'esm',
});
const { BeamSurface, Poses, axisOf, calmRate, curve, factorWords, nominalRow, proposal, rateWords } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);

// A body and a beam of four nodes, tumbling.
const nodes = 4;
const beam = { name: 'beam', firstFrame: 1, nodes, shapes: [] };
const pose = (frame, t) => {
  const q = [1, 0.1 * Math.sin(frame + t), 0.2 * Math.cos(2 * frame - t), 0.15 * Math.sin(3 * frame + 2 * t)];
  return [0.5 * frame + 0.1 * t, 0.3 * t + 0.03 * Math.sin(5 * frame), 0.02 * Math.cos(frame * t), ...q.map((x) => x / Math.hypot(...q))];
};
const motionOf = (times, at) => ({
  frames: Array.from({ length: nodes + 1 }, (_, f) => String(f)),
  time: Float64Array.from(times),
  nominal: Float64Array.from(times.flatMap((t) => Array.from({ length: nodes + 1 }, (_, f) => at(f, t)).flat())),
  rows: new Uint32Array(0),
  realizations: null,
});
const motion = motionOf([0, 1, 2, 3, 4], pose);
const roundOff = 1e-13; // of some ten operations on numbers about 1
const near = (a, b, tolerance, what) => assert.ok(Math.abs(a - b) <= tolerance, `${what}: ${a}, not ${b}`);
const shown = (poses, t) => {
  const out = new Float64Array(7 * (nodes + 1));
  poses.at(nominalRow, t, out);
  return out;
};

test('the curve goes through the nodes, along their x axes', () => {
  const [point, slope, x] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  for (let t = 0; t <= 4; t += 0.25) {
    const at = shown(new Poses(motion, [beam]), t);
    for (let n = 0; n + 1 < nodes; ++n)
      for (const u of [0, 1]) {
        const a = 7 * (1 + n);
        curve(at, a, a + 7, u, point, slope);
        axisOf(at, a + 7 * u + 3, 0, x);
        for (let k = 0; k < 3; ++k) {
          near(point[k], at[a + 7 * u + k], roundOff, 'point');
          near(slope[k] / Math.hypot(...slope), x[k], roundOff, 'tangent');
        }
      }
  }
});

test('an arc stays an arc', () => {
  const angle = Math.PI / 4;
  const at = Float64Array.from([0, 0, 0, 1, 0, 0, 0, Math.sin(angle), 1 - Math.cos(angle), 0, Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)]);
  const [point, slope] = [new Float64Array(3), new Float64Array(3)];
  for (let u = 0; u <= 1; u += 0.125) {
    curve(at, 0, 7, u, point, slope);
    near(Math.hypot(point[0], point[1] - 1), 1, 5e-6, 'radius'); // known of such cubics: 2.7e-4 for a quarter of a circle, sixth order in the angle
  }
});

test('sections are upright at the nodes', () => {
  const at = shown(new Poses(motion, [beam]), 1.5);
  const surface = new BeamSurface(beam, 'rectangle-section', [0.2, 0.1]);
  surface.update(at);
  const position = surface.surface.getAttribute('position').array;
  const y = new Float64Array(3);
  for (let n = 0; n < nodes; ++n) {
    axisOf(at, 7 * (1 + n) + 3, 1, y);
    const corner = 3 * 8 * 8 * n; // eight rings per element, eight corners per ring
    let height = 0;
    for (let k = 0; k < 3; ++k) height += (position[corner + k] - at[7 * (1 + n) + k]) * y[k];
    near(height, 0.1, 1e-6, 'half height'); // single precision of positions about 2
  }
});

test('displacements are exaggerated from the start', () => {
  const poses = new Poses(motion, [beam]);
  const [first, plain] = [shown(poses, 0), shown(poses, 2.5)];
  poses.factor = 10;
  const large = shown(poses, 2.5);
  for (let i = 0; i < large.length; i += 7)
    for (let k = i; k < i + 3; ++k) near(large[k], first[k] + 10 * (plain[k] - first[k]), 10 * roundOff, 'position');
});

test('a beam that turns as a whole does not bend', () => {
  const [c, s] = [Math.cos(1.1), Math.sin(1.1)]; // half the angle
  const turned = (frame, t) => {
    const [x, y, z, qw, qx, qy, qz] = pose(frame, 0);
    if (t === 0) return [x, y, z, qw, qx, qy, qz];
    return [(c * c - s * s) * x - 2 * s * c * y + 1, 2 * s * c * x + (c * c - s * s) * y, z, c * qw - s * qz, c * qx - s * qy, c * qy + s * qx, c * qz + s * qw];
  };
  const poses = new Poses(motionOf([0, 1], turned), [beam]);
  const plain = shown(poses, 1);
  poses.about = 'bending';
  poses.factor = 1000;
  const large = shown(poses, 1);
  for (let i = 0; i < 7 * (nodes + 1); ++i) near(Math.abs(large[i]), Math.abs(plain[i]), 1e4 * roundOff, 'pose'); // round-off is exaggerated, too
});

test('bending keeps the first node, and the start', () => {
  const poses = new Poses(motion, [beam]);
  const [first, plain] = [shown(poses, 0), shown(poses, 2.5)];
  poses.about = 'bending';
  poses.factor = 10;
  const [start, large] = [shown(poses, 0), shown(poses, 2.5)];
  for (let k = 0; k < start.length; ++k) near(start[k], first[k], 10 * roundOff, 'start');
  for (let k = 7; k < 10; ++k) near(large[k], plain[k], roundOff, 'first node');
  assert.ok(Math.abs(large[16] - plain[16]) > 1e-3, 'inner nodes move');
});

test('small movements are shown at about a tenth of the size', () => {
  for (let share = 1e-7; share < 0.05; share *= 1.1) {
    const factor = proposal(share);
    assert.ok(factor >= 1);
    assert.ok(factor * share > 0.08 && factor * share < 0.125, `${share}: ${factor}`); // factors that can be said are at most 1.5 apart
  }
  for (const share of [0, 0.05, 0.3, 5]) assert.equal(proposal(share), 1, `${share}`); // nothing moves, or it is seen anyway
  assert.equal(proposal(0.0025), 40);
  assert.equal(factorWords('start', 40), 'displacements × 40');
  assert.equal(factorWords('bending', 1), 'displacements true to scale');
});

test('speeds in words', () => {
  assert.equal(rateWords(calmRate(0.03)), '1/200 of real time');
  assert.equal(rateWords(calmRate(6)), 'real time');
  assert.equal(rateWords(calmRate(60)), '10 × real time');
});
