// What the plots of one output show.
import type { Output, Result, Series } from '../data';
import { labelled, number, percent, unitText } from '../format';
import type { Band, Curve, PlotSpec } from '../plot';

export const labels = {
  mean: 'mean',
  nominal: 'nominal',
  extremes: 'minimum to maximum',
  realizations: 'realizations',
  band: (confidence: number) => `${percent(confidence, 4)} of realizations`,
};

export const known = (values: Series | null): values is Series => values !== null && values.some(Number.isFinite);

// Values ± errors.
function around(label: string, of: string, values: Series, errors: Series | null, opacity: number): Band[] {
  if (!known(errors) || !errors.some((e) => e > 0)) return [];
  const shifted = (sign: number) => Float64Array.from(values, (v, i) => v + sign * errors[i]!);
  return [{ label, of, lower: shifted(-1), upper: shifted(1), colour: '--blue', opacity }];
}

export function responseSpec(result: Result, output: Output): PlotSpec {
  const { mean, lower, upper, minimum, maximum } = output;
  const bands: Band[] = [];
  const curves: Curve[] = [];
  const band = labels.band(result.confidence);
  if (known(minimum) && known(maximum)) bands.push({ label: labels.extremes, lower: minimum, upper: maximum, colour: '--grey', opacity: 0.07, outline: true, hidden: true });
  if (known(lower) && known(upper)) {
    bands.push({ label: band, lower, upper, colour: '--blue', opacity: 0.2 });
    bands.push(...around(`${band}, standard error of the lower limit`, band, lower, output.lowerError, 0.25));
    bands.push(...around(`${band}, standard error of the upper limit`, band, upper, output.upperError, 0.25));
  }
  if (known(mean)) {
    bands.push(...around('standard error of the mean', labels.mean, mean, output.meanError, 0.4));
    curves.push({ label: labels.mean, values: mean, colour: '--blue', width: 2 });
  }
  curves.push({ label: labels.nominal, values: output.nominal, colour: curves.length ? '--ink' : '--blue', dash: curves.length ? [6, 4] : [], width: 1.5 });
  const rows = result.kept?.rows;
  return {
    name: `${output.name}`,
    title: `${result.title || result.label}: ${labelled(output.name, output.unit)}`,
    x: result.time,
    xName: 'time',
    xUnit: 's',
    yName: output.name,
    yUnit: output.unit,
    bands,
    curves,
    lines: output.limits.map((limit) => ({ label: `limit: ${limitWords(output, limit.value, limit.above)}`, value: limit.value, colour: '--vermillion' })),
    faint: output.realizations && rows ? { values: output.realizations, count: rows.length, rows, label: labels.realizations, hidden: true } : undefined,
    linked: true,
  };
}

export function limitWords(output: { unit: string }, value: number, above: boolean): string {
  return `${above ? 'above' : 'below'} ${number(value)} ${unitText(output.unit)}`.trim();
}

// How likely a limit is passed, over time.
export function exceedanceSpec(result: Result, output: Output): PlotSpec {
  const colours = ['--vermillion', '--purple', '--green', '--orange'];
  const curves: Curve[] = [];
  const bands: Band[] = [];
  let most = 0.02;
  output.limits.forEach((limit, i) => {
    const label = limitWords(output, limit.value, limit.above);
    const colour = colours[i % colours.length]!;
    curves.push({ label, values: limit.probability, colour, dash: i ? [6, 3] : [] });
    const lower = Float64Array.from(limit.probability, (p, k) => p - limit.error[k]!);
    const upper = Float64Array.from(limit.probability, (p, k) => p + limit.error[k]!);
    if (known(limit.error)) bands.push({ label: `standard error, ${label}`, of: label, lower, upper, colour, opacity: 0.25 });
    limit.probability.forEach((p, k) => (most = Math.max(most, p, upper[k]! || 0)));
  });
  return {
    name: `${output.name}-limits`,
    title: `${result.title || result.label}: probability that ${output.name} is beyond its limits`,
    x: result.time,
    xName: 'time',
    xUnit: 's',
    yName: 'probability',
    yUnit: '',
    bands,
    curves,
    yRange: [0, Math.min(1.02, 1.1 * most)],
    linked: true,
    height: 190,
  };
}
