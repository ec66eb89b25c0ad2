// Ticks of time and value axes, and their labels.
import { bisectLeft, range, tickStep, ticks } from 'd3-array';
import { precisionFixed } from 'd3-format';
import { scaleLog } from 'd3-scale';
import { timeMode } from '../format.mode.svelte';
import { clock, fixed } from '../format';

const S = 1e9;
const MIN = 60 * S;
const H = 60 * MIN;
const D = 24 * H;

/** A tick of a time axis: its time in ns of the trace, and its label. */
export interface TimeTick {
  t: number;
  label: string;
}

// Steps of a duration are not those of a calendar (d3-time): a trace begins at 0 and a day of it at any hour.
const STEPS_S = [1, 2, 5, 10, 15, 20, 30]
  .map((k) => k * S)
  .concat(
    [1, 2, 5, 10, 20, 30].map((k) => k * MIN),
    [1, 2, 3, 6, 12].map((k) => k * H),
    [1, 2, 5, 10, 20, 50, 100].map((k) => k * D),
  );

/** Least distance between ticks of a time axis, px: a label and the space behind it. */
const GAP_PX = 76;

/** The shortest round step, ns, whose ticks are at least `gap` px apart when `t0..t1` is `px` wide. */
export function timeStep(t0: number, t1: number, px: number, gap = GAP_PX): number {
  const least = ((t1 - t0) / Math.max(1, px)) * gap;
  if (least >= S) return STEPS_S[bisectLeft(STEPS_S, least)] ?? 100 * D;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((k) => k * power).find((step) => step >= least - 1e-9) ?? 10 * power;
}

/**
 * Ticks in `t0..t1` (ns), at least `gap` px apart where the axis is `px` wide, with their step (ns). From whole minutes
 * on only the first label carries the unit, as in `4 min`, `5`, `6`; `unit` is then its name, otherwise empty.
 */
export function timeTicks(
  t0: number,
  t1: number,
  px: number,
  gap = GAP_PX,
): { ticks: TimeTick[]; step: number; unit: string } {
  const step = timeStep(t0, t1, px, gap);
  const first = Math.ceil(t0 / step - 1e-9);
  const last = Math.floor(t1 / step + 1e-9);
  const [unit, name]: [number, string] = step >= D ? [D, 'd'] : step >= H ? [H, 'h'] : [MIN, 'min'];
  const decimals = Math.max(0, -Math.floor(Math.log10(step / S) + 1e-9));
  const plain = step < MIN || timeMode.form !== 'clock';
  const label = (t: number, index: number) => {
    if (plain) return clock(t, decimals);
    return index === first ? `${t / unit}\u00a0${name}` : `${Number((t / unit).toFixed(3))}`;
  };
  const all = range(first, last + 1).map((index) => ({ t: index * step, label: label(index * step, index) }));
  return { ticks: all, step, unit: plain ? '' : name };
}

/**
 * Round values in `low..high`, with at most `most` steps between them: multiples of 1, 2 or 5 times a power of ten on a
 * linear axis, and on a logarithmic one all digits of each decade, 1-2-5, decades, or every second or third decade.
 */
export function valueTicks(low: number, high: number, logarithmic: boolean, most: number): number[] {
  if (!(high > low)) return [low];
  return logarithmic ? logTicks(low, high, most) : linearTicks(low, high, most);
}

/**
 * Linear ticks. D3 rounds its step to the nearest round one, which may be too short for `most`: then fewer ticks are
 * asked for.
 */
function linearTicks(low: number, high: number, most: number): number[] {
  const shortest = ((high - low) / Math.max(1, most)) * (1 - 1e-9);
  let count = Math.max(1, most);
  while (count > 0.1 && tickStep(low, high, count) < shortest) count *= 0.9;
  return ticks(low, high, count);
}

function logTicks(low: number, high: number, most: number): number[] {
  // A count above the number of decades asks D3 for every digit of each decade.
  const digits = scaleLog([low, high], [0, 1]).ticks(Math.ceil(Math.log10(high / low)) + 1);
  const decade = (value: number) => Math.floor(Math.log10(value) + 1e-9);
  const digit = (value: number) => Math.round(value / 10 ** decade(value));
  const decades = (every: number) => (value: number) => digit(value) === 1 && decade(value) % every === 0;
  const coarser = [() => true, (value: number) => [1, 2, 5].includes(digit(value)), decades(1), decades(2), decades(3)];
  for (const kept of coarser) {
    const found = digits.filter(kept);
    if (found.length <= most && found.length > 0) return found;
  }
  return digits.filter(decades(4));
}

/** Decimals, at most 9, with which `value` is written in full. */
function decimalsOf(value: number): number {
  let decimals = Math.max(0, precisionFixed(Math.abs(value) || 1));
  while (decimals < 9 && Math.abs(Number(value.toFixed(decimals)) - value) > 1e-9 * Math.abs(value)) decimals += 1;
  return decimals;
}

/**
 * A formatter for the ticks of one axis: as many decimals as the tick that needs most, without trailing zeros, so that
 * no two labels are alike.
 */
export function tickFormat(values: readonly number[]): (value: number) => string {
  const decimals = Math.max(0, ...values.map(decimalsOf));
  return (value) => {
    const text = fixed(value, decimals);
    return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  };
}

/**
 * The ticks whose labels fit: zero and decades first, then fives, twos and the rest. `gap` is the least distance in px
 * between two neighbours: one for all, or computed from a tick and the next larger one.
 */
export function spaced(
  values: readonly number[],
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
  for (const tick of [...values].sort((a, b) => rank(a) - rank(b))) {
    const fits = (other: number) =>
      Math.abs(scale(other) - scale(tick)) >= need(Math.min(other, tick), Math.max(other, tick)) - 1e-6;
    if (kept.every(fits)) kept.push(tick);
  }
  return kept.sort((a, b) => a - b);
}

/**
 * Ends of an axis on round steps outside `low..high`, so that it rarely moves with its data. A linear axis begins at
 * zero or below; a logarithmic one spans powers of two, at most six decades below `high`.
 */
export function roundDomain(low: number, high: number, logarithmic: boolean): [number, number] {
  if (!(high > 0)) return logarithmic ? [0.1, 10] : [0, 1];
  if (logarithmic) {
    const floor = 2 ** Math.floor(Math.log2(Math.max(low, high / 1e6)));
    return [floor, Math.max(floor * 4, 2 ** Math.ceil(Math.log2(high * 1.15)))];
  }
  const step = 10 ** Math.floor(Math.log10(high));
  return [Math.min(0, low), Math.ceil((high * 1.05) / (step / 2)) * (step / 2)];
}
