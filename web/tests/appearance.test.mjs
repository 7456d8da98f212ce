// Light, dark, on paper, and on half a screen: everything can be read. And nothing a model says can do anything.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { aleator, closeBrowser, example, folder, modelFile, pixels, program, scrollTo, shot, study, withPage } from './browser.mjs';

let out, report;
before(() => {
  out = study('appearance', example('five-body.yaml'), '--samples', '40');
  report = `${out}/report.html`;
});
after(closeBrowser);

// The smallest contrast of text with what is behind it (WCAG 2), over all elements that have text of their own.
function smallestContrast(page) {
  return page.evaluate(() => {
    const channels = (css) => (css.match(/[\d.]+/g) ?? []).map(Number);
    const light = ([r, g, b]) => {
      const linear = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    };
    const behind = (e) => {
      for (let at = e; at; at = at.parentElement) {
        const c = channels(getComputedStyle(at).backgroundColor);
        if (c.length === 3 || c[3] === 1) return c;
      }
      return [255, 255, 255];
    };
    let worst = { contrast: 99, text: '' };
    for (const e of document.querySelectorAll('body *')) {
      const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
      const style = getComputedStyle(e);
      if (!own || !e.checkVisibility?.() || e.closest('script, style, noscript, svg')) continue;
      const [a, b] = [light(channels(style.color)), light(behind(e))].sort((x, y) => y - x);
      const contrast = (a + 0.05) / (b + 0.05);
      if (contrast < worst.contrast) worst = { contrast, text: e.textContent.trim().slice(0, 60) };
    }
    return worst;
  });
}

for (const scheme of ['light', 'dark'])
  test(`${scheme}: text stands out`, async () => {
    await withPage(
      report,
      async (page) => {
        assert.equal(await page.getAttribute('html', 'data-theme'), scheme);
        const worst = await smallestContrast(page);
        assert.ok(worst.contrast >= 4.5, `${worst.contrast} of "${worst.text}"`); // WCAG AA for text
        await scrollTo(page, '.response .plot-area');
        assert.ok((await pixels(page, page.locator('.response .plot-area').first())).drawn > 0.1);
        await shot(page, `appearance-${scheme}`);
        await page.locator('button.theme').click();
        assert.equal(await page.getAttribute('html', 'data-theme'), scheme === 'light' ? 'dark' : 'light');
        assert.ok((await smallestContrast(page)).contrast >= 4.5);
      },
      { colorScheme: scheme },
    );
  });

test('paper: light, without what one cannot press', async () => {
  await withPage(
    report,
    async (page) => {
      const file = `${folder}/screenshots/print.pdf`;
      await page.pdf({ path: file, format: 'A4', printBackground: true });
      assert.ok(statSync(file).size > 50000);
      await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark'); // what printing did is undone
      for (let i = 0; i < 2; ++i) await page.locator('button.theme').click(); // the reader chose: the system's own change, whenever it comes, does not count
      await page.emulateMedia({ media: 'print', colorScheme: 'light' });
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      assert.equal(await page.getAttribute('html', 'data-theme'), 'light');
      assert.ok((await smallestContrast(page)).contrast >= 4.5);
      assert.equal(await page.locator('.controls:visible, nav:visible').count(), 0);
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
      assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
    },
    { colorScheme: 'dark' },
  );
});

test('half a laptop screen: nothing is wider than the page', async () => {
  await withPage(
    report,
    async (page) => {
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await shot(page, 'appearance-narrow');
    },
    { viewport: { width: 680, height: 900 } },
  );
});

test('what a model says is shown, not run', async () => {
  const bad = `</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">`;
  const text = readFileSync(example('five-body-mass.yaml'), 'utf8');
  const model = modelFile('hostile.yaml', text.replace(/^title:.*$/m, `title: '${bad}'`).concat(`\n# ${bad} <!-- <script>\n`));
  assert.match(readFileSync(model, 'utf8'), /window\.hacked = 2/);
  const hostile = study('hostile', model, '--samples', '4');
  await withPage(`${hostile}/report.html`, async (page) => {
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.textContent('h1'), bad);
    assert.equal(await page.title(), `${bad} – Aleator`);
    assert.equal(await page.locator('main img').count(), 0);
    await shot(page, 'hostile');
  });
});

test('view serves the page to this machine, with all realizations', async () => {
  const server = spawn(program, ['view', out, '--no-browser'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = new Promise((resolve) => server.on('exit', (code) => resolve(code)));
  try {
    const address = await new Promise((resolve) => server.stdout.on('data', (d) => resolve(String(d).split('\n')[0])));
    await withPage(address, async (page) => {
      await scrollTo(page, '.response .plot-area');
      await shot(page, 'view');
    });
    const values = await (await fetch(new URL('values?output=0&time=258', address))).arrayBuffer();
    const samples = aleator('export', out, 'realization', '3').trim().split('\n')[259].split(',');
    assert.equal(new Float64Array(values).length, 40);
    assert.equal(new Float64Array(values)[3], Number(samples[1]));
    const ask = async (path, options) => (await fetch(new URL(path, address), options)).status;
    assert.equal(await ask('/../../etc/passwd'), 404);
    assert.equal(await ask('/values?output=99&time=0'), 400);
    assert.equal(await ask('/', { method: 'POST' }), 405);
  } finally {
    server.kill('SIGINT');
  }
  assert.equal(await exit, 0, 'Ctrl-C ends it well');
});
