// Numbers, units and durations for people.

const superscripts: Record<string, string> = { '-': '⁻', '0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹' };
const raised = (digits: string) => [...digits].map((c) => superscripts[c] ?? c).join('');

// "m/s^2" → "m/s²"
export function unitText(unit: string): string {
  return unit === '-' ? '' : unit.replace(/\^(-?\d+)/g, (_, digits: string) => raised(digits));
}

// "accel_z [m/s²]"
export function labelled(name: string, unit: string): string {
  const u = unitText(unit);
  return u ? `${name} [${u}]` : name;
}

// With so many significant digits; a real minus sign, powers of ten written out.
export function number(x: number | null | undefined, digits = 4): string {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : '−∞';
  if (x === 0) return '0';
  const size = Math.abs(x);
  let text: string;
  if (size >= 1e6 || size < 1e-3) {
    const [mantissa, exponent] = x.toExponential(digits - 1).split('e') as [string, string];
    text = `${String(Number(mantissa))}·10${raised(String(Number(exponent)))}`;
  } else text = String(Number(x.toPrecision(digits)));
  return text.replace(/^-/, '−').replace('·10⁻', '·10⁻');
}

// The value with as many digits as its error allows, and two digits of that: "−46.4 ± 3.1".
export function withError(e: { value: number | null; error: number | null }): string {
  if (e.value === null || !Number.isFinite(e.value)) return '–';
  if (e.error === null || !(e.error > 0) || !Number.isFinite(e.error)) return number(e.value);
  const size = Math.max(Math.abs(e.value), e.error);
  const power = size >= 1e6 || size < 1e-3 ? Math.floor(Math.log10(size)) : 0;
  const [value, error] = [e.value / 10 ** power, e.error / 10 ** power];
  const decimals = Math.min(12, Math.max(0, 1 - Math.floor(Math.log10(error))));
  const text = `${value.toFixed(decimals).replace(/^-(?=0\.?0*$)/, '').replace(/^-/, '−')} ± ${decimals === 0 ? number(error, 2) : error.toFixed(decimals)}`;
  return power === 0 ? text : `(${text})·10${raised(String(power))}`;
}

export function percent(x: number | null | undefined, digits = 2): string {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  return `${number(100 * x, digits)}\u00a0%`; // never broken
}

// "18 ± 3 %": rounded to the error.
export function percentWithError(x: number | null, error: number | null): string {
  if (x === null || error === null || !(error > 0) || !Number.isFinite(error)) return percent(x, 3);
  const size = Math.floor(Math.log10(100 * error));
  const decimals = Math.min(12, Math.max(0, (100 * error) / 10 ** size < 1.95 ? 1 - size : -size));
  return `${(100 * x).toFixed(decimals)} ± ${(100 * error).toFixed(decimals)}\u00a0%`;
}

// A probability with its 95 % confidence interval: "3 % (0.62 to 8.5 %)"; of none "0 % (below 0.74 %)".
export function percentWithin(p: { ever: number; everError: number | null; everFrom: number | null; everTo: number | null }): string {
  const { ever, everFrom: from, everTo: to } = p;
  if (from === null || to === null) return percentWithError(ever, p.everError);
  if (ever === 0) return `0\u00a0% (below ${percent(to, 2)})`;
  if (ever === 1) return `100\u00a0% (above ${percent(from, 4)})`;
  return `${percent(ever, 3)} (${percent(from, 2)} to ${percent(to, 2)})`;
}

// Numbers of a range, all with the same decimals: they stay in place while they change.
export function evenly(largest: number, digits = 5): (x: number) => string {
  if (!Number.isFinite(largest) || largest === 0) return (x) => number(x, digits);
  const exponent = Math.floor(Math.log10(Math.abs(largest)));
  const power = exponent >= 6 || exponent < -3 ? exponent : 0;
  const decimals = Math.min(12, Math.max(0, digits - 1 - (exponent - power)));
  const tail = power === 0 ? '' : `·10${raised(String(power))}`;
  return (x) => (Number.isFinite(x) ? `${(x / 10 ** power).toFixed(decimals).replace(/^-(?=0\.?0*$)/, '').replace(/^-/, '−')}${tail}` : '–');
}

// Without its middle where it is longer than so many letters.
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.ceil(most / 2))}…${text.slice(1 + Math.ceil(most / 2) - most)}`;
}

export function count(n: number): string {
  return n.toLocaleString('en-US').replace(/,/g, ' ');
}

export function duration(seconds: number): string {
  if (seconds < 100) return `${number(seconds, 2)} s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
