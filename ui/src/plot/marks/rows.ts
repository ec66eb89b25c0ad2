// The rows of a reply, lane by lane as they come, sorted into what is drawn alike: worked out once, so that a frame of a pan
// touches only what is in its window, and only for lanes that are looked at.
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
  /** Sums of `up` and of `down` before each, and one more: of all. For lanes whose numbers are read. */
  before: () => readonly [up: Float64Array, down: Float64Array];
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

/** The rows of one lane: they stand together, in a lane of marks or one of columns. */
interface Range {
  from: number;
  end: number;
  binned: boolean;
  rows?: LaneRows;
}

const grouped = new WeakMap<Lanes, Map<number, Range>>();

function rangesOf(columns: Lanes): Map<number, Range> {
  let lanes = grouped.get(columns);
  if (lanes) return lanes;
  lanes = new Map();
  let range: Range | undefined;
  let lane = -1;
  for (let row = 0; row < columns.length; row += 1) {
    const next = at(columns.lane, row);
    if (!range || next !== lane) {
      lane = next;
      lanes.set(lane, (range = { from: row, end: row, binned: columns.kind[row] === MARK.bin }));
    }
    range.end = row + 1;
  }
  grouped.set(columns, lanes);
  return lanes;
}

/** The rows of a lane; sorted once per reply, when somebody asks. */
export function rowsOf(columns: Lanes, lane: number): LaneRows {
  const range = rangesOf(columns).get(lane);
  if (!range) return NO_ROWS;
  return (range.rows ??= range.binned ? binned(columns, range) : marked(columns, range));
}

/** What the lanes of a reply are, and the length of a column in those that are dense; without a look at every row. */
export function shapeOf(columns: Lanes): { binned: boolean; marked: boolean; column: number | null } {
  const ranges = [...rangesOf(columns).values()];
  const dense = ranges.find((range) => range.binned);
  const { t0, t1 } = columns;
  let column: number | null = null;
  // The first and the last of a lane may be cut.
  for (let row = dense?.from ?? 0; dense && row < Math.min(dense.end, dense.from + 3); row += 1)
    column = Math.max(column ?? 0, at(t1, row) - at(t0, row));
  return { binned: dense !== undefined, marked: ranges.some((range) => !range.binned), column };
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

/** Columns are there in order: views of the reply. */
function binned(columns: Lanes, { from, end }: Range): LaneRows {
  const [up, down] = [columns.up.subarray(from, end), columns.down.subarray(from, end)];
  const [t0, t1] = [columns.t0.subarray(from, end), columns.t1.subarray(from, end)];
  return { ...NO_ROWS, bins: { t0, t1, up, down, before: once(() => [sums(up), sums(down)]) } };
}

function marked(columns: Lanes, { from, end }: Range): LaneRows {
  const marks = Uint32Array.from({ length: end - from }, (_, index) => from + index);
  inOrder(columns, marks);
  const spans = { supported: [] as number[], modelled: [] as number[] };
  const copies = { wanted: newCopies(), needless: newCopies() };
  const [closing, late]: [number[], number[]] = [[], []];
  for (const row of marks) {
    const [kind, t] = [columns.kind[row], at(columns.t0, row)];
    if (kind === MARK.span) spans[columns.supported[row] === 1 ? 'supported' : 'modelled'].push(row);
    else if (kind === MARK.closing) closing.push(t);
    else if (kind === MARK.late) late.push(t);
    else if (kind === MARK.copy) {
      const of = columns.needless[row] === 1 ? copies.needless : copies.wanted;
      of.all.push(t);
      const fate = columns.fate[row];
      if (fate === FATE.answered) {
        of.answered.push(t);
        continue;
      }
      of.hollow.push(t);
      if (fate === FATE.unknown) of.unknown.push(t);
      else of.died.push(t);
      if (fate === FATE.reply_lost) of.replyLost.push(t);
    }
  }
  return {
    ...NO_ROWS,
    marks,
    spans: { supported: intervals(columns, spans.supported), modelled: intervals(columns, spans.modelled) },
    copies: { wanted: packed(copies.wanted), needless: packed(copies.needless) },
    closing: Float64Array.from(closing),
    late: Float64Array.from(late),
  };
}

type Growing = Record<keyof CopyRows, number[]>;

const newCopies = (): Growing => ({ all: [], answered: [], died: [], replyLost: [], unknown: [], hollow: [] });

const packed = (copies: Growing): CopyRows => ({
  all: Float64Array.from(copies.all),
  answered: Float64Array.from(copies.answered),
  died: Float64Array.from(copies.died),
  replyLost: Float64Array.from(copies.replyLost),
  unknown: Float64Array.from(copies.unknown),
  hollow: Float64Array.from(copies.hollow),
});

/** By time; most replies are in order already. */
function inOrder(columns: Lanes, rows: Uint32Array): void {
  const byTime = (a: number, b: number) => at(columns.t0, a) - at(columns.t0, b);
  if (rows.some((row, index) => index > 0 && byTime(at(rows, index - 1), row) > 0)) rows.sort(byTime);
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

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function sums(column: Float32Array): Float64Array {
  const before = new Float64Array(column.length + 1);
  for (let index = 0; index < column.length; index += 1) before[index + 1] = at(before, index) + at(column, index);
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
    before: () => [new Float64Array(1), new Float64Array(1)],
  },
};
