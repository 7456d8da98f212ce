// The mechanism as it starts, to look at from all sides.
import type { Result } from './data';
import { h } from './dom';
import { noCanvas } from './scene/stage';
import { Scene } from './scene/scene';

// null: the results say nothing about where bodies are.
export function picture(result: Result): HTMLElement | null {
  const scene = Scene.make(result, 'overview', 'small');
  if (scene === 'no motion') return null;
  if (scene === 'no canvas') return noCanvas();
  scene.frameTimes([scene.poses.start], scene.view);
  scene.place(scene.poses.start);
  const caption = h('figcaption', { class: 'no-print' }, 'The mechanism as it starts. Drag to turn it, point at a part for its name.');
  return h('figure', { class: 'picture' }, scene.frame, scene.names.lists, caption);
}
