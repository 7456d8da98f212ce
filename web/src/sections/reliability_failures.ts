// What happens when a limit is passed: outputs of kept failures against the limit, and their motion.
import type { Reliability, Result } from '../data';
import { h, select } from '../dom';
import { count, number, unitText } from '../format';
import { Plot, type Curve, type PlotSpec } from '../plot';
import { failureName, isBelow, known, limitsOnly, outputOf } from '../probability';
import { drawable } from '../scene/scene';
import { row } from '../series';
import { currentMotion } from '../state';
import { plural } from '../words';

// Histories of an output in kept failures: the chosen one stands out.
export function failureCurves(r: Result, k: number, chosen: number): { curves: Curve[]; faint: PlotSpec['faint'] } {
  const rel = r.reliability!;
  const all = rel.failures.histories[k];
  const n = rel.failures.kept.length;
  if (!all || !n) return { curves: [], faint: undefined };
  const faint = n > 1 ? { values: all, count: n, label: `${plural(n, 'failure')}`, names: rel.failures.kept.map((_, i) => failureName(i)), colour: '--vermillion', opacity: 0.35, over: true } : undefined;
  return { curves: [{ label: failureName(chosen), values: row(all, chosen, r.time.length), colour: '--vermillion', width: 2 }], faint };
}

// The limits of an output as lines.
export function limitLines(r: Result, k: number): PlotSpec['lines'] {
  return limitsOnly(r.reliability!)
    .filter((p) => known(p.value) && outputOf(r, p.limit) === k)
    .map((p) => ({ label: `limit: ${isBelow(p.limit) ? 'below' : 'above'} ${number(p.value)} ${unitText(p.unit)}`.trim(), value: p.value!, colour: '--vermillion' }));
}

// A plot of an output, with what it is in the failure that the animation shows, and the limits.
export function withFailure(r: Result, k: number, plot: PlotSpec, chosen = currentMotion.value): PlotSpec {
  if (!r.reliability) return plot;
  const lines = [...(plot.lines ?? []), ...(limitLines(r, k) ?? []).filter((l) => !plot.lines?.some((own) => own.value === l.value))];
  const { curves } = chosen >= 0 ? failureCurves(r, k, chosen) : { curves: [] };
  return { ...plot, curves: [...plot.curves, ...curves], lines };
}

function spec(r: Result, k: number): PlotSpec {
  const o = r.outputs[k]!;
  const { curves, faint } = failureCurves(r, k, Math.max(0, currentMotion.value));
  return {
    name: `failures of ${o.name}`,
    title: `${o.name} in failures`,
    x: r.time,
    xName: 'time',
    xUnit: 's',
    yName: o.name,
    yUnit: o.unit,
    bands: [],
    curves: [{ label: 'nominal', values: o.nominal, colour: '--ink', dash: [6, 4], width: 1.25 }, ...curves],
    faint,
    lines: limitLines(r, k),
    linked: true,
    height: 320,
  };
}

// The outputs with limits first.
function order(r: Result): number[] {
  const limited = limitsOnly(r.reliability!).map((p) => outputOf(r, p.limit)).filter((k) => k >= 0);
  return [...new Set([...limited, ...r.outputs.keys()])];
}

function watch(k: number): void {
  currentMotion.set(k);
  document.getElementById('motion')?.scrollIntoView();
}

export function failing(r: Result, rel: Reliability): HTMLElement | null {
  const { kept, histories, count: n } = rel.failures;
  if (!n) return null;
  const words = h('p', {}, `${plural(n, 'realization')} that pass${n === 1 ? 'es' : ''} a limit ${n === 1 ? 'was' : 'were'} found${kept.length ? `; ${count(kept.length)} ${kept.length === 1 ? 'is' : 'are'} kept with ${kept.length === 1 ? 'its' : 'their'} motion, the most probable first` : ''}.`);
  const title = h('h3', {}, 'How it fails');
  if (!kept.length || !histories.length) return h('div', { 'data-part': 'failing' }, title, words);
  const outputs = order(r);
  let shown = outputs[0] ?? 0;
  const plot = new Plot(spec(r, shown));
  const update = () => plot.update(spec(r, shown));
  const moves = drawable(r) && r.motion.failures !== null;
  const which = select('Failure', kept.map((_, k) => ({ value: String(k), text: failureName(k) })), String(Math.max(0, currentMotion.value)), (k) => currentMotion.set(Number(k)));
  const output = select('Output', outputs.map((k) => ({ value: String(k), text: r.outputs[k]!.name })), String(shown), (k) => ((shown = Number(k)), update()));
  currentMotion.subscribe((k) => {
    if (k >= 0) which.querySelector('select')!.value = String(k);
    update();
  });
  const play = moves ? h('button', { type: 'button', 'data-watch': true, click: () => watch(Math.max(0, currentMotion.value)) }, 'Watch it move') : null;
  return h('div', { 'data-part': 'failing' }, title, words, h('div', { class: 'controls no-print' }, kept.length > 1 ? which : null, outputs.length > 1 ? output : null, play), plot.element);
}
