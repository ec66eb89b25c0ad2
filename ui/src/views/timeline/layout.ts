// Layout of the lanes: a group for each association, in it the recorded lane and one for each timer. Lengths are px.
import type { RunView } from '../../ipc/gen/types';
import type { LaneLook } from '../../plot/marks/lanes';
import { seriesStyle, type Style } from '../../plot/series';
import type { LaneView } from '../../state/capture/lanechoice';
import type { Shown } from '../../state/replay/algorithms.svelte';
import type { RunOrRecorded } from '../../state/replies/lanes';

/** Height of the head above the lanes: the axis, and a line for the reader's flags where there are some. */
export const headHeight = (flags: number): number => 22 + (flags > 0 ? 14 : 0);

/** Width of the column of numbers behind the lanes, px. */
export const LANE_END = 168;
/** Width of the 95th percentile in the lane's end, px. */
export const P95_WIDTH = 46;

/** Lane: an association as recorded, or under a timer. */
export interface Row {
  /** Equal for equal lanes, also when the order changes. */
  key: string;
  /** Number of the association, or of the lane of a host. */
  lane: number;
  /** IDs of the associations of a host whose lanes are folded into this one; absent: it is not folded. */
  members?: readonly number[];
  /** Position of the lane's group from the top, from 0. */
  place: number;
  /** Number of its run; null: as recorded; -1: not replayed yet. */
  run: RunOrRecorded;
  /** Whether it is not replayed yet: then it has no marks. */
  waiting: boolean;
  /** Name of the client, or of the timer. */
  name: string;
  /** Look of the timer; null: as recorded. */
  style: Style | null;
  /**
   * 95th percentile of its completion times in the whole capture, ns; null: nothing was answered, or it is not known
   * yet.
   */
  p95: number | null;
  /** Line and look; `y` from the top of all lanes. */
  look: LaneLook;
  /** Room for columns above and below the lane's line, px. */
  up: number;
  down: number;
}

/** Lanes of one association, or of a host. */
export interface Group {
  association: LaneView;
  /** Position from the top. */
  place: number;
  /** Upper edge, and height. */
  top: number;
  height: number;
  /** Recorded lane first, then those of the timers. */
  rows: Row[];
}

/**
 * Distances of the lines where there is no room to spare: the recorded one from the top, first run, further runs, foot.
 */
const RECORDED_Y = 22;
const FIRST_RUN = 32;
const NEXT_RUN = 30;
const FOOT = 20;
/** Greatest growth of a group with spare room, px; more where there are timers. */
const MOST_GROWTH = 72;

/** Timer that is shown, and its run; undefined: not replayed yet. */
export interface ShownRun {
  item: Shown;
  run: RunView | undefined;
}

/** Lays lanes out from the top; all groups are equally high, and grow up to a limit to fill `available`. */
export function layout(
  associations: readonly LaneView[],
  shown: readonly ShownRun[],
  available: number,
  hostP95: (place: number, run: number | null) => number | null = () => null,
): { groups: Group[]; height: number } {
  const natural = RECORDED_Y + FOOT + (shown.length > 0 ? FIRST_RUN + NEXT_RUN * (shown.length - 1) - 2 : 0);
  const spare = available / Math.max(1, associations.length) - natural;
  const alone = associations.length === 1;
  const perTimer = alone ? 72 : associations.length < 3 ? 24 : 4;
  const growth = Math.floor(Math.min(MOST_GROWTH + shown.length * perTimer, Math.max(0, spare)));
  // A single client has the view for itself: its marks grow with the distances, to twice their size.
  const size = alone ? 1 + Math.min(1, growth / (4 * MOST_GROWTH)) : 1;
  const perRun = shown.length > 0 ? Math.floor((growth * 0.5) / shown.length) : 0;
  const first = growth - perRun * shown.length;
  const height = natural + growth;

  const groups = associations.map((association, place): Group => {
    const top = place * height;
    const { host } = association;
    const p95Of = (run: number | null, own: number | null) => (host ? hostP95(host.place, run) : own);
    const y = top + RECORDED_Y + Math.round(first * 0.45);
    const recorded: Row = {
      key: `${association.id}`,
      lane: association.id,
      place,
      run: null,
      waiting: false,
      ...(host?.folded && { members: host.members }),
      name: association.client_name,
      style: null,
      p95: p95Of(null, association.completion_p95),
      look: { y, height: Math.round(14 * size), colour: 'recorded', tint: 0.17 },
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
        ...(host?.folded && { members: host.members }),
        p95: run ? p95Of(run.run, run.completion_p95[association.id] ?? null) : null,
        look: {
          y: below + order * (NEXT_RUN + perRun),
          height: Math.round(12 * size),
          colour: style.colour,
          tint: 0.22,
        },
        up: 15 + perRun,
        down: 10,
      };
    });
    return { association, place, top, height, rows: [recorded, ...runs] };
  });
  return { groups, height: height * associations.length };
}

/** Lane of an association under a behaviour: its own, else that of its folded host; undefined: it has none. */
export function rowFor(rows: readonly Row[], association: number, run: number | null): Row | undefined {
  const of = rows.filter((row) => row.run === run);
  return of.find(({ lane }) => lane === association) ?? of.find(({ members }) => members?.includes(association));
}
