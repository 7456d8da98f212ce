// How far statistics have converged, in one line: a shape, a word and a colour that say the same.
import './verdict.css';
import type { Chaos, Reliability, Result } from './data';
import { h, s } from './dom';
import { count, percent, shortened } from './format';
import { scatters } from './series';
import { unbounded } from './words';

export type Light = 'good' | 'fair' | 'poor' | 'unknown';
export interface Verdict {
  light: Light;
  word: string;
  line: string;
}

// Largest standard errors that count as converged, and as roughly so: of standard deviations and of limits of bands. Those of 500
// independent realizations are about 3 %.
const [fine, rough] = [0.05, 0.15];
// Shares of the variance that an expansion may miss.
const [fineFit, roughFit] = [0.01, 0.1];

const words: Record<Light, string> = { good: 'Converged', fair: 'Roughly converged', poor: 'Not converged', unknown: 'No error estimate' };

function judged(value: number, good: number, fair: number, line: string): Verdict {
  const light: Light = value <= good ? 'good' : value <= fair ? 'fair' : 'poor';
  return { light, word: words[light], line };
}

// Of a quadrature: how much of the variance its highest degrees hold, as its verdicts say. The worst output counts.
function ofDegrees(outputs: Chaos['of']): Verdict | null {
  const kinds: [Light, string][] = [['poor', 'not converged'], ['fair', 'nearly converged'], ['good', 'converged']];
  for (const [light, start] of kinds) {
    const found = outputs.find((o) => o.verdict.startsWith(start));
    const much = light === 'poor' ? 'still hold much' : 'hold little';
    if (found) return { light, word: words[light], line: `the highest degrees ${much} of the variance${detail(found.verdict)}.` };
  }
  return null;
}

// "converged (degree 29 has 1e-6 % of the variance)" → " (degree 29 has …)"
const detail = (verdict: string) => / \(.*\)$/.exec(verdict)?.[0] ?? '';

export function convergedVerdict(r: Result): Verdict | null {
  if (!r.study || r.method === 'morris' || r.reliability) return null;
  const unknown = (line: string, word = words.unknown): Verdict => ({ light: 'unknown', word, line });
  if (r.realizations === 1) return unknown('one realization says nothing about scatter.');
  const moving = r.outputs.filter((o) => scatters(r, o));
  if (!moving.length) return { light: 'good', word: 'No scatter', line: 'all realizations are the same.' };
  if (r.failures.count && unbounded(r)) return { light: 'poor', word: 'Too many failures', line: `the band has no bound, whatever the ${count(r.failures.count)} realizations that failed would have been.` };
  let worst = { error: NaN, name: '' };
  for (const o of moving)
    for (const error of [o.accuracy.std, o.accuracy.band])
      if (error !== null && Number.isFinite(error) && !(error <= worst.error)) worst = { error, name: o.name };
  const of = moving.length > 1 ? ` (${shortened(worst.name, 30)})` : '';
  if (Number.isFinite(worst.error)) return judged(worst.error, fine, rough, `standard errors are at most ${percent(worst.error)}${of}.`);
  const missed = (r.chaos?.of ?? []).map((o) => o.leaveOneOut).filter((e): e is number => e !== null && Number.isFinite(e));
  if (missed.length) return judged(Math.max(...missed), fineFit, roughFit, `the expansion misses ${percent(Math.max(...missed))} of the variance or less (leave-one-out error).`);
  if (r.chaos) return ofDegrees(r.chaos.of.filter((_, k) => moving.includes(r.outputs[k]!))) ?? unknown('a quadrature has no error estimate.');
  if (r.method === 'first-order') return unknown('first order is accurate where the response is nearly linear.');
  if (r.method === 'variability') return unknown('predicted from the variability response, for small scatter; compare with a sampling method.');
  return unknown('the errors of these statistics are not known.');
}

// Largest coefficients of variation of a probability that count as good, and as rough.
const [finePercent, roughPercent] = [0.3, 0.6];

// Of a failure probability: doubts weigh more than its error.
export function reliabilityVerdict(rel: Reliability): Verdict {
  const any = rel.of[rel.of.length - 1];
  if (rel.doubts.length) return { light: 'poor', word: 'Doubtful', line: `${rel.doubts.length === 1 ? 'a reason speaks' : `${count(rel.doubts.length)} reasons speak`} against this number, see above.` };
  const cov = any?.cov ?? NaN;
  if (!(any && any.probability > 0)) return { light: 'unknown', word: 'No failure found', line: 'there is an upper bound of the probability only.' };
  if (!Number.isFinite(cov)) return { light: 'unknown', word: words.unknown, line: 'first and second order have no error of their own; compare with a sampling method.' };
  const sets = rel.sets.length > 1 ? `, and ${count(rel.sets.length)} independent sets agree` : '';
  return judged(cov, finePercent, roughPercent, `the coefficient of variation is ${percent(cov)}${sets}.`);
}

// A disc, a triangle, a square, a ring: they are told apart without colours, too.
function lamp(light: Light): SVGElement {
  const shapes: Record<Light, SVGElement> = {
    good: s('circle', { cx: 8, cy: 8, r: 7 }),
    fair: s('path', { d: 'M8 1L15.5 14.5H0.5Z' }),
    poor: s('rect', { x: 1.5, y: 1.5, width: 13, height: 13, rx: 1 }),
    unknown: s('circle', { cx: 8, cy: 8, r: 5.5, fill: 'none', stroke: 'currentColor', 'stroke-width': 3 }),
  };
  return s('svg', { class: 'lamp', width: 16, height: 16, viewBox: '0 0 16 16', fill: 'currentColor', 'aria-hidden': 'true' }, shapes[light]);
}

export function trafficLight(v: Verdict): HTMLElement {
  return h('p', { class: 'light', 'data-light': v.light }, lamp(v.light), h('span', {}, h('strong', {}, v.word), `: ${v.line}`));
}
