// Below a plot: what its lines are, their values at the cursor, and switches to hide them.
import { h, s } from './dom';
import { evenly, number, shortened, unitText } from './format';
import { entries, type Entry, type PlotSpec, type Shown } from './plot_spec';
import { nearest } from './state';
import { textWidth } from './text_width';

const wide = 48; // letters of a label

export function swatch(entry: Entry): SVGElement {
  const colour = `var(${entry.colour})`;
  const attributes = { class: 'plot-swatch', width: 24, height: 12, 'aria-hidden': 'true' };
  if (entry.kind === 'band')
    return s('svg', attributes, s('rect', { width: 24, height: 12, style: `fill: ${colour}; fill-opacity: ${Math.max(0.15, entry.opacity)}; stroke: ${colour}; stroke-opacity: 0.5` }));
  if (entry.kind === 'points') return s('svg', attributes, s('circle', { cx: 12, cy: 6, r: 3, style: `fill: ${colour}` }));
  const thin = entry.kind === 'faint' ? 1 : 2;
  return s('svg', attributes, s('line', { x1: 0, y1: 6, x2: 24, y2: 6, style: `stroke: ${colour}; stroke-width: ${thin}; stroke-dasharray: ${entry.dash.join(' ')}` }));
}

export class Legend {
  readonly element = h('div', { class: 'plot-legend' });
  private place = h('span', { class: 'plot-x' });
  private values = new Map<string, HTMLElement>();
  private texts: ReturnType<typeof slots> | null = null; // made when first shown
  private buttons = new Map<string, HTMLElement>();

  constructor(
    private spec: PlotSpec,
    toggle: (label: string) => void,
  ) {
    this.element.append(this.place);
    for (const entry of entries(spec)) {
      const value = h('span', { class: 'plot-value' });
      const button = h('button', { type: 'button', class: 'plot-key', 'data-curve': entry.label, click: () => toggle(entry.label) }, swatch(entry), h('span', { title: entry.label.length > wide ? entry.label : null }, shortened(entry.label, wide)), value);
      this.values.set(entry.label, value);
      this.buttons.set(entry.label, button);
      this.element.append(button);
    }
  }

  press(shown: Shown): void {
    for (const [label, button] of this.buttons) button.setAttribute('aria-pressed', String(shown(label)));
  }

  // x: not a number where there is no cursor.
  show(x: number): void {
    const { spec } = this;
    const none = Number.isNaN(x);
    const i = nearest(spec.x, x);
    this.texts ??= slots(spec);
    const { place, curves, bands } = this.texts;
    this.say(this.place, none ? '' : place.text(i), place.width);
    for (const [label, slot] of [...curves, ...bands]) this.say(this.values.get(label), none ? '' : slot.text(i), slot.width);
  }

  // Lines too far away to be drawn.
  outside(label: string, is: boolean): void {
    this.say(this.values.get(label), is ? '(outside the plot)' : '', 0);
  }

  // Room for the longest text is there from the start: nothing jumps while the cursor moves.
  private say(value: HTMLElement | undefined, text: string, width: number): void {
    if (!value || value.textContent === text) return;
    if (!value.style.minWidth && width > 0) value.style.minWidth = `${width.toFixed(2)}em`;
    value.textContent = text;
  }
}

interface Slot {
  text: (i: number) => string;
  width: number; // of the widest, em
}

const em = (text: string) => textWidth(text, 100) / 100;

// The widest text is that of the smallest number or the largest, with so many decimals for all.
// On a logarithmic axis each number has its own power of ten.
function slotOf(values: ArrayLike<number>[], digits: number, log = false): { text: (x: number) => string; width: number } {
  let [low, high] = [Infinity, -Infinity];
  for (const each of values)
    for (let i = 0; i < each.length; ++i) {
      const v = each[i]!;
      if (v < low && Number.isFinite(v)) low = v;
      if (v > high && Number.isFinite(v)) high = v;
    }
  if (log) return { text: (x) => number(x, 3), width: em('0.00·10⁻⁰⁰') };
  const text = evenly(Math.max(Math.abs(low), Math.abs(high)), digits);
  return { text, width: low <= high ? Math.max(em(text(low)), em(text(high))) : 1 };
}

// Decimals that tell neighbours apart.
function placeSlot(spec: PlotSpec): Slot {
  const unit = unitText(spec.xUnit) && ` ${unitText(spec.xUnit)}`;
  const last = spec.x[spec.x.length - 1] ?? 0;
  const step = (last - (spec.x[0] ?? 0)) / Math.max(1, spec.x.length - 1);
  const decimals = Math.min(8, Math.max(0, Math.ceil(-Math.log10(step) - 0.1)));
  const plain = !spec.logX && step > 0 && last < 1e6 ? (v: number) => v.toFixed(decimals).replace(/^-/, '−') : (v: number) => number(v, 5);
  const text = (i: number) => `${spec.xName} ${plain(spec.x[i] ?? NaN)}${unit}`;
  return { text, width: em(`${spec.xName} ${plain(last)}${unit}`) };
}

function slots(spec: PlotSpec): { place: Slot; curves: [string, Slot][]; bands: [string, Slot][] } {
  const unit = unitText(spec.yUnit) && ` ${unitText(spec.yUnit)}`;
  const curves = spec.curves.map((curve): [string, Slot] => {
    const value = slotOf([curve.values], 5, spec.logY);
    const error = spec.bands.find((b) => b.of === curve.label && !b.wide);
    if (!error) return [curve.label, { text: (i) => `${value.text(curve.values[i]!)}${unit}`, width: value.width + em(unit) }];
    const half = (i: number) => (error.upper[i]! - error.lower[i]!) / 2;
    const around = slotOf([Array.from(error.upper, (_, i) => half(i))], 2);
    const text = (i: number) => `${value.text(curve.values[i]!)} ± ${around.text(half(i))}${unit}`;
    return [curve.label, { text, width: value.width + em(` ± ${unit}`) + around.width }];
  });
  const bands = spec.bands
    .filter((band) => band.of === undefined)
    .map((band): [string, Slot] => {
      if (band.layer) return [band.label, { text: (i) => `${(band.upper[i]! - band.lower[i]!).toFixed(3)}${unit}`, width: em(`0.000${unit}`) }];
      const [low, high] = [slotOf([band.lower], 5, spec.logY), slotOf([band.upper], 5, spec.logY)];
      return [band.label, { text: (i) => `${low.text(band.lower[i]!)} … ${high.text(band.upper[i]!)}${unit}`, width: low.width + em(` … ${unit}`) + high.width }];
    });
  return { place: placeSlot(spec), curves, bands };
}
