import { FATE } from '../../state/replies/kinds';
import type { Lanes } from './rows';

/** A mark of an example lane; times in the unit of the lane's scale. */
export interface ExampleMark {
  kind: number;
  t0: number;
  t1?: number;
  fate?: number;
  needless?: boolean;
  supported?: boolean;
  up?: number;
  down?: number;
}

/** A reply with one lane, 0, of `marks`: for legends and pictures without a capture. Marks must be sorted as the core sorts them. */
export function laneOf(marks: readonly ExampleMark[]): Lanes {
  const column = (pick: (mark: ExampleMark) => number) => marks.map(pick);
  return {
    length: marks.length,
    run: new Uint32Array(marks.length),
    lane: new Uint16Array(marks.length),
    exchange: new Uint32Array(marks.length),
    kind: Uint8Array.from(column(({ kind }) => kind)),
    t0: Float64Array.from(column(({ t0 }) => t0)),
    t1: Float64Array.from(column(({ t0, t1 = t0 }) => t1)),
    fate: Uint8Array.from(column(({ fate = FATE.answered }) => fate)),
    needless: Uint8Array.from(column(({ needless = false }) => Number(needless))),
    supported: Uint8Array.from(column(({ supported = true }) => Number(supported))),
    up: Float32Array.from(column(({ up = 0 }) => up)),
    down: Float32Array.from(column(({ down = 0 }) => down)),
  };
}
