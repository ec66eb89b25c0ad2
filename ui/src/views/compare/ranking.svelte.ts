import { sorted, type Row } from './columns';

/** Order of the rows of a comparison: by the mean of a measure, or as the timers are listed in every view. */
export class Ranking {
  #by = $state.raw<{ name: string; descending: boolean } | null>(null);

  /** Name of the measure and direction; null: as listed. */
  get by(): { name: string; descending: boolean } | null {
    return this.#by;
  }

  /** Next order by the measure called `name`: ascending, descending, as listed. */
  turn(name: string): void {
    if (this.#by?.name !== name) this.#by = { name, descending: false };
    else this.#by = this.#by.descending ? null : { name, descending: true };
  }

  /** Returns `rows` in order; those whose keys are in `pinned` come before the others. */
  order(rows: readonly Row[], pinned: readonly string[] = []): Row[] {
    const by = this.#by;
    const all = by ? sorted(rows, ({ run }) => run?.metrics[by.name]?.mean, by.descending) : [...rows];
    const first = ({ item }: Row) => pinned.includes(item.key);
    return [...all.filter(first), ...all.filter((row) => !first(row))];
  }
}
