// A figure as a file: vector graphics, an image, or its numbers.
import { download, h } from './dom';

export interface Figure {
  name: string;
  svg: () => string; // with its width and height
  csv: () => (string | number)[][]; // a header and rows
}

function cell(x: string | number): string {
  if (typeof x === 'number') return Number.isNaN(x) ? 'nan' : String(x);
  return /[",\r\n]/.test(x) ? `"${x.replaceAll('"', '""')}"` : x;
}
const csvText = (rows: (string | number)[][]) => rows.map((row) => `${row.map(cell).join(',')}\n`).join('');

// Twice the size, for screens and slides.
async function pngBlob(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = h('canvas', { width: 2 * image.width, height: 2 * image.height });
    // Drawn by the processor: graphics cards, real or imitated, are slow with thousands of thin strokes.
    canvas.getContext('2d', { willReadFrequently: true })!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no image was made'))), 'image/png'));
  } finally {
    URL.revokeObjectURL(address);
  }
}

// A name that every file system takes.
const fileName = (name: string, ending: string) => `${name.replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 80) || 'figure'}.${ending}`;

export function saveButtons(figure: () => Figure): HTMLElement {
  const save: Record<string, (f: Figure) => void> = {
    svg: (f) => download(fileName(f.name, 'svg'), f.svg(), 'image/svg+xml'),
    png: (f) => void pngBlob(f.svg()).then((blob) => download(fileName(f.name, 'png'), blob)),
    csv: (f) => download(fileName(f.name, 'csv'), csvText(f.csv()), 'text/csv'),
  };
  const words: Record<string, string> = { svg: 'vector graphics', png: 'an image', csv: 'a table of its numbers' };
  const buttons = Object.keys(save).map((kind) =>
    h(
      'button',
      {
        type: 'button',
        class: 'plot-save',
        'data-export': kind,
        title: `Save this figure as ${words[kind]}`,
        'aria-label': `Save this figure as ${words[kind]} (${kind.toUpperCase()})`,
        click: () => save[kind]!(figure()),
      },
      kind.toUpperCase(),
    ),
  );
  return h('span', { class: 'plot-saves no-print' }, ...buttons);
}
