// What has a name in the picture: bodies, joints, forces; with its colours, by day and by night.
import { Color, GreaterDepth, LineBasicMaterial, MeshBasicMaterial, MeshLambertMaterial, PointsMaterial } from 'three';
import { dark } from '../state';
import { colour, palette } from '../theme';

export type Role = 'body' | 'joint' | 'force';

const behind = 0.3; // opacity of what bodies hide

export class Part {
  readonly surface: MeshLambertMaterial;
  readonly line: LineBasicMaterial;
  readonly dots: PointsMaterial;
  // The same once more where something is in front of it.
  readonly hiddenSurface: MeshBasicMaterial;
  readonly hiddenLine: LineBasicMaterial;

  constructor(
    readonly name: string,
    readonly kind: string, // in words
    readonly role: Role,
    readonly paint: string, // its colour: a CSS variable, or "#rrggbb"
    readonly ghost = false,
  ) {
    // Surfaces lie a little behind their edges.
    this.surface = new MeshLambertMaterial({ polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    this.line = new LineBasicMaterial({ transparent: true });
    this.dots = new PointsMaterial({ size: 5, sizeAttenuation: false, transparent: ghost });
    const hidden = { depthFunc: GreaterDepth, depthWrite: false, transparent: true };
    this.hiddenSurface = new MeshBasicMaterial(hidden);
    this.hiddenLine = new LineBasicMaterial(hidden);
    this.show(false, false);
  }

  // Colours of the moment. Lit: pointed at or chosen. Faded: something else is chosen.
  show(lit: boolean, faded: boolean): void {
    const ink = new Color(colour('--ink'));
    if (this.ghost) {
      this.line.color.copy(ink);
      this.dots.color.copy(ink);
      return;
    }
    const own = new Color(shade(this.paint));
    const soft = own.clone().lerp(new Color(colour('--paper')), (dark.value ? 0.32 : 0.15) * (lit ? 0.5 : 1));
    this.surface.color.copy(soft);
    this.surface.emissive.copy(own).multiplyScalar(lit ? 0.12 : 0.03);
    this.hiddenSurface.color.copy(soft);
    this.line.color.copy(this.role === 'body' ? own.clone().lerp(ink, 0.6) : own);
    this.hiddenLine.color.copy(this.line.color);
    this.dots.color.copy(own);
    if (this.surface.transparent !== faded) this.surface.needsUpdate = true;
    this.surface.transparent = faded;
    this.surface.depthWrite = !faded;
    this.surface.opacity = faded ? 0.18 : 1;
    this.line.opacity = faded ? 0.25 : this.role === 'body' ? 0.75 : 1;
    this.hiddenSurface.opacity = faded ? 0.1 : lit ? 0.7 : behind;
    this.hiddenLine.opacity = faded ? 0.15 : lit ? 1 : 1.5 * behind;
  }

  dispose(): void {
    for (const material of [this.surface, this.line, this.dots, this.hiddenSurface, this.hiddenLine]) material.dispose();
  }
}

const isOwn = (paint: string) => /^#[0-9a-f]{6}$/.test(paint);
// Of a part, as a canvas and as a style sheet want it.
export const shade = (paint: string): string => (isOwn(paint) ? paint : colour(paint));
export const styled = (paint: string): string => (isOwn(paint) ? paint : `var(${paint})`);

// Colours of bodies in their order; the last of the palette, grey, is for joints.
export function bodyColour(index: number, given: string | undefined): string {
  return given && isOwn(given) ? given : palette[index % (palette.length - 1)]!;
}
export const jointColour = '--grey';
export const forceColour = '--soft';
