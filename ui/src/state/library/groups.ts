// Groups of captures by folder, and orders of lists.
import { distinctNames, folderOf, runNames, stemOf, type RunFile } from './names';

/** A capture, as far as its group depends on it. */
export interface Run extends RunFile {
  id: number;
  title: string;
  /** Folder that it was opened with, as one of its runs; null: it was opened by itself. */
  folder: string | null;
}

/** Runs of one folder, or one capture by itself. */
export interface Group<T> {
  /** Folder of the runs; null for a capture by itself. */
  folder: string | null;
  /** Name of the folder, or of the capture. */
  name: string;
  /** Captures in order, each with the name that tells it apart inside the group. */
  runs: readonly { of: T; name: string }[];
}

/**
 * Folder whose runs a capture belongs to; null: none. A file that is named by its own folder is the run of that folder,
 * which lies in the one of its group.
 */
function groupFolder({ name, path, folder, title }: Run): string | null {
  if (folder !== null || path === null) return folder;
  return title === stemOf(name) ? folderOf(path) : folderOf(folderOf(path));
}

/** Groups of captures, by number, in the order of the first one of each. A folder with a single one is no group. */
export function grouped(captures: readonly Run[]): Group<number>[] {
  const byFolder = new Map<string | number, Run[]>();
  for (const capture of captures) {
    const key = groupFolder(capture) ?? capture.id;
    byFolder.set(key, [...(byFolder.get(key) ?? []), capture]);
  }
  const isGroup = (key: string | number, runs: readonly Run[]) => typeof key === 'string' && runs.length > 1;
  const folders = [...byFolder].flatMap(([key, runs]) => (isGroup(key, runs) ? [String(key)] : []));
  const names = distinctNames(folders);
  return [...byFolder].map(([key, runs]) => {
    if (!isGroup(key, runs)) {
      const [title = ''] = runs.map((run) => run.title);
      return { folder: null, name: title, runs: runs.map(({ id }) => ({ of: id, name: title })) };
    }
    const inside = runNames(runs);
    return {
      folder: String(key),
      name: names[folders.indexOf(String(key))] ?? '',
      runs: runs.map(({ id, title }, index) => ({ of: id, name: inside[index] ?? title })),
    };
  });
}

/** A list with the member at place `from` moved to place `to`, both from 0. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const others = list.filter((_, index) => index !== from);
  return [...others.slice(0, to), ...list.slice(from, from + 1), ...others.slice(to)];
}

/** Numbers of `list` in the order of `wanted`; those that are not among the wanted ones keep their places. */
export function inOrder(list: readonly number[], wanted: readonly number[]): number[] {
  const known = wanted.filter((id) => list.includes(id));
  let next = 0;
  return list.map((id) => (known.includes(id) ? (known[next++] ?? id) : id));
}

/** Whether the numbers that both lists have stand in one order. */
export function sameOrder(a: readonly number[], b: readonly number[]): boolean {
  return a.filter((id) => b.includes(id)).join() === b.filter((id) => a.includes(id)).join();
}
