import { slice, type Columns } from '../../ipc/arrow';
import type { LaneColumns } from '../../ipc/gen/commands';

/** Number of a run, or null for the recorded behaviour. */
export type RunOrRecorded = number | null;

/** A value for each behaviour. Replaced whole, never changed in place. */
export type ByRun<T> = ReadonlyMap<RunOrRecorded, T>;

/** A map from behaviours to values. */
export const collect = <T>(entries: Iterable<readonly [RunOrRecorded, T]>): ByRun<T> => new Map(entries);

/** For each of `runs` the value of the first source that has one; runs without any are left out. */
export function choose<T>(runs: readonly RunOrRecorded[], ...sources: readonly ByRun<T>[]): ByRun<T> {
  return collect(
    runs.flatMap((run) => {
      const source = sources.find((candidate) => candidate.has(run));
      return source ? [[run, source.get(run) as T] as const] : [];
    }),
  );
}

/** Range of lanes by their places, from 0 at the top, both ends included; null: all. */
export type LaneRange = readonly [first: number, last: number] | null;

/** Whether the range `outer` contains `inner`. */
export const within = (inner: LaneRange, outer: LaneRange): boolean =>
  outer === null || (inner !== null && outer[0] <= inner[0] && inner[1] <= outer[1]);

/** Value of column `lane` of rows with the tallest columns of all lanes that were not asked for. */
export const OTHERS = 0xffff;

/** Value of column `run` for the recorded behaviour. */
const RECORDED = 0xffffffff;

/**
 * Splits a reply into the rows of each behaviour, as views; the rows of one stand together. Runs without a mark get no
 * rows.
 */
export function byRun(columns: Columns<LaneColumns>, runs: readonly RunOrRecorded[]): ByRun<Columns<LaneColumns>> {
  const none = slice(columns, columns.length, columns.length);
  const parts = new Map<RunOrRecorded, Columns<LaneColumns>>(runs.map((run) => [run, none]));
  for (let from = 0; from < columns.length;) {
    const run = columns.run[from];
    let end = from + 1;
    while (end < columns.length && columns.run[end] === run) end += 1;
    parts.set(run === RECORDED || run === undefined ? null : run, slice(columns, from, end));
    from = end;
  }
  return parts;
}
