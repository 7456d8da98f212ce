// What is below or behind the mechanism: a grid of known size; where gravity says what is down, a floor with a soft shadow.
import { BufferGeometry, Color, DirectionalLight, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, PlaneGeometry, ShadowMaterial, Vector3 } from 'three';
import { dark } from '../state';
import { colour } from '../theme';
import { extent, type Directions } from './views';

type Range = readonly [number, number];

// 1, 2 or 5 times a power of ten, at most x.
export function roundBelow(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  return [5, 2, 1].find((f) => f * power <= x * (1 + 1e-9))! * power;
}

export class Floor {
  readonly group = new Group();
  step = 0; // m, of the grid
  private readonly lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial());
  private readonly ground = new Mesh(new PlaneGeometry(), new MeshBasicMaterial({ depthWrite: false, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 }));
  private readonly shadow = new Mesh(this.ground.geometry, new ShadowMaterial({ depthWrite: false, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }));
  private readonly sun = new DirectionalLight(0xffffff, 0.35); // it throws the shadow

  constructor(
    private readonly directions: Directions,
    shadow: boolean,
  ) {
    this.ground.renderOrder = -3;
    this.shadow.renderOrder = -2;
    this.lines.renderOrder = -1;
    this.shadow.receiveShadow = true;
    this.group.add(this.lines);
    if (!this.hasGround) return;
    this.group.add(this.ground);
    if (!shadow) return;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(512, 512);
    this.sun.shadow.radius = 6;
    this.group.add(this.shadow, this.sun, this.sun.target);
  }

  get hasGround(): boolean {
    return this.directions.falls && !this.directions.planar;
  }

  colours(): void {
    this.lines.material.color.set(colour('--rule'));
    this.ground.material.color.copy(new Color(colour('--card'))).lerp(new Color(colour('--rule')), dark.value ? 0.3 : 0.22);
    this.shadow.material.opacity = dark.value ? 0.35 : 0.12;
  }

  // Below all these points (x y z each), or behind them.
  put(points: Float32Array): void {
    const { planar, up, front, side } = this.directions;
    const [a, b, normal] = planar ? [side, up, front] : [side, front, up];
    const tight = [extent(points, a), extent(points, b)];
    const size = Math.max(...tight.map(([low, high]) => high - low));
    this.group.visible = size > 0;
    if (!(size > 0)) return;
    // Not a mere strip.
    const wide = tight.map(([low, high]): Range => {
      const more = Math.max(0, (0.6 * size - (high - low)) / 2);
      return [low - more, high + more];
    });
    this.step = roundBelow(size / 5);
    const level = extent(points, normal)[0] - 0.002 * size;
    const whole = wide.map(([low, high]): Range => [Math.floor(low / this.step - 0.5) * this.step, Math.ceil(high / this.step + 0.5) * this.step]);
    const at = (u: number, v: number) => new Vector3().addScaledVector(a, u).addScaledVector(b, v).addScaledVector(normal, level);
    this.putGrid(whole[0]!, whole[1]!, at);
    if (this.hasGround) this.putGround(whole[0]!, whole[1]!, at, size);
  }

  private putGrid(ra: Range, rb: Range, at: (u: number, v: number) => Vector3): void {
    const ends: number[] = [];
    for (let u = ra[0]; u <= ra[1] + this.step / 2; u += this.step) ends.push(...at(u, rb[0]).toArray(), ...at(u, rb[1]).toArray());
    for (let v = rb[0]; v <= rb[1] + this.step / 2; v += this.step) ends.push(...at(ra[0], v).toArray(), ...at(ra[1], v).toArray());
    this.lines.geometry.dispose();
    this.lines.geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(ends, 3));
  }

  private putGround(ra: Range, rb: Range, at: (u: number, v: number) => Vector3, size: number): void {
    const { up, front, side } = this.directions;
    const middle = at((ra[0] + ra[1]) / 2, (rb[0] + rb[1]) / 2);
    const upright = new Matrix4().makeBasis(side, up.clone().cross(side), up);
    for (const mesh of [this.ground, this.shadow]) {
      mesh.position.copy(middle);
      mesh.quaternion.setFromRotationMatrix(upright);
      mesh.scale.set(ra[1] - ra[0], rb[1] - rb[0], 1);
    }
    // Nearly from above: a shadow lies where its body is.
    this.sun.position.copy(middle).addScaledVector(up, 4 * size).addScaledVector(side, -0.7 * size).addScaledVector(front, 0.5 * size);
    this.sun.target.position.copy(middle);
    const { camera } = this.sun.shadow;
    const half = 0.75 * Math.hypot(ra[1] - ra[0], rb[1] - rb[0]);
    Object.assign(camera, { left: -half, right: half, top: half, bottom: -half, near: 0.1 * size, far: 8 * size });
    camera.updateProjectionMatrix();
  }
}
