// Scales between data and pixels.
import { scaleLinear, scaleLog } from 'd3-scale';

/** Width of the gutter of lane names, and right padding, px: every time axis of the window lines up. */
export const GUTTER = 168;
export const PAD = 16;

/** Nanoseconds of a trace to pixels, and back. */
export interface TimeScale {
  (t: number): number;
  invert(x: number): number;
  t0: number;
  t1: number;
  /** Pixels of one nanosecond. */
  k: number;
}

/**
 * The time scale from `t0..t1` (ns) to `x0..x1` (px). Affine by hand: a frame of a pan calls it for each of ten thousand marks, and
 * d3-scale's `scaleLinear` costs several times as much a call.
 */
export function timeScale(t0: number, t1: number, x0: number, x1: number): TimeScale {
  const k = (x1 - x0) / Math.max(1, t1 - t0);
  const scale = (t: number) => x0 + (t - t0) * k;
  return Object.assign(scale, { invert: (x: number) => t0 + (x - x0) / k, t0, t1, k });
}

/** A value to pixels. */
export type ValueScale = (value: number) => number;

/** A linear or logarithmic scale; NaN for NaN. On a logarithmic one, values below the domain stand on its edge. */
export function valueScale(
  domain: readonly [number, number],
  range: readonly [number, number],
  logarithmic: boolean,
): ValueScale {
  if (!logarithmic) return scaleLinear(domain, range).unknown(NaN);
  const scale = scaleLog(domain, range).unknown(NaN);
  return (value) => scale(Math.max(value, domain[0]));
}
