// Axes of the interval strips of What-if: one for each measure, which stays while a slider moves.
import { tickStep } from 'd3-array';

/** An axis as far as it matters whether it may stay. */
export type Domain = readonly [number, number];

/** An axis stays while its values fill at least this share of it. Chosen here: less than a fifth is too little to see a difference in. */
const FILLED = 0.2;

/** Limits on round steps that hold `low..high` with air on both sides; `least` is the smallest difference that matters. */
export function roomFor(low: number, high: number, least: number): Domain {
  // A spread below the last digit shown is no difference to look at: all markers stand in the middle.
  const apart = high - low >= 0.5 * least ? high - low : 0;
  const air = apart * 0.08 || Math.max(Math.abs(high) * 0.1, least);
  const step = tickStep(low - air, high + air, 5);
  const floor = Math.floor((low - air) / step) * step;
  // No measure is negative: air below zero would say that it can be.
  return [low >= 0 ? Math.max(0, floor) : floor, Math.ceil((high + air) / step) * step];
}

/** The axis for `wanted` where `held` was shown: the same as long as it holds all of it and is not much too wide, else one with room for both. */
export function held(before: Domain | undefined, wanted: Domain): Domain {
  if (!before) return wanted;
  const [low, high] = before;
  const inside = low <= wanted[0] && wanted[1] <= high;
  if (inside) return (wanted[1] - wanted[0]) / (high - low) >= FILLED ? before : wanted;
  const both = [Math.min(low, wanted[0]), Math.max(high, wanted[1])] as const;
  return (wanted[1] - wanted[0]) / (both[1] - both[0]) >= FILLED ? both : wanted;
}
