import type { Result } from '../data';
import { h } from '../dom';
import { shortened } from '../format';
import { outputGroups } from '../output_groups';
import { currentOutput } from '../state';

const many = 12; // outputs; of more, those of a unit are together
const wide = 48; // letters

// A choice of one output. By itself it is the output the page looks at, and follows when another part of the page chooses.
export function outputSelect(r: Result, value?: number, changed?: (output: number) => void): HTMLElement {
  const option = (k: number) => h('option', { value: k, title: r.outputs[k]!.name }, shortened(r.outputs[k]!.name, wide));
  const groups = outputGroups(r.outputs);
  const all = r.outputs.map((_, k) => k);
  const options = r.outputs.length > many && groups.length > 1 ? groups.map((g) => h('optgroup', { label: g.title }, ...g.members.map(option))) : all.map(option);
  const box = h('select', { 'data-choice': 'output', change: () => (changed ?? ((k: number) => currentOutput.set(k)))(Number(box.value)) }, ...options);
  box.value = String(value ?? currentOutput.value);
  if (!changed) currentOutput.subscribe((k) => (box.value = String(k)));
  return h('div', { class: 'controls' }, h('label', { class: 'choice' }, 'Output ', box));
}
