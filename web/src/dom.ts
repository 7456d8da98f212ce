// Elements made by hand. Text is always a text node: what a model says is shown, never run.

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children)
    if (child !== null && child !== undefined && child !== false) element.append(child instanceof Node ? child : String(child));
  return element;
}

// h('button', {class: 'quiet', click: () => …}, 'Play')
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

// The same for SVG.
export function s<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

// A labelled choice.
export function select(label: string, options: { value: string; text: string }[], value: string, changed: (value: string) => void): HTMLLabelElement {
  const box = h('select', { change: () => changed(box.value) }, ...options.map((o) => h('option', { value: o.value }, o.text)));
  box.value = value;
  return h('label', { class: 'choice' }, `${label} `, box);
}

export function checkbox(label: string, value: boolean, changed: (value: boolean) => void): HTMLLabelElement {
  const box = h('input', { type: 'checkbox', change: () => changed(box.checked) });
  box.checked = value;
  return h('label', { class: 'choice' }, box, ` ${label}`);
}

// A file for the user to keep.
export function download(name: string, content: Blob | string, type = 'text/plain'): void {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
