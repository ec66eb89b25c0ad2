import type { SessionFlag } from '../../ipc/gen/types';

/** Moments that the reader marked, with notes; saved in session files and shown in reports. */
export class Flags {
  #all = $state.raw<readonly SessionFlag[]>([]);

  /** Flags in order of time; no two at one moment. */
  get all(): readonly SessionFlag[] {
    return this.#all;
  }

  /** Adds a flag at `at` (ns), unless there is one already. */
  plant(at: number, note = ''): void {
    if (!this.#all.some((flag) => flag.at === at)) this.restore([...this.#all, { at, note }]);
  }

  /** Changes the note of the flag at `at` (ns). */
  note(at: number, note: string): void {
    this.#all = this.#all.map((flag) => (flag.at === at ? { at, note } : flag));
  }

  /** Removes the flag at `at` (ns). */
  remove(at: number): void {
    this.#all = this.#all.filter((flag) => flag.at !== at);
  }

  /** Replaces all flags by `all`, sorted by time. */
  restore(all: readonly SessionFlag[]): void {
    this.#all = all.toSorted((a, b) => a.at - b.at);
  }

  /** The next flag after `at` (ns), or the last one before it with `backwards`; undefined without one. */
  next(at: number, backwards: boolean): SessionFlag | undefined {
    return backwards ? this.#all.findLast((flag) => flag.at < at) : this.#all.find((flag) => flag.at > at);
  }
}
