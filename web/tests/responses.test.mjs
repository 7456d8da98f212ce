// The plots show the numbers of the results, and can be worked with.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { closeBrowser, example, near, pixels, saved, scrollTo, sections, shot, statistics, study, withKeptPage } from './browser.mjs';

let out, table, report;
before(() => {
  out = study('responses', example('five-body.yaml'), '--samples', '200');
  table = statistics(out);
  report = `${out}/report.html`;
});
after(closeBrowser);

const band = '90\u00a0% of realizations'; // a space at which no line breaks
const figure = (page, name) => page.locator(`.response[data-output="${name}"] figure[data-plot]`).first();

test('a study has its sections', async () => {
  await withKeptPage(report, async (page) => {
    assert.deepEqual(await sections(page), ['overview', 'responses', 'motion', 'causes', 'uncertain', 'convergence', 'reproduce']);
    assert.equal(await page.textContent('h1'), 'Five rigid bodies on driven supports');
    for (const id of await sections(page)) {
      await scrollTo(page, `#${id}`);
      await shot(page, `five-body-${id}`, `#${id}`);
    }
  });
});

test('the plots show the numbers of the exported statistics', async () => {
  await withKeptPage(report, async (page) => {
    for (const name of ['accel_z', 'alpha_x'])
      for (const i of [0, 37, 150, 258, 300]) {
        const shown = await figure(page, name).evaluate((f, t) => f.plot.valuesAt(t), table.time[i]);
        // The page has the numbers themselves, 64 bits each; export prints 17 digits.
        for (const [label, column] of [
          ['time', 'time'],
          ['mean', `${name}.mean`],
          ['nominal', `${name}.nominal`],
          [`${band}.lower`, `${name}.lower`],
          [`${band}.upper`, `${name}.upper`],
        ])
          assert.equal(shown[label], table[column][i], `${name} ${label} at ${table.time[i]}`);
      }
  });
});

// "mean −9.81 m/s²" → −9.81
const numberIn = (text) => Number(text.replace('−', '-').replace(/·10([⁻⁰-⁹¹²³]+)/, (_, e) => `e${[...e].map((c) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c) - 1).map((d) => (d < 0 ? '-' : d)).join('')}`).match(/-?\d[\d.]*(e-?\d+)?/)[0]);

test('hovering reads the values out, moves the cursor of all plots, and shows the distribution then', async () => {
  await withKeptPage(report, async (page) => {
    await scrollTo(page, '.response[data-output="accel_z"] .plot-area');
    const over = figure(page, 'accel_z').locator('.u-over');
    const box = await over.boundingBox();
    for (const share of [0.2, 0.5, 0.9]) {
      await page.mouse.move(box.x + share * box.width, box.y + box.height / 2);
      await page.waitForTimeout(60);
      const t = Number(await figure(page, 'accel_z').getAttribute('data-cursor'));
      near(t, share * 0.03, 0.02, 'the time under the mouse'); // a pixel and half a step of 1e-4 s
      assert.equal(Number(await figure(page, 'alpha_x').getAttribute('data-cursor')), t, 'plots are linked');
      const i = table.time.indexOf(t);
      const mean = await figure(page, 'accel_z').locator('[data-curve="mean"]').textContent();
      near(numberIn(mean.replace('mean', '')), table['accel_z.mean'][i], 2e-3, 'the mean as it is written'); // four digits, at least three
      const distribution = page.locator('.distribution[data-distribution="accel_z"]');
      assert.equal(Number(await distribution.getAttribute('data-time')), t);
      assert.equal(await distribution.getAttribute('data-count'), '200');
    }
    await shot(page, 'five-body-hover');
  });
});

test('dragging zooms all plots, double click shows all again', async () => {
  await withKeptPage(report, async (page) => {
    await scrollTo(page, '.response[data-output="accel_z"] .plot-area');
    const over = figure(page, 'accel_z').locator('.u-over');
    const box = await over.boundingBox();
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + 0.25 * box.width, y);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.5 * box.width, y, { steps: 5 });
    await page.mouse.up();
    for (const name of ['accel_z', 'alpha_x']) {
      const range = await figure(page, name).evaluate((f) => f.plot.range());
      near(range.min, 0.0075, 0.02, `${name} from`);
      near(range.max, 0.015, 0.02, `${name} to`);
    }
    await shot(page, 'five-body-zoom');
    await over.dblclick();
    const range = await figure(page, 'alpha_x').evaluate((f) => f.plot.range());
    assert.deepEqual([range.min, range.max], [0, table.time.at(-1)]);
  });
});

test('the keyboard moves the cursor and zooms', async () => {
  await withKeptPage(report, async (page) => {
    await figure(page, 'accel_z').locator('.plot-area').focus();
    const before = Number(await figure(page, 'accel_z').getAttribute('data-cursor'));
    await page.keyboard.press('ArrowLeft');
    const after = Number(await figure(page, 'accel_z').getAttribute('data-cursor'));
    near(before - after, 1e-4, 1e-6, 'one output step');
    await page.keyboard.press('+');
    const range = await figure(page, 'alpha_x').evaluate((f) => f.plot.range());
    assert.ok(range.max - range.min < 0.0299);
    await page.keyboard.press('0');
    assert.equal((await figure(page, 'alpha_x').evaluate((f) => f.plot.range())).min, 0);
  });
});

test('figures are saved as table, vector graphics and image', async () => {
  await withKeptPage(report, async (page) => {
    const csv = await saved(page, figure(page, 'accel_z').locator('[data-export="csv"]'));
    const [head, ...rows] = csv.bytes.toString().trim().split('\n');
    const mean = head.split(',').indexOf('mean');
    assert.equal(rows.length, table.time.length);
    rows.forEach((row, i) => assert.equal(Number(row.split(',')[mean]), table['accel_z.mean'][i]));
    const svg = await saved(page, figure(page, 'accel_z').locator('[data-export="svg"]'));
    assert.match(svg.bytes.toString(), /^(<\?xml[^>]*>\s*)?<svg[^>]*>[\s\S]*accel_z \[m\/s²\][\s\S]*<\/svg>\s*$/);
    const png = await saved(page, figure(page, 'accel_z').locator('[data-export="png"]'));
    assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG');
    assert.ok(png.bytes.length > 5000);
    const sample = await saved(page, page.locator('.distribution[data-distribution="accel_z"] [data-export="csv"]'));
    assert.equal(sample.bytes.toString().trim().split('\n').length, 201); // a header and all realizations
    const histogram = await saved(page, page.locator('.distribution[data-distribution="accel_z"] [data-export="svg"]'));
    assert.doesNotMatch(histogram.bytes.toString(), /var\(/); // colours, not the names of a style sheet
    writeFileSync(`${out}/histogram.svg`, histogram.bytes);
  });
});

test('curves can be hidden and realizations shown', async () => {
  await withKeptPage(report, async (page) => {
    await scrollTo(page, '.response[data-output="accel_z"] .plot-area');
    const area = figure(page, 'accel_z').locator('.plot-area');
    const all = await pixels(page, area);
    await figure(page, 'accel_z').locator(`[data-curve="${band}"]`).click();
    await page.waitForTimeout(100);
    const without = await pixels(page, area);
    assert.ok(without.drawn < 0.5 * all.drawn, `the band is most of the picture: ${without.drawn} of ${all.drawn}`);
    await page.locator('[data-switch="realizations"] input, input[data-switch="realizations"]').first().check();
    await page.waitForTimeout(300);
    const realizations = await pixels(page, area);
    assert.ok(realizations.drawn > 1.5 * without.drawn, 'two hundred curves are seen');
    await shot(page, 'five-body-realizations');
  });
});

test('limits have their probability over time', async () => {
  await withKeptPage(report, async (page) => {
    const ever = Number(await page.locator('.response[data-output="accel_z"] [data-ever]').getAttribute('data-ever'));
    assert.ok(ever > 0.1 && ever < 0.35, `about a fifth pass 100 m/s²: ${ever}`);
    assert.equal(await page.locator('.response[data-output="accel_z"] figure[data-plot]').count(), 2);
  });
});
