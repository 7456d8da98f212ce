// Pictures of reports: node docs/images/report.mjs STUDY SHARES IDENTIFIED, each the folder of a result; needs the packages of the tests
// (scripts/page-modules tests) and Chromium.
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(join(here, '..', '..', 'web', 'package.json'))('playwright-core');
const [study, shares, identified] = process.argv.slice(2).map((f) => pathToFileURL(resolve(f, 'report.html')).href);
const browser = await chromium.launch({
  executablePath: process.env.ALEATOR_BROWSER ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});

async function picture(address, name, height, act, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1180, height }, ...options });
  await page.goto(address);
  await page.waitForSelector('html[data-complete]');
  await act(page);
  await page.waitForTimeout(600);
  await page.screenshot({ path: join(here, `${name}.png`) });
  await page.close();
}
const to = (page, selector) => page.locator(selector).first().evaluate((e) => e.scrollIntoView({ behavior: 'instant' }));

await picture(study, 'report-overview', 900, async () => {}, { viewport: { width: 1440, height: 900 } });
await picture(study, 'report-responses', 860, async (page) => {
  await page.locator('[data-switch="realizations"]').first().check();
  await to(page, '.response');
  const box = await page.locator('.response .u-over').first().boundingBox();
  await page.mouse.move(box.x + 0.52 * box.width, box.y + 40);
});
await picture(
  study,
  'report-motion',
  800,
  async (page) => {
    await page.getByLabel('Ghosts', { exact: true }).selectOption({ index: 3 });
    await page.getByRole('checkbox', { name: 'Centres of mass' }).check();
    await page.getByLabel('Time', { exact: true }).evaluate((slider) => {
      slider.value = slider.max;
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await to(page, '#motion');
  },
  { colorScheme: 'dark' },
);
await picture(shares, 'report-causes', 760, (page) => to(page, '#causes'));
await picture(identified, 'identification-page', 900, async () => {}, { viewport: { width: 1440, height: 900 } });
await picture(identified, 'identification-pairs', 1090, (page) => to(page, '#identification h3:text("Pairs of parameters")'));
await browser.close();
