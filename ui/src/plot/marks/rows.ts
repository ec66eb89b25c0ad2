// The rows of a reply of lanes, split into groups that are drawn alike. The core sorts them (see `LaneColumns`): by
// lane; in a lane spans, copies, closing and late replies; recorded spans first, copies that were not needless first;
// each in order of time. So nearly all groups are views of the reply, found by bisection: a frame with a new reply
// costs little more than one without, and a frame of a pan touches only rows in its window.
import { bisectLeft, bisectRight, bisector, descending } from 'd3-array';
import type { Columns } from '../../ipc/arrow';
import type { LaneColumns } from '../../ipc/gen/commands';
import { FATE, LEVEL, MARK } from '../../state/replies/kinds';

/** A reply of lanes, of one behaviour. */
export type Lanes = Columns<LaneColumns>;

/** Times in ascending order, ns; those in a window are a range of them. */
export type Moments = Float64Array;

/** Intervals in order of their starts, ns. */
export interface Intervals {
  t0: Float64Array;
  t1: Float64Array;
  /** The latest end up to each interval: ends are not in order, these are. */
  reach: Float64Array;
}

/** Copies of a lane, all needless or all not, by the way they are drawn. A copy may be in several groups. */
export interface CopyRows {
  all: Moments;
  answered: Moments;
  /** Copies lost, themselves or their reply. */
  died: Moments;
  replyLost: Moments;
  unknown: Moments;
  /** Copies drawn without a full fill: those that died, and those of unknown fate. */
  hollow: Moments;
}

/** Numbers of copies in the columns on one side of a lane's line. */
export interface Stacks {
  all: Float32Array;
  lost: Float32Array;
  unknown: Float32Array;
}

/** Columns of a dense lane, in order of time (ns); they do not overlap. */
export interface BinRows {
  t0: Float64Array;
  t1: Float64Array;
  up: Stacks;
  down: Stacks;
  /**
   * Sums of `up` and of `down` before each column, and one more, of all. Computed at the first call, for lanes whose
   * counts are shown.
   */
  before: () => readonly [up: Float64Array, down: Float64Array];
}

/** Rows of one lane of a reply. */
export interface LaneRows {
  /** Rows of its marks in the reply, `from` to before `end`; equal in a lane of columns. */
  marks: { readonly from: number; readonly end: number };
  spans: { supported: Intervals; modelled: Intervals };
  copies: { wanted: CopyRows; needless: CopyRows };
  closing: Moments;
  late: Moments;
  bins: BinRows;
}

/** Rows of one lane in the reply, `from` to before `end`: all marks, or all columns (`binned`). */
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
  for (let from = 0; from < columns.length;) {
    const lane = at(columns.lane, from);
    const end = bisectRight(columns.lane, lane, from);
    lanes.set(lane, { from, end, binned: columns.kind[from] === MARK.bin });
    from = end;
  }
  grouped.set(columns, lanes);
  return lanes;
}

/** The rows of a lane, split at the first call for each reply; empty where the reply has no such lane. */
export function rowsOf(columns: Lanes, lane: number): LaneRows {
  const range = rangesOf(columns).get(lane);
  if (!range) return NO_ROWS;
  return (range.rows ??= range.binned ? binned(columns, range) : marked(columns, range));
}

/**
 * Level of detail of all lanes of a reply, a value of `LEVEL` or null without rows, and the length of a column in ns,
 * null without columns. Reads few rows.
 */
export function shapeOf(columns: Lanes): { level: number | null; column: number | null } {
  const { t0, t1, length } = columns;
  const level = length > 0 ? at(columns.level, 0) : null;
  const dense = level === LEVEL.columns ? [...rangesOf(columns).values()][0] : undefined;
  let column: number | null = null;
  // The first and the last of a lane may be cut.
  for (let row = dense?.from ?? 0; dense && row < Math.min(dense.end, dense.from + 3); row += 1)
    column = Math.max(column ?? 0, at(t1, row) - at(t0, row));
  return { level, column };
}

/**
 * Level of detail of the replies of all behaviours, which have one, a value of `LEVEL` or null without rows, and the
 * length of a column in ns, null without columns.
 */
export function levelOf(behaviours: readonly Lanes[]): { level: number | null; column: number | null } {
  const shapes = behaviours.map(shapeOf);
  const column = shapes.reduce<number | null>((last, shape) => shape.column ?? last, null);
  return { level: shapes.find(({ level }) => level !== null)?.level ?? null, column };
}

/** Number of primitives that a lane takes to draw. */
export function weightOf({ marks, bins }: LaneRows): number {
  return marks.end - marks.from + 2 * bins.t0.length;
}

/** Value of a typed column at a row below its length. */
export function at(column: { readonly [index: number]: number }, row: number): number {
  return column[row] as number;
}

/** Rows of a lane of columns, as views of the reply. */
function binned(columns: Lanes, { from, end }: Range): LaneRows {
  const of = (column: Float32Array) => column.subarray(from, end);
  const up = { all: of(columns.up), lost: of(columns.up_lost), unknown: of(columns.up_unknown) };
  const down = { all: of(columns.down), lost: of(columns.down_lost), unknown: of(columns.down_unknown) };
  const [t0, t1] = [columns.t0.subarray(from, end), columns.t1.subarray(from, end)];
  return { ...NO_ROWS, bins: { t0, t1, up, down, before: once(() => [sums(up.all), sums(down.all)]) } };
}

/** Kinds of marks in the order in which a lane has them. */
const PLACES: readonly number[] = [MARK.span, MARK.copy, MARK.closing, MARK.late];
const placeOf = (kind: number) => PLACES.indexOf(kind);
const byKind = bisector((kind: number, wanted: number) => placeOf(kind) - placeOf(wanted));
/** Bisects flags of which the set ones stand first. */
const setFirst = bisector(descending);

function marked(columns: Lanes, { from, end }: Range): LaneRows {
  const spans = byKind.right(columns.kind, MARK.span, from, end);
  const copies = byKind.right(columns.kind, MARK.copy, spans, end);
  const closing = byKind.right(columns.kind, MARK.closing, copies, end);
  const modelled = setFirst.right(columns.supported, 1, from, spans);
  const needless = bisectLeft(columns.needless, 1, spans, copies);
  return {
    ...NO_ROWS,
    marks: { from, end },
    spans: { supported: intervals(columns, from, modelled), modelled: intervals(columns, modelled, spans) },
    copies: { wanted: copiesOf(columns, spans, needless), needless: copiesOf(columns, needless, copies) },
    closing: columns.t0.subarray(copies, closing),
    late: columns.t0.subarray(closing, end),
  };
}

function copiesOf(columns: Lanes, from: number, end: number): CopyRows {
  const all = columns.t0.subarray(from, end);
  const fates = columns.fate.subarray(from, end);
  const moments = (is: (fate: number) => boolean): Moments => {
    let [count, next] = [0, 0];
    for (const fate of fates) if (is(fate)) count += 1;
    if (count === 0) return NO_MOMENTS;
    if (count === all.length) return all;
    const found = new Float64Array(count);
    for (let index = 0; index < fates.length; index += 1) if (is(at(fates, index))) found[next++] = at(all, index);
    return found;
  };
  const answered = moments((fate) => fate === FATE.answered);
  if (answered.length === all.length) return { ...NO_COPIES, all, answered };
  return {
    all,
    answered,
    died: moments((fate) => fate !== FATE.answered && fate !== FATE.unknown),
    replyLost: moments((fate) => fate === FATE.reply_lost),
    unknown: moments((fate) => fate === FATE.unknown),
    hollow: moments((fate) => fate !== FATE.answered),
  };
}

function intervals(columns: Lanes, from: number, end: number): Intervals {
  const t1 = columns.t1.subarray(from, end);
  const reach = new Float64Array(t1.length);
  let latest = -Infinity;
  for (let index = 0; index < t1.length; index += 1) reach[index] = latest = Math.max(latest, at(t1, index));
  return { t0: columns.t0.subarray(from, end), t1, reach };
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
const NO_STACKS: Stacks = { all: new Float32Array(), lost: new Float32Array(), unknown: new Float32Array() };
const NO_ROWS: LaneRows = {
  marks: { from: 0, end: 0 },
  spans: { supported: NO_INTERVALS, modelled: NO_INTERVALS },
  copies: { wanted: NO_COPIES, needless: NO_COPIES },
  closing: NO_MOMENTS,
  late: NO_MOMENTS,
  bins: {
    t0: NO_MOMENTS,
    t1: NO_MOMENTS,
    up: NO_STACKS,
    down: NO_STACKS,
    before: () => [new Float64Array(1), new Float64Array(1)],
  },
};
