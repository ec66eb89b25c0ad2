// Pace at which a capture that goes on is looked at and read.

/**
 * Interval at which it is looked at, ms. Chosen here by judgement: as often as a clock with seconds changes; half as
 * long doubles the requests.
 */
export const LOOK = 1000;

/**
 * Largest share of time that is spent reading. Chosen here by judgement: three quarters of the time are left for what
 * the reader asks.
 */
const SHARE = 0.25;

/** Rest after a reading that took `took` ms, ms: of reading and rest together, the reading is {@link SHARE}. */
export const restAfter = (took: number): number => took * (1 / SHARE - 1);
