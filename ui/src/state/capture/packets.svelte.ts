import type { Columns } from '../../ipc/arrow';
import type { Backend } from '../../ipc/backend';
import type { PacketColumns } from '../../ipc/gen/commands';
import type { DissectView, FieldView, FrameList, PacketCount, PacketRow, RowKind } from '../../ipc/gen/types';
import { Pages } from '../replies/pages.svelte';
import { Reply } from '../replies/reply.svelte';

/** Number of no object in a column of ids. */
export const NONE = 2 ** 32 - 1;

/** The packet list of one capture: its filter, its rows, and the frame that is open. */
export class Packets {
  readonly count = new Reply<PacketCount>();
  readonly dissection = new Reply<DissectView>();
  readonly #backend: Backend;
  readonly #capture: number;
  #filter = $state('');
  #rows = $state<RowKind>('frames');
  #window = $state.raw<[number, number] | null>(null);
  #frame = $state<number | null>(null);
  #goal = $state<number | null>(null);
  #pages = $derived.by(() => {
    const list = this.list;
    return new Pages<Columns<PacketColumns>>((offset, limit) => this.#backend.call('packets', { list, offset, limit }));
  });

  constructor(backend: Backend, capture: number) {
    this.#backend = backend;
    this.#capture = capture;
  }

  /** The list that is shown, as requests name it. */
  get list(): FrameList {
    return { capture: this.#capture, rows: this.#rows, filter: this.#filter, window: this.#window };
  }
  /** The filter in force. */
  get filter(): string {
    return this.#filter;
  }
  get rows(): RowKind {
    return this.#rows;
  }
  /** Only rows of this window. */
  get window(): readonly [number, number] | null {
    return this.#window;
  }
  /** The frame whose layers are shown, from 0. */
  get frame(): number | null {
    return this.#frame;
  }
  get pages(): Pages<Columns<PacketColumns>> {
    return this.#pages;
  }

  apply(filter: string): void {
    this.#filter = filter.trim();
  }
  choose(rows: RowKind): void {
    this.#rows = rows;
  }
  limit(window: [number, number] | null): void {
    const same = window?.[0] === this.#window?.[0] && window?.[1] === this.#window?.[1];
    if (!same) this.#window = window;
  }
  open(frame: number | null): void {
    this.#frame = frame;
  }

  /** The frame to scroll to, once its list is there. */
  get goal(): number | null {
    return this.#goal;
  }
  /** Opens a frame and scrolls to its row. */
  show(frame: number): void {
    this.#frame = frame;
    this.#goal = frame;
  }
  reached(): void {
    this.#goal = null;
  }

  /** Asks for the number of rows. For effects. */
  wantCount(): void {
    const list = this.list;
    void this.count.ask(JSON.stringify(list), (asking) => this.#backend.call('packet_count', list, asking));
  }

  /** Asks for the layers of the open frame. For effects. */
  wantDissection(): void {
    const frame = this.#frame;
    if (frame === null) {
      this.dissection.clear();
      return;
    }
    const request = { capture: this.#capture, frame };
    void this.dissection.ask(String(frame), (asking) => this.#backend.call('dissect', request, asking));
  }

  /** The first row at or behind a frame, an exchange or a time. */
  find(place: { frame?: number; exchange?: number; at?: number }): Promise<PacketRow | null> {
    const { frame = null, exchange = null, at = null } = place;
    return this.#backend.call('packet_row', { list: this.list, frame, exchange, at });
  }
}

/** Fields that filters may name; fetched once. */
export class FilterFields {
  readonly #backend: Backend;
  readonly #fields = new Reply<FieldView[]>();

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  get all(): readonly FieldView[] {
    return this.#fields.value ?? [];
  }

  want(): void {
    void this.#fields.ask('fields', (asking) => this.#backend.call('fields', null, asking));
  }
}
