// Gaps between copies beside what an algorithm would have armed, on logarithmic axes.
import { extent } from 'd3-array';
import type { Gap } from '../../ipc/gen/types';
import { valueScale, type ValueScale } from '../../plot/scale';
import { valueTicks } from '../../plot/ticks';

/** Mark of one gap in the scatter plot. */
export interface GapMark {
  /**
   * Places on the axes, 0 to 1: middle, shortest and longest of the expected timeout along x, and the gap seen along y.
   */
  x: number;
  low: number;
  high: number;
  y: number;
  /** Whether the gap is at most a tenth outside the timeouts that could have been drawn. */
  fits: boolean;
}

/** Scatter plot of gaps, one scale for both axes. */
export interface GapPlot {
  /** Marks in the order of the gaps. */
  marks: GapMark[];
  /** Round times in seconds; empty without gaps. */
  ticks: number[];
  /** Scale from seconds to a place on either axis, 0 to 1; logarithmic. */
  place: ValueScale;
}

/** Nanoseconds of a second. */
const SECOND = 1e9;
/** Share of a timeout by which a gap may miss it, for the wait for the channel. Chosen here by eye. */
const NEAR = 0.1;
/** Most ticks of an axis: of two decades and more, powers of ten alone. Chosen here by eye. */
const MOST_TICKS = 5;
/** Factor of time left free before the shortest and behind the longest time. */
const AIR = 10 ** 0.1;

/** Places gaps (in nanoseconds) on one logarithmic scale for both axes. */
export function gapPlot(gaps: readonly Gap[]): GapPlot {
  const seconds = gaps.flatMap(({ seen, shortest, longest }) => [seen, shortest, longest]).map((ns) => ns / SECOND);
  const [shortest = 0.1, longest = 10] = extent(seconds.filter((value) => value > 0));
  const [least, most] = [shortest / AIR, longest * AIR];
  const place = valueScale([least, most], [0, 1], true);
  const marks = gaps.map(({ seen, shortest, longest }): GapMark => {
    const [y, low, high] = [place(seen / SECOND), place(shortest / SECOND), place(longest / SECOND)];
    const fits = seen >= shortest * (1 - NEAR) && seen <= longest * (1 + NEAR);
    return { x: (low + high) / 2, low, high, y, fits };
  });
  return { marks, ticks: gaps.length > 0 ? valueTicks(least, most, true, MOST_TICKS) : [], place };
}
