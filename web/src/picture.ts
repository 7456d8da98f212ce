// The mechanism as it starts, to look at from all sides.
import type { Result } from './data';
import { h } from './dom';
import { later } from './later';
import { drawable, Scene } from './scene/scene';
import { noCanvas } from './scene/stage';
import { timeless } from './series';

// null: the results say nothing about where bodies are.
export function picture(result: Result): HTMLElement | null {
  return drawable(result) ? later('scene scene-small', () => draw(result)) : null;
}

function draw(result: Result): HTMLElement {
  const scene = Scene.make(result, 'overview', 'small');
  if (!scene) return noCanvas();
  scene.frameTimes([scene.poses.start], scene.view);
  scene.place(scene.poses.start);
  const caption = h('figcaption', { class: 'no-print' }, `${timeless(result) ? 'The mechanism' : 'The mechanism at t = 0'}. Drag to rotate it, point at a part for its name.`);
  return h('figure', { class: 'picture' }, scene.frame, caption);
}
