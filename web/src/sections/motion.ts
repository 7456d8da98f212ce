// The mechanism in motion: time runs or is dragged; small movements can be shown larger, realizations as ghosts.
import './motion.css';
import type { Page, Result } from '../data';
import { checkbox, download, h, select } from '../dom';
import { count, number } from '../format';
import { later } from '../later';
import { addClouds } from '../scene/clouds';
import { Path } from '../scene/path';
import { Playback, rateWords } from '../scene/playback';
import { nominalRow, type About } from '../scene/poses';
import { drawable, Scene } from '../scene/scene';
import { noCanvas } from '../scene/stage';
import type { View } from '../scene/views';
import { currentTime, dark } from '../state';

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

// How far frames go from where they start, as a share of the mechanism's size.
function travel(scene: Scene): number {
  const { poses } = scene;
  const first = new Float64Array(7 * poses.frames);
  const now = new Float64Array(7 * poses.frames);
  poses.at(nominalRow, poses.start, first);
  let farthest = 0;
  for (const t of sampled(scene)) {
    poses.at(nominalRow, t, now);
    for (let i = 0; i < now.length; i += 7)
      farthest = Math.max(farthest, Math.hypot(now[i]! - first[i]!, now[i + 1]! - first[i + 1]!, now[i + 2]! - first[i + 2]!));
  }
  return farthest / scene.mechanism.blueprint.size;
}

class MotionSection {
  readonly root: HTMLElement;
  private readonly playback: Playback;
  private readonly path: Path;
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
    this.path = new Path(scene);
    this.play = h('button', { type: 'button', class: 'motion-play', 'aria-label': 'Play', click: () => this.playback.toggle() }, 'Play');
    this.slider = h('input', { type: 'range', min: poses.start, max: poses.end, step: 'any', value: poses.start, 'aria-label': 'Time', input: () => this.playback.go(Number(this.slider.value)) });
    this.play.disabled = this.slider.disabled = !(poses.end > poses.start);
    const clouds = this.addClouds();
    this.root = h('div', { class: 'motion', 'data-motion': true, 'data-playing': 'false', 'data-ghosts': 0 });
    this.root.append(
      scene.frame,
      h('div', { class: 'controls motion-transport' }, this.play, this.slider, this.clock, this.speed()),
      h('div', { class: 'controls' }, this.exaggeration(), this.ghosts(), clouds, this.seeThrough()),
      h('div', { class: 'controls' }, this.views(), this.exports()),
      scene.names.lists,
      h('p', { class: 'soft small no-print' }, 'Drag to rotate, click and use the wheel to zoom. Choose a body to see its path. Pointing at a plot moves the mechanism to that time.'),
    );
    this.listen();
    scene.frameTimes(sampled(scene), scene.view);
    this.follow(currentTime.value);
  }

  private listen(): void {
    const { stage, names } = this.scene;
    stage.beforeDraw = () => this.scene.place(this.playback.time);
    names.chosen = () => this.showPath();
    stage.canvas.addEventListener('keydown', (event) => {
      if (event.key !== ' ') return;
      event.preventDefault();
      this.playback.toggle();
    });
    dark.subscribe(() => this.showPath());
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
    this.clock.textContent = `t = ${this.clockText(time)} s`;
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
    const options = [0.1, 0.2, 0.5, 1, 2, 5, 10].map((f) => ({ value: String(f), text: rateWords(f * calm) }));
    return labelledChoice('Speed', options, '1', (value) => (this.playback.rate = Number(value) * calm));
  }

  private exaggeration(): HTMLElement {
    const { poses, stage } = this.scene;
    const beams = this.result.geometry.some((b) => b.nodes > 1);
    const scatter = poses.motion.realizations !== null && poses.motion.rows.length > 0;
    const large = travel(this.scene) > 0.2;
    const choices: { value: About; text: string }[] = [{ value: 'start', text: 'displacements from the start' }];
    if (scatter) choices.push({ value: 'nominal', text: 'deviations of realizations from the nominal motion' });
    if (beams) choices.push({ value: 'bending', text: 'bending of beams' });
    poses.about = large && beams ? 'bending' : large && scatter ? 'nominal' : 'start';
    const shown = h('output', { class: 'motion-factor' }, '× 1');
    const changed = () => {
      this.showPath();
      stage.changed();
    };
    const slider = h('input', {
      ...{ type: 'range', min: 0, max: 3, step: 0.05, value: 0, 'aria-label': 'Exaggerate', 'aria-valuetext': '1 times' },
      input: () => {
        poses.factor = Number((10 ** Number(slider.value)).toPrecision(2));
        shown.textContent = `× ${number(poses.factor, 2)}`;
        slider.setAttribute('aria-valuetext', `${poses.factor} times`);
        changed();
      },
    });
    const what = labelledChoice('of', choices, poses.about, (value) => {
      poses.about = value as About;
      changed();
    });
    what.querySelector('select')!.setAttribute('aria-label', 'What is exaggerated');
    return h('span', { class: 'motion-group' }, h('label', { class: 'choice' }, 'Exaggerate ', slider), shown, choices.length > 1 && what);
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

  private seeThrough(): HTMLElement {
    return checkbox('See through', false, (on) => this.scene.names.fade(on));
  }

  private views(): HTMLElement {
    const { scene } = this;
    const button = (text: string, click: () => void) => h('button', { type: 'button', class: 'quiet', click }, text);
    const look = (text: string, view: View) => button(text, () => scene.stage.look(view));
    return h(
      'span',
      { class: 'motion-group', role: 'group', 'aria-label': 'View' },
      ...[look('Front', 'front'), look('Side', 'side'), look('Top', 'top'), look('Isometric', 'isometric')],
      button('Reset', () => scene.frameTimes(sampled(scene), scene.view)),
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

  private showPath(): void {
    const part = this.scene.names.selected;
    const body = part?.role === 'body' ? this.result.geometry.find((b) => b.name === part.name) : undefined;
    this.path.show(body ?? null, part?.variable ?? '--ink');
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
