// Curves over time or anything else: one description, drawn in the page by uPlot, and as vector graphics for export.
import uPlot from 'uplot';
import { h } from './dom';
import { labelled } from './format';
import type { Series } from './data';

export interface Curve {
  label: string;
  values: Series;
  colour: string; // a CSS variable: "--blue"
  dash?: number[];
  width?: number;
}

export interface Band {
  label: string;
  lower: Series;
  upper: Series;
  colour: string;
  opacity: number;
}

export interface Line {
  label: string;
  value: number;
  colour: string;
}

export interface PlotSpec {
  name: string; // of the file when it is exported
  x: Series;
  xName: string;
  xUnit: string;
  yName: string;
  yUnit: string;
  bands: Band[]; // from the back to the front
  curves: Curve[];
  lines?: Line[]; // horizontal
  faint?: { values: Series; count: number; label: string }; // many thin curves: [count][x]
  linked?: boolean; // x is the time: cursor and zoom are shared with the page
  logX?: boolean;
  logY?: boolean;
  yRange?: [number, number];
  height?: number;
}

export class Plot {
  readonly element: HTMLElement;
  constructor(private spec: PlotSpec) {
    this.element = h('figure', { class: 'plot' });
    const place = h('div');
    this.element.append(place, h('figcaption', {}, labelled(spec.yName, spec.yUnit)));
    void uPlot;
    void this.spec;
  }
  // Shows something else in the same place.
  update(spec: PlotSpec): void {
    this.spec = spec;
  }
}
