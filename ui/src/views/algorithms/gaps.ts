// Gaps between copies beside what an algorithm would have armed, on logarithmic axes.
import { extent } from 'd3-array';
import type { Gap } from '../../ipc/gen/types';
import { valueScale, type ValueScale } from '../../plot/scale';
import { valueTicks } from '../../plot/ticks';

export interface GapMark {
  /** Places on the axes, 0 to 1: middle and ends of the expected timeout, and the gap seen. */
  x: number;
  low: number;
  high: number;
  y: number;
  /** Within the draw, or a tenth of it. */
  fits: boolean;
}

export interface GapPlot {
  marks: GapMark[];
  /** Round times within, s. */
  ticks: number[];
  /** Seconds to a place on either axis, 0 to 1. */
  place: ValueScale;
}

const SECOND = 1e9;
/** Share of a timeout allowed for the wait for the channel. Chosen here by eye. */
const NEAR = 0.1;
/** Most ticks of an axis: of two decades and more, powers of ten alone. Chosen here by eye. */
const MOST_TICKS = 5;
/** Air beside the shortest and the longest time, as a factor. */
const AIR = 10 ** 0.1;

/** Places of all gaps on one scale for both axes. */
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
