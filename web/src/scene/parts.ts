// What has a name in the picture: bodies, joints, forces; with its colours, by day and by night.
import { Color, LineBasicMaterial, MeshLambertMaterial, PointsMaterial } from 'three';
import { dark } from '../state';
import { colour, palette } from '../theme';

export type Role = 'body' | 'joint' | 'force';

const ghostOpacity = 0.14;

export class Part {
  readonly surface: MeshLambertMaterial;
  readonly line: LineBasicMaterial;
  readonly dots: PointsMaterial;

  constructor(
    readonly name: string,
    readonly kind: string, // in words
    readonly role: Role,
    readonly variable: string, // of its colour
    readonly ghost = false,
  ) {
    // Surfaces lie a little behind their edges.
    this.surface = new MeshLambertMaterial({ polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1, transparent: ghost, depthWrite: !ghost });
    if (ghost) Object.assign(this.surface, { polygonOffsetFactor: 4, polygonOffsetUnits: 4 }); // hidden where they are no different
    this.line = new LineBasicMaterial({ transparent: true });
    this.dots = new PointsMaterial({ size: 5, sizeAttenuation: false, transparent: ghost });
    this.show(false, false);
  }

  // Colours of the moment. Lit: pointed at or chosen. Faded: something else is chosen.
  show(lit: boolean, faded: boolean): void {
    const own = new Color(colour(this.variable));
    const ink = new Color(colour('--ink'));
    const soft = own.clone().lerp(new Color(colour('--paper')), (dark.value ? 0.32 : 0.15) * (lit ? 0.5 : 1));
    this.surface.color.copy(soft);
    this.surface.emissive.copy(own).multiplyScalar(lit ? 0.12 : 0.03);
    this.line.color.copy(this.role === 'body' ? own.clone().lerp(ink, 0.6) : own);
    this.dots.color.copy(own);
    if (this.ghost) {
      this.surface.opacity = faded ? 0.04 : ghostOpacity;
      this.line.opacity = faded ? 0.05 : 2 * ghostOpacity;
    } else {
      if (this.surface.transparent !== faded) this.surface.needsUpdate = true;
      this.surface.transparent = faded;
      this.surface.depthWrite = !faded;
      this.surface.opacity = faded ? 0.18 : 1;
      this.line.opacity = faded ? 0.25 : this.role === 'body' ? 0.75 : 1;
    }
  }

  dispose(): void {
    for (const material of [this.surface, this.line, this.dots]) material.dispose();
  }
}

// Colours of bodies in their order; the last of the palette, grey, is for joints.
export function bodyColour(index: number): string {
  return palette[index % (palette.length - 1)]!;
}
export const jointColour = '--grey';
export const forceColour = '--soft';
