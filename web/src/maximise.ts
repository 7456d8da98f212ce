// A figure over the whole window, and back.
import './maximise.css';
import { h } from './dom';

let back: (() => void) | null = null; // of the figure that is large now
addEventListener('keydown', (event) => event.key === 'Escape' && back?.());
addEventListener('beforeprint', () => back?.());

// `changed` is told after the figure has its new size.
export function maximiseButton(figure: () => HTMLElement, changed: (large: boolean) => void = () => {}): HTMLElement {
  const button = h('button', { type: 'button', class: 'plot-save', 'data-maximise': 'true', 'aria-pressed': 'false', title: 'Over the whole window; Esc goes back' }, 'Larger');
  const set = (large: boolean) => {
    back?.();
    figure().classList.toggle('large', large);
    document.documentElement.classList.toggle('has-large', large);
    button.textContent = large ? 'Smaller' : 'Larger';
    button.setAttribute('aria-pressed', String(large));
    back = null;
    if (large)
      back = () => {
        back = null;
        set(false);
        button.focus();
      };
    changed(large);
  };
  button.addEventListener('click', () => set(!figure().classList.contains('large')));
  return button;
}
