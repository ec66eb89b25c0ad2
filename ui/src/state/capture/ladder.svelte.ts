import type { Columns } from '../../ipc/arrow';
import type { Backend } from '../../ipc/backend';
import type { ExchangeColumns } from '../../ipc/gen/commands';
import type { LadderView } from '../../ipc/gen/types';
import { Reply } from '../replies/reply.svelte';

/** Shortest stretch of time that a ladder shows: ten microseconds, less than two octets on the air. */
const NARROWEST = 10_000;

/** Exchanges before and after one that its menu lists. */
const AROUND = 20;

/** The ladder of the selected exchange, and the stretch of it that is shown. */
export class Ladder {
  readonly reply = new Reply<LadderView>();
  readonly around = new Reply<Columns<ExchangeColumns>>();
  readonly #backend: Backend;
  readonly #capture: number;
  #zoom = $state.raw<readonly [number, number] | null>(null);
  #zoomed = -1;

  constructor(backend: Backend, capture: number) {
    this.#backend = backend;
    this.#capture = capture;
  }

  /** Asks for an exchange under `runs`. For effects. */
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

  /** The stretch of time that is shown, ns from the first copy; null: all of it. */
  get zoom(): readonly [number, number] | null {
    return this.#zoom;
  }

  /** Shows `t0..t1` of `from..until`; the whole or more is null. */
  look(t0: number, t1: number, from: number, until: number): void {
    const length = Math.min(Math.max(t1 - t0, NARROWEST), until - from);
    const first = Math.min(Math.max(t0, from), until - length);
    this.#zoom = length >= until - from ? null : [first, first + length];
  }

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

  /** The first exchange that was retransmitted, else the first of all; null where there is none. */
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
