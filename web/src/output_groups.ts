// Many outputs: which belong together, and which a few letters name.
import type { Output } from './data';
import { unitText } from './format';

const quantities: Record<string, string> = {
  m: 'Positions and lengths',
  rad: 'Angles',
  'm/s': 'Velocities',
  'rad/s': 'Angular velocities',
  'm/s²': 'Accelerations',
  'rad/s²': 'Angular accelerations',
  N: 'Forces',
  'N m': 'Moments',
  'N·m': 'Moments',
  J: 'Energies',
  W: 'Powers',
  Pa: 'Stresses and pressures',
};

export interface OutputGroup {
  title: string;
  members: number[]; // indices
}

// By what they are measured in, in the order of the outputs.
export function outputGroups(outputs: Output[]): OutputGroup[] {
  const groups = new Map<string, OutputGroup>();
  outputs.forEach((o, i) => {
    const unit = unitText(o.unit);
    const title = unit ? `${quantities[unit] ?? 'Outputs'} [${unit}]` : 'Without unit';
    if (!groups.has(title)) groups.set(title, { title, members: [] });
    groups.get(title)!.members.push(i);
  });
  return [...groups.values()];
}

// All words occur in the name, in any order.
export function matches(name: string, filter: string): boolean {
  const low = name.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => low.includes(word));
}
