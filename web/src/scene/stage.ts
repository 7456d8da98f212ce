// A canvas with camera, light and floor. It is drawn when something has changed and it can be seen, never otherwise.
import { BufferGeometry, Color, DirectionalLight, Float32BufferAttribute, HemisphereLight, LineBasicMaterial, LineSegments, PerspectiveCamera, Scene, Spherical, Quaternion, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { h } from '../dom';
import { dark } from '../state';
import { colour } from '../theme';
import { direction, fit, type Directions, type View } from './views';

const fov = 28;
const degree = Math.PI / 180;

// 1, 2 or 5 times a power of ten, at most x.
export function roundBelow(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  return [5, 2, 1].find((f) => f * power <= x * (1 + 1e-9))! * power;
}

export class Stage {
  readonly world = new Scene();
  readonly camera = new PerspectiveCamera(fov, 1.6, 0.01, 100);
  readonly controls: OrbitControls;
  gridStep = 0; // m
  beforeDraw: (() => void) | null = null;
  recolour: (() => void) | null = null;

  private readonly renderer: WebGLRenderer;
  private grid: LineSegments | null = null;
  private points: Float32Array = new Float32Array(0); // what must be seen
  private view: View = 'isometric';
  private moved = false; // by the reader: then a new size does not bring the view back
  private visible = false;
  private waiting = 0;
  private paper: HTMLCanvasElement | null = null;

  // null: this browser draws nothing in three dimensions. The context is asked for here because three.js complains in the console.
  static make(canvas: HTMLCanvasElement, directions: Directions): Stage | null {
    const context = canvas.getContext('webgl2', { antialias: true, alpha: false, preserveDrawingBuffer: true, powerPreference: 'low-power' });
    return context && new Stage(canvas, context, directions);
  }

  private constructor(
    readonly canvas: HTMLCanvasElement,
    context: WebGL2RenderingContext,
    private readonly directions: Directions,
  ) {
    this.renderer = new WebGLRenderer({ canvas, context, antialias: true });
    this.camera.up.copy(directions.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomSpeed = 0.8;
    this.controls.addEventListener('change', () => this.changed());
    this.controls.addEventListener('start', () => (this.moved = true));
    this.light();
    this.listen();
    this.colours();
  }

  // From the eye's upper left, so that faces differ however one looks.
  private light(): void {
    const sun = new DirectionalLight(0xffffff, 2);
    sun.position.set(-1.2, 1.6, 1.4);
    const sky = new HemisphereLight(0xffffff, 0xb4bac4, 2);
    sky.position.copy(this.directions.up);
    this.camera.add(sun, sun.target);
    this.world.add(sky, this.camera);
  }

  private listen(): void {
    const canvas = this.canvas;
    // The wheel scrolls the page until the reader has clicked the picture.
    canvas.addEventListener('wheel', (e) => document.activeElement !== canvas && e.stopImmediatePropagation(), { capture: true });
    canvas.addEventListener('pointerdown', () => canvas.focus({ preventScroll: true }));
    canvas.addEventListener('keydown', (e) => this.key(e));
    new ResizeObserver(() => this.resize()).observe(canvas);
    new IntersectionObserver((entries) => {
      this.visible = entries.some((e) => e.isIntersecting);
      if (this.visible) this.changed();
    }).observe(canvas);
    dark.subscribe(() => {
      this.colours();
      this.draw(); // at once: the next frame may come after printing
    });
    addEventListener('beforeprint', () => this.printed());
    addEventListener('afterprint', () => this.paper?.remove());
  }

  private colours(): void {
    this.world.background = new Color(colour('--card'));
    if (this.grid) (this.grid.material as LineBasicMaterial).color.set(colour('--rule'));
    this.recolour?.();
  }

  // Asks for a new picture.
  changed(): void {
    if (this.waiting || !this.visible) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.draw();
    });
  }

  draw(): void {
    this.beforeDraw?.();
    this.renderer.render(this.world, this.camera);
  }

  // On paper a canvas of WebGL shows the frame before the last one: a copy, in the colours of paper, is printed instead.
  private printed(): void {
    this.draw();
    this.paper?.remove();
    this.paper = h('canvas', { class: 'scene-paper', width: this.canvas.width, height: this.canvas.height, 'aria-hidden': 'true' });
    this.paper.getContext('2d')?.drawImage(this.canvas, 0, 0);
    this.canvas.after(this.paper);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (!this.moved) this.look(this.view);
    this.draw(); // a canvas that has changed its size is empty
  }

  // What must be seen, now and later: x y z of points. Draws the floor below them, or the plane behind them.
  setPoints(points: Float32Array, view: View): void {
    this.points = points;
    this.addGrid();
    this.look(view);
  }

  look(view: View): void {
    this.view = view;
    this.moved = false;
    if (this.points.length === 0) return;
    const towards = direction(this.directions, view);
    const { camera, target } = fit(this.points, towards, this.directions.up, fov * degree, this.camera.aspect);
    const distance = camera.distanceTo(target) || 1;
    this.camera.position.copy(camera);
    this.controls.target.copy(target);
    this.camera.near = distance / 100;
    this.camera.far = 20 * distance;
    this.controls.minDistance = distance / 20;
    this.controls.maxDistance = 5 * distance;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.changed();
  }

  private addGrid(): void {
    if (this.grid) this.world.remove(this.grid);
    const { planar, up, front, side } = this.directions;
    const [a, b, normal] = planar ? [side, up, front] : [side, front, up];
    const range = (axis: Vector3) => {
      let [low, high] = [Infinity, -Infinity];
      for (let i = 0; i < this.points.length; i += 3) {
        const x = axis.x * this.points[i]! + axis.y * this.points[i + 1]! + axis.z * this.points[i + 2]!;
        low = Math.min(low, x);
        high = Math.max(high, x);
      }
      return [low, high] as const;
    };
    const tight = [range(a), range(b)] as const;
    const extent = Math.max(...tight.map(([low, high]) => high - low));
    if (!(extent > 0)) return;
    // Not a mere strip.
    const [ra, rb] = tight.map(([low, high]) => {
      const more = Math.max(0, (0.6 * extent - (high - low)) / 2);
      return [low - more, high + more] as const;
    }) as [readonly [number, number], readonly [number, number]];
    this.gridStep = roundBelow(extent / 5);
    const step = this.gridStep;
    const floor = range(normal)[0] - 0.002 * extent;
    const lines: number[] = [];
    const from = ([low]: readonly [number, number]) => Math.floor(low / step - 0.5) * step;
    const to = ([, high]: readonly [number, number]) => Math.ceil(high / step + 0.5) * step;
    const at = (u: number, v: number) => lines.push(...new Vector3().addScaledVector(a, u).addScaledVector(b, v).addScaledVector(normal, floor).toArray());
    for (let u = from(ra); u <= to(ra) + step / 2; u += step) at(u, from(rb)), at(u, to(rb));
    for (let v = from(rb); v <= to(rb) + step / 2; v += step) at(from(ra), v), at(to(ra), v);
    const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(lines, 3));
    this.grid = new LineSegments(geometry, new LineBasicMaterial({ color: colour('--rule') }));
    this.world.add(this.grid);
  }

  // Arrows turn the mechanism, + and − bring it nearer.
  private key(event: KeyboardEvent): void {
    const turns: Record<string, [number, number]> = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
    const zooms: Record<string, number> = { '+': 0.9, '=': 0.9, '-': 1 / 0.9 };
    const turn = turns[event.key];
    const zoom = zooms[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || (!turn && !zoom)) return;
    event.preventDefault();
    this.moved = true;
    const upright = new Quaternion().setFromUnitVectors(this.camera.up, new Vector3(0, 1, 0));
    const arm = this.camera.position.clone().sub(this.controls.target).applyQuaternion(upright);
    const place = new Spherical().setFromVector3(arm);
    place.theta += turn?.[0] ?? 0;
    place.phi += turn?.[1] ?? 0;
    place.radius *= zoom ?? 1;
    this.camera.position.copy(arm.setFromSpherical(place.makeSafe()).applyQuaternion(upright.invert())).add(this.controls.target);
    this.controls.update();
  }

  // The picture as it is now.
  save(done: (blob: Blob) => void): void {
    this.draw();
    this.canvas.toBlob((blob) => blob && done(blob), 'image/png');
  }
}

export function noCanvas(): HTMLElement {
  return h('p', { class: 'soft' }, 'The mechanism is not drawn: WebGL is not available in this browser.');
}
