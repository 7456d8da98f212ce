// A results file in which every text wants to be executed (tests/page/write_identifications.cpp): it is shown as text, in a report
// and as served, whatever is clicked.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { aleator, closeBrowser, folder, program, saved, shot, withPage } from './browser.mjs';

const out = `${folder}/hostile-texts`;
const results = `${out}/hostile.h5`;
const report = `${out}/hostile.html`;
const bad = '</script><script>window.hacked=1</script><img src=x onerror="window.hacked=2">\'\u2028&amp;';
before(() => {
  mkdirSync(out, { recursive: true });
  execFileSync(process.env.ALEATOR_IDENTIFICATIONS, [out]);
  aleator('report', results, '--out', report);
});
after(closeBrowser);

async function nothingWasRun(page) {
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator('img, main script, iframe, object, embed').count(), 0);
  assert.equal(await page.evaluate(() => [...document.querySelectorAll('*')].filter((e) => e.getAttributeNames().some((n) => n.startsWith('on'))).length), 0);
}

// Everything that can be pressed, chosen or pointed at.
async function useEverything(page) {
  for (const box of await page.locator('main select:visible').all()) {
    const values = await box.locator('option').evaluateAll((all) => all.map((o) => o.value));
    for (const value of values) if (await box.isVisible()) await box.selectOption(value, { timeout: 2000 }).catch(() => {});
  }
  for (const box of await page.locator('main input[type=checkbox]:visible').all()) await box.click({ timeout: 2000 }).catch(() => {});
  for (const plot of await page.locator('.plot-area:visible').all()) await plot.hover({ timeout: 2000 }).catch(() => {});
}

test('a report shows hostile texts and runs none', async () => {
  await withPage(report, async (page) => {
    assert.equal(await page.textContent('h1'), bad);
    assert.equal(await page.title(), `${bad} – Aleator`);
    await nothingWasRun(page);
    assert.equal(await page.locator('.warning:has-text("could not be drawn")').count(), 0);
    const text = await page.evaluate(() => document.body.textContent);
    assert.ok(text.split(bad).length > 20, 'texts are there, many times');
    await useEverything(page);
    await nothingWasRun(page);
    await shot(page, 'hostile-texts');
  });
});

test('a report asks nothing of anybody, and runs its own script alone', () => {
  const html = readFileSync(report, 'utf8');
  const [, policy] = html.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/);
  for (const part of ["default-src 'none'", "script-src 'sha256-", "connect-src 'none'", "base-uri 'none'", "form-action 'none'"])
    assert.ok(policy.includes(part), part);
  assert.ok(!/unsafe-eval|script-src[^;]*unsafe-inline/.test(policy));
  assert.equal(html.split('<script').length, 4, 'texts, numbers and the program: no other script');
});

test('figures that are saved have hostile texts as texts', async () => {
  const svg = `${out}/hostile.svg`;
  aleator('plot', results, '--svg', svg);
  assert.ok(!/<script|<img|onerror="/.test(readFileSync(svg, 'utf8')));
  await withPage(report, async (page) => {
    const button = page.locator('button:has-text("SVG")').first();
    if ((await button.count()) === 0) return;
    const { bytes } = await saved(page, button);
    assert.ok(!/<script|<img/.test(bytes.toString('utf8'))); // as text, quotes need no escape
  });
});

test('view serves hostile texts as texts, with the headers of a careful server', async () => {
  const server = spawn(program, ['view', results, '--no-browser'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = new Promise((resolve) => server.on('exit', (code) => resolve(code)));
  try {
    const address = await new Promise((resolve) => server.stdout.on('data', (d) => resolve(String(d).split('\n')[0])));
    await withPage(address, async (page) => {
      await useEverything(page);
      await nothingWasRun(page);
    });
    for (const path of ['/', '/data.json', '/data.bin', '/none']) {
      const { headers } = await fetch(new URL(path, address));
      assert.match(headers.get('content-security-policy'), /frame-ancestors 'none'/);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('access-control-allow-origin'), null);
    }
  } finally {
    server.kill('SIGINT');
    assert.equal(await exit, 0);
  }
});
