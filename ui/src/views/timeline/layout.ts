import type { AssociationView, RunView } from '../../ipc/gen/types';
import type { LaneLook } from '../../plot/marks/lanes';
import { seriesStyle, type Style } from '../../plot/series';
import type { Shown } from '../../state/replay/algorithms.svelte';
import type { RunOrRecorded } from '../../state/replies/lanes';

/** Above the lanes: the axis, and a line for the reader's flags where there are some. */
export const headHeight = (flags: number): number => 22 + (flags > 0 ? 14 : 0);

/** Width of the column behind the lanes, px: what each sums up to. */
export const LANE_END = 168;
/** Width of its last figures, px. */
export const P95_WIDTH = 46;

/** One lane: an association as recorded, or under an algorithm. */
export interface Row {
  key: string;
  lane: number;
  /** Index of its group from the top. */
  place: number;
  run: RunOrRecorded;
  /** Not yet replayed: the lane is there, its marks are not. */
  waiting: boolean;
  name: string;
  style: Style | null;
  /** 95th percentile of the completion times of the whole lane, ns; null: nothing answered, or not known yet. */
  p95: number | null;
  look: LaneLook;
  /** Room for columns of a dense lane. */
  up: number;
  down: number;
}

export interface Group {
  association: AssociationView;
  /** From the top. */
  place: number;
  top: number;
  height: number;
  rows: Row[];
}

/** Heights at rest, from the mock: recorded line at 22, each run 30 below. */
const RECORDED_Y = 22;
const FIRST_RUN = 32;
const NEXT_RUN = 30;
const FOOT = 20;
/** Dense lanes may grow by this much where there is room. */
const MOST_GROWTH = 72;

/** An algorithm that is shown, and its run where there is one. */
export interface ShownRun {
  item: Shown;
  run: RunView | undefined;
}

/** Lanes top down; groups grow, within reason, to fill `available`. */
export function layout(
  associations: readonly AssociationView[],
  shown: readonly ShownRun[],
  available: number,
): { groups: Group[]; height: number } {
  const natural = RECORDED_Y + FOOT + (shown.length > 0 ? FIRST_RUN + NEXT_RUN * (shown.length - 1) - 2 : 0);
  const spare = available / Math.max(1, associations.length) - natural;
  const growth = Math.floor(
    Math.min(MOST_GROWTH + shown.length * (associations.length < 3 ? 24 : 4), Math.max(0, spare)),
  );
  const perRun = shown.length > 0 ? Math.floor((growth * 0.5) / shown.length) : 0;
  const first = growth - perRun * shown.length;
  const height = natural + growth;

  const groups = associations.map((association, place): Group => {
    const top = place * height;
    const y = top + RECORDED_Y + Math.round(first * 0.45);
    const recorded: Row = {
      key: `${association.id}`,
      lane: association.id,
      place,
      run: null,
      waiting: false,
      name: association.client_name,
      style: null,
      p95: association.completion_p95,
      look: { y, height: 14, colour: 'recorded', tint: 0.17 },
      up: y - top - 6,
      down: 12 + first * 0.3,
    };
    const below = y + FIRST_RUN + Math.round(first * 0.35);
    const runs = shown.map(({ item, run }, order): Row => {
      const style = seriesStyle(item.order, item.variant);
      return {
        key: `${association.id} ${item.key}`,
        lane: association.id,
        place,
        run: run?.run ?? -1,
        waiting: run === undefined,
        name: item.name,
        style,
        p95: run?.completion_p95[association.id] ?? null,
        look: { y: below + order * (NEXT_RUN + perRun), height: 12, colour: style.colour, tint: 0.22 },
        up: 15 + perRun,
        down: 10,
      };
    });
    return { association, place, top, height, rows: [recorded, ...runs] };
  });
  return { groups, height: height * associations.length };
}
