import { bisectLeft, bisectRight } from 'd3-array';
import type { TimeScale } from '../scale';
import type { Token } from '../series';
import type { Ink, Surface } from '../surface';
import { at, rowsOf, type CopyRows, type Intervals, type LaneRows, type Lanes, type Moments } from './rows';

/** Place and look of one lane. */
export interface LaneLook {
  /** The lane's line. */
  y: number;
  /** Height of a copy's paddle. */
  height: number;
  colour: Token;
  /** Opacity of the exchange's tint. */
  tint: number;
}

/** Needless copies and copies of a lane inside a window: the numbers in the gutter. */
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

/** The marks of a lane: spans, then copies, then replies, so that nothing small is covered. */
export function drawLane(ctx: Surface, ink: Ink, x: TimeScale, columns: Lanes, lane: number, look: LaneLook): void {
  const rows = rowsOf(columns, lane);
  if (rows.marks.end === rows.marks.from) return;
  drawSpans(ctx, ink, x, rows, look);
  drawCopies(ctx, ink, x, rows.copies.wanted, look, look.colour);
  drawCopies(ctx, ink, x, rows.copies.needless, look, 'waste');
  drawReplies(ctx, ink, x, rows, look);
}

/** Places of what is in the window, on the axis. */
function each(x: TimeScale, moments: Moments, draw: (centre: number) => void): void {
  const end = bisectRight(moments, x.t1);
  for (let index = bisectLeft(moments, x.t0); index < end; index += 1) draw(x(at(moments, index)));
}

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
  ctx.globalAlpha = 0.75;
  draw(spans.modelled);
  ctx.globalAlpha = 1;
}

/** Copies of one colour: outlines first, so that fills lie on top of nothing. */
function drawCopies(ctx: Surface, ink: Ink, x: TimeScale, copies: CopyRows, look: LaneLook, colour: Token): void {
  if (!anyIn(x, copies.all)) return;
  const top = look.y - look.height;
  const bars = (moments: Moments, half: number, from_: number, height: number) =>
    each(x, moments, (c) => ctx.fillRect(c - half, from_, 2 * half, height));

  ctx.fillStyle = ink.paint(colour);
  bars(copies.answered, 1.6, top, look.height);

  if (anyIn(x, copies.hollow)) {
    ctx.fillStyle = ink.paint('bg-1');
    bars(copies.hollow, 2.1, top + 0.6, look.height - 1.2);
    ctx.beginPath();
    each(x, copies.died, (c) => ctx.rect(c - 2.1, top + 0.6, 4.2, look.height - 1.2));
    ctx.strokeStyle = ink.paint(colour);
    ctx.lineWidth = 1.2;
    ctx.stroke();
    ctx.fillStyle = ink.paint(colour);
    bars(copies.replyLost, 2.1, top + look.height / 2, look.height / 2 - 0.6);
    ctx.beginPath();
    each(x, copies.unknown, (c) => ctx.rect(c - 2.6, top + 0.6, 5.2, look.height - 1.2));
    ctx.fillStyle = ink.hatch(colour);
    ctx.fill();
    ctx.lineWidth = 0.9;
    ctx.stroke();
  }

  if (colour !== 'waste') return;
  ctx.beginPath();
  each(x, copies.all, (c) => {
    ctx.moveTo(c + 1.4, top);
    ctx.lineTo(c + 7.2, top + 2.9);
    ctx.lineTo(c + 1.4, top + 5.8);
    ctx.closePath();
  });
  ctx.fillStyle = ink.paint(colour);
  ctx.fill();
}

function drawReplies(ctx: Surface, ink: Ink, x: TimeScale, { closing, late }: LaneRows, look: LaneLook): void {
  ctx.beginPath();
  each(x, closing, (centre) => {
    ctx.moveTo(centre - 3.4, look.y + 7.4);
    ctx.lineTo(centre + 3.4, look.y + 7.4);
    ctx.lineTo(centre, look.y + 1.8);
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
  // A column that ends a hair outside of the window may still touch it once drawn.
  const slack = 0.01 / x.k;
  const [first, end] = [bisectLeft(bins.t1, x.t0 - slack), bisectRight(bins.t0, x.t1 + slack)];
  for (const [counts, colour, sign] of [
    [bins.up, look.colour, -1],
    [bins.down, 'waste', 1],
  ] as const) {
    ctx.fillStyle = ink.paint(colour);
    for (let index = first; index < end; index += 1) {
      const copies = at(counts, index);
      if (copies <= 0) continue;
      const left = x(at(bins.t0, index));
      const height = Math.max(1.5, copies * unit);
      const top = sign < 0 ? look.y - height : look.y + 0.5;
      ctx.fillRect(left, top, Math.max(1, x(at(bins.t1, index)) - left - 1), height);
    }
  }
}

/** The largest column of a lane inside a window, up or down. */
export function tallest(columns: Lanes, lane: number, t0: number, t1: number): number {
  const { bins } = rowsOf(columns, lane);
  const end = bisectRight(bins.t0, t1);
  let most = 0;
  for (let index = bisectLeft(bins.t1, t0); index < end; index += 1)
    most = Math.max(most, at(bins.up, index), at(bins.down, index));
  return most;
}
