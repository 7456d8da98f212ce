// A plot as a file.
import { labelled } from './format';
import { svgText, type View } from './plot_svg';
import { saveButtons } from './save';

// All x, whatever the zoom; the shortest digits that give the same numbers back. Faint curves come along when they are shown.
function table({ spec, shown }: View): (string | number)[][] {
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
    for (let k = 0; k < faint.count; ++k) columns.push({ label: faint.names?.[k] ?? `realization ${faint.rows?.[k] ?? k}`, value: (i) => faint.values[k * spec.x.length + i] });
  const rows: (string | number)[][] = [columns.map((c) => c.label)];
  for (let i = 0; i < spec.x.length; ++i) rows.push(columns.map((c) => c.value(i) ?? NaN));
  const { points } = spec;
  if (!points || !shown(points.label)) return rows;
  // Marks have places of their own: rows of their own, in a column of their own.
  for (const line of rows) line.push(line === rows[0] ? points.label : NaN);
  for (let i = 0; i < points.x.length; ++i) rows.push([points.x[i]!, ...columns.slice(1).map(() => NaN), points.y[i]!]);
  return rows;
}

export function exportButtons(view: () => View): HTMLElement {
  return saveButtons(() => {
    const shown = view();
    return { name: shown.spec.name, svg: () => svgText(shown), csv: () => table(shown) };
  });
}
