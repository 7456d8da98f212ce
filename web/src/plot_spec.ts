// What a plot shows. The page's canvas, the vector graphics and the table of an export are all made from it.
import type { Series } from './data';
import { nearest, type Link } from './state';

export interface Curve {
  label: string;
  values: Series;
  colour: string; // a CSS variable: "--blue"
  dash?: number[];
  width?: number;
  hidden?: boolean; // at first; its legend entry shows it
  guide?: boolean; // drawn as far as it is in the range of the others
}

export interface Band {
  label: string;
  lower: Series;
  upper: Series;
  colour: string;
  opacity: number;
  outline?: boolean;
  hidden?: boolean;
  layer?: boolean; // one of a stack: what counts is how thick it is
  of?: string; // the label it comes and goes with: it has no legend entry of its own, that of a curve says ± half its width
  wide?: boolean; // with `of`: it is no error, and nothing is said
}

export interface Line {
  label: string;
  value: number;
  colour: string;
}

export interface Faint {
  values: Series; // [count][x]
  count: number;
  label: string;
  rows?: Series; // [count] their numbers
  names?: string[]; // [count] where numbers do not say it
  colour?: string;
  over?: boolean; // drawn over the bands, not below them
  opacity?: number; // of each; otherwise by their number
  hidden?: boolean;
}

// Marks at places of their own.
export interface Points {
  label: string;
  x: Series;
  y: Series;
  colour: string;
  large?: boolean; // few, and what is looked for
}

export interface PlotSpec {
  name: string; // of the file when it is exported
  title?: string; // above the exported figure; else what y is
  x: Series; // ascending
  xName: string;
  xUnit: string;
  yName: string;
  yUnit: string;
  bands: Band[]; // from the back to the front
  curves: Curve[];
  lines?: Line[]; // horizontal
  uprights?: Line[]; // vertical: `value` is an x
  faint?: Faint; // many thin curves
  points?: Points;
  linked?: boolean | Link; // cursor and zoom are shared: with all plots over the time, or with those of the same link
  logX?: boolean;
  logY?: boolean;
  yRange?: [number, number];
  fromZero?: boolean; // y begins there
  height?: number;
}

export type Shown = (label: string) => boolean;

// An entry of the legend.
export interface Entry {
  label: string;
  colour: string;
  kind: 'curve' | 'band' | 'line' | 'faint' | 'points';
  dash: number[];
  opacity: number;
}

export function entries(spec: PlotSpec): Entry[] {
  const hidden = new Set(hiddenAtFirst(spec));
  const all = [
    ...spec.curves.map((c): Entry => ({ label: c.label, colour: c.colour, kind: 'curve', dash: c.dash ?? [], opacity: 1 })),
    ...spec.bands.filter((b) => b.of === undefined).map((b): Entry => ({ label: b.label, colour: b.colour, kind: 'band', dash: [], opacity: b.opacity })),
    ...(spec.faint ? [{ label: spec.faint.label, colour: spec.faint.colour ?? '--grey', kind: 'faint', dash: [], opacity: 0.6 } satisfies Entry] : []),
    ...(spec.points && spec.points.label !== spec.faint?.label ? [{ label: spec.points.label, colour: spec.points.colour, kind: 'points', dash: [], opacity: 1 } satisfies Entry] : []),
    ...[...(spec.lines ?? []), ...(spec.uprights ?? [])].map((l): Entry => ({ label: l.label, colour: l.colour, kind: 'line', dash: limitDash, opacity: 1 })),
  ];
  return [...all.filter((e) => !hidden.has(e.label)), ...all.filter((e) => hidden.has(e.label))]; // what is asked for comes last
}

export const limitDash = [2, 3];
export const pointOpacity = (points: Points): number => (points.large ? 1 : 0.55);
export const pointRadius = ({ x: { length }, large }: Points): number => (large ? 4.5 : length > 2000 ? 1.2 : length > 300 ? 1.8 : 2.6); // px

export function hiddenAtFirst(spec: PlotSpec): string[] {
  return [...spec.curves, ...spec.bands, ...(spec.faint ? [spec.faint] : [])].filter((part) => part.hidden).map((part) => part.label);
}

export function bandShown(band: Band, shown: Shown): boolean {
  return shown(band.of ?? band.label);
}

// Everything at the x nearest to the one asked for: curves by their label, bands as LABEL.lower and LABEL.upper.
export function valuesAt(spec: PlotSpec, x: number): Record<string, number> {
  const i = nearest(spec.x, x);
  const out: Record<string, number> = { [spec.xName]: spec.x[i] ?? NaN };
  for (const c of spec.curves) out[c.label] = c.values[i] ?? NaN;
  for (const b of spec.bands) {
    out[`${b.label}.lower`] = b.lower[i] ?? NaN;
    out[`${b.label}.upper`] = b.upper[i] ?? NaN;
  }
  return out;
}
