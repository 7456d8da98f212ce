// Any random number against any output, at the time looked at, or against a scalar.
import { Chart, type ChartSpec } from '../chart';
import type { Result } from '../data';
import { h, select } from '../dom';
import { count, number } from '../format';
import { scatter } from '../scatter';
import { descending, map, spearman, timeless } from '../series';
import { currentOutput, currentTime, nearest } from '../state';
import { followLaw } from '../words';

interface Choice {
  input: number;
  output: string; // "o3": output 3, "s0": scalar 0
}

function values(r: Result, choice: Choice, t: number): { name: string; unit: string; y: Float64Array } {
  const n = r.time.length;
  const k = Number(choice.output.slice(1));
  if (choice.output[0] === 's') {
    const scalar = r.scalars[k]!;
    return { name: scalar.name, unit: scalar.unit, y: map(scalar.values!, (v) => v) };
  }
  const o = r.outputs[k]!;
  return { name: timeless(r) ? o.name : `${o.name} at ${number(r.time[t])} s`, unit: o.unit, y: map(r.kept!.rows, (_, i) => o.realizations![i * n + t]!) };
}

function column(r: Result, k: number): Float64Array {
  const n = r.laws.length;
  return map(r.kept!.rows, (_, i) => r.kept!.inputs![i * n + k]!);
}

function chart(r: Result, choice: Choice, t: number): { spec: ChartSpec; words: string } {
  const law = r.laws[choice.input]!;
  const out = values(r, choice, t);
  const x = column(r, choice.input);
  const spec = scatter({ name: `${out.name} against ${law.name}`, xName: law.name, xUnit: law.unit, yName: out.name, yUnit: out.unit, x, y: out.y, height: 380 });
  const good = Array.from(x, (_, i) => i).filter((i) => Number.isFinite(out.y[i]!) && Number.isFinite(x[i]!));
  if (!followLaw(r)) return { spec, words: 'These points belong to the design of the method; they are not a random sample and have no meaningful correlation.' };
  const rho = spearman(
    good.map((i) => x[i]!),
    good.map((i) => out.y[i]!),
  );
  const chance = good.length > 4 ? Math.tanh(1.96 * Math.sqrt(1.06 / (good.length - 3))) : NaN;
  const words = Number.isNaN(rho) ? timeless(r) ? 'There is no scatter.' : 'There is no scatter at this time.' : `Rank correlation ${number(rho, 2)}; values within ± ${number(chance, 2)} are not significant (95 %).`;
  return { spec, words: `${words} ${count(good.length)} realizations${r.kept!.source === 'expansion' ? ', drawn from the expansion' : ''}.` };
}

// The number that matters most for the output, as far as that is known.
function likely(r: Result, k: number): number {
  const name = r.correlations ? r.correlations.columns[descending(r.correlations.of[k]!.integratedSpearman)[0] ?? 0] : undefined;
  const group = r.shares ? r.shares.groups[descending(r.shares.of[k]!.integratedFirst)[0] ?? 0] : undefined;
  const variable = r.screening ? r.screening.variables[descending(r.screening.of[k]!.integratedMuStar)[0] ?? 0] : undefined;
  const at = r.laws.findIndex((l) => l.name === name || l.name === variable || (group !== undefined && (l.quantity === group || l.name === group)));
  return Math.max(0, at);
}

export function points(r: Result): HTMLElement | null {
  if (!r.kept || !r.kept.inputs || !r.kept.inputs.length || !r.laws.length) return null;
  const outputs = r.outputs.flatMap((o, k) => (o.realizations ? [{ value: `o${k}`, text: o.name }] : []));
  const scalars = r.scalars.flatMap((s, k) => (s.values ? [{ value: `s${k}`, text: `${s.name} (scalar)` }] : []));
  const options = [...outputs, ...scalars];
  if (!options.length) return null;
  const start = Math.min(currentOutput.value, r.outputs.length - 1);
  const choice: Choice = { input: likely(r, start), output: options.some((o) => o.value === `o${start}`) ? `o${start}` : options[0]!.value };
  const time = () => nearest(r.time, currentTime.value);
  const line = h('output', { class: 'readout' });
  const first = chart(r, choice, time());
  const cloud = new Chart(first.spec);
  line.textContent = first.words;
  const show = () => {
    const { spec, words } = chart(r, choice, time());
    cloud.update(spec);
    line.textContent = words;
  };
  let waiting = false;
  currentTime.subscribe(() => {
    if (waiting || choice.output[0] === 's') return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      show();
    });
  });
  const inputs = r.laws.map((l, k) => ({ value: String(k), text: l.name }));
  const inputBox = select('Random number', inputs, String(choice.input), (value) => {
    choice.input = Number(value);
    show();
  });
  const outputBox = select('against', options, choice.output, (value) => {
    choice.output = value;
    show();
  });
  inputBox.querySelector('select')!.dataset.choice = 'input';
  outputBox.querySelector('select')!.dataset.choice = 'response';
  currentOutput.subscribe((k) => {
    if (!options.some((o) => o.value === `o${k}`)) return;
    choice.output = outputBox.querySelector('select')!.value = `o${k}`;
    show();
  });
  return h(
    'div',
    { 'data-part': 'points' },
    h('h3', {}, 'Realization by realization'),
    h('p', {}, `Each point is a realization.${timeless(r) ? '' : ' The time follows the cursor of the plots and the animation.'}`),
    h('div', { class: 'controls' }, inputBox, outputBox),
    cloud.element,
    line,
  );
}
