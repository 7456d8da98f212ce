// Light or dark: as the system has it until the reader chooses. Colours are CSS variables; canvases ask for them here.
import { h } from './dom';
import { dark } from './state';

// Colours that colour-blind people can tell apart (Okabe and Ito), in the order in which they are used.
export const palette = ['--blue', '--orange', '--green', '--vermillion', '--purple', '--sky', '--yellow', '--grey'];

export function colour(variable: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}

function apply(): void {
  document.documentElement.dataset.theme = dark.value ? 'dark' : 'light';
}

export function themeButton(): HTMLElement {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const words = () => (dark.value ? 'Light' : 'Dark');
  dark.set(system.matches);
  apply();
  const button = h('button', { class: 'quiet theme', type: 'button', click: () => dark.set(!dark.value) }, words());
  button.setAttribute('aria-label', 'Switch between light and dark');
  let chosen = false;
  button.addEventListener('click', () => (chosen = true));
  dark.subscribe(() => button.replaceChildren(words()));
  system.addEventListener('change', () => chosen || dark.set(system.matches));
  // Paper is light.
  let before = dark.value;
  addEventListener('beforeprint', () => {
    before = dark.value;
    dark.set(false);
  });
  addEventListener('afterprint', () => dark.set(before));
  return button;
}

// Listeners are told in the order they subscribed: the variables change before anyone asks for colours.
dark.subscribe(apply);
