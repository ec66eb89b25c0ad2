import type { Columns } from '../../ipc/arrow';
import type { LaneColumns } from '../../ipc/gen/commands';
import { FATE, MARK } from '../../state/kinds';
import type { TimeScale } from '../scale';
import type { Token } from '../series';
import type { Ink, Surface } from '../surface';

export type Lanes = Columns<LaneColumns>;

/** Where and how one lane is drawn. */
export interface LaneLook {
  /** The lane's line. */
  y: number;
  /** Height of a copy's paddle. */
  height: number;
  colour: Token;
  /** Opacity of the exchange's tint. */
  tint: number;
}

/** Rows of one lane, in time order. */
export interface LaneRows {
  marks: Uint32Array;
  bins: Uint32Array;
}

const NO_ROWS: LaneRows = { marks: new Uint32Array(), bins: new Uint32Array() };
const grouped = new WeakMap<Lanes, Map<number, LaneRows>>();

/** The rows of each lane; grouped once per reply. */
export function rowsOf(columns: Lanes, lane: number): LaneRows {
  let lanes = grouped.get(columns);
  if (!lanes) {
    const lists = new Map<number, { marks: number[]; bins: number[] }>();
    for (let row = 0; row < columns.length; row += 1) {
      const key = columns.lane[row] ?? 0;
      let list = lists.get(key);
      if (!list) lists.set(key, (list = { marks: [], bins: [] }));
      (columns.kind[row] === MARK.bin ? list.bins : list.marks).push(row);
    }
    const byTime = (a: number, b: number) => at(columns.t0, a) - at(columns.t0, b);
    lanes = new Map(
      [...lists].map(([key, { marks, bins }]) => [
        key,
        { marks: Uint32Array.from(marks.sort(byTime)), bins: Uint32Array.from(bins.sort(byTime)) },
      ]),
    );
    grouped.set(columns, lanes);
  }
  return lanes.get(lane) ?? NO_ROWS;
}

/** Rows of a typed column are there for every index below `length`. */
function at(column: { readonly [index: number]: number }, row: number): number {
  return column[row] as number;
}

/** How many primitives a lane takes. */
export function weightOf({ marks, bins }: LaneRows): number {
  return marks.length + 2 * bins.length;
}

/** Needless copies and copies of a lane inside a window: the numbers in the gutter. */
export function countIn(columns: Lanes, lane: number, t0: number, t1: number): { needless: number; copies: number } {
  const { marks, bins } = rowsOf(columns, lane);
  let [needless, copies] = [0, 0];
  for (const row of marks) {
    const t = at(columns.t0, row);
    if (columns.kind[row] !== MARK.copy || t < t0 || t > t1) continue;
    copies += 1;
    needless += at(columns.needless, row);
  }
  for (const row of bins) {
    const middle = (at(columns.t0, row) + at(columns.t1, row)) / 2;
    if (middle < t0 || middle > t1) continue;
    needless += at(columns.down, row);
    copies += at(columns.up, row) + at(columns.down, row);
  }
  return { needless, copies };
}

/** The marks of a lane: spans, then copies, then replies, so that nothing small is covered. */
export function drawLane(ctx: Surface, ink: Ink, x: TimeScale, columns: Lanes, lane: number, look: LaneLook): void {
  const { marks } = rowsOf(columns, lane);
  drawSpans(ctx, ink, x, columns, marks, look);
  drawCopies(ctx, ink, x, columns, marks, look);
  drawReplies(ctx, ink, x, columns, marks, look);
}

function drawSpans(ctx: Surface, ink: Ink, x: TimeScale, columns: Lanes, rows: Uint32Array, look: LaneLook): void {
  for (const supported of [true, false]) {
    ctx.beginPath();
    for (const row of rows) {
      if (columns.kind[row] !== MARK.span || (columns.supported[row] === 1) !== supported) continue;
      const [from, to] = [x(Math.max(at(columns.t0, row), x.t0)), x(Math.min(at(columns.t1, row), x.t1))];
      if (to > from) ctx.rect(from, look.y - 6, to - from, 6);
    }
    ctx.fillStyle = supported ? ink.paint(look.colour) : ink.hatch(look.colour);
    ctx.globalAlpha = supported ? look.tint : 0.75;
    ctx.fill();
  }
  ctx.globalAlpha = 1;
}

/** Passes over the copies of one colour: outline texture first, so that fills lie on top of nothing. */
function drawCopies(ctx: Surface, ink: Ink, x: TimeScale, columns: Lanes, rows: Uint32Array, look: LaneLook): void {
  const top = look.y - look.height;
  for (const needless of [0, 1]) {
    const colour: Token = needless ? 'waste' : look.colour;
    const each = (fates: readonly number[], draw: (centre: number) => void) => {
      ctx.beginPath();
      for (const row of rows) {
        if (columns.kind[row] !== MARK.copy || columns.needless[row] !== needless) continue;
        if (!fates.includes(at(columns.fate, row))) continue;
        const t = at(columns.t0, row);
        if (t >= x.t0 && t <= x.t1) draw(x(t));
      }
    };
    const died = [FATE.request_lost, FATE.lost, FATE.reply_lost];

    each([FATE.answered], (c) => ctx.rect(c - 1.6, top, 3.2, look.height));
    ctx.fillStyle = ink.paint(colour);
    ctx.fill();

    each([...died, FATE.unknown], (c) => ctx.rect(c - 2.1, top + 0.6, 4.2, look.height - 1.2));
    ctx.fillStyle = ink.paint('bg-1');
    ctx.fill();
    each(died, (c) => ctx.rect(c - 2.1, top + 0.6, 4.2, look.height - 1.2));
    ctx.strokeStyle = ink.paint(colour);
    ctx.lineWidth = 1.2;
    ctx.stroke();
    each([FATE.reply_lost], (c) => ctx.rect(c - 2.1, top + look.height / 2, 4.2, look.height / 2 - 0.6));
    ctx.fillStyle = ink.paint(colour);
    ctx.fill();

    each([FATE.unknown], (c) => ctx.rect(c - 2.6, top + 0.6, 5.2, look.height - 1.2));
    ctx.fillStyle = ink.hatch(colour);
    ctx.fill();
    ctx.lineWidth = 0.9;
    ctx.stroke();

    if (!needless) continue;
    each([FATE.answered, FATE.unknown, ...died], (c) => {
      ctx.moveTo(c + 1.4, top);
      ctx.lineTo(c + 7.2, top + 2.9);
      ctx.lineTo(c + 1.4, top + 5.8);
      ctx.closePath();
    });
    ctx.fillStyle = ink.paint(colour);
    ctx.fill();
  }
}

function drawReplies(ctx: Surface, ink: Ink, x: TimeScale, columns: Lanes, rows: Uint32Array, look: LaneLook): void {
  const inside = (row: number, kind: number) =>
    columns.kind[row] === kind && at(columns.t0, row) >= x.t0 && at(columns.t0, row) <= x.t1;
  ctx.beginPath();
  for (const row of rows) {
    if (!inside(row, MARK.closing)) continue;
    const centre = x(at(columns.t0, row));
    ctx.moveTo(centre - 3.4, look.y + 7.4);
    ctx.lineTo(centre + 3.4, look.y + 7.4);
    ctx.lineTo(centre, look.y + 1.8);
    ctx.closePath();
  }
  ctx.fillStyle = ink.paint(look.colour);
  ctx.fill();
  ctx.beginPath();
  for (const row of rows) {
    if (!inside(row, MARK.late)) continue;
    const centre = x(at(columns.t0, row));
    ctx.moveTo(centre, look.y + 2.5);
    ctx.lineTo(centre, look.y + 6.5);
  }
  ctx.strokeStyle = ink.paint(look.colour);
  ctx.lineWidth = 1.3;
  ctx.stroke();
}

/** Columns of a dense lane: copies that were not needless up, needless ones down; `unit` px per copy. */
export function drawBins(
  ctx: Surface,
  ink: Ink,
  x: TimeScale,
  columns: Lanes,
  lane: number,
  look: LaneLook,
  unit: number,
): void {
  const { bins } = rowsOf(columns, lane);
  for (const [column, colour, sign] of [
    [columns.up, look.colour, -1],
    [columns.down, 'waste', 1],
  ] as const) {
    ctx.beginPath();
    for (const row of bins) {
      const copies = at(column, row);
      const [from, to] = [x(at(columns.t0, row)), x(at(columns.t1, row))];
      if (copies <= 0 || to < x(x.t0) - 0.01 || from > x(x.t1) + 0.01) continue;
      const height = Math.max(1.5, copies * unit);
      ctx.rect(from, sign < 0 ? look.y - height : look.y + 0.5, Math.max(1, to - from - 1), height);
    }
    ctx.fillStyle = ink.paint(colour);
    ctx.fill();
  }
}

/** The largest column of a lane inside a window, up or down. */
export function tallest(columns: Lanes, lane: number, t0: number, t1: number): number {
  let most = 0;
  for (const row of rowsOf(columns, lane).bins) {
    if (at(columns.t1, row) < t0 || at(columns.t0, row) > t1) continue;
    most = Math.max(most, at(columns.up, row), at(columns.down, row));
  }
  return most;
}
