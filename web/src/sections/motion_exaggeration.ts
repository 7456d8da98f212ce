// The control of how much larger than they are movements are shown. A factor that makes them visible is proposed.
import type { Result } from '../data';
import { h, select } from '../dom';
import { factorWords, largestShare, proposal } from '../scene/exaggeration';
import type { About } from '../scene/poses';
import type { Scene } from '../scene/scene';

export class Exaggeration {
  readonly control: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly shown = h('output', { class: 'motion-factor' });

  // `changed` is called when something is shown larger or smaller than before.
  constructor(
    private readonly scene: Scene,
    result: Result,
    private readonly changed: () => void,
  ) {
    const { poses } = scene;
    const beams = result.geometry.some((b) => b.nodes > 1);
    const scatter = poses.motion.realizations !== null && poses.motion.rows.length > 0;
    const modes = poses.motion.modes !== undefined; // they are drawn as large as can be seen
    const choices: { value: About; text: string }[] = [{ value: 'start', text: 'displacements from the start' }];
    if (scatter) choices.push({ value: 'nominal', text: 'deviations from the nominal motion' });
    if (beams && !modes) choices.push({ value: 'bending', text: 'bending of beams' });
    this.slider = h('input', { type: 'range', min: modes ? -1 : 0, max: 3, step: 0.05, value: 0, 'aria-label': 'Exaggerate', input: () => this.set(Number((10 ** Number(this.slider.value)).toPrecision(2)), false) });
    // What moves far by itself is shown as it is; then rather what is small in it can be exaggerated.
    const factor = modes ? 1 : proposal(largestShare(scene, 'start'));
    poses.about = modes || factor > 1 ? 'start' : beams ? 'bending' : scatter ? 'nominal' : 'start';
    this.set(factor, true);
    const what = select('of', choices, poses.about, (value) => {
      poses.about = value as About;
      this.set(proposal(largestShare(scene, poses.about)), true);
    });
    what.querySelector('select')!.setAttribute('aria-label', 'What is exaggerated');
    const label = h('label', { class: 'choice' }, 'Exaggerate ', this.slider);
    this.control = h('span', { class: 'motion-group' }, label, choices.length > 1 && what, this.shown);
  }

  get words(): string {
    return factorWords(this.scene.poses.about, this.scene.poses.factor, this.scene.poses.motion.modes !== undefined);
  }

  private set(factor: number, moveSlider: boolean): void {
    this.scene.poses.factor = factor;
    if (moveSlider) {
      const power = Math.log10(factor);
      this.slider.max = String(this.scene.poses.motion.modes ? 1 : Math.max(3, Math.ceil(power + 1)));
      this.slider.value = String(power);
    }
    this.shown.textContent = this.words;
    this.slider.setAttribute('aria-valuetext', this.words);
    this.changed();
  }
}
