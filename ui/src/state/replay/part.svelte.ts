// The part of a capture that is replayed: the clients that change their timers, and the time from which on they do.
import { clock } from '../../format';
import { canonical } from '../../ipc/canonical';
import type { PartView, StartView } from '../../ipc/gen/types';

/** The part of one capture that is replayed; by default all clients from the beginning. */
export class Part {
  #stays = $state.raw<readonly number[]>([]);
  #start = $state.raw<StartView | null>(null);
  #given = $derived<PartView>({
    ...(this.#stays.length > 0 && { as_recorded: [...this.#stays] }),
    ...(this.#start && { start: this.#start }),
  });

  /** IDs of associations that stay as they were recorded, ascending. */
  get stays(): readonly number[] {
    return this.#stays;
  }
  /** Start of the replays; null: with the trace. */
  get start(): StartView | null {
    return this.#start;
  }
  /** Whether anything is left out. */
  get is(): boolean {
    return this.#stays.length > 0 || this.#start !== null;
  }
  /** The part as session files have it, without defaults. */
  get given(): PartView {
    return this.#given;
  }
  /** The part as a member of requests, absent where nothing is left out. */
  get asked(): { part?: PartView } {
    return this.is ? { part: this.#given } : {};
  }

  /** Replaces the associations (IDs) that stay as they were recorded. */
  stay(associations: readonly number[]): void {
    const sorted = associations.filter((id, at) => associations.indexOf(id) === at).sort((a, b) => a - b);
    if (canonical(sorted) !== canonical(this.#stays)) this.#stays = sorted;
  }

  /** Sets the start of the replays; null: with the trace. */
  begin(start: StartView | null): void {
    if (canonical(start) !== canonical(this.#start)) this.#start = start;
  }

  /** Replaces the clients that stay as recorded, and the start. */
  restore({ as_recorded = [], start }: PartView): void {
    this.stay(as_recorded);
    this.begin(start ?? null);
  }

  /**
   * Text for captions on clients that are not replayed and on the start; empty where nothing is left out. `of` is the
   * number of associations.
   */
  words(of: number): string {
    const stays = this.#stays.length > 0 ? [`${this.#stays.length} of ${of} clients as recorded`] : [];
    const start = this.#start;
    const from = start ? [`from ${clock(start.at)} on, timers ${start.warm ? 'warm' : 'cold'}`] : [];
    return [...stays, ...from].join(', ');
  }
}
