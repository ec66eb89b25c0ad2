// The recorded reply that answers a request that was not recorded.
import { canonical } from '../../src/ipc/canonical';

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** Fields of a request. */
export type Fields = Record<string, Json>;

/**
 * A hand can brush any window, so no recording is complete. A recorded request of the same command answers the asked
 * one where they agree in everything but the fields of `TOLERANT`:
 * - `t0`, `t1`, `px`: a recorded window that holds the asked one, if there is one; then the nearest ns per pixel;
 * - `at`: the last recorded one not after it (not before it when stepping backwards), else the nearest;
 * - lists (`algorithms`, `runs`, `values`): the one that misses least of what was asked; `baseline`, `seed`,
 *   `replicates`, `offset`, `bins`: the nearest;
 * - `params`, `parameter`, `sort`, `descending`: preferred equal, ignored otherwise.
 */
/** Fields that may differ from the recorded ones, at a cost. */
const TOLERANT = new Set(
  [
    't0 t1 px at algorithms algorithm runs run values parameter across baseline seed replicates bounds',
    'offset limit bins sort descending exchange window workload channel rtt loss part retransmitted params fields rules',
  ].flatMap((line) => line.split(' ')),
);

/** Fields of single commands that may have any value. */
const LOOSE: Record<string, readonly string[]> = {
  report: ['file', 'path'],
  optimise: ['over', 'objective', 'method', 'evaluations', 'hold_out', 'hold_out_part'],
  session_read: ['path'],
  session_write: ['file', 'path', 'captures'],
  step: ['between'],
  // The second capture is not open in the window, and what was checked is another prediction.
  check_kept: ['capture', 'prediction'],
  calibration_add: ['path', 'check'],
  // From any form the recorded study is written.
  study_write: ['path', 'name', 'folder', 'patterns', 'captures', 'left_out', 'timers'],
  study_bundled: ['path'],
  // One file is watched, under any rules, and however much of it is known.
  alerts_start: ['rules'],
  alerts_look: ['after'],
  alerts_stop: ['after'],
  // Written as chosen.
  export_packet_table: ['list', 'columns', 'rules', 'nodes'],
  // Marks of all lanes include those of some.
  lanes: ['lanes'],
  lane_hosts: ['runs'],
};

/** Cost of answering the asked request with a recorded one, from 0; infinite where it must not. */
export function distance(asked: Fields, recorded: Fields, loose: readonly string[] = []): number {
  let cost = 0;
  for (const key of new Set([...Object.keys(asked), ...Object.keys(recorded)])) {
    const [a, b] = [asked[key] ?? null, recorded[key] ?? null];
    if (key === 'file') cost += namesCost(a, b);
    if (loose.includes(key)) continue;
    if (key === 't0' || key === 't1' || key === 'px' || canonical(a) === canonical(b)) continue;
    // Files that were written while recording stand in another folder.
    if (key === 'path' && typeof b === 'string' && b.endsWith('/exported.pcapng')) continue;
    if (!TOLERANT.has(key)) return Infinity;
    cost += fieldCost(key, a, b, asked.backwards === true);
  }
  return cost + windowCost(asked, recorded);
}

/** Cost of other names of nodes in the current capture of a session: its report says them. */
function namesCost(a: Json, b: Json): number {
  const names = (file: Json) => {
    if (!isObject(file) || !Array.isArray(file.captures)) return '';
    const capture = file.captures[Number(file.current ?? 0)] ?? null;
    return canonical(isObject(capture) ? (capture.nodes ?? []) : []);
  };
  return names(a) === names(b) ? 0 : 1;
}

const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fieldCost(key: string, a: Json, b: Json, backwards: boolean): number {
  if (key === 'run' || key === 'exchange') return 1e6;
  // A map is no curve.
  if (key === 'across') return a === null || b === null ? Infinity : 10;
  if (key === 'channel' || key === 'retransmitted' || key === 'window') return 1e4;
  if (key === 'algorithm') return sameId(a, b) ? 1 : 1e7;
  if (Array.isArray(a) && Array.isArray(b)) return listCost(a, b);
  if (key === 'at' && typeof a === 'number' && typeof b === 'number') {
    const late = backwards ? b < a : b > a;
    return Math.log2(1 + Math.abs(a - b)) + (late ? 1e3 : 0);
  }
  // Twice as fine is as far as half as fine.
  if (key === 'bins' && typeof a === 'number' && typeof b === 'number') return 4 * Math.abs(Math.log2(a / b));
  if (typeof a === 'number' && typeof b === 'number') return Math.min(50, Math.log2(1 + Math.abs(a - b)));
  return 10;
}

/** Missing members cost most, members with other parameters less, members beside those asked for least. */
function listCost(asked: Json[], recorded: Json[]): number {
  const left = [...recorded];
  const take = (matches: (other: Json) => boolean) => {
    const index = left.findIndex(matches);
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  };
  const inexact = asked.filter((item) => !take((other) => canonical(other) === canonical(item)));
  const missing = inexact.filter((item) => !take((other) => sameId(item, other)));
  return 1e3 * missing.length + 20 * (inexact.length - missing.length) + left.length + 0.5;
}

function sameId(a: Json, b: Json): boolean {
  const id = (value: Json) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value.id : undefined;
  return id(a) !== undefined && id(a) === id(b);
}

function windowCost(asked: Fields, recorded: Fields): number {
  const [a0, a1, b0, b1] = [asked.t0, asked.t1, recorded.t0, recorded.t1].map(Number);
  if (![a0, a1, b0, b1].every((value) => Number.isFinite(value))) return 0;
  const covered = Math.max(0, Math.min(a1!, b1!) - Math.max(a0!, b0!)) / Math.max(1, a1! - a0!);
  const perPx = (t0: number, t1: number, px: Json | undefined) =>
    Math.log2(Math.max(1, t1 - t0) / Math.max(1, Number(px ?? 1)));
  return 500 * (1 - covered) + 10 * Math.abs(perPx(a0!, a1!, asked.px) - perPx(b0!, b1!, recorded.px));
}

/** The recorded request of least cost; undefined where all are infinite. */
export function nearest<T extends { request: unknown }>(
  name: string,
  asked: unknown,
  recorded: readonly T[],
): T | undefined {
  const fields = JSON.parse(canonical(asked)) as Fields;
  let best: T | undefined;
  let least = Infinity;
  for (const candidate of recorded) {
    const cost = distance(fields, candidate.request as Fields, LOOSE[name]);
    if (cost < least) [best, least] = [candidate, cost];
  }
  return best;
}
