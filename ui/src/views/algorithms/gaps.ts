// Gaps between copies beside what an algorithm would have armed, on logarithmic axes.
import type { GapView } from '../../ipc/gen/types';

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
  /** Round times within, in seconds, with their place: powers of ten, and two and five times those where few are within. */
  ticks: { value: number; at: number }[];
}

const SECOND = 1e9;
/** Share of a timeout allowed for the wait for the channel. Chosen here by eye. */
const NEAR = 0.1;
/** From so many decades on powers of ten are ticks enough. */
const WIDE = 2;

/** Places of all gaps on one scale for both axes. */
export function gapPlot(gaps: readonly GapView[]): GapPlot {
  const seconds = gaps.flatMap(({ seen, shortest, longest }) => [seen, shortest, longest]).map((ns) => ns / SECOND);
  const positive = seconds.filter((value) => value > 0);
  if (positive.length === 0) return { marks: [], ticks: [] };
  const least = Math.log10(Math.min(...positive)) - 0.1;
  const most = Math.log10(Math.max(...positive)) + 0.1;
  const place = (value: number) => (Math.log10(Math.max(value, 10 ** least)) - least) / (most - least);
  const marks = gaps.map(({ seen, shortest, longest }): GapMark => {
    const [y, low, high] = [place(seen / SECOND), place(shortest / SECOND), place(longest / SECOND)];
    const fits = seen >= shortest * (1 - NEAR) && seen <= longest * (1 + NEAR);
    return { x: (low + high) / 2, low, high, y, fits };
  });
  const steps = most - least < WIDE ? [1, 2, 5] : [1];
  const ticks = [];
  for (let power = Math.floor(least); power <= most; power++) {
    for (const step of steps) {
      // Dividing gives 0.2 where multiplying by 0.1 gives 0.2000…1.
      const value = power < 0 ? step / 10 ** -power : step * 10 ** power;
      const at = place(value);
      if (Math.log10(value) >= least && at <= 1) ticks.push({ value, at });
    }
  }
  return { marks, ticks };
}
