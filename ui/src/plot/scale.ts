import { timeMode } from '../format.mode.svelte';
import { clock } from '../format';

/** Gutter of lane names, right padding: both time axes line up (DESIGN §2). */
export const GUTTER = 168;
export const PAD = 16;

const S = 1e9;
const MIN = 60 * S;
const H = 60 * MIN;
const D = 24 * H;

/** Time to pixels, and back. */
export interface TimeScale {
  (t: number): number;
  invert(x: number): number;
  t0: number;
  t1: number;
  /** Pixels of one nanosecond. */
  k: number;
}

export function timeScale(t0: number, t1: number, x0: number, x1: number): TimeScale {
  const k = (x1 - x0) / Math.max(1, t1 - t0);
  const scale = (t: number) => x0 + (t - t0) * k;
  return Object.assign(scale, { invert: (x: number) => t0 + (x - x0) / k, t0, t1, k });
}

export interface Tick {
  t: number;
  label: string;
}

const LONG = [1, 2, 5, 10, 15, 20, 30]
  .map((k) => k * S)
  .concat(
    [1, 2, 5, 10, 20, 30].map((k) => k * MIN),
    [1, 2, 3, 6, 12].map((k) => k * H),
    [1, 2, 5, 10, 20, 50, 100].map((k) => k * D),
  );

/** The step between ticks that are at least `gap` px apart. */
export function tickStep(t0: number, t1: number, px: number, gap = 76): number {
  const least = ((t1 - t0) / Math.max(1, px)) * gap;
  if (least >= S) return LONG.find((step) => step >= least) ?? 100 * D;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((k) => k * power).find((step) => step >= least - 1e-9) ?? 10 * power;
}

/** Ticks in `t0..t1`. Whole minutes and above carry the unit on the first tick only: `4 min`, `5`, `6`. */
export function timeTicks(t0: number, t1: number, px: number, gap = 76): { ticks: Tick[]; step: number; unit: string } {
  const step = tickStep(t0, t1, px, gap);
  const first = Math.ceil(t0 / step - 1e-9);
  const last = Math.floor(t1 / step + 1e-9);
  const [unit, name]: [number, string] = step >= D ? [D, 'd'] : step >= H ? [H, 'h'] : [MIN, 'min'];
  const decimals = Math.max(0, -Math.floor(Math.log10(step / S) + 1e-9));
  const plain = step < MIN || timeMode.form !== 'clock';
  const ticks: Tick[] = [];
  for (let index = first; index <= last; index += 1) {
    const t = index * step;
    const label = plain
      ? clock(t, decimals)
      : index === first
        ? `${t / unit}\u00a0${name}`
        : `${Number((t / unit).toFixed(3))}`;
    ticks.push({ t, label });
  }
  return { ticks, step, unit: plain ? '' : name };
}

/** Ticks of a value axis: 1-2-5 on linear scales, powers of a step on log scales; at most `most`. */
export function valueTicks(low: number, high: number, logarithmic: boolean, most: number): number[] {
  if (!(high > low)) return [low];
  if (!logarithmic) {
    const raw = (high - low) / Math.max(1, most);
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((k) => k * power).find((candidate) => candidate >= raw) ?? 10 * power;
    const first = Math.ceil(low / step - 1e-9);
    const count = Math.floor(high / step + 1e-9) - first + 1;
    return Array.from({ length: Math.max(0, count) }, (_, k) => Number(((first + k) * step).toPrecision(12)));
  }
  const grid = (mantissas: readonly number[], every: number) => {
    const ticks: number[] = [];
    for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e += 1) {
      if (((e % every) + every) % every !== 0) continue;
      for (const m of mantissas) {
        const value = Number((m * 10 ** e).toPrecision(12));
        if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) ticks.push(value);
      }
    }
    return ticks;
  };
  const finest = [
    () => grid([1, 2, 3, 4, 5, 6, 7, 8, 9], 1),
    () => grid([1, 2, 5], 1),
    () => grid([1], 1),
    () => grid([1], 2),
    () => grid([1], 3),
  ];
  for (const make of finest) {
    const ticks = make();
    if (ticks.length <= most && ticks.length > 0) return ticks;
  }
  return grid([1], 4);
}

/** Value to pixels, linear or logarithmic; values below the domain stay on its edge when logarithmic. */
export function valueScale(
  domain: readonly [number, number],
  range: readonly [number, number],
  logarithmic: boolean,
): (value: number) => number {
  const f = logarithmic ? (value: number) => Math.log(Math.max(value, domain[0])) : (value: number) => value;
  const [a, b] = [f(domain[0]), f(domain[1])];
  const k = (range[1] - range[0]) / (b - a || 1);
  return (value) => range[0] + (f(value) - a) * k;
}

/** The next round step outwards, so that axes rarely move (DESIGN §6). */
export function roundDomain(low: number, high: number, logarithmic: boolean): [number, number] {
  if (!(high > 0)) return logarithmic ? [0.1, 10] : [0, 1];
  if (logarithmic) {
    const floor = 2 ** Math.floor(Math.log2(Math.max(low, high / 1e6)));
    return [floor, Math.max(floor * 4, 2 ** Math.ceil(Math.log2(high * 1.15)))];
  }
  const step = 10 ** Math.floor(Math.log10(high));
  return [Math.min(0, low), Math.ceil((high * 1.05) / (step / 2)) * (step / 2)];
}

/**
 * The ticks whose labels fit: zero and decades first, then fives, twos and the rest, at least `gap` px apart: the same for
 * all, or what a tick and the next larger one need.
 */
export function spaced(
  ticks: readonly number[],
  scale: (value: number) => number,
  gap: number | ((tick: number, larger: number) => number),
): number[] {
  const need = typeof gap === 'number' ? () => gap : gap;
  const rank = (tick: number) => {
    if (tick === 0) return 0;
    const mantissa = Number((Math.abs(tick) / 10 ** Math.floor(Math.log10(Math.abs(tick)) + 1e-9)).toFixed(6));
    return mantissa === 1 ? 0 : mantissa === 5 ? 1 : mantissa === 2 ? 2 : 3;
  };
  const kept: number[] = [];
  for (const tick of [...ticks].sort((a, b) => rank(a) - rank(b))) {
    const fits = (other: number) =>
      Math.abs(scale(other) - scale(tick)) >= need(Math.min(other, tick), Math.max(other, tick));
    if (kept.every(fits)) kept.push(tick);
  }
  return kept.sort((a, b) => a - b);
}
