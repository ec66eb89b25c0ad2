// The rows of a reply, lane by lane, sorted into what is drawn alike: worked out once, so that a frame of a pan touches only
// what is in its window.
import type { Columns } from '../../ipc/arrow';
import type { LaneColumns } from '../../ipc/gen/commands';
import { FATE, MARK } from '../../state/kinds';

export type Lanes = Columns<LaneColumns>;

/** Moments in order; what is in a window is a range of them. */
export type Moments = Float64Array;

/** Intervals in order of their starts. */
export interface Intervals {
  t0: Float64Array;
  t1: Float64Array;
  /** The latest end so far: ends are not in order, these are. */
  reach: Float64Array;
}

/** Copies of a lane that are all needless or all not, by how they are drawn. A copy may be in several. */
export interface CopyRows {
  all: Moments;
  answered: Moments;
  /** Lost, wherever. */
  died: Moments;
  replyLost: Moments;
  unknown: Moments;
  /** Without a fill of their own: those that died and the unknown. */
  hollow: Moments;
}

/** Columns of a dense lane, in order; they do not overlap. */
export interface BinRows {
  t0: Float64Array;
  t1: Float64Array;
  up: Float32Array;
  down: Float32Array;
  /** Sums of `up` and `down` before each, and one more: of all. */
  upBefore: Float64Array;
  downBefore: Float64Array;
}

/** One lane of a reply. */
export interface LaneRows {
  /** Positions of its marks in the reply, in time order. */
  marks: Uint32Array;
  spans: { supported: Intervals; modelled: Intervals };
  copies: { wanted: CopyRows; needless: CopyRows };
  closing: Moments;
  late: Moments;
  bins: BinRows;
}

const grouped = new WeakMap<Lanes, Map<number, LaneRows>>();

/** The rows of each lane; grouped once per reply. */
export function rowsOf(columns: Lanes, lane: number): LaneRows {
  let lanes = grouped.get(columns);
  if (!lanes) {
    const lists = new Map<number, { marks: number[]; bins: number[] }>();
    for (let row = 0; row < columns.length; row += 1) {
      const key = at(columns.lane, row);
      let list = lists.get(key);
      if (!list) lists.set(key, (list = { marks: [], bins: [] }));
      (columns.kind[row] === MARK.bin ? list.bins : list.marks).push(row);
    }
    lanes = new Map([...lists].map(([key, { marks, bins }]) => [key, sorted(columns, marks, bins)]));
    grouped.set(columns, lanes);
  }
  return lanes.get(lane) ?? NO_ROWS;
}

/** How many primitives a lane takes. */
export function weightOf({ marks, bins }: LaneRows): number {
  return marks.length + 2 * bins.t0.length;
}

/** The first of `moments` that is at `t` or later; their number where there is none. */
export function from(moments: Float64Array, t: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(moments, middle) < t) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first of `moments` that is later than `t`. */
export function after(moments: Float64Array, t: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(moments, middle) <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Rows of a typed column are there for every index below its length. */
export function at(column: { readonly [index: number]: number }, row: number): number {
  return column[row] as number;
}

function sorted(columns: Lanes, marks: number[], bins: number[]): LaneRows {
  inOrder(columns, marks);
  inOrder(columns, bins);
  const of = (keep: (row: number) => boolean) => Float64Array.from(marks.filter(keep), (row) => at(columns.t0, row));
  const kind = (wanted: number) => (row: number) => columns.kind[row] === wanted;
  const spans = (supported: boolean) =>
    intervals(
      columns,
      marks.filter((row) => columns.kind[row] === MARK.span && (columns.supported[row] === 1) === supported),
    );
  const copies = (needless: number): CopyRows => {
    const fates = (...wanted: number[]) =>
      of(
        (row) =>
          columns.kind[row] === MARK.copy &&
          columns.needless[row] === needless &&
          wanted.includes(at(columns.fate, row)),
      );
    const died = [FATE.request_lost, FATE.lost, FATE.reply_lost];
    return {
      all: fates(FATE.answered, FATE.unknown, ...died),
      answered: fates(FATE.answered),
      died: fates(...died),
      replyLost: fates(FATE.reply_lost),
      unknown: fates(FATE.unknown),
      hollow: fates(...died, FATE.unknown),
    };
  };
  return {
    marks: Uint32Array.from(marks),
    spans: { supported: spans(true), modelled: spans(false) },
    copies: { wanted: copies(0), needless: copies(1) },
    closing: of(kind(MARK.closing)),
    late: of(kind(MARK.late)),
    bins: {
      t0: Float64Array.from(bins, (row) => at(columns.t0, row)),
      t1: Float64Array.from(bins, (row) => at(columns.t1, row)),
      up: Float32Array.from(bins, (row) => at(columns.up, row)),
      down: Float32Array.from(bins, (row) => at(columns.down, row)),
      upBefore: sums(bins, columns.up),
      downBefore: sums(bins, columns.down),
    },
  };
}

/** By time; most replies are in order already. */
function inOrder(columns: Lanes, rows: number[]): void {
  const byTime = (a: number, b: number) => at(columns.t0, a) - at(columns.t0, b);
  if (rows.some((row, index) => index > 0 && byTime(rows[index - 1] as number, row) > 0)) rows.sort(byTime);
}

function intervals(columns: Lanes, rows: readonly number[]): Intervals {
  const t1 = Float64Array.from(rows, (row) => at(columns.t1, row));
  let latest = -Infinity;
  return {
    t0: Float64Array.from(rows, (row) => at(columns.t0, row)),
    t1,
    reach: t1.map((end) => (latest = Math.max(latest, end))),
  };
}

function sums(rows: readonly number[], column: Float32Array): Float64Array {
  const before = new Float64Array(rows.length + 1);
  rows.forEach((row, index) => (before[index + 1] = at(before, index) + at(column, row)));
  return before;
}

const NO_MOMENTS = new Float64Array();
const NO_INTERVALS: Intervals = { t0: NO_MOMENTS, t1: NO_MOMENTS, reach: NO_MOMENTS };
const NO_COPIES: CopyRows = {
  all: NO_MOMENTS,
  answered: NO_MOMENTS,
  died: NO_MOMENTS,
  replyLost: NO_MOMENTS,
  unknown: NO_MOMENTS,
  hollow: NO_MOMENTS,
};
const NO_ROWS: LaneRows = {
  marks: new Uint32Array(),
  spans: { supported: NO_INTERVALS, modelled: NO_INTERVALS },
  copies: { wanted: NO_COPIES, needless: NO_COPIES },
  closing: NO_MOMENTS,
  late: NO_MOMENTS,
  bins: {
    t0: NO_MOMENTS,
    t1: NO_MOMENTS,
    up: new Float32Array(),
    down: new Float32Array(),
    upBefore: new Float64Array(1),
    downBefore: new Float64Array(1),
  },
};
