// Layout of nodes by their coordinates in a simulation or a floor plan.
import { extent } from 'd3-array';
import type { Point } from '../../plot/marks/network';
import { apart, nearest } from './apart';
import { LARGEST, SMALLEST, WIDEST, clamp, type GraphLayout } from './layout';

/** Layout of a plan. */
export interface PlanLayout extends GraphLayout {
  /** Pixels of one unit of the plan. */
  scale: number;
}

/** Margins, px: at the foot for the name and the role of a node, with the scale bar below them. */
const [SIDE, TOP, FOOT] = [48, 40, 72];
/** Height of the row for nodes that the plan does not have, px. */
const UNPLACED_ROW = 44;
/**
 * Places nodes by their coordinates, in units of the plan, as large as a picture of `width` by `height` px allows, with
 * one scale for both axes; nodes without (null) stand in a row at the foot. `names`: some name is longer than a number.
 */
export function planOf(places: readonly (Point | null)[], width: number, height: number, names: boolean): PlanLayout {
  const known = places.filter((place) => place !== null);
  const lost = places.length - known.length;
  const foot = FOOT + (lost > 0 ? UNPLACED_ROW : 0);
  const [west = 0, east = 0] = extent(known, ([x]) => x);
  const [north = 0, south = 0] = extent(known, ([, y]) => y);
  const [across, down] = [Math.max(1, width - 2 * SIDE), Math.max(1, height - TOP - foot)];
  const fit = Math.min(
    east > west ? across / (east - west) : Infinity,
    south > north ? down / (south - north) : Infinity,
  );
  const scale = Number.isFinite(fit) ? fit : 1;
  const [left, top] = [(width - scale * (east - west)) / 2, TOP + (down - scale * (south - north)) / 2];
  let unplaced = 0;
  const spot = (): Point => [
    SIDE + (across * (unplaced++ + 0.5)) / Math.max(1, lost),
    height - FOOT / 2 - UNPLACED_ROW / 2,
  ];
  const put = places.map((place): Point =>
    place ? [left + scale * (place[0] - west), top + scale * (place[1] - north)] : spot(),
  );
  const room = nearest(put);
  const r = clamp(room * 0.3, SMALLEST, LARGEST);
  return {
    places: room < 2 * r + 4 ? apart(put, () => r + 2, width, height) : put,
    r,
    hub: -1,
    named: room >= 72 && places.length <= 9 ? 'two lines' : room >= 42 && !names ? 'one line' : 'around',
    widest: r < 8 ? WIDEST / 2 : WIDEST,
    scale,
  };
}

/**
 * Round length of a scale bar of at most `most` px: 1, 2 or 5 times a power of ten, in units of the plan and in px.
 * `scale`: pixels of one unit.
 */
export function scaleBar(scale: number, most: number): { units: number; px: number } {
  const power = 10 ** Math.floor(Math.log10(most / scale));
  const units = [5, 2, 1].map((times) => times * power).find((length) => length * scale <= most) ?? power;
  return { units, px: units * scale };
}
