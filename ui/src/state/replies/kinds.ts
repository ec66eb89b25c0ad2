// Names behind the numbers of Arrow columns, for rooms that may not import from `ipc`.
export {
  FATE_KINDS,
  LANE_LEVELS,
  MARK_KINDS,
  OUTCOME_KINDS,
  PACKET_KINDS,
  SAMPLE_KINDS,
  TIMER_KINDS,
} from '../../ipc/gen/commands';
export { CHANNELS, FITS, LAYERS, PRICE, VANTAGES, WORKLOADS } from '../../ipc/gen/labels';
export { Failure } from '../../ipc/backend';

import { FATE_KINDS, LANE_LEVELS, MARK_KINDS, PACKET_KINDS, SAMPLE_KINDS } from '../../ipc/gen/commands';

/** Number of each name: its index, from 0. */
type Numbered<T extends readonly string[]> = { readonly [K in T[number]]: number };

function numbered<T extends readonly string[]>(names: T): Numbered<T> {
  return Object.fromEntries(names.map((name, index) => [name, index])) as Numbered<T>;
}

/** Numbers in a `kind` column. */
export const MARK = numbered(MARK_KINDS);
/** Numbers in a `level` column. */
export const LEVEL = numbered(LANE_LEVELS);
/** Numbers in a `fate` column. */
export const FATE = numbered(FATE_KINDS);
/** Numbers in a `class` column. */
export const SAMPLE = numbered(SAMPLE_KINDS);
/** Numbers in a packet list's `kind` column. */
export const PACKET = numbered(PACKET_KINDS);
