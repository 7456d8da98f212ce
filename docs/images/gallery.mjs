// Pictures of mechanisms: node docs/images/gallery.mjs RESULTS…, folders with reports named as the examples; writes gallery/NAME-motion.png.
// Needs the packages of the tests (scripts/page-modules tests) and Chromium.
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(join(here, '..', '..', 'web', 'package.json'))('playwright-core');
const browser = await chromium.launch({
  executablePath: process.env.ALEATOR_BROWSER ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});
for (const folder of process.argv.slice(2)) {
  const page = await browser.newPage({ viewport: { width: 440, height: 700 } });
  await page.goto(pathToFileURL(resolve(folder, 'report.html')).href);
  await page.waitForSelector('html[data-complete]');
  const canvas = page.locator('#overview .scene canvas, #motion .scene canvas').first();  // the mechanism as drawn
  await canvas.scrollIntoViewIfNeeded();
  await page.waitForTimeout(800);
  await canvas.screenshot({ path: join(here, 'gallery', `${basename(folder)}-motion.png`) });
  await page.close();
}
await browser.close();
