// Names: pointing at something tells what it is; a list does the same for the keyboard and for fingers.
import { Raycaster, Vector2 } from 'three';
import { h } from '../dom';
import type { Mechanism } from './mechanism';
import { styled, type Part } from './parts';
import type { Stage } from './stage';

const plural = { body: 'Bodies', joint: 'Joints', force: 'Forces' };

export class Names {
  readonly lists: HTMLElement;
  readonly tip = h('div', { class: 'scene-tip', role: 'status', hidden: true });
  selected: Part | null = null;
  chosen: (() => void) | null = null; // after another part was selected
  private hovered: Part | null = null;
  private seeThrough = false;
  private xray = true;
  private readonly buttons = new Map<Part, HTMLButtonElement>();
  private readonly caster = new Raycaster();
  private readonly where = new Vector2();

  constructor(
    private readonly stage: Stage,
    private readonly mechanism: Mechanism,
    private readonly others: () => Mechanism[], // copies that follow
  ) {
    this.caster.params.Line.threshold = 0.006 * mechanism.blueprint.size;
    this.caster.params.Points.threshold = 0.01 * mechanism.blueprint.size;
    this.lists = h('div', { class: 'scene-names' });
    for (const role of ['body', 'joint', 'force'] as const) {
      const parts = mechanism.parts.filter((p) => p.role === role);
      if (parts.length) this.lists.append(this.list(plural[role], parts));
    }
    stage.canvas.addEventListener('pointermove', (e) => e.buttons === 0 && this.point(e));
    stage.canvas.addEventListener('pointerleave', () => this.hover(null));
    stage.canvas.addEventListener('pointerdown', (e) => this.point(e));
  }

  private list(title: string, parts: Part[]): HTMLElement {
    const items = parts.map((part) => {
      const button = h('button', { type: 'button', class: 'scene-name', 'aria-pressed': 'false', title: part.kind, click: () => this.select(part) });
      const swatch = h('span', { class: 'scene-swatch', 'aria-hidden': 'true' });
      swatch.style.background = styled(part.paint);
      button.append(swatch, part.name);
      button.addEventListener('pointerenter', () => this.hover(part));
      button.addEventListener('pointerleave', () => this.hover(null));
      this.buttons.set(part, button);
      return h('li', {}, button);
    });
    return h('div', { class: 'scene-list' }, h('span', { class: 'soft small' }, title), h('ul', {}, ...items));
  }

  private point(event: PointerEvent): void {
    const box = this.stage.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    this.where.set((2 * x) / box.width - 1, 1 - (2 * y) / box.height);
    this.mechanism.refreshBounds();
    this.caster.setFromCamera(this.where, this.stage.camera);
    const hits = this.caster.intersectObject(this.mechanism.group, true).map((i) => i.object.userData.part as Part | undefined);
    const seen = this.xray ? hits.find((part) => part && part.role !== 'body') : undefined;
    this.hover(seen ?? hits.find((part) => part) ?? null);
    if (!this.hovered) return;
    this.tip.replaceChildren(h('strong', {}, this.hovered.name), ` ${this.hovered.kind}`);
    this.tip.hidden = false;
    this.tip.style.left = `${Math.min(x + 14, box.width - this.tip.offsetWidth - 4)}px`;
    this.tip.style.top = `${Math.max(y - 34, 4)}px`;
  }

  private hover(part: Part | null): void {
    if (part === null) this.tip.hidden = true;
    if (part === this.hovered) return;
    this.hovered = part;
    this.show();
  }

  private select(part: Part): void {
    this.selected = this.selected === part ? null : part;
    for (const [p, button] of this.buttons) button.setAttribute('aria-pressed', String(p === this.selected));
    this.show();
    this.chosen?.();
  }

  // Joints and forces are seen through bodies.
  seeJoints(on: boolean): void {
    this.xray = on;
    this.mechanism.seeJoints(on);
    this.stage.changed();
  }

  // Bodies let one see what is in them.
  fade(on: boolean): void {
    this.seeThrough = on;
    this.show();
  }

  // Gives all parts the colours they have now.
  show(): void {
    const lit = (part: Part) => [this.hovered, this.selected].some((p) => p?.name === part.name && p.role === part.role);
    for (const mechanism of [this.mechanism, ...this.others()])
      for (const part of mechanism.parts) part.show(lit(part) && !part.ghost, !lit(part) && (this.selected !== null || (this.seeThrough && part.role === 'body')));
    this.stage.changed();
  }
}
