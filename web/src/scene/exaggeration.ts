// How much larger than they are movements are shown: so that they can be seen, and said in words.
import { number } from '../format';
import { nominalRow, type About } from './poses';
import type { Scene } from './scene';

const wanted = 0.1; // of the mechanism's size, the largest displacement
const visible = 0.05; // moves that far by itself

const words: Record<About, string> = {
  start: 'displacements',
  nominal: 'deviations from the nominal motion',
  bending: 'bending of beams',
};

// "displacements × 40"
export function factorWords(about: About, factor: number, ofMode = false): string {
  if (ofMode) return factor === 1 ? 'amplitude to be seen' : `amplitude to be seen × ${number(factor, 2)}`;
  return factor === 1 ? 'displacements true to scale' : `${words[about]} × ${number(factor, 2)}`;
}

// A factor that can be said, near the one that makes this share of the size the wanted one; never below 1.
export function proposal(share: number): number {
  if (!(share > 1e-12) || share >= visible) return 1;
  const exact = wanted / share;
  const power = 10 ** Math.floor(Math.log10(exact));
  const steps = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((f) => f * power);
  return Math.max(1, Number(steps.reduce((a, b) => (Math.abs(Math.log(b / exact)) < Math.abs(Math.log(a / exact)) ? b : a)).toPrecision(2)));
}

// The largest displacement of what would be exaggerated, in the nominal motion and some realizations, as a share of the mechanism's size.
export function largestShare(scene: Scene, about: About): number {
  const { poses, mechanism } = scene;
  const { blueprint } = mechanism;
  const before = { about: poses.about, factor: poses.factor };
  const now = new Float64Array(7 * poses.frames);
  const corners = (row: number, t: number, factor: number) => {
    Object.assign(poses, { about, factor });
    poses.at(row, t, now);
    return blueprint.corners(now);
  };
  const count = Math.min(8, poses.motion.realizations ? poses.motion.rows.length : 0);
  const rows = [nominalRow, ...Array.from({ length: count }, (_, k) => Math.floor((k * poses.motion.rows.length) / count))];
  const times = Array.from({ length: 25 }, (_, i) => poses.start + ((poses.end - poses.start) * i) / 24);
  const first = corners(nominalRow, poses.start, 1);
  let farthest = 0;
  for (const t of times) {
    const nominal = about === 'nominal' ? corners(nominalRow, t, 1) : first;
    for (const row of rows) {
      const shown = corners(row, t, 1);
      // Bending is measured from the chord: twice as much of it is as far again.
      const from = about === 'bending' ? corners(row, t, 2) : nominal;
      if (shown.length !== from.length) continue; // a realization that failed
      for (let i = 0; i < shown.length; i += 3)
        farthest = Math.max(farthest, Math.hypot(shown[i]! - from[i]!, shown[i + 1]! - from[i + 1]!, shown[i + 2]! - from[i + 2]!));
    }
  }
  Object.assign(poses, before);
  return farthest / blueprint.size;
}
