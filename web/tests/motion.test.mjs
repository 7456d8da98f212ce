// The mechanism moves, in three dimensions.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, example, near, pixels, scrollTo, shot, study, withPage } from './browser.mjs';

after(closeBrowser);
const root = '[data-motion]';
const time = async (page) => Number(await page.getAttribute(root, 'data-time'));

async function scrub(page, share) {
  await page.getByLabel('Time', { exact: true }).evaluate((slider, share) => {
    slider.value = String(Number(slider.min) + share * (Number(slider.max) - Number(slider.min)));
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }, share);
  await page.waitForTimeout(250);
}

const canvas = (page) => page.locator('[data-canvas="motion"]');

test('rigid bodies: play, pause, scrub, ghosts; the plots follow', async () => {
  const out = study('motion-rigid', example('five-body.yaml'), '--samples', '24');
  await withPage(`${out}/report.html`, async (page) => {
    await scrollTo(page, '[data-canvas="overview"]');
    assert.ok((await pixels(page, page.locator('[data-canvas="overview"]'))).drawn > 0.03, 'the overview shows the mechanism');
    await scrollTo(page, '[data-canvas="motion"]');
    const still = await pixels(page, canvas(page));
    assert.ok(still.drawn > 0.03 && still.colours > 20, `the canvas is not blank: ${JSON.stringify(still)}`);

    await scrub(page, 0.5);
    near(await time(page), 0.015, 0.01, 'scrubbed to the middle');
    const cursor = await page.locator('.response figure[data-plot]').first().getAttribute('data-cursor');
    near(Number(cursor), 0.015, 0.01, 'the cursor of the plots');

    await scrub(page, 0);
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.waitForTimeout(700);
    const then = await time(page);
    assert.ok(then > 0, 'it plays');
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    assert.equal(await page.getAttribute(root, 'data-playing'), 'false');
    const paused = await time(page);
    await page.waitForTimeout(300);
    assert.equal(await time(page), paused, 'it stays');

    const before = await pixels(page, canvas(page));
    await page.getByLabel('Ghosts', { exact: true }).selectOption({ index: 2 });
    await page.waitForTimeout(300);
    assert.ok(Number(await page.getAttribute(root, 'data-ghosts')) > 1);
    const ghosts = await pixels(page, canvas(page));
    assert.ok(ghosts.colours > before.colours, 'ghosts are seen');
    await shot(page, 'five-body-ghosts', '#motion');
  });
});

test('a flexible beam bends, more so when exaggerated', async () => {
  const out = study('motion-beam', example('slider-crank.yaml'), '--samples', '16');
  await withPage(`${out}/report.html`, async (page) => {
    await scrollTo(page, '[data-canvas="motion"]');
    await scrub(page, 0.4);
    assert.ok((await pixels(page, canvas(page))).drawn > 0.005);
    await shot(page, 'slider-crank-motion', '#motion');
    await page.getByLabel('Exaggerate', { exact: true }).evaluate((x) => {
      x.value = x.tagName === 'SELECT' ? x.options[x.options.length - 1].value : x.max;
      x.dispatchEvent(new Event('input', { bubbles: true }));
      x.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await page.waitForTimeout(250);
    await shot(page, 'slider-crank-exaggerated', '#motion');
  });
});
