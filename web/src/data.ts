// What a page shows, as src/report/page_data.cpp makes it from results files. Times are in s, everything is SI. Numbers travel in one
// block of bytes; in the text they are {at, length, type}, and decode() puts typed arrays in their place.

export type Series = Float64Array | Float32Array | Uint32Array;

export interface Page {
  version: string; // of the program that made the page
  title: string; // with the names of the results, where there are several
  live: boolean; // served by `aleator view`: all realizations can be asked for
  results: Result[]; // the first is what the page is about; the others are compared with it
  comparisons: Comparison[]; // of results[k + 1] with results[0]
}

export interface Result {
  label: string; // short, distinct among the results of a page
  file: string; // of the results
  study: boolean; // false: the nominal motion alone (aleator simulate)
  title: string;
  model: string; // the text of the model file
  modelFile: string;
  version: string;
  commit: string;
  commandLine: string;
  host: string;
  processor: string;
  created: string; // UTC
  settings: Record<string, string>;
  notes: string[]; // what was left out to keep the page small

  time: Series; // [times]
  outputs: Output[];
  geometry: Body[];
  connections: Connection[];
  points: ObservedPoint[];
  gravity: [number, number, number] | null; // m/s²; null: the results do not say
  motion: Motion | null;

  // Of a study; null or empty otherwise.
  method: string;
  seed: string;
  seconds: number | null;
  planned: number;
  done: number;
  complete: boolean;
  followsLaw: boolean; // realizations are a sample, not points of a design
  confidence: number; // 0.9
  realizations: number; // that statistics rest on
  rankError: number; // of quantiles, a share of the realizations; 0: exact
  evidence: string[]; // how the method went about it, what to know about the numbers
  failures: { count: number; groups: FailureGroup[] }; // the largest first
  laws: Law[]; // one per column of the samples
  quantities: Quantity[];
  kept: Kept | null; // realizations that came along
  scalars: Scalar[];
  spectra: Spectrum[];
  processes: Process[];
  convergence: Convergence | null;
  shares: Shares | null;
  correlations: Correlations | null;
  screening: Screening | null;
  variability: Variability | null;
  campbell: Campbell | null; // of the model, whether this is its study of modes or the diagram itself
  reliability: Reliability | null;
  chaos: Chaos | null;
  fields: Field[];

  identification: Identification | null;
  design: string | null; // the search for the design that this study verified: design.json
}

// Realizations that failed for the same reason.
export interface FailureGroup {
  reason: string; // "…" stands for numbers in which they differ
  count: number;
  realizations: number[]; // the first of them
  last: number;
  from: number | null; // times up to which they could be computed, s; null: none began
  to: number | null;
}

export interface Output {
  name: string;
  unit: string; // "m/s^2"
  nominal: Series; // [times], as all of these
  // Of a study, NaN where the method states none.
  mean: Series | null;
  std: Series | null;
  lower: Series | null;
  upper: Series | null;
  minimum: Series | null;
  maximum: Series | null;
  meanError: Series | null; // standard errors
  stdError: Series | null;
  lowerError: Series | null;
  upperError: Series | null;
  // Between which numbers the ends of the band lie, whatever realizations that failed would have been; null when none did.
  lowerLow: Series | null;
  lowerHigh: Series | null;
  upperLow: Series | null;
  upperHigh: Series | null;
  accuracy: { mean: number | null; std: number | null; band: number | null }; // integrated over time, relative
  limits: Limit[];
  realizations: Series | null; // [kept.rows][times]
}

// A random process; densities are one-sided, per Hz, of what is stationary in it.
export interface Process {
  name: string;
  words: string;
  counted: number; // realizations that the estimate rests on
  frequency: Series; // Hz
  asked: Series; // empty for records
  estimated: Series;
  lower: Series; // its 95 % confidence interval
  upper: Series;
  time: Series; // s
  realizations: Series[];
}

// Power spectral density of an output, one-sided, per Hz.
export interface Spectrum {
  output: string;
  unit: string;
  from: number; // s: what is before does not count
  segment: number; // s
  segments: number; // averaged in each realization
  frequency: Series; // Hz; as long as all of these
  nominal: Series;
  mean: Series; // over realizations
  lower: Series; // its 95 % confidence interval; NaN of a single realization
  upper: Series;
}

// A limit of a scalar; of an output with its probability over time.
export interface ScalarLimit {
  value: number;
  above: boolean;
  ever: number; // at any time
  everError: number | null;
  everFrom: number | null; // its 95 % confidence interval; null: not known
  everTo: number | null;
  everLow: number | null; // with the realizations that failed; null when none did
  everHigh: number | null;
}

export interface Limit extends ScalarLimit {
  probability: Series; // [times] of exceedance
  error: Series;
}

// The density of one random number.
export interface Law {
  name: string;
  unit: string;
  law: string; // in words
  quantity: string;
  mean: number | null;
  std: number | null;
  nominal: number | null;
  exact: boolean; // the density is the law's, not an estimate from draws
  x: Series;
  density: Series; // empty: there is none
}

export interface Quantity {
  name: string;
  kind: string; // scalar, center_of_mass, inertia, field
  words: string;
  unit: string;
  group: string;
  sameAs: string; // the quantity it shares its random number with, or empty
  facts: { name: string; value: string }[]; // parameters, diagnostics of the sampler
}

export interface Kept {
  total: number; // realizations of the study that are kept in its file
  source: 'all' | 'sample' | 'expansion'; // expansion: drawn from the fitted polynomials
  rows: Series; // [rows] their numbers
  inputs: Series | null; // [rows][laws]
}

export interface Scalar {
  name: string;
  unit: string;
  limits: ScalarLimit[];
  kind: string;
  output: string;
  nominal: number | null;
  count: number; // realizations that have a value
  mean: Estimate;
  std: Estimate;
  lower: Estimate;
  upper: Estimate;
  minimum: number | null;
  maximum: number | null;
  values: Series | null; // [kept.rows], NaN where it has none
}

export interface Estimate {
  value: number | null;
  error: number | null;
}

export interface Convergence {
  counts: Series; // n
  norms: Series[]; // [outputs][n] ((1/n) sum of the integrals of u²)^½
  // Running mean and standard deviation of the first n realizations at some times.
  running: {
    counts: Series; // n
    times: Series; // [some times]
    mean: Series[]; // [outputs][n][some times]
    std: Series[];
  } | null;
}

export interface Shares {
  groups: string[];
  realizations: number; // pairs they rest on; 0: from an expansion or a linearisation
  of: {
    // [outputs]
    first: Series; // [groups][times]; NaN: nothing scatters, or not known
    total: Series;
    firstError: Series | null;
    totalError: Series | null;
    integratedFirst: Series; // [groups]
    integratedTotal: Series;
    integratedFirstError: Series | null;
    integratedTotalError: Series | null;
  }[];
}

export interface Correlations {
  columns: string[];
  determinedBy: string[];
  realizations: number;
  pearsonError: number;
  spearmanError: number;
  partialRankError: number;
  of: {
    // [outputs]
    pearson: Series; // [columns][times]
    spearman: Series;
    partialRank: Series;
    integratedPearson: Series; // [columns]
    integratedSpearman: Series;
    integratedPartialRank: Series;
  }[];
}

export interface Screening {
  variables: string[];
  trajectories: number;
  of: {
    muStar: Series; // [variables][times]
    muStarError: Series;
    sigma: Series;
    integratedMuStar: Series; // [variables], relative to the scatter of the output
    integratedMuStarError: Series;
    integratedSigma: Series;
  }[];
}

export interface Chaos {
  variables: string[];
  how: string;
  points: number;
  terms: number;
  of: {
    // [outputs]
    leaveOneOut: number | null; // a share of the variance
    verdict: string; // in words
    decay: Series; // [degree 1, 2, …] shares of the variance
    magnitudes: Series; // [terms] root of the time integral of c², largest first, relative to the largest
    degrees: Series; // [terms] total degree of each
  }[];
}

// Dynamic variability response to a random field.
export interface Variability {
  field: string;
  correlation: string; // of the model
  sigma: number;
  phases: number;
  waveNumbers: Series; // rad/m
  of: { at: number; dvrf: Series; bound: Series }[]; // by output: over the wave numbers at that time; over time
}

// Natural frequencies over a parameter.
export interface Campbell {
  parameter: string;
  unit: string; // of the parameter; may be empty
  about: string; // start, equilibrium, steady, rotation
  orderHertz: number; // frequency of the line of order 1 where the parameter is 1
  orders: number[];
  values: Series; // rising
  modes: {
    motion: string; // what moves most where it begins: "blade z"
    frequency: Series; // [values] Hz, NaN where it is not there, as all of these
    damping: Series;
    mac: Series; // with the shape at the value before
  }[];
  crossings: { mode: number; order: number; value: number; frequency: number; damping: number }[]; // modes from 0; in rising orders
  notes: string[];
}

// How probable it is that limits are passed, by a method for rare events. Numbers that are not known are null.
export interface Reliability {
  method: string;
  simulations: number;
  failed: number; // of these, could not be simulated
  of: LimitProbability[]; // of each limit; last of "any"
  curves: ExceedanceCurve[];
  levels: Level[];
  sets: Series; // the probability of "any" by independent sets of realizations
  agreement: number | null; // probability that they differ by so much
  variables: string[]; // names of the first numbers of design points; the others belong to random processes
  designPoints: DesignPoint[];
  tails: Tail[]; // [of]
  failures: {
    count: number;
    weights: Series; // of those that came along, as values of causes
    kept: { excess: number | null; limit: number }[]; // with histories, the most probable first
    histories: Series[]; // [outputs][kept][times]; empty: none
  };
  causes: FailureCause[]; // those that shift most first
  doubts: string[];
}

export interface LimitProbability {
  limit: string; // "drift.above", "any"
  value: number | null;
  unit: string;
  probability: number;
  cov: number | null; // relative standard error
  lower: number | null; // 95 % confidence
  upper: number | null;
  beta: number | null;
}

// P(extreme of the output beyond b).
export interface ExceedanceCurve {
  limit: string;
  unit: string;
  b: Series;
  probability: Series;
  lower: Series;
  upper: Series;
}

// Of subset simulation.
export interface Level {
  excess: number | null; // null: all realizations
  probability: number; // of the next level, given this one
  cov: number | null;
  realizations: number;
  accepted: number | null;
  correlation: number | null;
  rho: number | null;
}

export interface DesignPoint {
  limit: string;
  converged: boolean;
  beta: number;
  form: number | null;
  sorm: number | null;
  u: Series;
  importance: Series; // as many
  inputs: Series; // [laws]
  curvatures: Series;
}

// P(λ) = q exp(−a (λ − b)^c), λ = 1 the limit; fitted between `from` and `to`.
export interface Tail {
  q: number | null;
  a: number | null;
  b: number | null;
  c: number | null;
  from: number | null;
  to: number | null;
  lambda: Series;
  estimate: Series;
  lower: Series;
  upper: Series;
}

export interface FailureCause {
  name: string;
  unit: string;
  mean: number | null;
  std: number | null;
  meanFailing: number | null;
  stdFailing: number | null;
  shift: number | null; // (meanFailing − mean)/std
  importance: number | null;
  values: Series | null; // of failing realizations
}

export interface Field {
  name: string;
  law: string;
  correlation: string;
  method: string;
  terms: number;
  errorCurve: Series; // with 1, 2, … terms: largest share of the variance lost
  place: Series; // m along the beam
  error: Series; // share lost there
}

// What was found from measurements. Numbers that are not known are null.
export interface Identification {
  method: string; // maximum-likelihood, bayesian, least-squares, sweep
  likelihood: string; // kernel, moments, or empty
  explained: boolean; // the model explains the data; of a sweep it means nothing
  verdict: string;
  warnings: string[];
  confidence: number; // of intervals and regions
  intervalDrop: number; // of the log-likelihood, to the ends of an interval
  pairDrop: number; // to the edge of a region of two parameters
  logLikelihood: number | null;
  regionDrop: number | null; // to the edge of the region of all parameters
  evaluations: number;
  samples: number; // realizations for each
  surrogateError: number | null;
  writtenDrop: number | null; // of the log-likelihood, at the values in the model
  acceptance: number | null;
  fitP: number | null;
  components: number; // used
  captured: number; // share of the energy
  bandConfidence: number;
  energy: Series; // [components there are]
  parameters: FreeParameter[];
  correlation: Series | null; // [parameters][parameters]
  pairs: PairProfile[];
  drawn: number; // from the posterior; perhaps fewer came along
  draws: Series | null; // [draws][parameters]
  time: Series; // of the bands
  outputs: MeasuredOutput[];
  specimens: { name: string; time: Series; values: Series[] }[]; // [outputs][time], NaN: a gap
  specimenCount: number; // perhaps fewer came along
  notes: string[];
  sweeps: { at: Series; spread: Series[]; spreadError: Series[]; width: Series[] }[]; // [parameters], of these [outputs][at]
}

export interface FreeParameter {
  name: string;
  unit: string;
  from: number; // admissible
  to: number;
  written: number | null; // in the model
  estimate: number | null;
  lower: number | null;
  upper: number | null;
  openBelow: boolean; // the end is that of the admissible range
  openAbove: boolean;
  mean: number | null; // of the posterior
  std: number | null; // of least squares the standard error
  credibleLower: number | null;
  credibleUpper: number | null;
  rHat: number | null;
  effectiveDraws: number | null;
  profileAt: Series;
  profile: Series; // log-likelihood less that of the estimate
}

export interface PairProfile {
  first: number; // parameters
  second: number;
  firstAt: Series;
  secondAt: Series;
  values: Series; // [firstAt][secondAt]
}

export interface MeasuredOutput {
  name: string;
  unit: string;
  noise: number; // 0: none
  points: number; // measured
  mean: Series | null; // [time] predicted
  lower: Series | null;
  upper: Series | null;
  coverage: { share: number; lower: number; upper: number } | null; // of points inside; lower to upper were to be expected
}

export interface Body {
  name: string;
  firstFrame: number; // index of its first frame in the motion
  nodes: number; // frames it has: 1 of a rigid body, more of a beam
  colour?: string; // "#rrggbb", where the model gives one
  shapes: Shape[];
}

// box: edges; cylinder: radius, length along z; sphere: radius; prism: length along z, then x y of each corner; mesh-points: x y z of each;
// of beams rectangle-section: height, width; circle-section: radius; tube-section: outer and inner radius.
export interface Shape {
  kind: string;
  size: Series;
  position: [number, number, number];
  quaternion: [number, number, number, number]; // w first
}

export interface Connection {
  name: string;
  kind: string;
  role: string; // joint, force
  frames: number[]; // index of a frame, −1: the ground
  points: number[]; // three per frame, in that frame
  axis: number[]; // in the first frame; empty: none
  force: Series | null; // [poses][3] of the nominal motion, on the second side, inertial axes (N)
}

// A point that an output observes.
export interface ObservedPoint {
  output: string;
  frame: number; // index of a frame
  point: [number, number, number]; // in that frame
}

// Poses are x y z qw qx qy qz of a frame in the inertial one.
export interface Motion {
  frames: string[];
  time: Series; // [poses], perhaps fewer than the times of the outputs
  nominal: Series; // [poses][frames][7]
  rows: Series; // numbers of the realizations
  realizations: Series | null; // [rows][poses][frames][7]
  failures: Series | null; // [some of reliability.failures.kept][poses][frames][7]
  modes?: string[]; // of a study of modes: their names; then time runs from 0 to 1 through a period, and failures are their poses
}

export interface Comparison {
  outputs: {
    name: string;
    unit: string;
    mean: Difference;
    std: Difference;
    lower: Difference;
    upper: Difference;
    byScatter: boolean; // the mean is measured by the scatter
    p: number | null; // smallest over several times, after Bonferroni; null without realizations of both
  }[];
  scalars: { name: string; unit: string; mean: Difference; std: Difference; p: number | null }[];
  onlyFirst: string[];
  onlySecond: string[];
  interpolated: boolean;
  bands: boolean; // they are of the same confidence
  verdict: string[];
}

// Relative, and what sampling noise alone would give. null: there is nothing to measure.
export interface Difference {
  value: number | null;
  noise: number | null;
}

interface Reference {
  at: number;
  length: number;
  type: 'f64' | 'f32' | 'u32';
}

function isReference(x: object): x is Reference {
  return 'at' in x && 'length' in x && 'type' in x && Object.keys(x).length === 3;
}

const makers = {
  f64: (b: ArrayBuffer, at: number, n: number) => new Float64Array(b, at, n),
  f32: (b: ArrayBuffer, at: number, n: number) => new Float32Array(b, at, n),
  u32: (b: ArrayBuffer, at: number, n: number) => new Uint32Array(b, at, n),
};

// The text with typed arrays, views of the block, in place of references.
export function decode(text: string, block: ArrayBuffer): Page {
  const walk = (x: unknown): unknown => {
    if (x === null || typeof x !== 'object') return x;
    if (Array.isArray(x)) return x.map(walk);
    if (isReference(x)) return makers[x.type](block, x.at, x.length);
    const out: Record<string, unknown> = Object.create(null);
    for (const [key, value] of Object.entries(x)) out[key] = walk(value);
    return out;
  };
  return walk(JSON.parse(text)) as Page;
}

export function bytesOfBase64(text: string): ArrayBuffer {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes.buffer;
}
