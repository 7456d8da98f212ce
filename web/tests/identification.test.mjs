// What was identified, shown: first whether it may be used. The files are made up (tests/page/write_identifications.cpp).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { aleator, closeBrowser, folder, near, pixels, saved, scrollTo, sections, shot, withKeptPage, withPage } from './browser.mjs';

const out = `${folder}/identification`;
before(() => {
  mkdirSync(out, { recursive: true });
  execFileSync(process.env.ALEATOR_IDENTIFICATIONS, [out]);
});
after(closeBrowser);

const written = new Set();
async function withReport(name, use, options) {
  const file = `${out}/${name}.html`;
  const first = !written.has(name);
  if (first) aleator('report', `${out}/${name}.h5`, '--out', file);
  written.add(name);
  const look = async (page) => {
    assert.equal((await sections(page))[0], 'identification', 'before everything else');
    assert.equal(await page.locator('#identification .warning:has-text("could not be drawn")').count(), 0);
    await use(page);
    if (!first) return;
    await scrollTo(page, '#identification');
    await shot(page, `identification-${name}${options?.colorScheme ?? ''}`, '#identification');
  };
  await (options ? withPage(file, look, options) : withKeptPage(file, look));
  return file;
}
const parts = (page) => page.$$eval('#identification [data-part]', (all) => all.map((p) => p.dataset.part));

test('the verdict comes first, then values with their intervals', async () => {
  await withReport('bayesian', async (page) => {
    assert.equal(await page.locator('#identification [data-section] > :first-child').getAttribute('data-verdict'), 'explained');
    assert.deepEqual(await parts(page), ['parameters', 'measured', 'profiles', 'pairs', 'reduction']);
    const row = (name) => page.textContent(`[data-parameter="${name}"]`);
    // Made up: estimate 0.2, scale 0.028; the ends are where the profile has fallen by 1.92.
    assert.match(await row('rb5.mass.cov'), /0\.2.*0\.155 … 0\.275.*1\.002/);
    assert.match(await row('rb5.inertia.lambda_u'), /≥ 1\.24/);
    assert.match(await page.textContent('#identification .warning'), /do not bound rb5\.inertia\.lambda_u/);
    assert.match(await page.textContent('[data-part="reduction"]'), /5 components hold 98\.98\s% of the energy/);
    assert.equal(await page.locator('[data-part="profiles"] figure').count(), 3);
  });
});

test('measured series lie over the predicted band, with the share that is inside', async () => {
  await withReport('bayesian', async (page) => {
    const words = await page.textContent('[data-measured="accel_z"] [data-words="coverage"]');
    assert.match(words, /13 477 of 14 777 measured points, 91\.2\s%, are inside the 90\s% band; 85\s% to 95\s%/);
    const figure = page.locator('[data-measured="angle"] figure[data-plot]');
    await scrollTo(page, '[data-measured="angle"]');
    assert.ok((await pixels(page, figure)).drawn > 0.05);
    const at = await figure.evaluate((f) => f.plot.valuesAt(1.5));
    near(at['predicted mean'], 0.6, 1e-12, 'the mean is 0.4 t');
    const table = (await saved(page, figure.locator('[data-export="csv"]'))).bytes.toString().trim().split('\n').map((line) => line.split(','));
    assert.equal(table[0].filter((name) => /^specimen-/.test(name)).length, 50);
    assert.equal(table.length, 302);
    assert.ok(table.slice(1).every((line) => line.every((v) => v !== '')));
  });
});

test('gaps stay gaps', async () => {
  await withReport('bayesian', async (page) => {
    const figure = page.locator('[data-measured="accel_z"] figure[data-plot]');
    await scrollTo(page, '[data-measured="accel_z"]');
    const table = (await saved(page, figure.locator('[data-export="csv"]'))).bytes.toString().trim().split('\n').map((line) => line.split(','));
    const column = table[0].indexOf('specimen-4'); // nothing was measured from 1.2 to 1.6 s
    for (const line of table.slice(1)) assert.equal(line[column] === 'nan', Number(line[0]) > 1.2 && Number(line[0]) < 1.6, line[0]);
  });
});

test('values that are not explained are struck out', async () => {
  await withReport('not-explained', async (page) => {
    assert.equal(await page.locator('[data-verdict="not-explained"]').count(), 1);
    assert.match(await page.textContent('[data-part="parameters"]'), /do not use/);
    assert.equal(await page.locator('[data-parameter="rb5.mass.cov"] del').count(), 2); // estimate, interval
    assert.match(await page.textContent('[data-words="coverage"]'), /too few/);
  }, { colorScheme: 'dark' });
});

test('one, six and many parameters', async () => {
  for (const [name, shapes] of [['single', 1], ['six', 15], ['many', 9]])
    await withReport(name, async (page) => {
      const cells = await page.locator('[data-part="pairs"] svg[role="img"] path[fill-rule="evenodd"]').count();
      assert.equal(cells, name === 'single' ? 0 : 3 * shapes, name); // three regions each
    }, { viewport: { width: 800, height: 900 } });
});

test('a sweep shows what each parameter does to the spread', async () => {
  await withReport('sweep', async (page) => {
    assert.deepEqual(await parts(page), ['parameters', 'sweep']);
    assert.equal(await page.locator('[data-sweep] figure').count(), 6); // two outputs, three parameters
    await page.locator('[data-part="sweep"] select').selectOption('width');
    assert.equal(await page.locator('[data-chart="width of the band of angle against rb5.mass.cov"]').count(), 1);
  });
});

test('least squares shows the fitted curve and standard errors, in a page of one motion', async () => {
  await withReport('least-squares', async (page) => {
    assert.deepEqual(await parts(page), ['parameters', 'measured']);
    assert.match(await page.textContent('[data-part="parameters"] thead'), /fitted.*standard error/);
    assert.match(await page.textContent('[data-part="measured"]'), /measured: specimen-1/);
  });
});

test('two hundred specimens of five thousand times are thinned, and said to be', async () => {
  const file = await withReport('large', async (page) => {
    assert.match(await page.textContent('[data-part="measured"]'), /specimens are shown.*1250 of 5000 times/);
    assert.ok(await page.evaluate(() => performance.getEntriesByName('ready')[0].startTime) < 5000);
  });
  assert.ok(statSync(file).size < 10e6);
});
