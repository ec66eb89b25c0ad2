import { sorted, type Row } from './columns';

/** By what the rows of a comparison are ordered; without a measure, as they are shown in every view. */
export class Ranking {
  #by = $state.raw<{ name: string; descending: boolean } | null>(null);

  get by(): { name: string; descending: boolean } | null {
    return this.#by;
  }

  /** Upwards, downwards, not at all. */
  turn(name: string): void {
    if (this.#by?.name !== name) this.#by = { name, descending: false };
    else this.#by = this.#by.descending ? null : { name, descending: true };
  }

  /** `rows` in order, those of `pinned` before the others. */
  order(rows: readonly Row[], pinned: readonly string[] = []): Row[] {
    const by = this.#by;
    const all = by ? sorted(rows, ({ run }) => run?.metrics[by.name]?.mean, by.descending) : [...rows];
    const first = ({ item }: Row) => pinned.includes(item.key);
    return [...all.filter(first), ...all.filter((row) => !first(row))];
  }
}
