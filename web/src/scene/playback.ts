// Time that runs when asked to, from the start again after the end; and how fast that is, in words.
import { number } from '../format';

// A rate at which so many seconds pass in about six, of a kind that can be said: 1/200, 2 times.
export function calmRate(seconds: number): number {
  const rate = seconds / 6;
  const slow = rate < 1;
  const x = slow ? 1 / rate : rate;
  const power = 10 ** Math.floor(Math.log10(x));
  const steps = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((f) => f * power);
  const best = steps.reduce((a, b) => (Math.abs(Math.log(b / x)) < Math.abs(Math.log(a / x)) ? b : a));
  return slow ? 1 / best : best;
}

export function rateWords(rate: number): string {
  if (Math.abs(rate - 1) < 1e-3) return 'real time';
  if (rate > 1) return `${number(rate, 2)} × real time`;
  const parts = 1 / rate;
  if (parts < 1.99) return `${number(rate, 2)} of real time`;
  return `1/${parts < 1e6 ? String(Number(parts.toPrecision(2))) : number(parts, 2)} of real time`;
}

export class Playback {
  time: number;
  rate: number; // seconds of the mechanism per second
  playing = false;
  private last = 0; // ms, of the frame before

  constructor(
    private readonly start: number,
    private readonly end: number,
    private readonly moved: (playing: boolean) => void,
  ) {
    this.time = start;
    this.rate = end > start ? calmRate(end - start) : 1;
  }

  // Clamped; told to `moved`.
  go(time: number): void {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.moved(this.playing);
  }

  toggle(): void {
    this.playing = !this.playing;
    this.last = 0;
    if (this.playing) requestAnimationFrame((now) => this.step(now));
    this.moved(this.playing);
  }

  private step(now: number): void {
    if (!this.playing) return;
    // A page that was hidden does not jump ahead.
    const seconds = this.last > 0 ? Math.min(0.1, (now - this.last) / 1000) : 0;
    this.last = now;
    const next = this.time + seconds * this.rate;
    this.go(next > this.end ? this.start : next);
    requestAnimationFrame((then) => this.step(then));
  }
}
