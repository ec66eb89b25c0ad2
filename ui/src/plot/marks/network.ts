import type { Columns } from '../../ipc/arrow';
import type { NetworkSeriesColumns } from '../../ipc/gen/commands';
import type { TimeScale } from '../scale';
import type { Ink, Surface } from '../surface';

/** Reply with the load and losses of a network, a node or a link in intervals of time. */
export type Series = Columns<NetworkSeriesColumns>;
/** Position of a point as x and y, px. */
export type Point = readonly [number, number];

/** The links between two nodes, both directions as one line. */
export interface Line {
  /** Ends of the line, px: the edges of the child and of its parent; for other pairs in the order of the nodes. */
  points: readonly [Point, Point];
  /** Whether it joins a node and its RPL parent. */
  tree: boolean;
  /** Width, px, which stands for the load of both directions. */
  width: number;
  /** Share of frames lost, both directions together, 0 to 1; null where it is not known. */
  lost: number | null;
  /** Whether nothing was sent in the window of time. */
  idle: boolean;
  /** Whether another line or node is selected, so that this one is faint. */
  away: boolean;
}

/** A node ready to be drawn; place and radius in px. */
export interface Disc {
  x: number;
  y: number;
  r: number;
  root: boolean;
  server: boolean;
  client: boolean;
  /** Whether no frame of it was heard. */
  silent: boolean;
  /** Whether another line or node is selected, so that this one is faint. */
  away: boolean;
}

/** Width of a line from which on it can be hatched, px: a narrower hatch would look solid. */
export const HATCHED = 4;

/** Half the length and half the width of an arrow head, px. */
const HEAD = [4, 3.4] as const;
/** Length of a line from which on it has room for a head, px. */
const HEADLESS = 14;

/**
 * Upper ends of the classes of loss, shares of frames; each class has a colour, light to dark. Chosen here: links that
 * people call good, usable, bad and broken.
 */
export const LOSS_CLASSES = [0.05, 0.1, 0.2, 0.4, Infinity] as const;
const LOSS_TOKENS = ['loss-1', 'loss-2', 'loss-3', 'loss-4', 'loss-5'] as const;

/** Colour token of a lost share, 0 to 1. */
export function lossToken(lost: number): (typeof LOSS_TOKENS)[number] {
  return LOSS_TOKENS[LOSS_CLASSES.findIndex((below) => lost < below)] ?? 'loss-5';
}

/**
 * Draws a line. Between a node and its parent the width is the load, the colour the lost share (hatched where it is not
 * known), and a small head in the middle points to the parent. Other links are dotted.
 */
export function drawLine(ctx: Surface, ink: Ink, line: Line): void {
  const { points, tree, lost, idle, away } = line;
  const [[x0, y0], [x1, y1]] = points;
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  if (!tree) {
    ctx.strokeStyle = ink.paint(away ? 'line-1' : 'line-3');
    ctx.lineWidth = 1;
    ctx.setLineDash([1, 3]);
    ctx.stroke();
    ctx.setLineDash([]);
    return;
  }
  const unknown = lost === null && line.width >= HATCHED;
  const tone = away || idle ? 'line-2' : lost === null ? 'line-3' : lossToken(lost);
  ctx.strokeStyle = unknown && !away && !idle ? ink.hatch('ink-2') : ink.paint(tone);
  ctx.lineWidth = idle ? 1.2 : line.width;
  ctx.stroke();
  drawHead(ctx, ink, line, tone);
}

function drawHead(ctx: Surface, ink: Ink, { points, idle, width }: Line, tone: Parameters<Ink['paint']>[0]): void {
  const [[x0, y0], [x1, y1]] = points;
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < HEADLESS) return;
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  const [long, half] = idle || width < 2.5 ? [HEAD[0] * 0.8, HEAD[1] * 0.8] : HEAD;
  ctx.beginPath();
  ctx.moveTo(x + ux * long, y + uy * long);
  ctx.lineTo(x - ux * long - uy * half, y - uy * long + ux * half);
  ctx.lineTo(x - ux * long + uy * half, y - uy * long - ux * half);
  ctx.closePath();
  ctx.fillStyle = ink.paint('bg-1');
  ctx.fill();
  ctx.strokeStyle = ink.paint(tone);
  ctx.lineWidth = 1.1;
  ctx.stroke();
}

/** Draws a halo behind a line, which is part of the chosen path or under the pointer. */
export function drawHalo(ctx: Surface, ink: Ink, line: Line, chosen: boolean): void {
  const [[x0, y0], [x1, y1]] = line.points;
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.strokeStyle = ink.paint(chosen ? 'accent' : 'line-3');
  ctx.globalAlpha = chosen ? 0.38 : 0.3;
  ctx.lineWidth = (line.idle || !line.tree ? 1 : line.width) + 8;
  ctx.stroke();
  ctx.globalAlpha = 1;
}

/**
 * Draws a node: a square for the root, else a disc; filled for a server, with a heavy outline for a client, dashed
 * where it was never heard.
 */
export function drawDisc(ctx: Surface, ink: Ink, disc: Disc): void {
  const { x, y, r } = disc;
  ctx.beginPath();
  if (disc.root) ctx.rect(x - r, y - r, 2 * r, 2 * r);
  else {
    ctx.moveTo(x + r, y);
    ctx.arc(x, y, r, 0, 2 * Math.PI);
  }
  ctx.fillStyle = ink.paint(disc.server && !disc.away ? 'recorded' : 'bg-1');
  ctx.fill();
  ctx.strokeStyle = ink.paint(disc.away ? 'line-2' : disc.client || disc.server ? 'recorded' : 'line-3');
  ctx.lineWidth = disc.client ? 2.2 : 1.4;
  if (disc.silent) ctx.setLineDash([2, 2]);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** A series as it is drawn: a value for each interval, or the moving mean of them. */
export interface Drawn {
  length: number;
  /** Begin of each interval, ns. */
  t0: Float64Array;
  /** Share of each interval during which frames were on the air, 0 to 1, all channels together. */
  airtime: Float64Array;
  /** Frames sent in each interval. */
  frames: ArrayLike<number>;
  /** Frames lost of those judged. */
  lost: ArrayLike<number>;
  /** Frames whose delivery is known. */
  judged: ArrayLike<number>;
}

/**
 * Moving mean of a series over `intervals` (an odd number) around each; at the ends over those there are. Lost and
 * judged frames are averaged alike, so that their ratio stays a share.
 */
export function moving(series: Drawn, intervals: number): Drawn {
  if (intervals <= 1) return series;
  const around = (intervals - 1) / 2;
  const mean = (values: ArrayLike<number>) => {
    // From sums up to each interval: one pass, whatever the mean.
    const sums = new Float64Array(series.length + 1);
    for (let at = 0; at < series.length; at += 1) sums[at + 1] = (sums[at] ?? 0) + (values[at] ?? 0);
    return Float64Array.from({ length: series.length }, (_, at) => {
      const [from, to] = [Math.max(0, at - around), Math.min(series.length, at + around + 1)];
      return ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from);
    });
  };
  return {
    length: series.length,
    t0: series.t0,
    ...{ airtime: mean(series.airtime), frames: mean(series.frames) },
    ...{ lost: mean(series.lost), judged: mean(series.judged) },
  };
}

/** Draws load as an area of steps; `values` are a column of `series`. */
export function drawLoad(
  ctx: Surface,
  ink: Ink,
  x: TimeScale,
  y: (value: number) => number,
  series: Drawn,
  values: ArrayLike<number>,
): void {
  const step = stepOf(series, x);
  ctx.beginPath();
  for (let row = 0; row < series.length; row += 1) {
    const [t0, value] = [series.t0[row] ?? NaN, values[row] ?? 0];
    if (t0 + step < x.t0 || t0 > x.t1 || value <= 0) continue;
    const [from, to] = [x(Math.max(t0, x.t0)), x(Math.min(t0 + step, x.t1))];
    ctx.rect(from, y(value), to - from, y(0) - y(value));
  }
  ctx.fillStyle = ink.paint('line-3');
  ctx.globalAlpha = 0.55;
  ctx.fill();
  ctx.globalAlpha = 1;
}

/** Draws the share of frames that were lost as the outline of an area, with gaps where no delivery is known. */
export function drawLoss(ctx: Surface, ink: Ink, x: TimeScale, y: (value: number) => number, series: Drawn): void {
  const step = stepOf(series, x);
  let open = false;
  ctx.beginPath();
  for (let row = 0; row < series.length; row += 1) {
    const [t0, lost, judged] = [series.t0[row] ?? NaN, series.lost[row] ?? 0, series.judged[row] ?? 0];
    if (t0 + step < x.t0 || t0 > x.t1) continue;
    const [from, to] = [x(Math.max(t0, x.t0)), x(Math.min(t0 + step, x.t1))];
    if (judged > 0) {
      const top = y(lost / judged);
      if (open) ctx.lineTo(from, top);
      else {
        ctx.moveTo(from, y(0));
        ctx.lineTo(from, top);
      }
      ctx.lineTo(to, top);
    } else if (open) ctx.lineTo(from, y(0));
    open = judged > 0;
  }
  ctx.strokeStyle = ink.paint('ink-2');
  ctx.lineWidth = 1;
  ctx.stroke();
}

/**
 * Draws changes of RPL parents at `times` (ns): diamonds at the height `y` px, or ticks where diamonds would cover each
 * other.
 */
export function drawChanges(ctx: Surface, ink: Ink, x: TimeScale, y: number, times: readonly number[]): void {
  const inside = times.filter((t) => t >= x.t0 && t <= x.t1);
  ctx.beginPath();
  if (inside.length * 9 > x(x.t1) - x(x.t0)) {
    for (const t of inside) {
      ctx.moveTo(x(t), y - 4);
      ctx.lineTo(x(t), y + 4);
    }
    ctx.strokeStyle = ink.paint('ink-1');
    ctx.lineWidth = 1;
    ctx.stroke();
    return;
  }
  for (const t of inside) {
    const px = x(t);
    ctx.moveTo(px, y - 4);
    ctx.lineTo(px + 3.6, y);
    ctx.lineTo(px, y + 4);
    ctx.lineTo(px - 3.6, y);
    ctx.closePath();
  }
  ctx.fillStyle = ink.paint('ink-1');
  ctx.fill();
  ctx.strokeStyle = ink.paint('bg-1');
  ctx.lineWidth = 1;
  ctx.stroke();
}

/** Length of an interval of a series, ns; that of the axis where there is only one. */
export function stepOf(series: Pick<Drawn, 't0'>, x: TimeScale): number {
  const [first, second] = [series.t0[0], series.t0[1]];
  return first !== undefined && second !== undefined ? second - first : x.t1 - x.t0;
}
