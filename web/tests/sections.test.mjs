// Causes, convergence, comparison and how to reproduce it, for the methods that have them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { aleator, closeBrowser, example, folder, near, scrollTo, sections, shot, study, withPage } from './browser.mjs';

after(closeBrowser);
const fiveBody = example('five-body.yaml');
const shotsOf = async (page, name, ids) => {
  for (const id of ids) {
    await scrollTo(page, `#${id}`);
    await shot(page, `${name}-${id}`, `#${id}`);
  }
};

test('shares of the variance are those of the export', async () => {
  const out = study('shares', fiveBody, '--samples', '60', '--sensitivity');
  const [head, ...rows] = aleator('export', out, 'sensitivity').trim().split('\n').map((line) => line.split(','));
  const column = head.indexOf('accel_z.first.rb5.mass');
  assert.ok(column > 0);
  await withPage(`${out}/report.html`, async (page) => {
    const share = Number(rows[258][column]);
    const plot = page.locator('[data-part="shares"] figure[data-plot]').first();
    const shown = await plot.evaluate((f, t) => f.plot.valuesAt(t), Number(rows[258][0]));
    const [label] = Object.keys(shown).filter((k) => /rb5\.mass/.test(k) && /upper$/.test(k));
    // Drawn in single precision, and as the width of a layer.
    near(shown[label] - shown[label.replace('upper', 'lower')], Math.max(0, share), 1e-5, 'share of the mass');
    assert.match(await page.textContent('[data-words="shares"]'), /rb5\.mass/);
    await shotsOf(page, 'shares', ['causes']);
  });
});

test('a fit by polynomial chaos tells how it decays', async () => {
  const out = study('chaos', example('five-body-mass.yaml'), '--method', 'polynomial-chaos');
  await withPage(`${out}/report.html`, async (page) => {
    assert.equal(await page.locator('[data-part="chaos"]').count(), 1);
    assert.match(await page.textContent('#responses'), /drawn from the expansion/);
    await shotsOf(page, 'chaos', ['overview', 'responses', 'causes', 'uncertain', 'convergence']);
  });
});

test('a screening has no statistics and says so', async () => {
  const out = study('morris', example('five-body-mass.yaml'), '--method', 'morris');
  await withPage(`${out}/report.html`, async (page) => {
    assert.equal(await page.locator('[data-part="screening"]').count(), 1);
    await shotsOf(page, 'morris', ['overview', 'responses', 'causes']);
  });
});

test('a variability response has its bound', async () => {
  const out = study('variability', example('slider-crank.yaml'), '--method', 'variability');
  await withPage(`${out}/report.html`, async (page) => {
    assert.equal(await page.locator('[data-part="variability"]').count(), 1);
    assert.match(await page.textContent('[data-words="variability"]'), /Whatever its correlation, link\.E gives fx a standard deviation of at most/);
    assert.match(await page.textContent('[data-facts="converged"]'), /compare with a sampling method/);
    await shotsOf(page, 'variability', ['overview', 'responses', 'causes', 'uncertain']);
  });
});

test('a random field tells what its terms lose', async () => {
  const out = study('field', example('slider-crank.yaml'), '--samples', '8');
  await withPage(`${out}/report.html`, async (page) => {
    assert.ok((await page.locator('[data-part="field"]').count()) >= 1);
    await shotsOf(page, 'field', ['overview', 'convergence']);
  });
});

test('two results are laid over each other with their differences', async () => {
  const a = study('compare-a', fiveBody, '--samples', '150');
  const b = study('compare-b', fiveBody, '--samples', '100', '--seed', '2', '--method', 'latin-hypercube');
  const file = `${folder}/compare.html`;
  aleator('report', a, b, '--out', file);
  const table = `${folder}/compare.csv`;
  try {
    aleator('compare', a, b, '--csv', table);
  } catch (e) {
    assert.equal(e.status, 1); // they may differ
  }
  const [head, first] = readFileSync(table, 'utf8').trim().split('\n').map((line) => line.split(','));
  await withPage(file, async (page) => {
    assert.deepEqual((await sections(page)).slice(0, 2), ['comparison', 'differences']);
    const text = await page.textContent(`[data-table="comparison"] tbody tr:has(th[title="${first[0]}"])`);
    const mean = 100 * Number(first[head.findIndex((h) => /^e_mu$/.test(h))]);
    assert.ok(text.includes(String(Number(mean.toPrecision(2)))), `${text} has e_mu = ${mean} %`);
    await shotsOf(page, 'compare', ['comparison', 'differences']);
  });
});

test('the page tells how to compute it again', async () => {
  const out = study('reproduce', fiveBody, '--samples', '10', '--seed', '7');
  await withPage(`${out}/report.html`, async (page) => {
    const text = await page.textContent('#reproduce');
    for (const words of ['aleator run', '--seed 7', 'monte-carlo', readFileSync(fiveBody, 'utf8').split('\n')[0]]) assert.ok(text.includes(words), words);
    await shotsOf(page, 'reproduce', ['reproduce']);
  });
});
