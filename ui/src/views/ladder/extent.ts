// Time that a ladder shows before a reader zooms.
import type { LadderSide } from '../../ipc/gen/types';

/**
 * End of the time to show, ns from the first copy of each side: the latest event of any with 5 % of free space, and up
 * to 30 % where timers still ran; at least 1.05 ms.
 */
export function extent(sides: readonly LadderSide[]): number {
  let last = 1e6;
  /** Ends of timers that were still running: they extend the time by at most 30 %, so need not be shown whole. */
  const running: number[] = [];
  for (const side of sides) {
    const start = side.copies[0]?.sent ?? 0;
    const reach = (at: number | null | undefined) => {
      if (at !== null && at !== undefined) last = Math.max(last, at - start);
    };
    reach(side.end);
    for (const { sent, rtt, timer, gap, wait, expired, transit } of side.copies) {
      reach(sent);
      reach(rtt === null ? null : sent + rtt);
      const runs = timer ? timer.value - (wait?.value ?? 0) : gap;
      if (!expired && runs !== null) running.push(sent - start + runs);
      transit?.legs.forEach((leg) => reach(leg.frames.at(-1)?.end));
      transit?.drops.forEach((drop) => reach(drop.at));
    }
    for (const { arrived, transit } of side.replies) {
      reach(arrived);
      transit.legs.forEach((leg) => reach(leg.frames.at(-1)?.end));
      transit.drops.forEach((drop) => reach(drop.at));
    }
  }
  return Math.ceil(Math.max(last * 1.05, Math.min(last * 1.3, Math.max(0, ...running))));
}

/** Start of the time to show, ns from the first copy, at most 0: a timer may be armed before its copy is on the air. */
export function begin(sides: readonly LadderSide[]): number {
  return Math.min(0, ...sides.map(({ copies: [first] }) => (first?.timer && first.wait ? -first.wait.value : 0)));
}
