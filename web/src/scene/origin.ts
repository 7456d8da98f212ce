// The origin of the model's frame, in the colours of its axes; where it is near the mechanism.
import { BufferGeometry, Float32BufferAttribute, Group, Line, LineBasicMaterial, Vector3 } from 'three';
import { colour } from '../theme';
import { axes } from './overlay';
import { extent } from './views';

export class Origin {
  readonly group = new Group();
  private readonly materials: LineBasicMaterial[] = [];

  constructor() {
    for (const { direction } of axes) {
      const material = new LineBasicMaterial({ depthTest: false, transparent: true, opacity: 0.7 });
      const line = new Line(new BufferGeometry().setAttribute('position', new Float32BufferAttribute([0, 0, 0, ...direction.toArray()], 3)), material);
      line.renderOrder = 4;
      this.materials.push(material);
      this.group.add(line);
    }
  }

  colours(): void {
    this.materials.forEach((material, i) => material.color.set(colour(axes[i]!.variable)));
  }

  // Beside all these points (x y z each).
  put(points: Float32Array): void {
    const ranges = axes.map(({ direction }) => extent(points, direction));
    const size = new Vector3(...ranges.map(([low, high]) => high - low)).length();
    this.group.visible = ranges.every(([low, high]) => low - 0.15 * size <= 0 && high + 0.15 * size >= 0);
    this.group.scale.setScalar(0.06 * size);
  }
}
