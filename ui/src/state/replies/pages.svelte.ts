import { SvelteMap } from 'svelte/reactivity';
import { untrack } from 'svelte';
import { Reply } from './reply.svelte';

/**
 * Number of rows in a page. Chosen here by judgement: several views of rows, so that scrolling seldom meets a missing
 * page.
 */
export const PAGE = 200;
/**
 * Most pages that are kept; those near the view are never dropped. Chosen here by judgement, to bound memory: 8,000
 * rows.
 */
const KEPT = 40;

/** A long table, fetched page by page as rows come into view. */
export class Pages<T> {
  #pages = new SvelteMap<number, Reply<T>>();
  #fetch: (offset: number, limit: number) => Promise<T>;

  constructor(fetch: (offset: number, limit: number) => Promise<T>) {
    this.#fetch = fetch;
  }

  /** Asks for rows `first` to `last`, from 0, unless they are there. For effects. */
  want(first: number, last: number): void {
    untrack(() => {
      const [from, to] = [Math.floor(Math.max(0, first) / PAGE), Math.floor(Math.max(0, last) / PAGE)];
      for (let page = from; page <= to; page += 1) {
        let reply = this.#pages.get(page);
        if (!reply) this.#pages.set(page, (reply = new Reply<T>()));
        void reply.ask('page', () => this.#fetch(page * PAGE, PAGE));
      }
      for (const page of [...this.#pages.keys()]) {
        if (this.#pages.size <= KEPT) break;
        if (page < from - 1 || page > to + 1) this.#pages.delete(page);
      }
    });
  }

  /** The page that holds `row` (from 0), and the index in it; undefined until it is there. */
  at(row: number): { page: T; index: number } | undefined {
    const page = this.#pages.get(Math.floor(row / PAGE))?.value;
    return page === undefined ? undefined : { page, index: row % PAGE };
  }

  /** Error of a page that could not be fetched. */
  get failure(): Reply<T>['failure'] {
    for (const reply of this.#pages.values()) if (reply.failure) return reply.failure;
    return undefined;
  }
}
