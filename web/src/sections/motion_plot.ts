// A plot beside the animation that shares its time: a cursor moves along, a click takes the mechanism to that time.
import type { Result } from '../data';
import { h, select } from '../dom';
import { shortened } from '../format';
import { Plot } from '../plot';
import { currentMotion, currentOutput } from '../state';
import { withFailure } from './reliability_failures';
import { responseSpec } from './response_plots';

// null: there is nothing to plot.
export function dockedPlot(result: Result, go: (time: number) => void): HTMLElement | null {
  if (result.outputs.length === 0) return null;
  const first = Math.min(currentOutput.value, result.outputs.length - 1);
  let shown = first;
  const spec = (k: number) => ({ ...withFailure(result, k, responseSpec(result, result.outputs[k]!)), height: 340 });
  const plot = new Plot(spec(first));
  currentMotion.subscribe(() => plot.update(spec(shown)));
  const options = result.outputs.map((o, k) => ({ value: String(k), text: shortened(o.name, 32) }));
  const choice = select('Plot', options, String(first), (value) => plot.update(spec((shown = Number(value)))));
  choice.classList.add('no-print');
  choice.querySelector('select')!.setAttribute('aria-label', 'Output plotted beside the animation');
  plot.element.addEventListener('click', (event) => {
    const over = (event.target as Element).closest('.u-over');
    const time = over ? plot.toX(event.clientX - over.getBoundingClientRect().left) : NaN;
    if (Number.isFinite(time)) go(time);
  });
  return h('div', { class: 'motion-dock', 'data-dock': true }, choice, plot.element);
}
