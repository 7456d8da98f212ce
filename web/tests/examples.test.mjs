// The page of each example opens from disk, without a word on the console, and shows every section it should. Of variants of one mechanism,
// which differ in numbers alone, one is enough here (cli.Examples runs them all).
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { after, test } from 'node:test';
import { closeBrowser, example, scrollTo, sections, shot, study, withPage } from './browser.mjs';

after(closeBrowser);
const variants = /^(five-body|slider-crank-(long|short))-/;
const names = readdirSync(example('.')).filter((f) => f.endsWith('.yaml') && !variants.test(f));

for (const file of names)
  test(file, async () => {
    const model = readFileSync(example(file), 'utf8');
    const uncertain = /^(uncertain|processes):/m.test(model);
    const processes = /^processes:/m.test(model) ? ['processes'] : [];
    // Rare events take more than a dozen realizations, and have tests of their own.
    const few = ['--samples', '12', ...(/method: (subset-simulation|form)/.test(model) ? ['--method', 'monte-carlo'] : [])];
    const out = study(`example-${file.replace('.yaml', '')}`, example(file), ...(uncertain ? few : []));
    await withPage(`${out}/report.html`, async (page) => {
      const expected = uncertain ? ['overview', 'responses', 'motion', 'causes', 'uncertain', ...processes, 'convergence', 'reproduce'] : ['overview', 'responses', 'motion', 'reproduce'];
      assert.deepEqual(await sections(page), expected);
      for (const id of expected) await scrollTo(page, `#${id}`); // plots are drawn when they are seen
      assert.equal(await page.locator('main .warning').count(), 0);
      assert.ok(statSync(`${out}/report.html`).size < 20e6);
      await scrollTo(page, '#motion');
      await shot(page, `example-${file.replace('.yaml', '')}`, '#motion');
    }, { viewport: { width: 800, height: 600 } }); // small, for the processor draws 3-D here
  });
