// Spectra of outputs below the scalars: the numbers of `export RESULTS spectra`, on logarithmic axes.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { aleator, closeBrowser, modelFile, scrollTo, shot, study, withPage } from './browser.mjs';

after(closeBrowser);

const model = `title: Oscillator
parameters: {k: 100}
bodies:
  a: {shape: {box: [0.1, 0.2, 0.3]}, mass: 1, velocity: [1, 0, 0]}
joints:
  guide: {prismatic: [ground, a], axis: x, spring: {stiffness: k}, damper: 1}
outputs:
  x: {position: a, component: x, spectrum: {from: 0.2, segment: 2}}
  v: {velocity: a, component: x}
simulation: {duration: 4, step: 0.01, output_step: 0.02, integrator: runge-kutta}
uncertain:
  k: {uniform: {lower: 80, upper: 120}}
study: {samples: 20, seed: 5}
`;

test('spectra show the exported numbers', async () => {
  const out = study('spectra', modelFile('spectra.yaml', model));
  const [head, ...rows] = aleator('export', out, 'spectra').trim().split('\n').map((line) => line.split(','));
  assert.deepEqual(head, ['output', 'frequency', 'mean', 'lower', 'upper', 'error', 'nominal']);
  assert.equal(rows.length, 50);
  await withPage(`${out}/report.html`, async (page) => {
    await scrollTo(page, '#spectra');
    assert.equal(await page.locator('[data-spectrum]').count(), 1);
    const figure = page.locator('[data-spectrum="x"] figure[data-plot]').first();
    for (const row of [rows[0], rows[3], rows[20]]) {
      const shown = await figure.evaluate((f, at) => f.plot.valuesAt(at), Number(row[1]));
      assert.equal(shown['mean of realizations'], Number(row[2]));
      assert.equal(shown['95 % confidence of the mean.lower'], Number(row[3]));
      assert.equal(shown['95 % confidence of the mean.upper'], Number(row[4]));
      assert.equal(shown.nominal, Number(row[6]));
    }
    await shot(page, 'spectra', '#spectra');
  });
});
