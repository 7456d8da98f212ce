// What the mechanism does: every output over time, and how it scatters.
import './responses.css';
import type { Page, Result } from '../data';
import { checkbox, h } from '../dom';
import { count } from '../format';
import { hasMedian } from '../functional';
import { keyOutput } from '../key_output';
import { acrossTime, timeless } from '../series';
import { timeRange } from '../state';
import { outputsTable, type Choice } from './outputs_table';
import { showMedian } from './response_median';
import { labels } from './response_plots';
import { ResponseBlock } from './response_block';
import { scalarTable } from './response_scalars';
import { spectra } from './response_spectra';

const atFirst = 4; // outputs shown when there are many

export function responses(page: Page): HTMLElement | null {
  const result = page.results[0]!;
  if (result.outputs.length === 0) return null;
  const list = new Outputs(page, result);
  return h('div', { class: 'responses' }, introduction(result), outputsTable(result, result.outputs.length > atFirst ? list : null), list.controls(), list.element, scalarTable(result), spectra(result));
}

function introduction(result: Result): HTMLElement {
  const how = timeless(result) ? '' : 'Drag in a plot to zoom, double-click to see everything, Shift and drag to move along. All plots move together. In a plot that has the focus: ← → + − 0 and the wheel.';
  const errors = !timeless(result) && result.outputs.some((o) => o.meanError?.some(Number.isFinite)) ? ' Narrow darker bands are ± one standard error.' : '';
  const morris = result.study && !result.outputs.some((o) => o.mean?.some(Number.isFinite));
  return h(
    'div',
    {},
    !result.study && h('p', {}, 'The nominal motion: no quantity is random here.'),
    morris && h('p', { class: 'response-none' }, `The method of this study (${result.method}) computes neither means nor bands. ${timeless(result) ? 'The numbers are those of the nominal model.' : 'The curves are the nominal motion.'}`),
    result.study && !morris && !result.kept && h('p', { class: 'response-none' }, whyNoRealizations(result)),
    how && h('p', { class: 'soft small no-print' }, how + errors),
    ...result.notes.map((n) => h('p', { class: 'soft small' }, n)),
  );
}

function whyNoRealizations(result: Result): string {
  const sorry = `so the distribution${acrossTime(result, ' at one time')} cannot be shown.`;
  if (result.realizations > 0) return `Only the statistics of ${count(result.realizations)} realizations were kept, ${sorry}`;
  return `The method of this study (${result.method}) draws no realizations, ${sorry}`;
}

// Outputs that belong together, such as position.x, position.y, position.z: indices.
function groups(result: Result): number[][] {
  const out: number[][] = [];
  let last = '';
  result.outputs.forEach(({ name }, i) => {
    const stem = /^(.*[._])[xyz]$/.exec(name)?.[1] ?? '';
    if (stem && stem === last) out[out.length - 1]!.push(i);
    else out.push([i]);
    last = stem;
  });
  return out;
}

function medianSwitch(): HTMLElement {
  const box = checkbox('Functional median', showMedian.value, (on) => showMedian.set(on));
  box.dataset.switch = 'median';
  box.title = 'The realization that lies deepest among the others, as a whole curve (modified band depth)';
  showMedian.subscribe((on) => (box.querySelector('input')!.checked = on));
  return box;
}

class Outputs implements Choice {
  readonly element = h('div');
  private blocks = new Map<number, ResponseBlock>(); // made when first shown
  private drawn = new Set<number>();
  private first: number; // the one that is always there
  private switches = { realizations: false, extremes: false };

  constructor(
    private page: Page,
    private result: Result,
  ) {
    this.first = keyOutput(result);
    const all = groups(result);
    const key = all.findIndex((group) => group.includes(this.first));
    for (const group of [all[key]!, ...all.slice(0, key), ...all.slice(key + 1)]) {
      if (this.drawn.size > 0 && this.drawn.size + group.length > atFirst) break;
      group.forEach((i) => this.drawn.add(i));
    }
    this.show();
  }

  controls(): HTMLElement | null {
    if (timeless(this.result)) return null;
    const { outputs, kept } = this.result;
    const reset = h('button', { type: 'button', class: 'quiet', 'data-reset': 'all', click: () => timeRange.set(null) }, 'Whole range');
    reset.disabled = timeRange.value === null;
    timeRange.subscribe((range) => (reset.disabled = range === null));
    const shared = (what: 'realizations' | 'extremes', words: string, label: string) => {
      const box = checkbox(words, false, (on) => {
        this.switches[what] = on;
        this.blocks.forEach((block) => block.plot.show(label, on));
      });
      box.dataset.switch = what;
      return box;
    };
    return h(
      'div',
      { class: 'controls' },
      kept && outputs.some((o) => o.realizations) && shared('realizations', `Realizations (${this.embedded()})`, labels.realizations),
      outputs.some((o) => o.minimum?.some(Number.isFinite)) && shared('extremes', 'Minimum and maximum', labels.extremes),
      outputs.some((o) => hasMedian(this.result, o)) && medianSwitch(),
      reset,
    );
  }

  private embedded(): string {
    const kept = this.result.kept!;
    const n = count(kept.rows.length);
    if (kept.source === 'expansion') return `${n} drawn from the expansion`;
    return kept.source === 'all' ? `all ${n}` : `a sample: ${n} of ${count(kept.total)}`;
  }

  chosen = (i: number): boolean => this.drawn.has(i);

  // Something is always drawn.
  choose(outputs: number[], on: boolean): void {
    for (const i of outputs) this.drawn[on ? 'add' : 'delete'](i);
    if (!this.drawn.size) this.drawn.add(this.first);
    this.show();
  }

  private show(): void {
    for (let i = 0; i < this.result.outputs.length; ++i) {
      const block = this.blocks.get(i);
      if (block) block.element.hidden = !this.drawn.has(i);
      else if (this.drawn.has(i)) this.make(i);
    }
  }

  private make(i: number): void {
    const block = new ResponseBlock(this.page, this.result, i);
    block.plot.show(labels.realizations, this.switches.realizations);
    block.plot.show(labels.extremes, this.switches.extremes);
    this.blocks.set(i, block);
    // In the order of the outputs.
    const next = [...this.blocks.keys()].filter((k) => k > i).sort((a, b) => a - b)[0];
    this.element.insertBefore(block.element, next === undefined ? null : this.blocks.get(next)!.element);
  }
}
