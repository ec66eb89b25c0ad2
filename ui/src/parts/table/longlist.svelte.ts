import { contentHeight, rowTop, scrollTo, scrollToMiddle, shown, step, type LongList } from './longlist';

/** Rows beside those in view that exist too. */
const EXTRA = 8;

/** State of a long list: its scroller, the rows in view and the active row. */
export class Rows {
  /** Row that the keyboard is on, from 0. */
  active = $state(0);
  /** Height of the scroller with its head, px. */
  height = $state(400);
  scroller = $state<HTMLElement>();
  #scroll = $state(0);
  #total: () => number;
  #row: number;
  #head: number;
  #list = $derived.by<LongList>(() => this.#measure());
  #range = $derived.by(() => shown(this.#list, this.#scroll, EXTRA));

  /** `total`: number of rows; `row` and `head`: heights of a row and of the head, px. */
  constructor(total: () => number, row: number, head: number) {
    [this.#total, this.#row, this.#head] = [total, row, head];
  }

  /** First and last row that exist. */
  get range(): readonly [number, number] {
    return this.#range;
  }
  /** Rows that exist. */
  get indices(): readonly number[] {
    const [first, last] = this.#range;
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  }
  /** Height of the content, px. */
  get content(): number {
    return contentHeight(this.#list);
  }
  /** Position of a row in the content, px. */
  top(index: number): number {
    return rowTop(this.#list, this.#scroll, index);
  }

  /** For the scroller's `onscroll`. */
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

  /** Makes a row active and scrolls it to the middle: it was chosen elsewhere, and its neighbours say where it belongs. */
  goToMiddle(index: number): void {
    this.active = Math.min(Math.max(0, index), Math.max(0, this.#total() - 1));
    if (this.scroller) this.scroller.scrollTop = scrollToMiddle(this.#list, this.active);
  }

  /** The row that a key leads to; null for keys that are none of a list. */
  target(key: string): number | null {
    return step(this.#list, key, this.active);
  }

  #measure(): LongList {
    return { rows: this.#total(), row: this.#row, view: Math.max(this.#row, this.height - this.#head) };
  }
}
