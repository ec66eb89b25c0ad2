import type { Columns } from '../../ipc/arrow';
import type { Backend } from '../../ipc/backend';
import { canonical } from '../../ipc/canonical';
import type { PacketColumns } from '../../ipc/gen/commands';
import type { DissectView, FieldView, FrameList, PacketCount, PacketRow, RowKind } from '../../ipc/gen/types';
import { Pages } from '../replies/pages.svelte';
import { Reply } from '../replies/reply.svelte';

/** Value of a column of IDs where there is no object. */
export const NONE = 2 ** 32 - 1;

/** Fields whose values the rows of a list have, and filters of its rules of colour, in order. */
export interface Look {
  fields: readonly string[];
  rules: readonly string[];
}

/** The packet list of one capture: its filter, its rows, and the frame that is open. */
export class Packets {
  /** Number of rows of the list. */
  readonly count = new Reply<PacketCount>();
  /** Layers of the open frame. */
  readonly dissection = new Reply<DissectView>();
  readonly #backend: Backend;
  readonly #capture: number;
  #filter = $state('');
  #rows = $state<RowKind>('frames');
  #window = $state.raw<[number, number] | null>(null);
  #frame = $state<number | null>(null);
  #goal = $state<number | null>(null);
  #look = $state.raw<Look>({ fields: [], rules: [] });
  #pages = $derived.by(() => {
    const [list, { fields, rules }] = [this.list, this.#look];
    return new Pages<Columns<PacketColumns>>((offset, limit) => this.#page(list, offset, limit, fields, rules));
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
  /** Kind of the rows: frames or messages. */
  get rows(): RowKind {
    return this.#rows;
  }
  /** Window that rows must lie in, ns; null: all. */
  get window(): readonly [number, number] | null {
    return this.#window;
  }
  /** The frame whose layers are shown, from 0; null: none. */
  get frame(): number | null {
    return this.#frame;
  }
  /** Pages of the list; new ones when the list changes. */
  get pages(): Pages<Columns<PacketColumns>> {
    return this.#pages;
  }

  /** Applies a filter; an empty one passes all rows. */
  apply(filter: string): void {
    this.#filter = filter.trim();
  }
  choose(rows: RowKind): void {
    this.#rows = rows;
  }
  /** Limits rows to a window, ns; null: to none. */
  limit(window: [number, number] | null): void {
    const same = window?.[0] === this.#window?.[0] && window?.[1] === this.#window?.[1];
    if (!same) this.#window = window;
  }
  /** Chooses the fields whose values rows have, and the filters of the rules of colour. */
  lookAs(look: Look): void {
    if (canonical(look) !== canonical(this.#look)) this.#look = look;
  }
  /** Rows from `offset` of the list as it is shown, at most `limit`. Rejects as requests do. */
  rowsFrom(offset: number, limit: number): Promise<Columns<PacketColumns>> {
    return this.#page(this.list, offset, limit, this.#look.fields, this.#look.rules);
  }
  #page(list: FrameList, offset: number, limit: number, fields: readonly string[], rules: readonly string[]) {
    return this.#backend.call('packets', { list, offset, limit, fields: [...fields], rules: [...rules] });
  }
  open(frame: number | null): void {
    this.#frame = frame;
  }

  /** The frame to scroll to once its list is there, from 0; null: none. */
  get goal(): number | null {
    return this.#goal;
  }
  /** Opens a frame (from 0) and scrolls to its row. */
  show(frame: number): void {
    this.#frame = frame;
    this.#goal = frame;
  }
  /** Notes that the list has scrolled to the goal. */
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

  /**
   * The first row at or behind a frame, an exchange or a time (ns); null where there is none. Rejects as requests do.
   */
  find(place: { frame?: number; exchange?: number; at?: number }): Promise<PacketRow | null> {
    const { frame = null, exchange = null, at = null } = place;
    return this.#backend.call('packet_row', { list: this.list, frame, exchange, at });
  }
}

/** Fields that filters may name, fetched once. */
export class FilterFields {
  readonly #backend: Backend;
  readonly #fields = new Reply<FieldView[]>();

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** All fields; empty until they are fetched. */
  get all(): readonly FieldView[] {
    return this.#fields.value ?? [];
  }

  want(): void {
    void this.#fields.ask('fields', (asking) => this.#backend.call('fields', null, asking));
  }
}
