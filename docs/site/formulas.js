// Typesets formulas: node formulas.js FOLDER-OF-KATEX reads [[TeX, displayed], …] and writes the HTML of each.
const katex = require(`${process.argv[2]}/katex.min.js`);
const typeset = ([tex, displayMode]) => {
  try {
    return katex.renderToString(tex, { displayMode, strict: 'error', throwOnError: true });
  } catch (error) {
    console.error(`a formula cannot be typeset: ${error.message}\n${tex}`);
    process.exit(1);
  }
};
const formulas = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify(formulas.map(typeset)));
