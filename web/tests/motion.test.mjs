// The mechanism moves, in three dimensions.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { closeBrowser, example, modelFile, near, pixels, scrollTo, shot, study, withPage } from './browser.mjs';

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

const words = (page) => page.locator('[data-motion] .scene-words').innerText();
const projection = (page) => canvas(page).getAttribute('data-projection');

// The share of pixels of the canvas that differ visibly between two times.
async function moving(page, from, to) {
  const images = [];
  for (const share of [from, to]) {
    await scrub(page, share);
    images.push((await canvas(page).screenshot()).toString('base64'));
  }
  return page.evaluate(async (images) => {
    const pixels = [];
    for (const data of images) {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const to = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height }).getContext('2d', { willReadFrequently: true });
      to.drawImage(image, 0, 0);
      pixels.push(to.getImageData(0, 0, image.width, image.height).data);
    }
    let changed = 0;
    for (let i = 0; i < pixels[0].length; i += 4) if ([0, 1, 2].some((k) => Math.abs(pixels[0][i + k] - pixels[1][i + k]) > 24)) ++changed;
    return (4 * changed) / pixels[0].length;
  }, images);
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

    // As it opens: a body of two thirds of the picture's width that moves by a tenth of the mechanism's size changes about a tenth of it;
    // true to scale it would be 1 %.
    assert.ok((await moving(page, 0, 0.6)) > 0.03, 'the mechanism is seen to move');
    assert.match(await words(page), /^displacements × \d+$/);
    assert.deepEqual((await page.locator(`${root} [data-axis]`).allTextContents()).sort(), ['x', 'y', 'z']);
    assert.equal(await projection(page), 'perspective');
    await page.getByRole('button', { name: 'Front', exact: true }).click();
    assert.equal(await projection(page), 'orthographic');
    await page.getByRole('button', { name: 'Reset', exact: true }).click();

    await scrub(page, 0.5);
    near(await time(page), 0.015, 0.01, 'scrubbed to the middle');
    const cursor = await page.locator('.response figure[data-plot]').first().getAttribute('data-cursor');
    near(Number(cursor), 0.015, 0.01, 'the cursor of the plots');

    const dock = page.locator('[data-dock] figure[data-plot]');
    near(Number(await dock.getAttribute('data-cursor')), 0.015, 0.01, 'the cursor of the plot beside it');
    await page.getByLabel('Output plotted beside the animation').selectOption({ label: 'alpha_x' });
    assert.equal(await dock.getAttribute('data-plot'), 'alpha_x');
    const over = dock.locator('.u-over');
    await over.click({ position: { x: 0.75 * (await over.evaluate((o) => o.clientWidth)), y: 60 } });
    near(await time(page), 0.0225, 0.02, 'a click in the plot');

    await page.getByLabel('Forces', { exact: true }).check();
    await page.getByLabel('Joint reactions', { exact: true }).check();
    assert.match(await words(page), /longest arrow [\d.]+ N/);

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
    assert.match(await words(page), /true to scale/); // it moves visibly by itself
    assert.equal(await projection(page), 'orthographic'); // planar
    await page.getByLabel('Perspective', { exact: true }).check();
    assert.equal(await projection(page), 'perspective');
    await page.getByRole('button', { name: 'Reset', exact: true }).click();
    assert.equal(await projection(page), 'orthographic');
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

test('the colour that the model gives a body', async () => {
  const text = readFileSync(example('pendulum.yaml'), 'utf8').replace('density: 7800', 'density: 7800, color: "#12ab34"');
  const out = study('motion-colour', modelFile('coloured.yaml', text));
  await withPage(`${out}/report.html`, async (page) => {
    const swatch = page.locator(`${root} .scene-names .scene-swatch`).first();
    assert.equal(await swatch.evaluate((s) => getComputedStyle(s).backgroundColor), 'rgb(18, 171, 52)');
    assert.equal(await projection(page), 'orthographic'); // it moves in a plane, though nothing in the model says so
    assert.equal(await page.getByLabel('Trails', { exact: true }).evaluate((s) => s.selectedOptions[0].text), 'point of tip');
  });
});
