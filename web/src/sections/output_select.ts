import type { Result } from '../data';
import { h, select } from '../dom';
import { currentOutput } from '../state';

// A choice of the output the page looks at; it follows when another part of the page chooses.
export function outputSelect(r: Result): HTMLElement {
  const options = r.outputs.map((o, k) => ({ value: String(k), text: o.name }));
  const label = select('Output', options, String(currentOutput.value), (value) => currentOutput.set(Number(value)));
  const box = label.querySelector('select')!;
  box.dataset.choice = 'output';
  currentOutput.subscribe((k) => (box.value = String(k)));
  return h('div', { class: 'controls' }, label);
}
