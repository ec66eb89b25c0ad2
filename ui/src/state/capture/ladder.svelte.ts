import type { Columns } from '../../ipc/arrow';
import type { Backend } from '../../ipc/backend';
import type { ExchangeColumns } from '../../ipc/gen/commands';
import type { LadderView } from '../../ipc/gen/types';
import { Reply } from '../replies/reply.svelte';

/** Shortest time that a ladder shows, ns: ten microseconds, less than two octets on the air take. */
const NARROWEST = 10_000;

/**
 * Number of exchanges before and after the shown one that its menu lists. Chosen here by judgement: no experiment
 * decides it; as many as a menu shows without much scrolling.
 */
const AROUND = 20;

/** The ladder of the selected exchange, and the part of its time that is shown. */
export class Ladder {
  readonly reply = new Reply<LadderView>();
  /** Exchanges of the same association around the shown one. */
  readonly around = new Reply<Columns<ExchangeColumns>>();
  readonly #backend: Backend;
  readonly #capture: number;
  #zoom = $state.raw<readonly [number, number] | null>(null);
  #zoomed = -1;

  constructor(backend: Backend, capture: number) {
    this.#backend = backend;
    this.#capture = capture;
  }

  /** Asks for the ladder of an exchange, recorded and in `runs` (numbers of runs); null clears it. For effects. */
  want(exchange: number | null, runs: readonly number[]): void {
    if (exchange === null) {
      this.reply.clear();
      return;
    }
    if (exchange !== this.#zoomed) {
      this.#zoomed = exchange;
      this.#zoom = null;
    }
    const request = { capture: this.#capture, exchange, runs: [...runs] };
    void this.reply.ask(`${exchange} ${runs.join()}`, ({ signal }) =>
      this.#backend.call('ladder', request, { signal }),
    );
  }

  /** The part of time that is shown, ns from the first copy; null: all of it. */
  get zoom(): readonly [number, number] | null {
    return this.#zoom;
  }

  /** Shows `t0..t1` of a ladder that runs from `from` to `until`, all in ns from the first copy. */
  look(t0: number, t1: number, from: number, until: number): void {
    const length = Math.min(Math.max(t1 - t0, NARROWEST), until - from);
    const first = Math.min(Math.max(t0, from), until - length);
    this.#zoom = length >= until - from ? null : [first, first + length];
  }

  /** Shows all of the time. */
  fit(): void {
    this.#zoom = null;
  }

  /** Asks for the exchanges of the same association around that of `view`. For effects. */
  wantAround({ association, place }: LadderView): void {
    const offset = Math.max(0, place - AROUND);
    const request = {
      ...{ capture: this.#capture, window: null, association, retransmitted: false },
      ...{ sort: 'start', descending: false, offset, limit: 2 * AROUND + 1 },
    };
    void this.around.ask(`${association} ${offset}`, ({ signal }) =>
      this.#backend.call('exchanges', request, { signal }),
    );
  }

  /**
   * ID of the first exchange that was retransmitted, else of the first of all; null where there is none. Rejects as
   * requests do.
   */
  async example(): Promise<number | null> {
    for (const retransmitted of [true, false]) {
      const request = {
        ...{ capture: this.#capture, window: null, association: null, retransmitted },
        ...{ sort: 'start', descending: false, offset: 0, limit: 200 },
      };
      const page = await this.#backend.call('exchanges', request);
      if (page.length > 0) return page.exchange[0] ?? null;
    }
    return null;
  }
}
