/**
 * Numbers and times as text for people, in one place, so that every view writes them alike. Where a value is null,
 * undefined or not finite the text is `–`.
 */

import { formatLocale } from 'd3-format';
import { timeMode } from './format.mode.svelte';
import { METHODS } from './ipc/gen/labels';

/** A number and its unit as separate texts: the unit is set in a lighter ink. */
export interface Quantity {
  digits: string;
  unit: string;
}

const THIN = '\u202f';
const MINUS = '\u2212';
const NONE = '–';
const LOCALE = formatLocale({ decimal: '.', thousands: THIN, grouping: [3], currency: ['', ''], minus: MINUS });
/** Formatters of `fixed` by their number of decimals, kept because making one costs more than using it. */
const FIXED: ((value: number) => string)[] = [];

const MS = 1e6;
const SECOND = 1e9;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A whole number, such as `12 163`: narrow no-break spaces group thousands from four digits on. */
export function count(value: number): string {
  return fixed(value, 0);
}

/** A number with so many decimals, the minus sign U+2212 and grouped thousands; `–` where it does not apply. */
export function fixed(value: number | null | undefined, decimals: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  return (FIXED[decimals] ??= LOCALE.format(`,.${decimals}f`))(value);
}

/** Formats as {@link fixed} does, with a plus sign where the rounded value is above zero: for differences. */
export function signed(value: number | null | undefined, decimals: number): string {
  const text = fixed(value, decimals);
  return value !== null && value !== undefined && value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/**
 * A number with three significant digits, at most six decimals and no exponent: for a value that stands alone; `–`
 * where there is none.
 */
export function plain(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  if (value === 0) return '0';
  return fixed(value, Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))));
}

/**
 * A duration given in ns, in the unit that suits it: `426 µs`, `571 ms`, `7.22 s`, `23.2 s`, `2 min 20 s`, `30 min`, `3
 * h 5 min`; `–` where there is none.
 */
export function span(ns: number | null | undefined): string {
  const parts = spanParts(ns);
  return parts.map(({ digits, unit }) => (unit ? `${digits}\u00a0${unit}` : digits)).join(' ');
}

/**
 * The parts of {@link span}: one number with its unit, or two such as minutes and seconds; `–` alone where there is
 * none.
 */
export function spanParts(ns: number | null | undefined): Quantity[] {
  if (ns === null || ns === undefined || !Number.isFinite(ns)) return [{ digits: NONE, unit: '' }];
  const size = Math.abs(ns);
  const sign = ns < 0 ? MINUS : '';
  const one = (value: number, decimals: number, unit: string) => [{ digits: sign + fixed(value, decimals), unit }];
  if (size === 0) return one(0, 0, 's');
  if (size < 0.9995 * MS) return one(size / 1e3, size < 10_000 ? 1 : 0, 'µs');
  if (size < 0.9995 * SECOND) return one(size / MS, size < 10 * MS ? 1 : 0, 'ms');
  if (size < 9.995 * SECOND) return one(size / SECOND, 2, 's');
  if (size < 119.95 * SECOND) return one(size / SECOND, 1, 's');
  const [big, small, unit, subunit] =
    size < HOUR - SECOND / 2
      ? [MINUTE, SECOND, 'min', 's']
      : size < DAY - MINUTE / 2
        ? [HOUR, MINUTE, 'h', 'min']
        : [DAY, HOUR, 'd', 'h'];
  const total = Math.round(size / small);
  const per = big / small;
  const parts = [{ digits: sign + count(Math.floor(total / per)), unit }];
  if (total % per > 0) parts.push({ digits: count(total % per), unit: subunit });
  return parts;
}

/**
 * A time of the trace, given in ns from its epoch, in the format of {@link timeMode}: `6:31.204` or `1:06:31.204`, with
 * so many decimals of a second.
 */
export function clock(ns: number, decimals = 3): string {
  const { form, epoch } = timeMode;
  if (form === 'seconds') return `${fixed(ns / SECOND, decimals)}\u00a0s`;
  return form === 'day' && epoch !== null
    ? digital((((epoch + ns) % DAY) + DAY) % DAY, decimals, true)
    : digital(ns, decimals);
}

/** A time in ns as `6:31.204`; hours stand only where there are any, or always with `full`. */
function digital(ns: number, decimals: number, full = false): string {
  const scale = 10 ** decimals;
  const total = Math.round((Math.abs(ns) / SECOND) * scale);
  const seconds = total / scale;
  const [h, m] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const s = ((total - (h * 3600 + m * 60) * scale) / scale)
    .toFixed(decimals)
    .padStart(decimals > 0 ? decimals + 3 : 2, '0');
  const sign = ns < 0 && total > 0 ? MINUS : '';
  return h > 0 || full ? `${sign}${h}:${String(m).padStart(2, '0')}:${s}` : `${sign}${m}:${s}`;
}

/** Decimals of a second that a pixel of `nsPerPx` ns can show, 0 to 9. */
export function clockDecimals(nsPerPx: number): number {
  return Math.min(9, Math.max(0, Math.ceil(-Math.log10(nsPerPx / SECOND) - 0.01)));
}

/**
 * Decimals of a second for the playhead's time (`now`) and for the end of a capture of `length` ns. Captures of a
 * second or more show the playhead in milliseconds, and the end as coarsely as it can be without the playhead seeming
 * to lie beyond it; shorter ones show both alike.
 */
export function playheadDecimals(length: number): { now: number; end: number } {
  if (length >= SECOND) return { now: 3, end: clockDecimals(length / 20) };
  const now = length > 0 ? Math.max(3, clockDecimals(length / 100)) : 3;
  return { now, end: now };
}

/** A window of the trace, ends in ns, as `4:56 – 7:16`; short windows have decimals. */
export function timeWindow(t0: number, t1: number): string {
  const decimals = clockDecimals((t1 - t0) / 20);
  return `${clock(t0, decimals)} – ${clock(t1, decimals)}`;
}

/** Two ends of an interval, in its own unit, as `2.24 – 2.63`; `–` for an end that is missing. */
export function range(low: number | null | undefined, high: number | null | undefined, decimals: number): string {
  return `${fixed(low, decimals)} – ${fixed(high, decimals)}`;
}

/** Decimals, 0 to 3, that show two digits of the median width of a column's intervals; 2 where none has a width. */
export function decimalsFor(intervals: readonly (readonly [number, number])[]): number {
  const widths = intervals
    .map(([low, high]) => Math.abs(high - low))
    .filter((width) => width > 0 && Number.isFinite(width));
  if (widths.length === 0) return 2;
  widths.sort((a, b) => a - b);
  const width = widths[Math.floor((widths.length - 1) / 2)] ?? 1;
  return Math.min(3, Math.max(0, 1 - Math.floor(Math.log10(width))));
}

/** Unit in which a measure is shown: fractions as per cent, their differences as percentage points. */
export interface Shown {
  /** Multiplies a value in the core's unit. */
  factor: number;
  unit: string;
  /** Unit in which differences are shown: percentage points for fractions, else as `unit`. */
  differenceUnit: string;
}

/** The shown unit of a measure whose unit is `unit` in the core. */
export function shownUnit(unit: string): Shown {
  switch (unit) {
    case 'fraction':
      return { factor: 100, unit: '%', differenceUnit: 'pp' };
    case 'count':
      return { factor: 1, unit: '', differenceUnit: '' };
    default:
      return { factor: 1, unit, differenceUnit: unit };
  }
}

/** Two counts as `needless / copies`. */
export function shareOf(needless: number, copies: number): string {
  return `${count(needless)} / ${count(copies)}`;
}

/** A length in octets as `1.2 MB`, in powers of 1,000. */
export function octets(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let unit = 0;
  let size = value;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? count(size) : plain(size)}\u00a0${units[unit]}`;
}

/** A count with its noun: `1 hop`, `2 hops`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)}\u00a0${value === 1 ? one : many}`;
}

/** A hash shortened to its first and last four digits: `c17b … 0c6e`. */
export function shortHash(hex: string): string {
  return hex.length > 8 ? `${hex.slice(0, 4)} … ${hex.slice(-4)}` : hex;
}

/** A multiple of the recorded speed: `10×`, `0.25×`. */
export function speed(value: number): string {
  return `${fixed(value, value >= 10 ? 0 : value >= 1 ? (Number.isInteger(Number(value.toFixed(1))) ? 0 : 1) : 2).replace(/(\.\d)0$/, '$1')}×`;
}

/** The name of a request's code, such as `0.01` (RFC 7252 §12.1.1, RFC 8132 §6); other codes unchanged. */
export function method(code: string): string {
  return METHODS[code] ?? code;
}
