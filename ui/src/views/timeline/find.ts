// Exchanges and columns in the lanes: found by number, by place and by neighbourhood.
import { bisectRight } from 'd3-array';
import { at, rowsOf, type Lanes } from '../../plot/marks/rows';
import type { TimeScale } from '../../plot/scale';
import { MARK } from '../../state/replies/kinds';
import type { Row } from './layout';

/** Exchange in a lane. */
export interface Found {
  /** Number of the exchange. */
  exchange: number;
  /** First copy, and last event but late replies, ns. */
  t0: number;
  t1: number;
  /** Number of its copies, and of needless ones among them. */
  copies: number;
  needless: number;
  /** Closing reply, ns; null where none is in the reply. */
  closed: number | null;
}

/** Column of a dense lane. */
export interface FoundBin {
  /** Start and end, ns. */
  t0: number;
  t1: number;
  /** Number of copies that were not needless, and of needless ones. */
  up: number;
  down: number;
  /** Number of lost copies among both, and of those of unknown fate. */
  lost: number;
  unknown: number;
}

/** Exchanges of a lane, in order of their first copy, and by number. */
interface Outline {
  list: readonly Found[];
  byNumber: ReadonlyMap<number, Found>;
}

/** Outlines by reply and lane. */
const outlined = new WeakMap<Lanes, Map<number, Outline>>();

/** Exchanges of a lane of a reply, in order of their first copy; none in a lane of columns. */
export function exchangesOf(columns: Lanes, lane: number): readonly Found[] {
  return outlineOf(columns, lane).list;
}

/** Exchange of a lane by number; undefined where the lane does not show it. */
export function exchangeIn(columns: Lanes, lane: number, exchange: number): Found | undefined {
  return outlineOf(columns, lane).byNumber.get(exchange);
}

/** Outline of a lane, computed once for each reply. */
function outlineOf(columns: Lanes, lane: number): Outline {
  let lanes = outlined.get(columns);
  if (!lanes) outlined.set(columns, (lanes = new Map()));
  let outline = lanes.get(lane);
  if (outline) return outline;
  const found = new Map<number, Found>();
  const { marks } = rowsOf(columns, lane);
  for (let row = marks.from; row < marks.end; row += 1) {
    const exchange = at(columns.exchange, row);
    const t = at(columns.t0, row);
    let entry = found.get(exchange);
    if (!entry) found.set(exchange, (entry = { exchange, t0: t, t1: t, copies: 0, needless: 0, closed: null }));
    const kind = at(columns.kind, row);
    if (kind === MARK.late) continue;
    entry.t0 = Math.min(entry.t0, t);
    entry.t1 = Math.max(entry.t1, kind === MARK.span ? at(columns.t1, row) : t);
    if (kind === MARK.closing) entry.closed = t;
    if (kind !== MARK.copy) continue;
    entry.copies += 1;
    entry.needless += at(columns.needless, row);
  }
  const list = [...found.values()].filter(({ copies }) => copies > 0).sort((a, b) => a.t0 - b.t0);
  outline = { list, byNumber: new Map(list.map((entry) => [entry.exchange, entry])) };
  lanes.set(lane, outline);
  return outline;
}

/** Exchange nearest to a place, at most 8 px away; undefined: none. */
export function exchangeAt(columns: Lanes, lane: number, x: TimeScale, px: number): Found | undefined {
  const slack = 8;
  let best: Found | undefined;
  let least = Infinity;
  for (const found of exchangesOf(columns, lane)) {
    const [from, to] = [x(found.t0), x(found.t1)];
    if (px < from - slack || px > to + slack) continue;
    const distance = px < from ? from - px : px > to ? px - to : (to - from) * 1e-4;
    if (distance < least) [best, least] = [found, distance];
  }
  return best;
}

/** Column of a lane at a time, ns; undefined: none. */
export function binAt(columns: Lanes, lane: number, t: number): FoundBin | undefined {
  const { bins } = rowsOf(columns, lane);
  // The last one that has begun.
  const index = bisectRight(bins.t0, t) - 1;
  if (index < 0 || t >= at(bins.t1, index)) return undefined;
  const { up, down } = bins;
  return {
    ...{ t0: at(bins.t0, index), t1: at(bins.t1, index), up: at(up.all, index), down: at(down.all, index) },
    lost: at(up.lost, index) + at(down.lost, index),
    unknown: at(up.unknown, index) + at(down.unknown, index),
  };
}

/** Lane whose line is nearest to `y` (px from the top of all lanes), less than 24 px away; undefined: none. */
export function rowAt(rows: readonly Row[], y: number): Row | undefined {
  let best: Row | undefined;
  let least = 24;
  for (const row of rows) {
    const distance = Math.abs(row.look.y - 5 - y);
    if (distance < least) [best, least] = [row, distance];
  }
  return best;
}

/**
 * Exchange before (-1) or after (1) another of a lane; of one that is not there, the first that ends at `from` (ns) or
 * later.
 */
export function neighbour(
  columns: Lanes,
  lane: number,
  exchange: number | null,
  by: -1 | 1,
  from: number,
): Found | undefined {
  const list = exchangesOf(columns, lane);
  const place = list.findIndex((found) => found.exchange === exchange);
  if (place < 0) return list.find((found) => found.t1 >= from) ?? list.at(-1);
  return list[place + by];
}

/** Finds the exchange in another lane, else the one that begins nearest to `near`, ns; undefined in an empty lane. */
export function counterpart(columns: Lanes, lane: number, exchange: number, near: number): Found | undefined {
  const same = exchangeIn(columns, lane, exchange);
  if (same) return same;
  let best: Found | undefined;
  for (const found of exchangesOf(columns, lane))
    if (!best || Math.abs(found.t0 - near) < Math.abs(best.t0 - near)) best = found;
  return best;
}
