// What the mechanism does: every output over time, and how it scatters.
import './responses.css';
import type { Page, Result } from '../data';
import { checkbox, h } from '../dom';
import { count } from '../format';
import { timeRange } from '../state';
import { labels } from './response_plots';
import { ResponseBlock } from './response_block';
import { scalarTable } from './response_scalars';

const atFirst = 4; // outputs shown when there are many

export function responses(page: Page): HTMLElement | null {
  const result = page.results[0]!;
  if (result.outputs.length === 0) return null;
  const list = new Outputs(page, result);
  return h('div', { class: 'responses' }, introduction(result), list.controls(), list.choice(), list.element, scalarTable(result));
}

function introduction(result: Result): HTMLElement {
  const how = 'Drag in a plot to zoom, double-click to see everything, Shift and drag to move along. All plots move together. In a plot that has the focus: ← → + − 0 and the wheel.';
  const errors = result.outputs.some((o) => o.meanError?.some(Number.isFinite)) ? ' Narrow darker bands are ± one standard error.' : '';
  const morris = result.study && !result.outputs.some((o) => o.mean?.some(Number.isFinite));
  return h(
    'div',
    {},
    !result.study && h('p', {}, 'The nominal motion: no quantity is random here.'),
    morris && h('p', { class: 'response-none' }, `The method of this study (${result.method}) computes neither means nor bands. The curves are the nominal motion.`),
    result.study && !morris && !result.kept && h('p', { class: 'response-none' }, whyNoRealizations(result)),
    h('p', { class: 'soft small no-print' }, how + errors),
  );
}

function whyNoRealizations(result: Result): string {
  const sorry = 'so the distribution at one time cannot be shown.';
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

class Outputs {
  readonly element = h('div');
  private blocks = new Map<number, ResponseBlock>(); // made when first shown
  private chosen = new Set<number>();
  private switches = { realizations: false, extremes: false };

  constructor(
    private page: Page,
    private result: Result,
  ) {
    for (const group of groups(result)) {
      if (this.chosen.size > 0 && this.chosen.size + group.length > atFirst) break;
      group.forEach((i) => this.chosen.add(i));
    }
    this.show();
  }

  controls(): HTMLElement {
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
      reset,
    );
  }

  private embedded(): string {
    const kept = this.result.kept!;
    const n = count(kept.rows.length);
    if (kept.source === 'expansion') return `${n} drawn from the expansion`;
    return kept.source === 'all' ? `all ${n}` : `a sample: ${n} of ${count(kept.total)}`;
  }

  // Which outputs: only where there are many.
  choice(): HTMLElement | null {
    const { outputs } = this.result;
    if (outputs.length <= atFirst) return null;
    const boxes = outputs.map((o, i) => {
      const box = checkbox(o.name, this.chosen.has(i), (on) => this.choose(i, on));
      box.dataset.choose = o.name;
      return box;
    });
    const all = (on: boolean) => () => {
      boxes.forEach((box, i) => {
        box.querySelector('input')!.checked = on || i === 0;
        this.chosen[on || i === 0 ? 'add' : 'delete'](i);
      });
      this.show();
    };
    return h(
      'fieldset',
      { class: 'response-choice no-print' },
      h('legend', {}, `Outputs (${outputs.length})`),
      h('div', { class: 'response-boxes' }, ...boxes),
      h('button', { type: 'button', class: 'quiet', 'data-choose-all': 'true', click: all(true) }, 'Show all'),
      ' ',
      h('button', { type: 'button', class: 'quiet', click: all(false) }, 'Only the first'),
    );
  }

  private choose(i: number, on: boolean): void {
    if (on) this.chosen.add(i);
    else this.chosen.delete(i);
    this.show();
  }

  private show(): void {
    for (let i = 0; i < this.result.outputs.length; ++i) {
      const block = this.blocks.get(i);
      if (block) block.element.hidden = !this.chosen.has(i);
      else if (this.chosen.has(i)) this.make(i);
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
