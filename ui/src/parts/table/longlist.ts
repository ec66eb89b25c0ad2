// Geometry of a list of any length in a scroller of bounded height: browsers stop at about 33 million pixels. In longer
// lists a pixel of the scroller stands for several of the list.

/** Largest height of a scroller's content, px. Chosen here: half of where browsers stop. */
export const TALLEST = 16_000_000;

/** A list and its view. */
export interface LongList {
  /** Number of rows of the whole list. */
  rows: number;
  /** Height of one row, px. */
  row: number;
  /** Height of the scroller's view, px. */
  view: number;
}

/** Height of the scroller's content, px. */
export function contentHeight({ rows, row }: LongList): number {
  return Math.min(rows * row, TALLEST);
}

/** Pixels of the list for a pixel of the scroller: 1 unless the list is too high. */
function scale(list: LongList): number {
  const over = list.rows * list.row - list.view;
  const most = contentHeight(list) - list.view;
  return most > 0 && over > most ? over / most : 1;
}

/** Position in the list, px, of a scroller at `scroll` px. */
export function listTop(list: LongList, scroll: number): number {
  return scroll * scale(list);
}

/** Position of row `index` in the content while the scroller is at `scroll`, px. */
export function rowTop(list: LongList, scroll: number, index: number): number {
  return scroll + index * list.row - listTop(list, scroll);
}

/** Numbers of the first and the last row in view, widened by `extra` rows on either side. */
export function shown(list: LongList, scroll: number, extra: number): [number, number] {
  const top = listTop(list, scroll);
  const first = Math.max(0, Math.floor(top / list.row) - extra);
  return [first, Math.min(list.rows - 1, Math.ceil((top + list.view) / list.row) + extra)];
}

/** Scroll position, px, that shows row `index`; `scroll` where it is in view already. */
export function scrollTo(list: LongList, scroll: number, index: number): number {
  const [top, at] = [listTop(list, scroll), index * list.row];
  if (at < top) return at / scale(list);
  if (at + list.row > top + list.view) return (at + list.row - list.view) / scale(list);
  return scroll;
}

/** Scroll position, px, that has row `index` in the middle of the view, as far as the list reaches. */
export function scrollToMiddle(list: LongList, index: number): number {
  const top = index * list.row + list.row / 2 - list.view / 2;
  const most = Math.max(0, list.rows * list.row - list.view);
  return Math.max(0, Math.min(most, top)) / scale(list);
}

/** The number of the row that a key leads to from row `at`; null for keys that do not move in lists. */
export function step(list: LongList, key: string, at: number): number | null {
  const page = Math.max(1, Math.floor(list.view / list.row) - 1);
  const targets: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: list.rows - 1,
  };
  const to = targets[key];
  return to === undefined ? null : Math.min(Math.max(0, to), Math.max(0, list.rows - 1));
}
