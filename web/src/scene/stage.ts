// A canvas with camera, light and floor. It is drawn when something has changed and it can be seen, never otherwise.
import { Color, DirectionalLight, Group, HemisphereLight, OrthographicCamera, PerspectiveCamera, Quaternion, Scene, Spherical, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { h } from '../dom';
import { number } from '../format';
import { dark } from '../state';
import { colour } from '../theme';
import { Floor } from './floor';
import { Origin } from './origin';
import { Overlay } from './overlay';
import { direction, fit, fitParallel, type Directions, type View } from './views';

const fov = 28;
const degree = Math.PI / 180;

export class Stage {
  readonly world = new Scene();
  readonly overlay = new Overlay();
  readonly controls: OrbitControls;
  camera: PerspectiveCamera | OrthographicCamera; // the one in use
  projected: (() => void) | null = null; // after the other camera came into use
  beforeDraw: (() => void) | null = null;
  recolour: (() => void) | null = null;

  private readonly renderer: WebGLRenderer;
  private readonly perspective = new PerspectiveCamera(fov, 1.6, 0.01, 100);
  private readonly parallel = new OrthographicCamera();
  private readonly eye = new Group(); // light that comes along with the camera
  private readonly floor: Floor;
  private readonly origin = new Origin();
  private height = 1; // m, that parallel rays see without zoom
  private aspect = 1.6;
  private points: Float32Array = new Float32Array(0); // what must be seen
  private view: View = 'isometric';
  private moved = false; // by the reader: then a new size does not bring the view back
  private visible = false;
  private waiting = 0;
  private paper: HTMLCanvasElement | null = null;

  // null: this browser draws nothing in three dimensions. The context is asked for here because three.js complains in the console.
  static make(canvas: HTMLCanvasElement, directions: Directions, shadow: boolean): Stage | null {
    const context = canvas.getContext('webgl2', { antialias: true, alpha: false, preserveDrawingBuffer: true, powerPreference: 'low-power' });
    return context && new Stage(canvas, context, directions, shadow);
  }

  private constructor(
    readonly canvas: HTMLCanvasElement,
    context: WebGL2RenderingContext,
    private readonly directions: Directions,
    shadow: boolean,
  ) {
    this.renderer = new WebGLRenderer({ canvas, context, antialias: true });
    this.floor = new Floor(directions, shadow);
    this.renderer.shadowMap.enabled = this.floor.hasGround && shadow;
    for (const camera of [this.perspective, this.parallel]) camera.up.copy(directions.up);
    this.camera = directions.planar ? this.parallel : this.perspective;
    this.controls = new OrbitControls(this.camera, canvas);
    Object.assign(this.controls, { zoomSpeed: 0.8, minZoom: 0.2, maxZoom: 20 });
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
    this.eye.add(sun, sun.target);
    this.world.add(sky, this.eye, this.floor.group, this.origin.group);
  }

  private listen(): void {
    const canvas = this.canvas;
    // The wheel scrolls the page until the reader has clicked the picture.
    canvas.addEventListener('wheel', (e) => document.activeElement !== canvas && e.stopImmediatePropagation(), { capture: true });
    canvas.addEventListener('pointerdown', () => canvas.focus({ preventScroll: true }));
    canvas.addEventListener('keydown', (e) => this.key(e));
    new ResizeObserver(() => this.resize()).observe(canvas);
    const seen = (entries: IntersectionObserverEntry[]) => {
      this.visible = entries.some((e) => e.isIntersecting);
      if (this.visible) this.changed();
    };
    new IntersectionObserver(seen, { rootMargin: '200px' }).observe(canvas);
    dark.subscribe(() => {
      this.colours();
      if (this.visible) this.draw(); // at once: the next frame may come after printing
    });
    addEventListener('beforeprint', () => this.printed());
    addEventListener('afterprint', () => this.paper?.remove());
  }

  private colours(): void {
    this.world.background = new Color(colour('--card'));
    this.floor.colours();
    this.origin.colours();
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
    this.eye.position.copy(this.camera.position);
    this.eye.quaternion.copy(this.camera.quaternion);
    this.overlay.turn(this.camera.quaternion);
    this.renderer.render(this.world, this.camera);
  }

  // On paper a canvas of WebGL shows the frame before the last one: a copy, in the colours of paper, is printed instead.
  private printed(): void {
    this.draw();
    this.paper?.remove();
    this.paper = h('canvas', { class: 'scene-paper', width: this.canvas.width, height: this.canvas.height, 'aria-hidden': 'true' });
    this.paint(this.paper);
    this.canvas.after(this.paper);
  }

  // The picture as it is now, with what is written into it.
  private paint(to: HTMLCanvasElement): void {
    const context = to.getContext('2d');
    if (!context) return;
    context.drawImage(this.canvas, 0, 0);
    this.overlay.paint(context, to.width, to.height, this.canvas.width / (this.canvas.clientWidth || this.canvas.width));
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.aspect = width / height;
    this.updateLens();
    if (!this.moved) this.look(this.view);
    if (this.visible) this.draw(); // a canvas that has changed its size is empty
  }

  // What must be seen, now and later: x y z of points. Draws the floor below them, or the plane behind them.
  setPoints(points: Float32Array, view: View): void {
    this.points = points;
    this.floor.put(points);
    this.origin.put(points);
    this.overlay.measure(this.floor.step > 0 ? `grid ${number(this.floor.step)} m` : '');
    this.look(view);
  }

  // Views along an axis are true to scale; so are all views of what moves in a plane.
  look(view: View): void {
    this.view = view;
    this.moved = false;
    if (this.points.length === 0) return;
    const flat = this.directions.planar || view !== 'isometric';
    const towards = direction(this.directions, view);
    const { up } = this.directions;
    const { camera, target, height } = flat ? fitParallel(this.points, towards, up, this.aspect) : fit(this.points, towards, up, fov * degree, this.aspect);
    this.use(flat ? this.parallel : this.perspective);
    this.height = height;
    this.camera.position.copy(camera);
    this.camera.zoom = 1;
    this.controls.target.copy(target);
    this.setReach();
    this.controls.update();
    this.changed();
  }

  get isFlat(): boolean {
    return this.camera === this.parallel;
  }

  // The other projection, from the same side and of the same size.
  project(flat: boolean): void {
    if (flat === this.isFlat) return;
    const { target } = this.controls;
    const arm = this.camera.position.clone().sub(target);
    const half = Math.tan((fov * degree) / 2);
    if (flat) this.height = 2 * half * arm.length();
    else arm.setLength(this.height / this.camera.zoom / (2 * half));
    this.use(flat ? this.parallel : this.perspective);
    this.camera.zoom = 1;
    this.camera.position.copy(target).add(arm);
    this.moved = true;
    this.setReach();
    this.controls.update();
    this.changed();
  }

  private use(camera: PerspectiveCamera | OrthographicCamera): void {
    this.camera = camera;
    this.controls.object = camera;
    this.canvas.dataset.projection = this.isFlat ? 'orthographic' : 'perspective';
    this.projected?.();
  }

  private setReach(): void {
    const distance = this.camera.position.distanceTo(this.controls.target) || 1;
    this.camera.near = distance / 100;
    this.camera.far = 20 * distance;
    this.controls.minDistance = distance / 20;
    this.controls.maxDistance = 5 * distance;
    this.updateLens();
  }

  private updateLens(): void {
    this.perspective.aspect = this.aspect;
    const [x, y] = [(this.height * this.aspect) / 2, this.height / 2];
    Object.assign(this.parallel, { left: -x, right: x, top: y, bottom: -y });
    this.camera.updateProjectionMatrix();
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
    if (this.isFlat) this.camera.zoom /= zoom ?? 1;
    else place.radius *= zoom ?? 1;
    this.camera.updateProjectionMatrix();
    this.camera.position.copy(arm.setFromSpherical(place.makeSafe()).applyQuaternion(upright.invert())).add(this.controls.target);
    this.controls.update();
  }

  // The picture as it is now.
  save(done: (blob: Blob) => void): void {
    this.draw();
    const picture = h('canvas', { width: this.canvas.width, height: this.canvas.height });
    this.paint(picture);
    picture.toBlob((blob) => blob && done(blob), 'image/png');
  }
}

export function noCanvas(): HTMLElement {
  return h('p', { class: 'soft' }, 'The mechanism is not drawn: WebGL is not available in this browser.');
}
