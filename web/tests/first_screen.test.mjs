// What a reader sees before scrolling, on a screen of 1440 × 900: the answer, and what it rests on. And on a phone: nothing to scroll sideways.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { aleator, closeBrowser, example, folder, modelFile, program, shot, study, withPage } from './browser.mjs';

const [wide, tall] = [1440, 900];
const screen = { viewport: { width: wide, height: tall } };
let five;
before(() => (five = study('first-screen', example('five-body.yaml'), '--samples', '100')));
after(closeBrowser);

// On the first screen as a whole.
async function seen(page, selector) {
  const box = await page.locator(selector).first().boundingBox();
  assert.ok(box && box.y >= 0 && box.y + box.height <= tall && box.x + box.width <= wide, `${selector} is on the first screen: ${JSON.stringify(box)}`);
}

// Texts of axes that touch, of canvases and of vector graphics.
function touching(page) {
  return page.evaluate(() => {
    const out = [];
    const check = (places, where) => {
      const sorted = [...places].sort((a, b) => a.from - b.from);
      sorted.forEach((p, i) => i && p.from < sorted[i - 1].to && out.push(`${where}: ${sorted[i - 1].text} ${p.text}`));
    };
    for (const f of document.querySelectorAll('figure.plot')) for (const axis of ['x', 'y']) check(f.plot.ticks(axis), `${f.dataset.plot} ${axis}`);
    for (const svg of document.querySelectorAll('.chart svg, .distribution svg')) {
      const rows = new Map();
      for (const t of svg.querySelectorAll('text:not([transform])')) {
        const b = t.getBoundingClientRect();
        if (b.width) rows.set(Math.round(b.y), [...(rows.get(Math.round(b.y)) ?? []), { text: t.textContent, from: b.x, to: b.right }]);
      }
      for (const row of rows.values()) check(row, svg.getAttribute('aria-label'));
    }
    return out;
  });
}

async function onPhone(page, name) {
  await page.setViewportSize({ width: 400, height: 800 });
  await page.waitForTimeout(400);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400, `${name}: nothing is wider than a phone`);
  assert.deepEqual(await touching(page), []);
  await shot(page, `${name}-400`);
}

test('a study: answer, response with its band, mechanism, limits, convergence, and what else there is', async () => {
  await withPage(`${five}/report.html`, async (page) => {
    for (const part of ['[data-words="answer"]', '.first figure.plot', '[data-canvas="overview"]', '[data-facts="limits"]', '[data-light]', '[data-announce]']) await seen(page, part);
    assert.match(await page.textContent('[data-words="answer"]'), /^accel_z exceeds 100 m\/s² with a probability of [\d.]+\s% \([\d.]+\s% to [\d.]+\s%\)\.$/);
    const band = await page.locator('.first figure.plot').evaluate((f) => f.plot.valuesAt(0.0262));
    assert.ok(band['90\u00a0% of realizations.lower'] < band['90\u00a0% of realizations.upper']);
    // A word and a shape, not a colour alone.
    assert.match(await page.textContent('[data-light]'), /^(Converged|Roughly converged|Not converged): standard errors are at most/);
    assert.equal(await page.locator('.first [data-light] svg > *').count(), 1);
    const links = await page.$$eval('[data-announce] a', (all) => all.map((a) => a.getAttribute('href')));
    assert.deepEqual(links, (await page.$$eval('main > section', (all) => all.map((s) => `#${s.id}`))).slice(1));
    assert.match(await page.getAttribute('link[rel="icon"]', 'href'), /^data:image\/svg/);
    assert.equal(await page.title(), 'Five rigid bodies on driven supports – Aleator');
    assert.equal(await page.textContent('header .brand'), 'Aleator');
    assert.deepEqual(await touching(page), []);
    await shot(page, 'first-screen');
    await onPhone(page, 'first-screen');
  }, screen);
});

test('an identification: verdict and parameters', async () => {
  const out = `${folder}/first-screen-identification`;
  mkdirSync(out, { recursive: true });
  execFileSync(process.env.ALEATOR_IDENTIFICATIONS, [out]);
  aleator('report', `${out}/bayesian.h5`, '--out', `${out}/bayesian.html`);
  await withPage(`${out}/bayesian.html`, async (page) => {
    for (const part of ['[data-verdict]', '[data-part="parameters"] table', '[data-announce]']) await seen(page, part);
    assert.ok((await page.locator('[data-verdict]').boundingBox()).y < 150);
    assert.ok((await page.locator('figure.plot').first().boundingBox()).y < tall - 200, 'what was measured begins there, too');
    assert.match(await page.textContent('#identification'), /Goodness of fit: p-value/);
    await shot(page, 'first-screen-identification');
    await onPhone(page, 'first-screen-identification');
  }, screen);
});

test('a comparison: both names, and how they differ', async () => {
  const other = study('first-screen-mass', example('five-body-mass.yaml'), '--samples', '60');
  const file = `${folder}/first-screen-comparison.html`;
  aleator('report', five, other, '--out', file);
  await withPage(file, async (page) => {
    const title = 'Five rigid bodies on driven supports: first-screen and first-screen-mass';
    assert.equal(await page.title(), `${title} – Aleator`);
    assert.equal(await page.textContent('h1'), title);
    assert.equal(await page.textContent('[data-words="answer"]'), 'first-screen-mass differs from first-screen by more than noise.');
    for (const part of ['h1', '[data-words="answer"]', '.first figure.plot', '[data-facts="differences"]', '.result-columns', '[data-announce]']) await seen(page, part);
    assert.match(await page.textContent('[data-facts="differences"] thead'), /p-value/);
    const [left, right] = await Promise.all(['first-screen', 'first-screen-mass'].map((name) => page.locator(`[data-result="${name}"]`).boundingBox()));
    assert.ok(left.y === right.y && left.x + left.width < right.x, 'in two columns');
    await shot(page, 'first-screen-comparison');
    await onPhone(page, 'first-screen-comparison');
  }, screen);
});

test('legends stay where they are, plots grow, the functional median is a realization', async () => {
  await withPage(`${five}/report.html`, async (page) => {
    const figure = page.locator('.first figure.plot');
    const over = await figure.locator('.u-over').boundingBox();
    const places = () => figure.locator('.plot-key').evaluateAll((all) => all.map((e) => [e.offsetLeft, e.offsetTop, e.offsetWidth].join(' ')));
    let before;
    for (const share of [0.01, 0.2, 0.5, 0.99]) {
      await page.mouse.move(over.x + share * over.width, over.y + 50);
      await page.waitForTimeout(60);
      before ??= await places();
      assert.deepEqual(await places(), before, `at ${share}`);
    }
    await figure.locator('[data-maximise]').click();
    const large = await figure.boundingBox();
    assert.deepEqual([large.x, large.y, large.width, large.height], [0, 0, wide, tall]);
    assert.ok((await figure.locator('.u-over').boundingBox()).height > 500);
    await page.keyboard.press('Escape');
    assert.equal((await figure.locator('.u-over').boundingBox()).height, over.height);

    assert.match(await page.textContent('.response[data-output="accel_z"] [data-words="peaks"]'), /Peaks do not coincide in time.*The scalar peak has the distribution/);
    await page.locator('.first [data-show="median"]').click();
    assert.ok(await page.locator('[data-switch="median"] input').isChecked());
    const label = await figure.locator('[data-curve^="functional median"]').getAttribute('data-curve');
    const rows = aleator('export', five, 'realization', label.match(/realization (\d+)/)[1]).trim().split('\n').map((line) => line.split(',').map(Number));
    const shown = await figure.evaluate((f, t) => f.plot.valuesAt(t), rows[200][0]);
    assert.ok(Math.abs(shown[label] - rows[200][1]) < 1e-6 * Math.abs(rows[200][1]), 'in single precision');
  }, screen);
});

test('eighty outputs are found by name; what is shared has one row; failures have their reasons', async () => {
  const names = Array.from({ length: 80 }, (_, i) => `vertical_acceleration_of_the_panel_at_the_place_number_${i}_of_the_beam`);
  const text = readFileSync(example('five-body-mass.yaml'), 'utf8')
    .replace(/outputs:[\s\S]*?\n\n/, `outputs:\n${names.map((n, i) => `  ${n}: {acceleration: rb5, at: [${(0.02 * i - 0.8).toFixed(2)}, 0, 0.55], component: z}\n`).join('')}  roll: {angular_acceleration: rb5, component: x}\n\n`)
    .replace('uncertain:\n', 'parameters: {c: 300}\nuncertain:\n  c: {normal: {std: 250}}\n  rb1: {mass: {cov: 0.05}}\n  rb2: {mass: {same_as: rb1}}\n')
    .replace('damping: [300, 300, 260]', 'damping: [c, 300, 260]');
  const out = `${folder}/first-screen-many`;
  spawnSync(program, ['run', modelFile('many.yaml', text), '--out', out, '--overwrite', '--samples', '40']); // some fail, as its status says
  await withPage(`${out}/report.html`, async (page) => {
    for (const part of ['[data-words="answer"]', '.first figure.plot', '[data-light]', '[data-warning="failures"]']) await seen(page, part);
    const rows = page.locator('[data-table="key-results"] tbody tr[data-row]:visible');
    assert.equal(await rows.count(), 81);
    assert.equal(await page.locator('.output-group').count(), 2);
    const name = page.locator(`[data-row="${names[7]}"] .output-name`);
    assert.match(await name.textContent(), /^vertical_.*….*_of_the_beam$/);
    assert.equal(await name.getAttribute('title'), names[7]);
    await page.locator('[data-filter="outputs"]').fill('number_7 beam');
    assert.equal(await rows.count(), 11); // 7, 70 … 79
    assert.equal(await page.locator('.response:visible').count(), 4);
    await page.locator('[data-choose-all]').click();
    await page.locator('.response:visible').nth(10).waitFor(); // plots are made one after the other
    assert.match(await page.textContent('[data-quantity="rb1.mass"]'), /the same for rb2\.mass/);
    assert.equal(await page.locator('[data-quantity="rb2.mass"]').count(), 0);
    assert.equal(await page.locator('[data-quantity="rb1.mass"] svg.sparkline').count(), 1);
    await page.locator('[data-warning="failures"] summary').click();
    assert.match(await page.textContent('[data-warning="failures"] li'), /\d+ realizations \(.*\) failed before they began: .*'damping' must not be negative, but one entry is …/);
    await shot(page, 'first-screen-many');
    await onPhone(page, 'first-screen-many');
  }, screen);
});
