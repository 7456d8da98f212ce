// A figure as a file: vector graphics, an image, or its numbers.
import { download, h } from './dom';
import { labelled } from './format';
import { drawSvg, svgText, type View } from './plot_svg';

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const written = (x: number | undefined) => (x === undefined || Number.isNaN(x) ? 'nan' : String(x));

// All x, whatever the zoom; the shortest digits that give the same numbers back. Faint curves come along when they are shown.
export function csvText({ spec, shown }: View): string {
  const columns: { label: string; value: (i: number) => number | undefined }[] = [
    { label: labelled(spec.xName, spec.xUnit), value: (i) => spec.x[i] },
    ...spec.curves.map((c) => ({ label: c.label, value: (i: number) => c.values[i] })),
    ...spec.bands.flatMap((b) => [
      { label: `${b.label}.lower`, value: (i: number) => b.lower[i] },
      { label: `${b.label}.upper`, value: (i: number) => b.upper[i] },
    ]),
  ];
  const { faint } = spec;
  if (faint && shown(faint.label))
    for (let k = 0; k < faint.count; ++k) columns.push({ label: `realization ${faint.rows?.[k] ?? k}`, value: (i) => faint.values[k * spec.x.length + i] });
  const rows = [columns.map((c) => quoted(c.label)).join(',')];
  for (let i = 0; i < spec.x.length; ++i) rows.push(columns.map((c) => written(c.value(i))).join(','));
  return rows.join('\n') + '\n';
}

// Twice the size, for screens and slides.
export async function pngBlob(view: View): Promise<Blob> {
  const { width, height } = drawSvg(view);
  const address = URL.createObjectURL(new Blob([svgText(view)], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = h('canvas', { width: 2 * width, height: 2 * height });
    // Drawn by the processor: graphics cards, real or imitated, are slow with thousands of thin strokes.
    canvas.getContext('2d', { willReadFrequently: true })!.drawImage(image, 0, 0, 2 * width, 2 * height);
    return await new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no image was made'))), 'image/png'));
  } finally {
    URL.revokeObjectURL(address);
  }
}

// A name that every file system takes.
const fileName = (name: string, ending: string) => `${name.replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 80) || 'figure'}.${ending}`;

export function exportButtons(view: () => View): HTMLElement {
  const save: Record<string, (v: View) => void> = {
    svg: (v) => download(fileName(v.spec.name, 'svg'), svgText(v), 'image/svg+xml'),
    png: (v) => void pngBlob(v).then((blob) => download(fileName(v.spec.name, 'png'), blob)),
    csv: (v) => download(fileName(v.spec.name, 'csv'), csvText(v), 'text/csv'),
  };
  const words: Record<string, string> = { svg: 'vector graphics', png: 'an image', csv: 'a table of its numbers' };
  const buttons = Object.keys(save).map((kind) =>
    h('button', { type: 'button', class: 'plot-save', 'data-export': kind, title: `Save this figure as ${words[kind]}`, 'aria-label': `Save this figure as ${words[kind]} (${kind.toUpperCase()})`, click: () => save[kind]!(view()) }, kind.toUpperCase()),
  );
  return h('span', { class: 'plot-saves' }, ...buttons);
}
