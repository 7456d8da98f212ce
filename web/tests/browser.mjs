// What the tests of the page share: the program, a browser, and an eye on everything that goes wrong in it.
//   ALEATOR: the program; ALEATOR_PAGES: a folder for results and screenshots.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

export const program = process.env.ALEATOR;
export const folder = process.env.ALEATOR_PAGES;
const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const example = (name) => join(root, 'examples', name);
assert.ok(program && folder, 'ALEATOR and ALEATOR_PAGES must be set');
const shots = join(folder, 'screenshots');
mkdirSync(shots, { recursive: true });

// Runs the program and returns what it printed.
export function aleator(...words) {
  return execFileSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'pipe'] });
}

// A study of a model file in a folder of its own; returns the folder.
export function study(name, model, ...options) {
  const out = join(folder, name);
  const done = spawnSync(program, ['run', model, '--out', out, '--overwrite', ...options], { encoding: 'utf8' });
  assert.equal(done.status, 0, `run ${model}: ${done.stderr}`);
  assert.ok(existsSync(join(out, 'report.html')), `${name} has a report`);
  return out;
}

export function modelFile(name, text) {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

// The statistics as `export` has them: {time: […], "accel_z.mean": […]}.
export function statistics(out) {
  const [head, ...rows] = aleator('export', out, 'statistics').trim().split('\n').map((line) => line.split(','));
  return Object.fromEntries(head.map((name, i) => [name, rows.map((row) => (row[i] === '' ? NaN : Number(row[i])))]));
}

let shared;
export async function browser() {
  shared ??= await chromium.launch({
    executablePath: process.env.ALEATOR_BROWSER ?? '/usr/bin/chromium',
    // A processor draws 3-D where there is no graphics card; and the page, by itself, which saves a third of the time.
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-gpu-compositing'],
  });
  return shared;
}
export async function closeBrowser() {
  await shared?.close();
  shared = undefined;
}

// A page with all that went wrong in it since it was last asked: written to the console, thrown, or asked of another place.
async function open(address, options) {
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const troubles = [];
  const url = address.startsWith('http') ? address : pathToFileURL(address).href;
  const own = address.startsWith('http') ? new URL(url).origin : url;
  page.on('console', (m) => {
    if (m.text().includes('GPU stall due to ReadPixels')) return; // the browser's own way to the picture of a canvas
    troubles.push(`console ${m.type()}: ${m.text()}`);
  });
  page.on('pageerror', (e) => troubles.push(`error: ${e.message}`));
  page.on('request', (r) => {
    if (!r.url().startsWith(own) && !/^(blob|data):/.test(r.url())) troubles.push(`request: ${r.url()}`);
  });
  const nothingWrong = async () => {
    await page.waitForTimeout(50);
    assert.deepEqual(troubles.splice(0), [], 'nothing goes wrong in the page');
  };
  try {
    await page.goto(url);
    await page.waitForSelector('html[data-complete]', { timeout: 30000 });
  } catch (e) {
    await context.close();
    throw e;
  }
  return { page, nothingWrong, close: () => context.close() };
}

// Opens a page, calls `use` with it, and fails when anything goes wrong in it.
export async function withPage(address, use, options = {}) {
  const { page, nothingWrong, close } = await open(address, options);
  try {
    await use(page);
    await nothingWrong();
  } finally {
    await close();
  }
}

// The same for tests that leave a page as the next one can take it: opened once, because that takes longer than most of them. After a
// failure the next one gets a new page.
const kept = new Map();
export async function withKeptPage(address, use) {
  const { page, nothingWrong, close } = kept.get(address) ?? (await open(address, {}));
  kept.delete(address);
  try {
    await use(page);
    await nothingWrong();
  } catch (e) {
    await close();
    throw e;
  }
  kept.set(address, { page, nothingWrong, close });
}

export const sections = (page) => page.$$eval('main > section', (all) => all.map((s) => s.id));

// The share of pixels of an element that differ from its most frequent colour, and the number of colours.
export async function pixels(page, locator) {
  const image = (await locator.screenshot()).toString('base64');
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const colours = new Map();
    const bytes = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
    for (const c of bytes) colours.set(c, (colours.get(c) ?? 0) + 1);
    return { drawn: 1 - Math.max(...colours.values()) / bytes.length, colours: colours.size };
  }, image);
}

export async function scrollTo(page, selector) {
  await page.locator(selector).first().scrollIntoViewIfNeeded();
  await page.waitForTimeout(150);
}

// Kept in the build folder for people to look at.
export async function shot(page, name, selector) {
  const file = join(shots, `${name}.png`);
  if (selector) await page.locator(selector).first().screenshot({ path: file, style: 'header.top { position: static !important; }' });
  else await page.screenshot({ path: file });
}

// The content of a file that a click saves.
export async function saved(page, locator) {
  const [download] = await Promise.all([page.waitForEvent('download'), locator.click()]);
  const stream = await download.createReadStream();
  const parts = [];
  for await (const part of stream) parts.push(part);
  return { name: download.suggestedFilename(), bytes: Buffer.concat(parts) };
}

export const near = (a, b, relative, what) =>
  assert.ok(Math.abs(a - b) <= relative * Math.max(Math.abs(a), Math.abs(b)) || (Number.isNaN(a) && Number.isNaN(b)), `${what}: ${a} and ${b}`);
