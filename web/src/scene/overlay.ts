// What is written into a picture: the axes of the model's frame with their names, and a few words. It is drawn as vector graphics over the
// canvas, and once more into pictures that are saved or printed.
import { Quaternion, Vector3 } from 'three';
import { h, s } from '../dom';
import { colour } from '../theme';

export const axes = [
  { name: 'x', variable: '--vermillion', direction: new Vector3(1, 0, 0) },
  { name: 'y', variable: '--green', direction: new Vector3(0, 1, 0) },
  { name: 'z', variable: '--blue', direction: new Vector3(0, 0, 1) },
];
const reach = 30; // px, of an axis across the view
const margin = 46; // px, from the corner to the origin
const end = 0.22; // of an axis: shorter than that, it points to the eye or away from it

interface Axis {
  name: string;
  variable: string;
  x: number; // px from the origin
  y: number;
  depth: number; // towards the eye
}

export class Overlay {
  readonly root = h('div', { class: 'scene-overlay' });
  private readonly triad = s('svg', { class: 'scene-triad', width: 2 * margin, height: 2 * margin, viewBox: `${-margin} ${-margin} ${2 * margin} ${2 * margin}`, role: 'img', 'aria-label': 'Axes x, y, z of the model' });
  private readonly texts = h('div', { class: 'scene-words' });
  private readonly grid = h('div', { class: 'scene-grid' });
  private drawn: Axis[] = [];
  private last = new Quaternion(2, 0, 0, 0);

  constructor() {
    this.root.append(this.texts, this.triad, this.grid);
  }

  // Lines, the first in bold letters.
  say(lines: string[]): void {
    this.texts.replaceChildren(...lines.map((line, i) => h(i ? 'span' : 'strong', {}, line)));
  }

  measure(text: string): void {
    this.grid.textContent = text;
  }

  // As a camera with this rotation sees the axes.
  turn(camera: Quaternion): void {
    if (camera.equals(this.last)) return;
    this.last.copy(camera);
    const back = camera.clone().invert();
    this.drawn = axes.map(({ name, variable, direction }) => {
      const seen = direction.clone().applyQuaternion(back);
      return { name, variable, x: reach * seen.x, y: -reach * seen.y, depth: seen.z };
    });
    this.drawn.sort((a, b) => a.depth - b.depth);
    this.triad.replaceChildren(...this.drawn.flatMap((axis) => this.lines(axis)));
  }

  private lines(axis: Axis): SVGElement[] {
    const stroke = `var(${axis.variable})`;
    const [tx, ty] = this.place(axis);
    const text = s('text', { x: tx, y: ty, fill: stroke, 'text-anchor': 'middle', 'dominant-baseline': 'central', 'data-axis': axis.name }, axis.name);
    if (this.isAlong(axis)) {
      const ring = s('circle', { r: 4.5, fill: 'var(--card)', stroke, 'stroke-width': 1.8 });
      // A dot points to the eye, a cross away from it.
      return [ring, axis.depth > 0 ? s('circle', { r: 1.8, fill: stroke }) : s('path', { d: 'M-3-3L3 3M-3 3L3-3', stroke, 'stroke-width': 1.4 }), text];
    }
    return [s('line', { x2: axis.x, y2: axis.y, stroke, 'stroke-width': 2.2, 'stroke-linecap': 'round' }), text];
  }

  private isAlong(axis: Axis): boolean {
    return Math.hypot(axis.x, axis.y) < end * reach;
  }

  // Of the name, px from the origin.
  private place(axis: Axis): [number, number] {
    if (this.isAlong(axis)) return [-10, 10];
    const length = Math.hypot(axis.x, axis.y);
    return [axis.x * (1 + 9 / length), axis.y * (1 + 9 / length)];
  }

  // The same into a picture of this size, in px; `scale` px of it are one on the screen.
  paint(to: CanvasRenderingContext2D, width: number, height: number, scale: number): void {
    to.save();
    to.scale(scale, scale);
    const [w, hh] = [width / scale, height / scale];
    to.font = '13px system-ui, sans-serif';
    to.fillStyle = colour('--soft');
    to.textAlign = 'right';
    to.fillText(this.grid.textContent ?? '', w - 10, hh - 10);
    to.textAlign = 'left';
    to.fillStyle = colour('--ink');
    [...this.texts.children].forEach((line, i) => {
      to.font = `${i ? '' : 'bold '}13px system-ui, sans-serif`;
      to.fillText(line.textContent ?? '', 12, 22 + 18 * i);
    });
    to.translate(margin, hh - margin);
    to.font = 'bold 13px system-ui, sans-serif';
    to.textAlign = 'center';
    to.textBaseline = 'middle';
    to.lineWidth = 2.2;
    to.lineCap = 'round';
    for (const axis of this.drawn) {
      to.strokeStyle = to.fillStyle = colour(axis.variable);
      to.beginPath();
      if (this.isAlong(axis)) to.arc(0, 0, 4.5, 0, 2 * Math.PI);
      else {
        to.moveTo(0, 0);
        to.lineTo(axis.x, axis.y);
      }
      to.stroke();
      to.fillText(axis.name, ...this.place(axis));
    }
    to.restore();
  }
}
