import { SvelteSet } from 'svelte/reactivity';
import type { Capture } from '../capture/capture.svelte';
import { grouped, inOrder, moved, type Group } from './groups';

/** An entry of the library: a capture by its number, or a group by its folder. */
export type Entry = { capture: number } | { folder: string };

/** Place of an entry among those that it can change places with. */
export interface PlaceOfEntry {
  /** Place from 0, and number of entries. */
  at: number;
  count: number;
  /** Name of the entry, and of the group that it is moved in; null: it is moved in the library. */
  name: string;
  group: string | null;
}

/** Place of an entry in words, for assistive tools. */
export const placeWords = ({ at, count, name, group }: PlaceOfEntry): string =>
  `${name}: ${at + 1} of ${count} in ${group ?? 'the library'}`;

/** The open captures in the reader's order, runs of one folder together as a group that folds. */
export class Groups {
  #captures = $state.raw<readonly Capture[]>([]);
  #folded = new SvelteSet<string>();
  readonly #all = $derived.by((): Group<Capture>[] => {
    const runs = this.#captures.map(({ id, title, folder, view: { name, path } }) => ({
      id,
      title,
      folder,
      name,
      path,
    }));
    return grouped(runs).map((group) => ({
      ...group,
      runs: group.runs.flatMap(({ of: id, name }) =>
        this.#captures.filter((capture) => capture.id === id).map((of) => ({ of, name })),
      ),
    }));
  });
  readonly #inOrder = $derived(this.#all.flatMap(({ runs }) => runs.map(({ of }) => of)));

  /** Groups, and captures by themselves, in order. */
  get all(): readonly Group<Capture>[] {
    return this.#all;
  }
  /** All captures in order. */
  get captures(): readonly Capture[] {
    return this.#inOrder;
  }
  /** Replaces the captures; those of a group are put together. */
  hold(captures: readonly Capture[]): void {
    this.#captures = captures;
  }

  /** Puts captures into the order of `ids`; those that it lacks keep their places. */
  arrange(ids: readonly number[]): void {
    const now = this.#inOrder.map(({ id }) => id);
    const next = inOrder(now, ids);
    if (next.join() === now.join()) return;
    this.#captures = next.flatMap((id) => this.#inOrder.find((capture) => capture.id === id) ?? []);
  }

  /** Place of an entry; null where it is not open. */
  placeOf(entry: Entry): PlaceOfEntry | null {
    const all = this.#all;
    const isEntry = ({ folder, runs }: Group<Capture>) =>
      'folder' in entry ? folder === entry.folder : runs.some(({ of }) => of.id === entry.capture);
    const at = all.findIndex(isEntry);
    const found = all[at];
    if (!found) return null;
    if ('folder' in entry || found.folder === null) return { at, count: all.length, name: found.name, group: null };
    const inside = found.runs.findIndex(({ of }) => of.id === entry.capture);
    return { at: inside, count: found.runs.length, name: found.runs[inside]?.name ?? '', group: found.name };
  }

  /**
   * Moves a group or a capture by itself among all of them, a run inside its group, to the place `to` from 0; returns
   * its place after, or null where it is not open.
   */
  move(entry: Entry, to: number): PlaceOfEntry | null {
    const place = this.placeOf(entry);
    if (!place) return null;
    const target = Math.min(Math.max(0, to), place.count - 1);
    const next =
      place.group === null
        ? moved(this.#all, place.at, target)
        : this.#all.map((group) =>
            'capture' in entry && group.runs.some(({ of }) => of.id === entry.capture)
              ? { ...group, runs: moved(group.runs, place.at, target) }
              : group,
          );
    this.#captures = next.flatMap(({ runs }) => runs.map(({ of }) => of));
    return this.placeOf(entry);
  }

  /** Whether a group is folded: its runs are not listed. */
  isFolded(folder: string): boolean {
    return this.#folded.has(folder);
  }
  fold(folder: string, folded: boolean): void {
    if (folded) this.#folded.add(folder);
    else this.#folded.delete(folder);
  }
  /** Unfolds the group of a capture. */
  reveal(capture: number): void {
    const group = this.#all.find(({ runs }) => runs.some(({ of }) => of.id === capture));
    if (group?.folder != null) this.fold(group.folder, false);
  }
}
