import { contentHeight, rowTop, scrollTo, scrollToMiddle, shown, step, type LongList } from './longlist';

/**
 * Number of rows above and below those in view that exist as elements too. Chosen here: a small scroll shows no gap.
 * More elements cost layout.
 */
const EXTRA = 8;

/** State of a long list: its scroller, the rows in view and the active row. */
export class Rows {
  /** Number of the row that the keyboard is on, from 0. */
  active = $state(0);
  /** Height of the scroller with its head, px. */
  height = $state(400);
  /** The scrolling element; undefined while it is not mounted. */
  scroller = $state<HTMLElement>();
  #scroll = $state(0);
  #total: () => number;
  #row: number;
  #head: number;
  #list = $derived.by<LongList>(() => this.#measure());
  #range = $derived.by(() => shown(this.#list, this.#scroll, EXTRA));

  /** `total` returns the number of rows; `row` and `head` are the heights of a row and of the head, px. */
  constructor(total: () => number, row: number, head: number) {
    [this.#total, this.#row, this.#head] = [total, row, head];
  }

  /** Numbers of the first and the last row that exist as elements; the last is below the first in an empty list. */
  get range(): readonly [number, number] {
    return this.#range;
  }
  /** Numbers of the rows that exist as elements, ascending. */
  get indices(): readonly number[] {
    const [first, last] = this.#range;
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  }
  /** Height of the scroller's content, px. */
  get content(): number {
    return contentHeight(this.#list);
  }
  /** Position of row `index` in the scroller's content, px. */
  top(index: number): number {
    return rowTop(this.#list, this.#scroll, index);
  }

  /** Handler for the scroller's `onscroll`. */
  readonly scrolled = (): void => {
    this.#scroll = this.scroller?.scrollTop ?? 0;
  };

  /** Makes the first row active and scrolls to it. */
  toTop(): void {
    this.active = 0;
    this.scroller?.scrollTo({ top: 0 });
  }

  /** Makes a row active and scrolls it into view. */
  goTo(index: number): void {
    this.active = Math.min(Math.max(0, index), Math.max(0, this.#total() - 1));
    if (this.scroller) this.scroller.scrollTop = scrollTo(this.#list, this.scroller.scrollTop, this.active);
  }

  /**
   * Makes a row active and scrolls it to the middle: for a row that was chosen elsewhere, whose neighbours show where
   * it belongs.
   */
  goToMiddle(index: number): void {
    this.active = Math.min(Math.max(0, index), Math.max(0, this.#total() - 1));
    if (this.scroller) this.scroller.scrollTop = scrollToMiddle(this.#list, this.active);
  }

  /** The number of the row that a key leads to; null for keys that do not move in lists. */
  target(key: string): number | null {
    return step(this.#list, key, this.active);
  }

  #measure(): LongList {
    return { rows: this.#total(), row: this.#row, view: Math.max(this.#row, this.height - this.#head) };
  }
}
