// The mechanism in motion: time runs or is dragged; small movements are shown larger, realizations as ghosts; beside it a plot that
// shares its time.
import './motion.css';
import type { Page, Result } from '../data';
import { checkbox, download, h, select } from '../dom';
import { count, number } from '../format';
import { later } from '../later';
import { Arrows, known, paints, type Forces } from '../scene/arrows';
import { addClouds } from '../scene/clouds';
import { Playback, rateWords } from '../scene/playback';
import { failureRow, nominalRow } from '../scene/poses';
import { drawable, Scene } from '../scene/scene';
import { noCanvas } from '../scene/stage';
import { timeless } from '../series';
import { ofBody, outputPoints, Trails, type TrailPoint } from '../scene/trails';
import type { View } from '../scene/views';
import { failureName } from '../probability';
import { currentMotion, currentTime, dark } from '../state';
import { Exaggeration } from './motion_exaggeration';
import { dockedPlot } from './motion_plot';

const cursorInterval = 33; // ms between cursors of the plots while time runs

function labelledChoice(label: string, options: { value: string; text: string }[], value: string, changed: (value: string) => void): HTMLElement {
  const choice = select(label, options, value, changed);
  choice.querySelector('select')!.setAttribute('aria-label', label);
  return choice;
}

// Times at which the whole motion is looked at, to frame it.
function sampled(scene: Scene): number[] {
  const { start, end } = scene.poses;
  return Array.from({ length: 41 }, (_, i) => start + ((end - start) * i) / 40);
}

const mostTrails = 6; // that are shown without being asked for

class MotionSection {
  readonly root: HTMLElement;
  private readonly playback: Playback;
  private readonly trails: Trails;
  private readonly arrows: Arrows;
  private readonly exaggeration: Exaggeration;
  private chosenTrails: TrailPoint[] = [];
  private readonly play: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly clock = h('output', { class: 'motion-clock' });
  private told = 0; // when the plots were told the time, ms
  private following = false; // the time was set elsewhere

  constructor(
    private readonly result: Result,
    private readonly scene: Scene,
  ) {
    const { poses } = scene;
    this.playback = new Playback(poses.start, poses.end, (playing) => this.moved(playing));
    if (poses.motion.modes) this.playback.rate = 0.5; // a period in two seconds
    this.trails = new Trails(scene);
    this.arrows = new Arrows(scene, result);
    this.exaggeration = new Exaggeration(scene, result, () => this.exaggerated());
    this.play = h('button', { type: 'button', class: 'motion-play', 'aria-label': 'Play', click: () => this.playback.toggle() }, 'Play');
    this.slider = h('input', { type: 'range', min: poses.start, max: poses.end, step: 'any', value: poses.start, 'aria-label': 'Time', input: () => this.playback.go(Number(this.slider.value)) });
    this.play.disabled = this.slider.disabled = !(poses.end > poses.start);
    const clouds = this.addClouds();
    this.root = h('div', { class: 'motion', 'data-motion': true, 'data-playing': 'false', 'data-ghosts': 0 });
    const transport = h('div', { class: 'controls motion-transport' }, this.play, this.slider, this.clock, this.speed());
    const dock = timeless(result) ? null : dockedPlot(result, (time) => this.playback.go(time));
    this.root.append(
      h('div', { class: dock ? 'motion-stage motion-docked' : 'motion-stage' }, h('div', {}, scene.frame, transport), dock),
      h('div', { class: 'controls' }, this.motions(), this.exaggeration.control, this.ghosts()),
      h('div', { class: 'controls' }, this.views(), this.exports()),
      h('div', { class: 'controls' }, this.trailChoice(), this.forces('forces', 'Forces'), this.forces('reactions', 'Joint reactions'), clouds, ...this.looks()),
      scene.names.lists,
      h('p', { class: 'soft small no-print' }, `Drag to rotate, click and use the wheel to zoom. Choose a body to see its path.${timeless(result) ? ' A mode has no amplitude: it is drawn large enough to be seen, and does not decay.' : ' Pointing at a plot moves the mechanism to that time.'}`),
    );
    this.listen();
    this.say();
    this.showTrails();
    scene.frameTimes(sampled(scene), scene.view);
    this.follow(currentTime.value);
  }

  private listen(): void {
    const { stage, names } = this.scene;
    stage.beforeDraw = () => {
      const { time } = this.playback;
      this.scene.place(time);
      this.trails.place(time);
      this.arrows.place(time);
    };
    names.chosen = () => this.showTrails();
    stage.canvas.addEventListener('keydown', (event) => {
      if (event.key !== ' ') return;
      event.preventDefault();
      this.playback.toggle();
    });
    dark.subscribe(() => {
      this.arrows.recolour();
      this.trails.refresh();
    });
    currentTime.subscribe((t, source) => {
      if (source !== this && !this.playback.playing) this.follow(t);
    });
  }

  // A time set elsewhere is not told again.
  private follow(t: number): void {
    this.following = true;
    this.playback.go(t);
    this.following = false;
  }

  // Shows the time everywhere.
  private moved(playing: boolean): void {
    const { time } = this.playback;
    this.root.dataset.time = String(time);
    this.root.dataset.playing = String(playing);
    const word = playing ? 'Pause' : 'Play';
    if (this.play.textContent !== word) {
      this.play.textContent = word;
      this.play.setAttribute('aria-label', word);
    }
    this.slider.value = String(time);
    this.clock.textContent = this.scene.poses.motion.modes ? `${time.toFixed(2)} of a period` : `t = ${this.clockText(time)} s`;
    this.scene.stage.changed();
    const now = performance.now();
    if (this.following || (playing && now - this.told < cursorInterval)) return;
    this.told = now;
    currentTime.set(time, this);
  }

  // As many decimals as tell a thousandth of the motion.
  private clockText(time: number): string {
    const span = this.scene.poses.end - this.scene.poses.start;
    return span > 0 ? time.toFixed(Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(span))))) : number(time);
  }

  private speed(): HTMLElement {
    const calm = this.playback.rate;
    const modes = this.scene.poses.motion.modes;
    const options = [0.1, 0.2, 0.5, 1, 2, 5, 10].map((f) => ({ value: String(f), text: modes ? `${number(1 / (f * calm), 2)} s per period` : rateWords(f * calm) }));
    return labelledChoice('Speed', options, '1', (value) => (this.playback.rate = Number(value) * calm));
  }

  private exaggerated(): void {
    this.trails.refresh();
    this.say();
  }

  // What is written into the picture.
  private say(): void {
    const { stage, poses } = this.scene;
    const largest = this.arrows.largest;
    const words = this.exaggeration?.words; // not yet while it is made
    const k = -2 - this.scene.row;
    const failure = this.scene.row === nominalRow ? [] : [poses.motion.modes?.[k] ?? failureName(k)];
    if (words) stage.overlay.say([...failure, words, ...(largest > 0 && !failure.length ? [`longest arrow ${number(largest, 2)} N`] : [])]);
    stage.canvas.dataset.factor = String(poses.factor);
    stage.changed();
  }

  private trailChoice(): HTMLElement {
    const points = outputPoints(this.result);
    const bodies = this.result.geometry.map(ofBody);
    const groups: { text: string; points: TrailPoint[] }[] = [{ text: 'none', points: [] }];
    if (points.length > 1) groups.push({ text: 'all points of outputs', points });
    groups.push({ text: 'all bodies', points: bodies }, ...[...points, ...bodies].map((p) => ({ text: p.label, points: [p] })));
    const start = points.length === 1 ? groups.findIndex((g) => g.points[0] === points[0] && g.points.length === 1) : points.length > 1 && points.length <= mostTrails ? 1 : 0;
    this.chosenTrails = groups[start]!.points;
    const options = groups.map((g, k) => ({ value: String(k), text: g.text }));
    return labelledChoice('Trails', options, String(start), (value) => {
      this.chosenTrails = groups[Number(value)]!.points;
      this.showTrails();
    });
  }

  // Those chosen, and that of the body selected.
  private showTrails(): void {
    const part = this.scene.names.selected;
    const k = part?.role === 'body' ? this.result.geometry.findIndex((b) => b.name === part.name) : -1;
    this.trails.show(k < 0 ? this.chosenTrails : [...this.chosenTrails, ofBody(this.result.geometry[k]!, k)]);
    this.scene.stage.changed();
  }

  private forces(which: Forces, label: string): HTMLElement | null {
    const all = known(this.result, which);
    if (all.length === 0) return null;
    const loaded = all.some((c) => c.role === 'force' && c.frames.length === 1); // from outside: part of the picture
    this.arrows.show(which, loaded);
    const box = checkbox(label, loaded, (on) => {
      this.arrows.show(which, on);
      this.say();
    });
    const swatch = h('span', { class: 'scene-swatch', 'aria-hidden': 'true' });
    swatch.style.background = `var(${paints[which]})`;
    box.querySelector('input')!.after(' ', swatch);
    return box;
  }

  // The nominal motion, or a failure that a method for rare events kept.
  private motions(): HTMLElement | null {
    const { failures, modes } = this.scene.poses.motion;
    const one = 7 * this.scene.poses.frames * this.scene.poses.motion.time.length;
    const n = failures ? Math.floor(failures.length / one) : 0;
    if (n === 0) return null;
    const names = Array.from({ length: n }, (_, k) => ({ value: String(k), text: modes?.[k] ?? failureName(k) }));
    const options = modes ? names : [{ value: '-1', text: 'nominal' }, ...names];
    if (modes) currentMotion.set(0);
    const choice = labelledChoice(modes ? 'Mode' : 'Motion', options, String(Math.min(currentMotion.value, n - 1)), (value) => currentMotion.set(Number(value)));
    const show = (k: number) => {
      const shown = Math.min(k, n - 1);
      choice.querySelector('select')!.value = String(shown);
      this.scene.row = shown < 0 ? nominalRow : failureRow(shown);
      this.root.dataset.row = String(shown);
      this.trails.refresh();
      this.say();
    };
    currentMotion.subscribe(show);
    this.scene.row = currentMotion.value < 0 ? nominalRow : failureRow(Math.min(currentMotion.value, n - 1));
    return choice;
  }

  private ghosts(): HTMLElement | null {
    const { realizations, rows } = this.scene.poses.motion;
    if (!realizations || rows.length === 0) return null;
    const counts = [0, 4, 8, 16, 32, 64].filter((n) => n < rows.length).concat(rows.length);
    const options = counts.map((n) => ({ value: String(n), text: n === 0 ? 'none' : `${count(n)} realization${n > 1 ? 's' : ''}` }));
    return labelledChoice('Ghosts', options, '0', (value) => {
      this.scene.setGhosts(Number(value));
      this.root.dataset.ghosts = value;
    });
  }

  private addClouds(): HTMLElement | null {
    const { poses, mechanism, stage } = this.scene;
    const initial = new Float64Array(7 * poses.frames);
    poses.at(nominalRow, poses.start, initial);
    if (addClouds(this.result, mechanism, initial) === 0) return null;
    mechanism.showClouds(false);
    return checkbox('Centres of mass', false, (on) => {
      mechanism.showClouds(on);
      stage.changed();
    });
  }

  private looks(): HTMLElement[] {
    const { names } = this.scene;
    const joints = checkbox('Joints through bodies', true, (on) => names.seeJoints(on));
    return [joints, checkbox('Transparent bodies', false, (on) => names.fade(on))];
  }

  private views(): HTMLElement {
    const { scene } = this;
    const button = (text: string, click: () => void) => h('button', { type: 'button', class: 'quiet', click }, text);
    const look = (text: string, view: View) => button(text, () => scene.stage.look(view));
    const flat = checkbox('Perspective', !scene.stage.isFlat, (on) => scene.stage.project(!on));
    scene.stage.projected = () => (flat.querySelector('input')!.checked = !scene.stage.isFlat);
    return h(
      'span',
      { class: 'motion-group', role: 'group', 'aria-label': 'View' },
      ...[look('Front', 'front'), look('Side', 'side'), look('Top', 'top'), look('Isometric', 'isometric')],
      button('Reset', () => scene.frameTimes(sampled(scene), scene.view)),
      flat,
    );
  }

  private exports(): HTMLElement {
    const { stage, frame } = this.scene;
    const save = () => stage.save((blob) => download(`${this.result.label}-motion.png`, blob));
    const full = () => void (document.fullscreenElement ? document.exitFullscreen() : frame.requestFullscreen());
    return h(
      'span',
      { class: 'motion-group' },
      h('button', { type: 'button', class: 'quiet', 'aria-label': 'Save the picture as PNG', click: save }, 'PNG'),
      document.fullscreenEnabled && h('button', { type: 'button', class: 'quiet', click: full }, 'Full screen'),
    );
  }
}

export function motion(page: Page): HTMLElement | null {
  const result = page.results[0]!;
  if (!drawable(result)) return null;
  return later('scene scene-large', () => {
    const scene = Scene.make(result, 'motion', 'large');
    return scene ? new MotionSection(result, scene).root : noCanvas();
  });
}
