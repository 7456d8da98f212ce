// One output: its plot, its limits, and its distribution at the time one looks at.
import type { Output, Page, Result } from '../data';
import { Distribution } from '../distribution';
import { h } from '../dom';
import { count, labelled, number, percent, percentWithin, withError } from '../format';
import { lazily } from '../lazy';
import { Plot } from '../plot';
import { acrossTime, scatters, timeless } from '../series';
import { currentOutput, currentTime, nearest } from '../state';
import { withMedian } from './response_median';
import { peaksNote } from './response_peaks';
import { exceedanceSpec, known, labels, limitWords, responseSpec } from './response_plots';

// Of modes without realizations: what there is to say.
export function numbersOf(r: Result, o: Output): HTMLElement {
  const nominal = `Nominal ${number(o.nominal[0])}`;
  if (!scatters(r, o)) return h('p', {}, `${nominal}.`);
  const at = (value: Output['mean'], error: Output['mean']) => withError({ value: value?.[0] ?? null, error: error?.[0] ?? null });
  return h('p', {}, `${nominal}, mean ${at(o.mean, o.meanError)}, standard deviation ${at(o.std, o.stdError)}.`);
}

export class ResponseBlock {
  readonly element: HTMLElement;
  readonly plot: Plot;
  private output: Output;

  constructor(
    private page: Page,
    private result: Result,
    private index: number,
  ) {
    this.output = result.outputs[index]!;
    this.plot = new Plot(responseSpec(result, this.output));
    withMedian(this.plot, result, this.output);
    const beside = this.distribution();
    this.element = h(
      'article',
      { class: 'response', 'data-output': this.output.name },
      h('h3', {}, labelled(this.output.name, this.output.unit)),
      peaksNote(result, this.output),
      ...(timeless(result) ? [beside ?? numbersOf(result, this.output), ...this.limits()] : []),
      timeless(result) ? null : h('div', { class: beside ? 'response-row' : '' }, h('div', { class: 'response-plots' }, this.plot.element, ...this.limits()), beside),
    );
    for (const event of ['pointerdown', 'focusin']) this.element.addEventListener(event, () => currentOutput.set(index, this));
  }

  private limits(): HTMLElement[] {
    const { output, result } = this;
    if (output.limits.length === 0 || !output.limits.some((limit) => known(limit.probability))) return [];
    const words = output.limits.map((limit) => {
      const none = limit.everTo === null ? '' : `: the probability is below ${percent(limit.everTo, 2)} with 95 % confidence`;
      const share = limit.ever === 0 && result.realizations ? `in none of ${count(result.realizations)} realizations${none}` : `in ${percentWithin(limit)} of realizations`;
      return h('p', { class: 'small response-ever', 'data-ever': limit.ever }, `${capital(limitWords(output, limit.value, limit.above))}${acrossTime(result, ' at any time')}: ${share}.`);
    });
    if (timeless(result)) return [h('h4', {}, 'Probability of exceeding a limit'), ...words];
    return [h('h4', {}, 'Probability of exceeding a limit'), ...words, new Plot(exceedanceSpec(result, output)).element];
  }

  // null: there is nothing that could be distributed.
  private distribution(): HTMLElement | null {
    const { output, result } = this;
    if (!result.study || !result.kept) return null;
    if (!output.realizations) return h('p', { class: 'soft small response-none' }, 'The realizations of this output were left out to keep the report small; its distribution at one time cannot be shown.');
    const picture = new Distribution(output.name, output.unit, labels.band(result.confidence));
    const live = new AllRealizations(this.index);
    const show = () => {
      const k = nearest(result.time, currentTime.value);
      const at = (values: ArrayLike<number> | null) => values?.[k] ?? NaN;
      const marks = { mean: at(output.mean), nominal: at(output.nominal), lower: at(output.lower), upper: at(output.upper) };
      const time = result.time.length === 1 ? NaN : (result.time[k] ?? NaN);
      picture.show(time, this.column(k), marks, output.realizations instanceof Float32Array);
      live.ask(k, (values) => picture.show(time, values, marks));
    };
    const request = lazily(picture.element, show);
    currentTime.subscribe(request);
    show();
    const asks = this.page.live && result.kept.source === 'sample';
    return h('div', { class: 'response-beside' }, picture.element, asks && live.button(show));
  }

  // The realizations at one time.
  private column(k: number): Float64Array {
    const times = this.result.time.length;
    const all = this.output.realizations!;
    const out = new Float64Array(this.result.kept!.rows.length);
    for (let r = 0; r < out.length; ++r) out[r] = all[r * times + k]!;
    return out;
  }
}

// A page that is served can ask for the realizations that did not come along.
class AllRealizations {
  private on = false;
  private timer = 0;
  private asked = -1;

  constructor(private output: number) {}

  button(changed: () => void): HTMLElement {
    const button = h('button', { type: 'button', class: 'quiet', 'aria-pressed': 'false', 'data-all-realizations': this.output }, 'All realizations');
    button.addEventListener('click', () => {
      this.on = !this.on;
      button.setAttribute('aria-pressed', String(this.on));
      changed();
    });
    return button;
  }

  // Once the time stands still.
  ask(time: number, got: (values: Float64Array) => void): void {
    clearTimeout(this.timer);
    this.asked = time;
    if (this.on) this.timer = window.setTimeout(() => void this.fetch(time, got), 100);
  }

  private async fetch(time: number, got: (values: Float64Array) => void): Promise<void> {
    const answer = await fetch(`values?output=${this.output}&time=${time}`);
    if (!answer.ok) return;
    const values = new Float64Array(await answer.arrayBuffer());
    if (this.on && this.asked === time) got(values);
  }
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
