// Where peaks do not coincide in time, a band of pointwise quantiles hides what each realization does: this says so, and what to look at.
import type { Output, Result } from '../data';
import { h } from '../dom';
import { number, unitText } from '../format';
import { hasMedian, scatteredPeaks } from '../functional';
import { showMedian } from './response_median';

const ofPeaks = new Set(['maximum', 'minimum', 'largest_magnitude']);

export function peaksNote(r: Result, o: Output, short = false): HTMLElement | null {
  const peaks = scatteredPeaks(r, o);
  if (!peaks) return null;
  const unit = unitText(o.unit) && ` ${unitText(o.unit)}`;
  const side = peaks.largest ? ['above', 'up'] : ['below', 'down'];
  const heights = `half of the realizations go ${side[0]} ${number(peaks.typical, 3)}${unit}, the mean only ${side[1]} to ${number(peaks.ofMean, 3)}.`;
  const button = !hasMedian(r, o) ? null : h('button', { type: 'button', class: 'link no-print', 'data-show': 'median', click: () => showMedian.set(true) }, short ? 'Functional median' : 'Show the functional median');
  if (short) return h('p', { class: 'small soft peaks-note', 'data-words': 'peaks' }, `Peaks do not coincide: ${heights} `, button);
  const found = `Peaks do not coincide in time (nine in ten between ${number(peaks.from, 3)} and ${number(peaks.to, 3)} s): ${heights} The band, made of quantiles at each time, does not show this.`;
  const scalar = r.scalars.find((s) => s.output === o.name && ofPeaks.has(s.kind));
  const what = peaks.largest ? 'maximum' : 'minimum';
  const use = scalar ? [' The scalar ', h('a', { href: '#scalars' }, scalar.name), ' has the distribution of the peak. '] : [' A scalar in the model (', h('code', {}, `{${what}: ${o.name}}`), ') gives the distribution of the peak. '];
  return h('p', { class: 'small soft peaks-note', 'data-words': 'peaks' }, found, ...use, button);
}
