// Scales between data and pixels.
import { scaleLinear, scaleLog } from 'd3-scale';

/** Width of the gutter with names of lanes, px; all time axes of the window share it and so line up. */
export const GUTTER = 168;
/** Padding on the right of time axes, px. */
export const PAD = 16;

/** Maps times of a trace, ns, to px, and back (`invert`). */
export interface TimeScale {
  (t: number): number;
  invert(x: number): number;
  /** Ends of the window, ns. */
  t0: number;
  t1: number;
  /** Pixels of one nanosecond. */
  k: number;
}

/**
 * The time scale from `t0..t1` (ns) to `x0..x1` (px). Linear by hand: a frame of a pan calls it for each of ten
 * thousand marks, and a call of d3-scale's `scaleLinear` costs several times as much.
 */
export function timeScale(t0: number, t1: number, x0: number, x1: number): TimeScale {
  const k = (x1 - x0) / Math.max(1, t1 - t0);
  const scale = (t: number) => x0 + (t - t0) * k;
  return Object.assign(scale, { invert: (x: number) => t0 + (x - x0) / k, t0, t1, k });
}

/** Maps a value to px. */
export type ValueScale = (value: number) => number;

/**
 * A linear or logarithmic scale from `domain` to `range` (px); NaN for NaN. On a logarithmic one values below the
 * domain stand on its edge.
 */
export function valueScale(
  domain: readonly [number, number],
  range: readonly [number, number],
  logarithmic: boolean,
): ValueScale {
  if (!logarithmic) return scaleLinear(domain, range).unknown(NaN);
  const scale = scaleLog(domain, range).unknown(NaN);
  return (value) => scale(Math.max(value, domain[0]));
}
