// How wide a text is, in px.
export const font = 'system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif';

let measuring: CanvasRenderingContext2D | null | undefined;
export function textWidth(text: string, size = 12): number {
  if (typeof document === 'undefined') return 0.6 * size * text.length; // where there is no page, as in tests
  measuring ??= document.createElement('canvas').getContext('2d');
  if (!measuring) return 0.6 * size * text.length;
  measuring.font = `${size}px ${font}`;
  return measuring.measureText(text).width;
}
