import type { Result } from '../data';
import { timeOfLargestScatter } from '../series';
import { currentTime, nearest } from '../state';

// Index of the time the reader points at; until then of that at which the output scatters most.
export function timeLookedAt(r: Result): (output: number) => number {
  let pointed = currentTime.value !== 0;
  currentTime.subscribe(() => (pointed = true));
  return (output) => (pointed ? nearest(r.time, currentTime.value) : timeOfLargestScatter(r.outputs[output]!));
}
