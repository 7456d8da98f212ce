// All outputs in one table: each at the time of its largest scatter. Of many, it is also where one finds and chooses those that are drawn.
import type { Output, Result } from '../data';
import { h } from '../dom';
import { count, number, shortened, unitText, withError } from '../format';
import { matches, outputGroups } from '../output_groups';
import { largestSize, scatters, timeless, timeOfLargestScatter } from '../series';

const many = 8; // outputs; of more there are groups and a filter
const wide = 44; // letters of a name

export interface Choice {
  chosen: (i: number) => boolean;
  choose: (outputs: number[], on: boolean) => void;
}

function cells(r: Result, o: Output): HTMLElement[] {
  const k = timeOfLargestScatter(o);
  const time = `${number(r.time[k])} s`;
  const td = (text: string) => h('td', {}, text);
  const when = timeless(r) ? [] : [td(time)];
  if (!r.study) return [...when, td(number(o.nominal[k]))];
  const at = (value: Output['mean'], error: Output['mean']) => withError({ value: value?.[k] ?? null, error: error?.[k] ?? null });
  if (!scatters(r, o)) return [...(timeless(r) ? [] : [td('–')]), td(number(o.nominal[k])), h('td', { colspan: 3, class: 'soft' }, r.realizations === 1 ? 'one realization' : o.mean && Number.isFinite(o.mean[k]!) ? 'does not scatter' : 'no statistics')];
  return [...when, ...[number(o.nominal[k]), at(o.mean, o.meanError), at(o.std, o.stdError), `${number(o.lower?.[k], 3)} … ${number(o.upper?.[k], 3)}`].map(td)];
}

class OutputsTable {
  readonly element: HTMLElement;
  private rows: HTMLTableRowElement[] = [];
  private boxes: HTMLInputElement[] = [];
  private headings: { row: HTMLElement; members: number[] }[] = [];
  private found = h('output', { class: 'small soft' });
  private filter = '';

  constructor(
    private r: Result,
    private choice: Choice | null,
  ) {
    const { outputs } = r;
    const numbers = r.study ? ['nominal', 'mean', 'standard deviation', `${number(100 * r.confidence)} % band`] : ['value there'];
    const columns = timeless(r) ? numbers : [r.study ? 'largest scatter at' : 'largest at', ...numbers];
    const head = h('tr', {}, h('th', { scope: 'col' }, 'output'), h('th', { scope: 'col', class: 'unit' }, 'unit'), ...columns.map((t) => h('th', { scope: 'col' }, t)));
    outputs.forEach((o, i) => this.rows.push(this.row(o, i)));
    const groups = outputs.length > many ? outputGroups(outputs) : [];
    const body = groups.length > 1 ? groups.flatMap((g) => [this.heading(g.title, g.members, columns.length + 2), ...g.members.map((i) => this.rows[i]!)]) : this.rows;
    const errors = outputs.some((o) => largestSize(o.meanError) > 0);
    const note = timeless(r) ? (errors ? '± is one standard error.' : '') : r.study ? `Each output at the time of its largest scatter${errors ? '; ± is one standard error' : ''}.` : 'Each output at its largest magnitude.';
    this.element = h(
      'div',
      { 'data-table': 'key-results', class: 'outputs' },
      outputs.length > many ? this.search() : null,
      h('div', { class: outputs.length > many ? 'scroll tall' : 'scroll' }, h('table', {}, h('thead', {}, head), h('tbody', {}, ...body))),
      h('p', { class: 'small soft' }, note),
    );
  }

  private row(o: Output, i: number): HTMLTableRowElement {
    const name = h('span', { class: 'output-name', title: o.name }, shortened(o.name, wide));
    const label = this.choice ? h('label', { 'data-choose': o.name }, this.box(i), ' ', name) : name;
    return h('tr', { 'data-row': o.name }, h('th', { scope: 'row' }, label), h('td', { class: 'unit' }, unitText(o.unit)), ...cells(this.r, o));
  }

  private box(i: number): HTMLElement {
    const box = h('input', { type: 'checkbox', class: 'no-print', 'aria-label': `Draw ${this.r.outputs[i]!.name}`, change: () => this.choice!.choose([i], box.checked) });
    box.checked = this.choice!.chosen(i);
    return (this.boxes[i] = box);
  }

  private heading(title: string, members: number[], columns: number): HTMLElement {
    const row = h('tr', { class: 'output-group' }, h('th', { scope: 'rowgroup', colspan: columns }, `${title}: ${count(members.length)}`));
    this.headings.push({ row, members });
    return row;
  }

  // What is found, and buttons that draw it.
  private search(): HTMLElement {
    const box = h('input', { type: 'search', placeholder: 'Filter by name', 'aria-label': 'Filter outputs by name', 'data-filter': 'outputs', input: () => this.show(box.value.trim()) });
    const draw = (on: boolean) => () => {
      this.choice?.choose(this.visible(), on);
      this.boxes.forEach((b, i) => (b.checked = this.choice!.chosen(i)));
    };
    const buttons = this.choice
      ? [h('button', { type: 'button', class: 'quiet', 'data-choose-all': 'true', click: draw(true) }, 'Draw these'), h('button', { type: 'button', class: 'quiet', click: draw(false) }, 'Draw none of these')]
      : [];
    this.tell();
    return h('div', { class: 'controls' }, box, this.found, ...buttons);
  }

  private visible(): number[] {
    return this.r.outputs.map((_, i) => i).filter((i) => matches(this.r.outputs[i]!.name, this.filter));
  }

  private show(filter: string): void {
    this.filter = filter;
    const visible = new Set(this.visible());
    this.rows.forEach((row, i) => (row.hidden = !visible.has(i)));
    for (const { row, members } of this.headings) row.hidden = !members.some((i) => visible.has(i));
    this.tell();
  }

  private tell(): void {
    const n = this.r.outputs.length;
    this.found.textContent = this.filter ? `${count(this.visible().length)} of ${count(n)} outputs` : `${count(n)} outputs`;
  }
}

// `choice`: null where all outputs are drawn.
export function outputsTable(r: Result, choice: Choice | null): HTMLElement {
  return new OutputsTable(r, choice).element;
}
