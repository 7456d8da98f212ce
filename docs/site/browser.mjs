// The built site as a reader opens it, from the file system in Chromium: node browser.mjs SITE. Search finds, formulas are typeset, pictures
// and styles are there, and nothing is asked of another place.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const { chromium } = createRequire(new URL('../../web/package.json', import.meta.url))('playwright-core');
const address = (page) => pathToFileURL(resolve(process.argv[2], page)).href;
const browser = await chromium.launch({ executablePath: process.env.ALEATOR_BROWSER ?? '/usr/bin/chromium', args: ['--no-sandbox'] });

// Opens a page; afterwards nothing may have failed in it, and nothing may have been asked of another place.
async function visit(name, use) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const trouble = [];
  page.on('request', (request) => /^(file|data|about|blob):/.test(request.url()) || trouble.push(`asks for ${request.url()}`));
  page.on('requestfailed', (request) => trouble.push(`cannot load ${request.url()}`));
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && trouble.push(message.text()));
  page.on('pageerror', (error) => trouble.push(error.message));
  await page.goto(address(name));
  await use(page);
  assert.deepEqual(trouble, [], name);
  await page.close();
}

const broken = (page) => page.$$eval('img', (all) => all.filter((image) => image.complete && !image.naturalWidth).map((image) => image.src));

try {
  await visit('index.html', async (page) => {
    assert.deepEqual(await broken(page), [], 'pictures of the first page');
    await page.fill('.md-search__input', 'sobol indices');
    await page.locator('.md-search__input').press('Shift');  // the theme listens to keys
    const result = page.locator('.md-search-result__link', { hasText: 'Sobol indices' }).first();
    await result.waitFor({ timeout: 20000 });
    await result.click();
    await page.waitForURL(/docs\/.*\.html/);
    assert.ok((await page.locator('mark').count()) > 0, 'the words looked for are marked on the page found');
  });
  await visit('docs/theory.html', async (page) => {
    const formulas = page.locator('.displayed .katex-html');
    assert.ok((await formulas.count()) > 50, 'displayed formulas');
    const font = await page.evaluate(async () => {
      await document.fonts.ready;
      return [...document.fonts].filter((face) => face.family.includes('KaTeX') && face.status === 'loaded').length;
    });
    assert.ok(font > 1, 'fonts of the formulas are loaded');
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
  });
  for (const name of ['overview.html', 'docs/five-body.html', 'docs/slider-crank.html', 'docs/report.html', 'docs/identification.html', 'benchmarks/index.html'])
    await visit(name, async (page) => assert.deepEqual(await broken(page), [], `pictures of ${name}`));
  console.log('the site works from the file system: search, formulas, pictures, no requests elsewhere');
} finally {
  await browser.close();
}
