// Below a plot: what its lines are, their values at the cursor, and switches to hide them.
import { h, s } from './dom';
import { number, unitText } from './format';
import { entries, type Band, type Entry, type PlotSpec, type Shown } from './plot_spec';
import { nearest } from './state';

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
  private longest = new Map<string, number>(); // letters
  private buttons = new Map<string, HTMLElement>();

  constructor(
    private spec: PlotSpec,
    toggle: (label: string) => void,
  ) {
    this.element.append(this.place);
    for (const entry of entries(spec)) {
      const value = h('span', { class: 'plot-value' });
      const button = h('button', { type: 'button', class: 'plot-key', 'data-curve': entry.label, click: () => toggle(entry.label) }, swatch(entry), h('span', {}, entry.label), value);
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
    const unit = unitText(spec.yUnit) && ` ${unitText(spec.yUnit)}`;
    this.place.textContent = none ? '' : `${spec.xName} ${number(spec.x[i], 5)} ${unitText(spec.xUnit)}`;
    for (const curve of spec.curves) {
      const error = spec.bands.find((b) => b.of === curve.label);
      const half = error ? (error.upper[i]! - error.lower[i]!) / 2 : NaN;
      const v = curve.values[i]!;
      this.say(curve.label, none ? '' : `${number(v)}${half > 1e-12 * Math.abs(v) ? ` ± ${number(half, 2)}` : ''}${unit}`);
    }
    const extent = (b: Band) => (b.layer ? number(b.upper[i]! - b.lower[i]!, 3) : `${number(b.lower[i])} … ${number(b.upper[i])}`) + unit;
    for (const band of spec.bands) if (band.of === undefined) this.say(band.label, none ? '' : extent(band));
  }

  // Lines too far away to be drawn.
  outside(label: string, is: boolean): void {
    this.say(label, is ? '(outside the plot)' : '');
  }

  private say(label: string, text: string): void {
    const value = this.values.get(label);
    if (!value || value.textContent === text) return;
    value.textContent = text;
    // Room once needed is kept, so that nothing jumps while the cursor moves.
    if (text.length > (this.longest.get(label) ?? 0)) {
      this.longest.set(label, text.length);
      value.style.minWidth = `${text.length}ch`;
    }
  }
}
