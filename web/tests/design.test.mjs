// The design that a study verified, shown: first whether it may be used. The files are made up; the study is a real one.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { aleator, closeBrowser, example, sections, shot, study, withKeptPage } from './browser.mjs';

after(closeBrowser);

const made = {
  met: true,
  verified: true,
  verdict: 'k = 240 has the least cost <b>, 240.',
  parameters: [{ name: 'k', value: 240, written: 300, from: 200, to: 400, scale: 'log', end: 0 }],
  cost: { text: 'k', value: 240, error: 0, verified: 240, verified_error: 0 },
  constraints: [{ text: 'probability(x.above) <= 1e-2', bound: 0.01, value: 0.007, error: 0.001, sure: 0.9999, verified: 0.008, verified_error: 0.0005, verified_sure: 0.97, active: true }],
  evaluations: [
    { values: [200], cost: 200, simulated: true, meets: false, left: [0.4], error: [0.01] },
    { values: [240], cost: 240, simulated: true, meets: true, left: [0.007], error: [0.001] },
    { values: [400], cost: null, simulated: false, meets: false, left: [null], error: [null] },
  ],
  chosen: 1,
  trade_off_of: 0,
  trade_off: [
    { bound: 0.001, possible: true, extrapolated: true, cost: 280, lower: 270, upper: null, values: [280] },
    { bound: 0.01, possible: true, extrapolated: false, cost: 236, lower: 230, upper: 242, values: [236] },
    { bound: 0.1, possible: false, extrapolated: false, cost: null, lower: null, upper: null, values: [200] },
  ],
  method: 'monte-carlo',
  samples: 500,
  seed: 1,
  verified_samples: 12,
  verified_seed: 3,
  verifications: 1,
  confidence: 0.95,
  remarks: ['Some remark.'],
};

function report(name, changes) {
  const out = study(`design-${name}`, example('five-body-mass.yaml'), '-n', '12', '--seed', '3');
  writeFileSync(join(out, 'design.json'), JSON.stringify({ ...made, ...changes }));
  aleator('report', out);
  return join(out, 'report.html');
}

test('the answer comes first, then constraints, the curve and the designs', async () => {
  await withKeptPage(report('good', {}), async (page) => {
    assert.equal((await sections(page))[0], 'design', 'before everything else');
    assert.equal(await page.locator('#design .warning:has-text("could not be drawn")').count(), 0);
    assert.equal(await page.locator('#design [data-verdict]').getAttribute('data-verdict'), 'verified');
    assert.match(await page.textContent('#design .verdict'), /least cost <b>, 240/);
    assert.match(await page.textContent('#design [data-part="constraints"]'), /active.*more than 99\.9.*97/);
    assert.equal(await page.locator('#design [data-part="trade-off"] circle').count(), 2, 'those that can be reached');
    assert.equal(await page.locator('#design [data-part="designs"] circle').count(), 2, 'those that could be simulated');
    await shot(page, 'design', '#design');
  });
});

test('a design that is contradicted is not recommended', async () => {
  await withKeptPage(report('bad', { verified: false, trade_off: [], trade_off_of: -1 }), async (page) => {
    assert.equal(await page.locator('#design [data-verdict]').getAttribute('data-verdict'), 'not-met');
    assert.match(await page.textContent('#design .answer'), /do not use/);
  });
});

test('the design of another study is not shown', async () => {
  for (const changes of [{ verified_seed: 4 }, { verified_samples: 13 }])
    await withKeptPage(report('other', changes), async (page) => assert.ok(!(await sections(page)).includes('design')));
});
