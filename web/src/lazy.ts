// Drawing that can wait. What is on the screen or near it is drawn once a frame; the rest when things have calmed down, or comes near.

const calm = 200; // ms without a new request
const margin = '300px';

const far = new WeakSet<Element>();
const arrivals = new WeakMap<Element, () => void>();
const observer = new IntersectionObserver(
  (seen) => {
    for (const { target, isIntersecting } of seen) {
      if (!isIntersecting) far.add(target);
      else if (far.delete(target)) arrivals.get(target)?.();
    }
  },
  { rootMargin: margin },
);

// A function that asks for a drawing of the element.
export function lazily(element: Element, draw: () => void): () => void {
  let frame = 0;
  let timer = 0;
  const now = () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    frame = timer = 0;
    draw();
  };
  arrivals.set(element, () => timer && now());
  observer.observe(element);
  return () => {
    if (far.has(element)) {
      clearTimeout(timer);
      timer = window.setTimeout(now, calm);
    } else frame ||= requestAnimationFrame(now);
  };
}
