// Axes of the strips of intervals in What-if, one for each measure; they stay while a slider moves, as far as possible.
import { tickStep } from 'd3-array';

/** Ends of an axis, in the shown unit. */
export type Domain = readonly [number, number];

/**
 * Share of an axis that its values must fill for it to stay. Chosen here: in less than a fifth no difference can be
 * seen.
 */
const FILLED = 0.2;

/**
 * Round ends of an axis for `low..high`, with free space on both sides; `least`: the smallest difference that matters.
 */
export function roomFor(low: number, high: number, least: number): Domain {
  // A spread below the last decimal shown is no difference: all markers then stand near the middle.
  const apart = high - low >= 0.5 * least ? high - low : 0;
  const air = apart * 0.08 || Math.max(Math.abs(high) * 0.1, least);
  const step = tickStep(low - air, high + air, 5);
  const floor = Math.floor((low - air) / step) * step;
  // No measure is negative: space below zero would suggest that it can be.
  return [low >= 0 ? Math.max(0, floor) : floor, Math.ceil((high + air) / step) * step];
}

/**
 * Axis for `wanted` after `before` was shown: the same while that holds it and is not far too wide, else one for both.
 */
export function held(before: Domain | undefined, wanted: Domain): Domain {
  if (!before) return wanted;
  const [low, high] = before;
  const inside = low <= wanted[0] && wanted[1] <= high;
  if (inside) return (wanted[1] - wanted[0]) / (high - low) >= FILLED ? before : wanted;
  const both = [Math.min(low, wanted[0]), Math.max(high, wanted[1])] as const;
  return (wanted[1] - wanted[0]) / (both[1] - both[0]) >= FILLED ? both : wanted;
}
