// The clients of a capture that change their timers, and the time from which they do.
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

  /** Associations that stay as they were recorded. */
  get stays(): readonly number[] {
    return this.#stays;
  }
  /** Start of the replays; null: with the trace. */
  get start(): StartView | null {
    return this.#start;
  }
  /** True where anything is left out. */
  get is(): boolean {
    return this.#stays.length > 0 || this.#start !== null;
  }
  /** As session files have it, without defaults. */
  get given(): PartView {
    return this.#given;
  }
  /** As requests have it, absent by default. */
  get asked(): { part?: PartView } {
    return this.is ? { part: this.#given } : {};
  }

  stay(associations: readonly number[]): void {
    const sorted = associations.filter((id, at) => associations.indexOf(id) === at).sort((a, b) => a - b);
    if (canonical(sorted) !== canonical(this.#stays)) this.#stays = sorted;
  }

  begin(start: StartView | null): void {
    if (canonical(start) !== canonical(this.#start)) this.#start = start;
  }

  restore({ as_recorded = [], start }: PartView): void {
    this.stay(as_recorded);
    this.begin(start ?? null);
  }

  /** Text for captions: the clients that are not replayed; empty where all are. `of` is the number of associations. */
  words(of: number): string {
    const stays = this.#stays.length > 0 ? [`${this.#stays.length} of ${of} clients as recorded`] : [];
    const start = this.#start;
    const from = start ? [`from ${clock(start.at)} on, timers ${start.warm ? 'warm' : 'cold'}`] : [];
    return [...stays, ...from].join(', ');
  }
}
