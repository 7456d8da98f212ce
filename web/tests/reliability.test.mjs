// Studies of rare events: the probability first, then curve, failures and their motion, causes, agreement. The files are made up
// (tests/support/reliability.cpp).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { aleator, closeBrowser, folder, near, saved, scrollTo, sections, shot, withKeptPage, withPage } from './browser.mjs';

const out = `${folder}/reliability`;
before(() => {
  mkdirSync(out, { recursive: true });
  execFileSync(process.env.ALEATOR_IDENTIFICATIONS, [out]);
});
after(closeBrowser);

const written = new Set();
function report(name) {
  const file = `${out}/${name}.html`;
  if (!written.has(name)) aleator('report', `${out}/reliability-${name}.h5`, '--out', file);
  written.add(name);
  return file;
}
const withReport = (name, use) => withKeptPage(report(name), use);
const parts = (page) => page.$$eval('#reliability [data-part]', (all) => all.map((p) => p.dataset.part));
const table = (text) => text.trim().split('\n').map((line) => line.split(','));

test('the answer is the probability, with its interval', async () => {
  await withReport('subset-simulation', async (page) => {
    assert.deepEqual((await sections(page)).slice(0, 2), ['overview', 'reliability']);
    assert.match(await page.textContent('[data-words="answer"]'), /^The probability of failure \(any of 2 limits is passed\) is 3\.4·10⁻⁵ \(95 % confidence: 2\.3·10⁻⁵ to 5\.1·10⁻⁵\)\.$/);
    assert.match(await page.textContent('[data-facts="trust"]'), /Converged: the coefficient of variation is 20\s%, and 4 independent sets agree\./);
    assert.match(await page.textContent('[data-words="reliability"]'), /β = 3\.98\. From 4.600 realizations by subset simulation\.$/);
    assert.deepEqual(await parts(page), ['exceedance', 'failing', 'failure-causes', 'conditional', 'sets', 'levels']);
    assert.equal(await page.locator('#reliability .warning:has-text("could not be drawn")').count(), 0);
    await scrollTo(page, '#reliability');
    await shot(page, 'reliability-subset', '#reliability');
    await shot(page, 'reliability-first');
  });
  assert.ok(statSync(report('subset-simulation')).size < 4e6);
});

test('probabilities are those of the export', async () => {
  const lines = table(aleator('export', `${out}/reliability-subset-simulation.h5`, 'probabilities'));
  assert.deepEqual(lines[0], ['limit', 'probability', 'cov', 'lower', 'upper', 'realizations']);
  assert.deepEqual(lines.slice(1).map((l) => l[0]), ['base.above', 'drift.above', 'any']);
  assert.deepEqual(lines[3].slice(1).map(Number), [3.4e-5, 0.2, 2.3e-5, 5.1e-5, 4600]);
  await withReport('subset-simulation', async (page) => {
    const rows = await page.$$eval('[data-table="probabilities"] tbody tr', (all) => all.map((r) => r.textContent));
    assert.match(rows[1], /drift above 0\.012 m4\.4·10⁻⁶2\.3·10⁻⁶ to 8\.6·10⁻⁶34\s%/);
    assert.match(rows[2], /^any limit3\.4·10⁻⁵/);
  });
});

test('the curve is that of the export, with the limit in it', async () => {
  const lines = table(aleator('export', `${out}/reliability-subset-simulation.h5`, 'curve')).filter((l) => l[0] === 'drift.above');
  await withReport('subset-simulation', async (page) => {
    await page.locator('[data-part="exceedance"] select').selectOption({ label: 'drift.above' });
    const figure = page.locator('[data-part="exceedance"] figure');
    const shown = await figure.evaluate((f, b) => f.plot.valuesAt(b), Number(lines[40][1]));
    near(shown.probability, Number(lines[40][2]), 1e-12, 'probability');
    near(shown['95 % confidence.upper'], Number(lines[40][4]), 1e-12, 'upper');
    assert.match(await figure.textContent(), /limit 0\.012 m/);
    const ticks = await figure.evaluate((f) => f.plot.ticks('y').map((t) => t.text));
    assert.ok(ticks.length >= 3, ticks.join(' '));
    assert.match((await saved(page, figure.locator('[data-export="svg"]'))).bytes.toString(), /limit 0\.012 m/);
  });
});

test('failures are drawn against the limit, and move', async () => {
  await withReport('subset-simulation', async (page) => {
    const figure = page.locator('[data-part="failing"] figure');
    assert.match(await figure.textContent(), /most probable failure[\s\S]*5 failures[\s\S]*limit: above 0\.25 m/);
    await page.locator('[data-watch]').click();
    await page.waitForSelector('[data-motion]');
    assert.equal(await page.locator('#motion select[aria-label="Motion"]').inputValue(), '0');
    assert.match(await page.textContent('#motion'), /most probable failure/);
    await page.locator('#motion select[aria-label="Motion"]').selectOption({ label: 'failure 3' });
    assert.equal(await page.getAttribute('[data-motion]', 'data-row'), '2');
    assert.match(await figure.textContent(), /failure 3/); // the plots follow
    assert.match(await page.textContent('#motion figure.plot'), /failure 3/);
    await page.locator('#motion select[aria-label="Motion"]').selectOption({ label: 'nominal' });
    assert.equal(await page.getAttribute('[data-motion]', 'data-row'), '-1');
    await scrollTo(page, '#motion');
    await shot(page, 'reliability-motion', '#motion');
  });
});

test('causes are ordered by their shift', async () => {
  await withReport('subset-simulation', async (page) => {
    const names = await page.$$eval('[data-part="conditional"] figure', (all) => all.map((f) => f.dataset.chart));
    assert.deepEqual(names, ['isolator.stiffness', 'isolator.damping', 'storey.mass', 'gap', 'storey.stiffness'].map((n) => `${n} given failure`));
    assert.match(await page.textContent('[data-words="conditional"]'), /^isolator\.stiffness differs most .* 1\.9 standard deviations lower\.$/);
    assert.match(await page.getAttribute('[data-part="conditional"] svg', 'aria-label'), /mean 400.?000, given failure 324.?000 N\/m/);
    const samples = table((await saved(page, page.locator('[data-part="conditional"] [data-export="csv"]').first())).bytes.toString());
    assert.equal(samples.length, 341);
  });
});

test('a design point with its importance factors, and what speaks against it', async () => {
  await withReport('form', async (page) => {
    assert.match(await page.textContent('[data-words="answer"]'), /^The probability of failure \(base above 0\.25 m\) is 2\.6·10⁻⁵\.$/);
    assert.match(await page.textContent('[data-facts="trust"]'), /Doubtful/);
    assert.equal(await page.locator('.first [data-doubt]').count(), 1);
    assert.equal(await page.locator('#reliability [data-doubt]').count(), 1);
    const rows = await page.$$eval('[data-table="design-point"] tbody tr', (all) => all.map((r) => r.textContent));
    assert.match(rows[0], /isolator\.stiffness276.?600 N\/m−3\.0858/);
    assert.deepEqual(await parts(page), ['failure-causes', 'design-point']);
    await shot(page, 'reliability-form', '#reliability');
  });
});

test('sets that do not agree, a tail that is extrapolated, no failure at all', async () => {
  await withReport('doubtful', async (page) => {
    assert.match(await page.textContent('[data-words="sets"]'), /differ by more than chance allows \(p = 7·10⁻⁴\)/);
    assert.match(await page.textContent('[data-facts="trust"]'), /Doubtful/);
    await shot(page, 'reliability-doubtful', '#reliability');
  });
  await withReport('enhanced-monte-carlo', async (page) => {
    const shown = await page.locator('[data-part="tails"] figure').evaluate((f) => f.plot.valuesAt(0.5));
    near(shown.fit, 0.6 * Math.exp(-17 * (0.4988 - 0.18) ** 1.3), 0.02, 'the fitted tail');
    await shot(page, 'reliability-tail', '[data-part="tails"]');
  });
  await withReport('none', async (page) => {
    assert.match(await page.textContent('[data-words="answer"]'), /^No failure .* its probability is below 1·10⁻¹²\.$/);
    await shot(page, 'reliability-none');
  });
});

test('on a phone, in the dark, and on paper', async () => {
  await withPage(
    report('subset-simulation'),
    async (page) => {
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400, 'nothing is wider than a phone');
      await shot(page, 'reliability-400', '#reliability');
    },
    { viewport: { width: 400, height: 800 }, colorScheme: 'dark' },
  );
  await withPage(report('form'), async (page) => assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400), { viewport: { width: 400, height: 800 } });
  await withPage(report('subset-simulation'), async (page) => assert.ok((await page.pdf({ format: 'A4' })).length > 50000));
});
