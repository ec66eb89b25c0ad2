// Scrolling of the lanes to one of them.
import type { Attachment } from 'svelte/attachments';
import { rowFor, type Row } from './layout';

/** Scrolls the lanes so far that the line at `y`, px from the top of all lanes, is in sight with its marks. */
export function scrollToLane(scroller: HTMLElement | undefined, y: number): void {
  if (!scroller) return;
  const { scrollTop, clientHeight } = scroller;
  if (y - 40 < scrollTop) scroller.scrollTo({ top: Math.max(0, y - 60) });
  else if (y + 20 > scrollTop + clientHeight) scroller.scrollTo({ top: y + 40 - clientHeight });
}

/** Scrolls to the lane of `sought` once for each such object, as soon as there is one. */
export function bringsIntoSight(
  now: () => { rows: readonly Row[]; sought: { association: number } | null },
): Attachment<HTMLElement> {
  return (scroller) => {
    let done: object | null = null;
    $effect(() => {
      const { rows, sought } = now();
      const row = sought && rowFor(rows, sought.association, null);
      if (!row || sought === done) return;
      done = sought;
      scrollToLane(scroller, row.look.y);
    });
  };
}
