import type { Prefs } from './prefs.svelte';

/** A step of the first-run tour. */
export interface Stop {
  /** View that the step is about. */
  view: 'timeline' | 'compare' | 'whatif' | 'report';
  /** CSS selector of the element that it points at; it may be missing. */
  at: string;
  title: string;
  text: string;
}

/** The steps, in order. */
export const STOPS: readonly Stop[] = [
  {
    view: 'timeline',
    at: '.field',
    title: 'See every exchange',
    text: 'A lane is a client. Marks above its line are copies of requests, triangles below are replies. A flag marks a copy that need not have been sent: the answer to an earlier one was on its way.',
  },
  {
    view: 'compare',
    at: 'table[aria-label=Measures]',
    title: 'Ask what another timer would have done',
    text: 'Each row is a published timer, replayed over the same channel states. The bar is its 90 % interval, the brackets are bounds that need no model, and the support says how much was really recorded.',
  },
  {
    view: 'whatif',
    at: '.param',
    title: 'Move a parameter',
    text: 'Every change is replayed as you make it, beside the published preset and with its interval. Ctrl Z takes back what you did, here and in every view.',
  },
  {
    view: 'report',
    at: '.form',
    title: 'Hand it on',
    text: 'A report is one file with every number, its parameters and sources, and the line that makes it again. Drop a capture of your own on the window to begin.',
  },
];

/** The tour: once on the first start, and again on request. */
export class Tour {
  #prefs: Prefs;
  #step = $state<number | null>(null);

  constructor(prefs: Prefs) {
    this.#prefs = prefs;
  }

  /** Index of the step, from 0; null while the tour is not under way. */
  get step(): number | null {
    return this.#step;
  }
  get stop(): Stop | null {
    return this.#step === null ? null : (STOPS[this.#step] ?? null);
  }

  /** Starts the tour on a first start. */
  offer(): void {
    if (!this.#prefs.get('toured')) this.#step = 0;
  }

  restart(): void {
    this.#step = 0;
  }

  /** Goes to the next (1) or previous (-1) step; after the last one it ends. */
  go(by: 1 | -1): void {
    if (this.#step === null) return;
    const next = this.#step + by;
    if (next >= STOPS.length) this.end();
    else this.#step = Math.max(0, next);
  }

  /** Ends the tour, which does not start by itself again. */
  end(): void {
    this.#step = null;
    this.#prefs.set('toured', true);
  }
}
