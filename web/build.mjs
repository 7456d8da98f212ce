// Bundles the page: node build.mjs FOLDER writes page.js, page.css and page.sha256 (of the script, for the content security policy).
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, '..', 'build', 'page');
mkdirSync(out, { recursive: true });
// What is bundled comes with its licence.
const licences = ['three', 'uplot'].map((name) => `${name}\n${readFileSync(join(here, 'node_modules', name, 'LICENSE'), 'utf8').trim()}`);
await build({
  absWorkingDir: here,
  entryPoints: { page: 'src/main.ts' },
  outdir: out,
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['chrome100', 'firefox100', 'safari15'],
  charset: 'utf8',
  legalComments: 'none',
  banner: { js: `/*!\n${licences.join('\n\n')}\n*/` },
  logLevel: 'warning',
});
// Inside HTML a script ends at the first of these, wherever it stands.
const script = readFileSync(join(out, 'page.js'), 'utf8').replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
writeFileSync(join(out, 'page.js'), script);
writeFileSync(join(out, 'page.sha256'), createHash('sha256').update(script, 'utf8').digest('base64'));
