// Natural frequencies over a speed: the numbers of the file in plots and tables, what is under the cursor, and critical speeds.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { aleator, closeBrowser, folder, modelFile, near, sections, shot, study, withKeptPage, withPage } from './browser.mjs';

after(closeBrowser);

const model = `title: Rotor <b>
parameters: {rpm: 1000, k: 700}
bodies:
  housing: {shape: {box: [0.2, 0.2, 0.1]}, mass: 1, inertia: {xx: 0.02, yy: 0.02, zz: 0.03}}
  disc: {shape: {cylinder: {radius: 0.15, length: 0.02}}, mass: 5, inertia: {xx: 0.05, yy: 0.05, zz: 0.08}}
joints:
  cardan: {universal: [ground, housing], axis: x, second_axis: y, at: [0, 0, 0]}
  bearing: {revolute: [housing, disc], axis: z, at: [0, 0, 0], motion: rpm*pi/30*t}
forces: {mount: {bushing: [ground, housing], at: [0, 0, 0], rotational_stiffness: [k, k, 0], rotational_damping: [0.1, 0.1, 0]}}
uncertain: {k: {lognormal: {cov: 10%}}}
simulation: {duration: 0.1}
study: {what: modes, modes: {number: 2, about: steady}, samples: 50}
`;

const file = modelFile('campbell.yaml', model);
const over = (name, ...options) => {
  const out = join(folder, name);
  aleator('modes', file, '--over', 'rpm=0..3000', '--points', '13', '--number', '2', '--out', out, ...options);
  return out;
};
const rows = (csv) => {
  const [head, ...body] = readFileSync(csv, 'utf8').trim().split('\n').map((line) => line.split(','));
  return body.map((cells) => Object.fromEntries(head.map((name, i) => [name, Number(cells[i])])));
};
const out = over('campbell', '--orders', '1,2', '--unit', 'rpm');
const page = join(out, 'campbell.html');

test('the diagram opens its page and shows the numbers of its file', async () => {
  await withKeptPage(page, async (p) => {
    assert.deepEqual(await sections(p), ['campbell', 'motion', 'reproduce']);
    assert.equal(await p.locator('.warning').count(), 0);
    assert.match(await p.textContent('#campbell [data-words="answer"]'), /^3 critical speeds from 0 to 3000 rpm: the lowest at rpm = 380\.9 rpm, mode 1 with order 2\.$/);
    const plots = p.locator('#campbell figure[data-plot]');
    for (const row of rows(join(out, 'campbell.csv'))) {
      const at = await plots.nth(0).evaluate((f, x) => f.plot.valuesAt(x), row.rpm);
      const ratio = await plots.nth(1).evaluate((f, x) => f.plot.valuesAt(x), row.rpm);
      for (const k of [1, 2]) {
        assert.equal(at[`mode ${k}`], row[`frequency_${k}`]);
        assert.equal(ratio[`mode ${k}`], row[`damping_${k}`]);
      }
      near(at['2×'], (2 * row.rpm) / 60, 1e-12, 'order line');
    }
    await shot(p, 'campbell', '#campbell');
  });
});

test('critical speeds are those of the file, marked and in a table', async () => {
  const found = rows(join(out, 'critical-speeds.csv'));
  assert.equal(found.length, 3); // forward whirl never reaches order 1: J_p > J_t
  await withKeptPage(page, async (p) => {
    const cells = await p.$$eval('[data-table="critical"] tbody tr', (all) => all.map((tr) => [...tr.children].map((c) => c.textContent)));
    assert.deepEqual(cells.map((c) => c[0]), ['1×', '2×', '2×']);
    cells.forEach((c, i) => near(Number(c[2]), found[i].rpm, 1e-5, 'critical speed'));
    assert.equal(await p.locator('#campbell [data-curve="critical speeds"]').count(), 1);
    // Ω² (n² J_t ± n J_p) = k
    near(found[0].rpm, (Math.sqrt(700 / 0.15) * 30) / Math.PI, 1e-4, 'closed form'); // damping, second order
  });
});

test('both plots and the table follow the cursor', async () => {
  await withKeptPage(page, async (p) => {
    const plots = p.locator('#campbell figure[data-plot]');
    const area = plots.nth(0).locator('.u-over');
    const box = await area.boundingBox();
    await p.mouse.move(box.x + box.width / 3, box.y + box.height / 2); // 1000 rpm of 3000
    await p.waitForTimeout(150);
    assert.equal(await plots.nth(0).getAttribute('data-cursor'), '1000');
    assert.equal(await plots.nth(1).getAttribute('data-cursor'), '1000');
    assert.equal(await p.textContent('[data-part="values"] h3'), 'At rpm = 1000 rpm');
    const row = rows(join(out, 'campbell.csv')).find((r) => r.rpm === 1000);
    const cells = await p.$$eval('[data-table="values"] tbody tr', (all) => all.map((tr) => [...tr.children].map((c) => c.textContent)));
    near(Number(cells[0][2]), row.frequency_1, 1e-4, 'frequency');
    near(Number(cells[1][4]), row.frequency_2 / (1000 / 60), 1e-3, 'multiple of the speed');
    await p.mouse.move(0, 0);
  });
});

test('modes are in motion, and the page is dark without loss', async () => {
  await withPage(
    page,
    async (p) => {
      const names = await p.$$eval('#motion [aria-label="Mode"] option', (all) => all.map((o) => o.textContent));
      assert.equal(names.length, 2);
      assert.match(names[0], /^mode 1, 7\.1\d* Hz at rpm = 1500$/);
      await shot(p, 'campbell-dark', '#campbell');
    },
    { colorScheme: 'dark' },
  );
});

test('without orders there are no critical speeds', async () => {
  await withPage(join(over('frequencies'), 'campbell.html'), async (p) => {
    assert.equal(await p.textContent('#campbell h2'), 'Frequencies over rpm');
    assert.equal(await p.locator('[data-table="critical"]').count(), 0);
    assert.match(await p.textContent('#campbell [data-words="answer"]'), /^Natural frequencies of 2 modes over rpm, from 0 to 3000\.$/);
  });
});

test('the report of the study of modes has it, too', async () => {
  const both = study('campbell-study', file);
  over('campbell-study', '--orders', '1', '--unit', 'rpm');
  aleator('report', both);
  await withPage(join(both, 'report.html'), async (p) => {
    const all = await sections(p);
    assert.equal(all[0], 'overview');
    assert.equal(all[all.indexOf('responses') + 1], 'campbell');
    assert.equal(await p.textContent('#campbell h2'), 'Campbell diagram');
    assert.equal(await p.locator('[data-table="critical"] tbody tr').count(), 1);
    await shot(p, 'campbell-study', '#campbell');
  });
});
