// What the page computes and writes by itself, checked by numbers, without a browser.
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const src = join(dirname(fileURLToPath(import.meta.url)), '..', 'src');
const files = ['functional', 'key_output', 'format', 'plot_axes', 'output_groups', 'text_width'];
const { outputFiles } = await build({
  stdin: { contents: files.map((f) => `export * from './${f}';`).join(''), resolveDir: src, loader: 'ts' },
  bundle: true,
  write: false,
  format: 'esm',
});
const page = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);

const times = 101;
const time = Float64Array.from({ length: times }, (_, i) => i / 100);
const mean = (curves) => time.map((_, t) => curves.reduce((sum, c) => sum + c[t], 0) / curves.length);
// A result with one output whose realizations are these curves.
function resultOf(curves) {
  const at = (f) => time.map((_, t) => f(...curves.map((c) => c[t])));
  const output = { name: 'y', unit: 'm', nominal: curves[0], mean: mean(curves), lower: at(Math.min), upper: at(Math.max), realizations: Float64Array.from(curves.flatMap((c) => [...c])), limits: [] };
  return { result: { study: true, time, kept: { rows: Uint32Array.from(curves.keys()) }, outputs: [output] }, output };
}
const pulse = (centre, height = 1) => time.map((t) => height * Math.exp(-(((t - centre) / 0.05) ** 2)));

test('the modified band depth is the share of pairs that a curve lies between', () => {
  const curves = Array.from({ length: 7 }, (_, k) => time.map((t) => Math.sin(3 * t * (1 + 0.1 * k)) + 0.3 * Math.cos(17 * k)));
  const depth = page.bandDepth(Float64Array.from(curves.flatMap((c) => [...c])), 7, times);
  const pairs = (k) => {
    let sum = 0;
    for (let t = 0; t < times; ++t)
      for (let i = 0; i < 7; ++i) for (let j = i + 1; j < 7; ++j) sum += Math.min(curves[i][t], curves[j][t]) <= curves[k][t] && curves[k][t] <= Math.max(curves[i][t], curves[j][t]);
    return sum;
  };
  assert.deepEqual([...depth], curves.map((_, k) => pairs(k)));
});

test('the functional median is the curve in the middle', () => {
  const { result, output } = resultOf([3, 0, 1, 4, 2].map((height) => pulse(0.5, 1 + height)));
  assert.equal(page.functionalMedian(result, output), 4);
});

test('peaks that move in time are told from peaks that grow', () => {
  const moving = resultOf(Array.from({ length: 40 }, (_, k) => pulse(0.2 + 0.015 * k)));
  const peaks = page.scatteredPeaks(moving.result, moving.output);
  assert.ok(peaks.largest && Math.abs(peaks.typical - 1) < 0.01 && peaks.ofMean < 0.3, JSON.stringify(peaks));
  const growing = resultOf(Array.from({ length: 40 }, (_, k) => pulse(0.5, 1 + 0.05 * k)));
  assert.equal(page.scatteredPeaks(growing.result, growing.output), null);
});

test('the key output has a limit, or scatters most', () => {
  const flat = (v) => Float64Array.from({ length: 3 }, () => v);
  const output = (name, size, std, ever = []) => ({ name, unit: 'm', nominal: flat(size), mean: flat(size), std: flat(std), limits: ever.map((p) => ({ ever: p })) });
  const key = (outputs, study = true) => outputs[page.keyOutput({ study, outputs, time: Float64Array.of(0, 1, 2) })].name;
  assert.equal(key([output('a', 10, 1), output('b', 1, 0.5), output('c', 5, 0.1)]), 'b');
  assert.equal(key([output('a', 1, 1), output('b', 1, 0, [0]), output('c', 1, 0.1, [0.01, 0.2])]), 'c');
  assert.equal(key([output('a', 1, 1), output('b', 1, 0.1, [0])]), 'b', 'also a limit that nothing passes');
  assert.equal(key([output('a', 1, 1), output('b', 1e-9, 1e-9)]), 'a', 'not what hardly moves');
});

test('probabilities are rounded to their errors', () => {
  const text = (p, e) => page.percentWithError(p, e).replace('\u00a0', ' ');
  assert.equal(text(0.1834, 0.0271), '18 ± 3 %');
  assert.equal(text(0.0214, 0.0014), '2.14 ± 0.14 %');
  assert.equal(text(0.5, null), '50 %');
});

test('numbers of a range have the same decimals', () => {
  const text = page.evenly(123.4);
  assert.deepEqual([123.4, -0.5, 7].map(text), ['123.40', '−0.50', '7.00']);
  assert.equal(page.evenly(2.5e7)(1e6), '0.1000·10⁷');
});

test('ticks never touch, however narrow the axis and long the numbers', () => {
  for (const log of [false, true])
    for (const width of [120, 260, 600, 1300])
      for (const [min, max] of [[log ? 1e-3 : 0, 0.03], [1e-6, 1.00001e-6], [98765.1, 98765.9], [1, 3e7], [2, 480], [0.00012, 0.5]]) {
        const values = page.fittingTicks({ min, max }, width, 90, log);
        assert.ok(values.length > 0, `${min} to ${max} on ${width}`);
        const at = page.mapping({ min, max }, log, 0, width);
        const boxes = page.tickTexts(values, log).map((t, i) => [at(values[i]) - page.textWidth(t) / 2, at(values[i]) + page.textWidth(t) / 2]);
        boxes.forEach(([from], i) => assert.ok(i === 0 || from > boxes[i - 1][1], `${min} to ${max} on ${width}: ${page.tickTexts(values, log)}`));
      }
});

test('names are found by words, and cut in the middle', () => {
  assert.ok(page.matches('floor_panel_12.accel_z', 'accel 12'));
  assert.ok(!page.matches('floor_panel_12.accel_z', 'accel 13'));
  assert.equal(page.shortened('acceleration_of_the_floor', 11), 'accele…loor');
});
