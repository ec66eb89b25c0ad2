import { bisectLeft, bisectRight } from 'd3-array';
import type { TimeScale } from '../scale';
import type { Token } from '../series';
import type { Ink, Surface } from '../surface';
import { LEVEL } from '../../state/replies/kinds';
import {
  at,
  rowsOf,
  type CopyRows,
  type Intervals,
  type LaneRows,
  type Lanes,
  type Moments,
  type Stacks,
} from './rows';

/** Place and look of one lane. */
export interface LaneLook {
  /** Distance of the lane's line from the upper edge, px. */
  y: number;
  /** Height of the bar of a copy, px. */
  height: number;
  colour: Token;
  /** Opacity of the tint of exchanges, 0 to 1. */
  tint: number;
}

/**
 * Number of needless copies and of all copies of a lane from `t0` to `t1` (ns), for the gutter. A column counts where
 * its middle is inside.
 */
export function countIn(columns: Lanes, lane: number, t0: number, t1: number): { needless: number; copies: number } {
  const { copies, bins } = rowsOf(columns, lane);
  const inside = (moments: Moments) => bisectRight(moments, t1) - bisectLeft(moments, t0);
  // A column counts where its middle is: columns do not overlap, so that their middles are in order too.
  const middle = (index: number) => (at(bins.t0, index) + at(bins.t1, index)) / 2;
  let first = bisectLeft(bins.t1, t0);
  while (first < bins.t0.length && middle(first) < t0) first += 1;
  let end = bisectRight(bins.t0, t1);
  while (end > first && middle(end - 1) > t1) end -= 1;
  end = Math.max(first, end);
  const [up, down] = bins.before().map((before) => at(before, end) - at(before, first)) as [number, number];
  const needless = inside(copies.needless.all);
  return { needless: needless + down, copies: inside(copies.wanted.all) + needless + up + down };
}

/**
 * Draws the marks of a lane: spans, then copies, then replies, so that nothing small is covered. Copies that were not
 * needless stand above the line, needless ones below it.
 */
export function drawLane(ctx: Surface, ink: Ink, x: TimeScale, columns: Lanes, lane: number, look: LaneLook): void {
  const rows = rowsOf(columns, lane);
  if (rows.marks.end === rows.marks.from) return;
  drawSpans(ctx, ink, x, rows, look);
  const { y, height, colour } = look;
  drawCopies(ctx, ink, x, rows.copies.wanted, { top: y - height, height }, colour);
  const below = { top: y + 0.6, height: Math.round(0.75 * height) };
  drawCopies(ctx, ink, x, rows.copies.needless, below, 'waste');
  if (at(columns.level, 0) === LEVEL.single) drawFlags(ctx, ink, x, rows.copies.needless.all, below);
  drawReplies(ctx, ink, x, rows, look);
}

/** Calls `draw` with the place, px, of each moment in the window. */
function each(x: TimeScale, moments: Moments, draw: (centre: number) => void): void {
  const end = bisectRight(moments, x.t1);
  for (let index = bisectLeft(moments, x.t0); index < end; index += 1) draw(x(at(moments, index)));
}

/** Whether a moment is in the window. */
const anyIn = (x: TimeScale, moments: Moments): boolean => bisectRight(moments, x.t1) > bisectLeft(moments, x.t0);

function drawSpans(ctx: Surface, ink: Ink, x: TimeScale, { spans }: LaneRows, look: LaneLook): void {
  const draw = ({ t0, t1, reach }: Intervals) => {
    const end = bisectRight(t0, x.t1);
    ctx.beginPath();
    for (let index = bisectLeft(reach, x.t0); index < end; index += 1) {
      const [left, right] = [x(Math.max(at(t0, index), x.t0)), x(Math.min(at(t1, index), x.t1))];
      if (right > left) ctx.rect(left, look.y - 6, right - left, 6);
    }
    ctx.fill();
  };
  ctx.fillStyle = ink.paint(look.colour);
  ctx.globalAlpha = look.tint;
  draw(spans.supported);
  ctx.fillStyle = ink.hatch(look.colour);
  // Most exchanges of a run are: their hatch must not outweigh the copies.
  ctx.globalAlpha = 0.4;
  draw(spans.modelled);
  ctx.globalAlpha = 1;
}

/** Place of the bar of a copy, px. */
interface Bar {
  top: number;
  height: number;
}

/** Draws copies of one colour by their fates, outlines first, so that no fill covers one. */
function drawCopies(ctx: Surface, ink: Ink, x: TimeScale, copies: CopyRows, place: Bar, colour: Token): void {
  if (!anyIn(x, copies.all)) return;
  const { top, height: tall } = place;
  const bars = (moments: Moments, half: number, from_: number, height: number) =>
    each(x, moments, (c) => ctx.fillRect(c - half, from_, 2 * half, height));

  ctx.fillStyle = ink.paint(colour);
  bars(copies.answered, 1.6, top, tall);

  if (anyIn(x, copies.hollow)) {
    ctx.fillStyle = ink.paint('bg-1');
    bars(copies.hollow, 2.1, top + 0.6, tall - 1.2);
    ctx.beginPath();
    each(x, copies.died, (c) => ctx.rect(c - 2.1, top + 0.6, 4.2, tall - 1.2));
    ctx.strokeStyle = ink.paint(colour);
    ctx.lineWidth = 1.2;
    ctx.stroke();
    ctx.fillStyle = ink.paint(colour);
    bars(copies.replyLost, 2.1, top + tall / 2, tall / 2 - 0.6);
    ctx.beginPath();
    each(x, copies.unknown, (c) => ctx.rect(c - 2.6, top + 0.6, 5.2, tall - 1.2));
    ctx.fillStyle = ink.hatch(colour);
    ctx.fill();
    ctx.lineWidth = 0.9;
    ctx.stroke();
  }
}

/** Draws flags at the foot of needless copies, for lanes of single copies. */
function drawFlags(ctx: Surface, ink: Ink, x: TimeScale, copies: Moments, { top, height }: Bar): void {
  const foot = top + height;
  ctx.beginPath();
  each(x, copies, (c) => {
    ctx.moveTo(c + 1.4, foot - 5.8);
    ctx.lineTo(c + 7.2, foot - 2.9);
    ctx.lineTo(c + 1.4, foot);
    ctx.closePath();
  });
  ctx.fillStyle = ink.paint('waste');
  ctx.fill();
}

function drawReplies(ctx: Surface, ink: Ink, x: TimeScale, { closing, late }: LaneRows, look: LaneLook): void {
  ctx.beginPath();
  each(x, closing, (centre) => {
    ctx.moveTo(centre - 3.4, look.y);
    ctx.lineTo(centre + 3.4, look.y);
    ctx.lineTo(centre, look.y - 6);
    ctx.closePath();
  });
  ctx.fillStyle = ink.paint(look.colour);
  ctx.fill();
  ctx.beginPath();
  each(x, late, (centre) => {
    ctx.moveTo(centre, look.y + 2.5);
    ctx.lineTo(centre, look.y + 6.5);
  });
  ctx.strokeStyle = ink.paint(look.colour);
  ctx.lineWidth = 1.3;
  ctx.stroke();
}

/** Height of a copy in a column from which on each copy is a block of its own, px. */
const BLOCK_PX = 4;
/** Least height of a column, px. */
const LEAST_PX = 1.5;

/**
 * Draws the columns of a lane: copies that were not needless up, needless ones down, `unit` px for each copy. From the
 * line outwards stand answered copies (filled), lost ones (hollow) and those of unknown fate (hatched).
 */
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
  // A column that ends a hair outside of the window may still touch it once drawn.
  const slack = 0.01 / x.k;
  const range = [bisectLeft(bins.t1, x.t0 - slack), bisectRight(bins.t0, x.t1 + slack)] as const;
  for (const [stacks, colour, down] of [
    [bins.up, look.colour, false],
    [bins.down, 'waste', true],
  ] as const) {
    const foot = down ? look.y + 0.5 : look.y;
    const block: Block = (index, from, height, inset, draw) => {
      // Columns at the edges reach out of the window: nothing is drawn over the names beside it.
      const left = x(Math.max(at(bins.t0, index), x.t0));
      const width = Math.max(1, x(Math.min(at(bins.t1, index), x.t1)) - left - 1);
      const top = down ? foot + from : foot - from - height;
      draw(left + inset, top + inset, Math.max(inset, width - 2 * inset), Math.max(inset, height - 2 * inset));
    };
    drawStacks(ctx, ink, stacks, range, colour, unit, block);
  }
}

/** Draws a rectangle, px. */
type Draw = (left: number, top: number, width: number, height: number) => void;
/**
 * Draws the part of column `index` that begins `from` px off the line and is `height` px long, `inset` px smaller on
 * each side.
 */
type Block = (index: number, from: number, height: number, inset: number, draw: Draw) => void;

/** Stroke of a block, px; half of it is the inset that keeps it inside. */
const STROKE_PX = 0.8;

function drawStacks(
  ctx: Surface,
  ink: Ink,
  { all, lost, unknown }: Stacks,
  [first, end]: readonly [number, number],
  colour: Token,
  unit: number,
  block: Block,
): void {
  /** Draws `count` copies of column `index` that stand on `below` others. */
  const stack = (index: number, below: number, count: number, inset: number, draw: Draw) => {
    const per = Math.max(unit, LEAST_PX / at(all, index));
    if (per < BLOCK_PX) block(index, below * per, count * per, inset, draw);
    else for (let copy = below; copy < below + count; copy += 1) block(index, copy * per, per - 1, inset, draw);
  };
  // Rectangle by rectangle, not as one path: a path of many costs a canvas without a GPU more (npm run bench --
  // window).
  const fill: Draw = (left, top, width, height) => {
    ctx.fillRect(left, top, width, height);
  };
  const stroke: Draw = (left, top, width, height) => {
    ctx.strokeRect(left, top, width, height);
  };
  const answered = (index: number) => at(all, index) - at(lost, index) - at(unknown, index);
  ctx.fillStyle = ink.paint(colour);
  for (let index = first; index < end; index += 1) {
    const count = answered(index);
    if (count > 0) stack(index, 0, count, 0, fill);
  }
  ctx.strokeStyle = ink.paint(colour);
  ctx.lineWidth = STROKE_PX;
  for (let index = first; index < end; index += 1) {
    const count = at(lost, index);
    if (count > 0) stack(index, answered(index), count, STROKE_PX / 2, stroke);
  }
  const drawUnknown = (draw: Draw) => {
    for (let index = first; index < end; index += 1) {
      const count = at(unknown, index);
      if (count > 0) stack(index, at(all, index) - count, count, STROKE_PX / 2, draw);
    }
  };
  ctx.fillStyle = ink.hatch(colour);
  ctx.globalAlpha = 0.7;
  drawUnknown(fill);
  ctx.globalAlpha = 0.5;
  drawUnknown(stroke);
  ctx.globalAlpha = 1;
}

/**
 * Number of copies in the largest column of a lane from `t0` to `t1` (ns), above or below the line; 0 without columns.
 */
export function tallest(columns: Lanes, lane: number, t0: number, t1: number): number {
  const { bins } = rowsOf(columns, lane);
  const end = bisectRight(bins.t0, t1);
  let most = 0;
  for (let index = bisectLeft(bins.t1, t0); index < end; index += 1)
    most = Math.max(most, at(bins.up.all, index), at(bins.down.all, index));
  return most;
}
