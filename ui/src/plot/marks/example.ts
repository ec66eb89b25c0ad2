import { FATE, LEVEL, MARK } from '../../state/replies/kinds';
import { timeScale } from '../scale';
import type { LegendItem } from '../frame/Legend.svelte';
import { drawBins, drawLane, type LaneLook } from './lanes';
import type { Lanes } from './rows';

/** Numbers of copies in a column: all, lost ones, those of unknown fate. */
interface Stack {
  all: number;
  lost: number;
  unknown: number;
}

/**
 * A mark of an example lane; `kind` is a value of `MARK`, `fate` one of `FATE`, times are in the unit of the lane's
 * scale.
 */
export interface ExampleMark {
  kind: number;
  t0: number;
  t1?: number;
  fate?: number;
  needless?: boolean;
  supported?: boolean;
  up?: Partial<Stack>;
  down?: Partial<Stack>;
}

/**
 * A reply with one lane, number 0, of `marks`: for legends and pictures without a capture. Marks must be sorted as the
 * core sorts them.
 */
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
    ...stacks(marks, 'up'),
    ...stacks(marks, 'down'),
    level: Uint8Array.from(column(({ kind }) => (kind === MARK.bin ? LEVEL.columns : LEVEL.single))),
  };
}

function stacks<S extends 'up' | 'down'>(marks: readonly ExampleMark[], side: S) {
  const of = (part: keyof Stack) => Float32Array.from(marks.map((mark) => mark[side]?.[part] ?? 0));
  return { [side]: of('all'), [`${side}_lost`]: of('lost'), [`${side}_unknown`]: of('unknown') } as Pick<
    Lanes,
    S | `${S}_lost` | `${S}_unknown`
  >;
}

/** Look of a mark in a legend, px. */
const LOOK: LaneLook = { y: 15, height: 12, colour: 'ink-2', tint: 0.17 };

/** Entry of a legend with one mark at x = 4 px, on a lane whose line is at `look.y`; `width` in px. */
export function legendItem(text: string, width: number, mark: ExampleMark, look: Partial<LaneLook> = {}): LegendItem {
  const [lane, x] = [laneOf([mark]), timeScale(0, 40, 4, 44)];
  const draw = mark.kind === MARK.bin ? drawBins : drawLane;
  return { text, width, draw: (ctx, ink) => draw(ctx, ink, x, lane, 0, { ...LOOK, ...look }, 7) };
}
