import type { Columns } from '../../ipc/arrow';
import type { NetworkSeriesColumns } from '../../ipc/gen/commands';
import type { TimeScale } from '../scale';
import type { Ink, Surface } from '../surface';

export type Series = Columns<NetworkSeriesColumns>;
export type Point = readonly [number, number];

/** One direction between two nodes, ready to be drawn. */
export interface Arc {
  /** From the edge of the sender to the edge of the addressee. */
  points: readonly Point[];
  /** Pixels: the load. */
  width: number;
  /** Share lost; null: not known. */
  lost: number | null;
  /** Nothing was sent in the window. */
  idle: boolean;
  /** It carries little beside the busiest. */
  faint: boolean;
  /** No room for a hatch: what is not known of it is said by its tone. */
  thin: boolean;
  /** Something else is looked at. */
  away: boolean;
}

export interface Disc {
  x: number;
  y: number;
  r: number;
  root: boolean;
  server: boolean;
  client: boolean;
  /** Never heard. */
  silent: boolean;
}

/** Shortest arrow head, px; of thin lines. */
const HEAD = 7;
const SMALL_HEAD = 4.5;

/** A hatch narrower than its own period would look solid, px. */
export const HATCHED = 4;

/** Pixels of one dash with its gap: long enough to read as a line, whatever its width. */
export function period(width: number): number {
  return 8 + 1.5 * width;
}

function trace(ctx: Surface, points: readonly Point[]): void {
  points.forEach(([x, y], index) => (index === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y)));
}

/** Draws RPL parents: bands of `width` px below the links. */
export function drawParents(ctx: Surface, ink: Ink, bands: readonly (readonly [Point, Point])[], width = 20): void {
  ctx.beginPath();
  for (const [from, to] of bands) trace(ctx, [from, to]);
  ctx.strokeStyle = ink.paint('line-1');
  ctx.lineWidth = width;
  ctx.stroke();
}

/**
 * Width is load; the gaps of a line are its lost share; hatched: loss not known (DESIGN §1: filled happened, hollow died,
 * hatched unknown). A head says where it goes.
 */
export function drawArc(ctx: Surface, ink: Ink, arc: Arc): void {
  const { points, lost, idle, faint, thin, away } = arc;
  const width = idle ? 1 : arc.width;
  const [tip, before] = [points.at(-1), points.at(-2)];
  if (!tip || !before) return;
  const [dx, dy] = [tip[0] - before[0], tip[1] - before[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const half = Math.max(width < 2 ? 2.2 : 3.2, width / 2 + (width < 2 ? 1.2 : 2.4));
  const long = Math.max(width < 2 ? SMALL_HEAD : HEAD, width * 1.1);
  const neck: Point = [tip[0] - ux * long, tip[1] - uy * long];
  // The line ends where its head begins: the points that the head covers are left out.
  const body = points.filter((point) => Math.hypot(point[0] - tip[0], point[1] - tip[1]) > long);
  // Links with little load are fainter.
  const untold = lost === null && thin;
  const tone = away ? 'line-2' : idle || untold ? 'line-3' : faint ? 'ink-3' : 'recorded';
  ctx.lineJoin = 'round';
  ctx.beginPath();
  trace(ctx, [...body, neck]);
  ctx.lineWidth = width;
  if (idle) ctx.strokeStyle = ink.paint('line-2');
  else if (untold) ctx.strokeStyle = ink.paint(tone);
  else if (lost === null) {
    ctx.lineWidth = Math.max(HATCHED, width);
    ctx.strokeStyle = ink.hatch('ink-2') as string;
  } else {
    ctx.strokeStyle = ink.paint(tone);
    const whole = period(width);
    const gap = Math.min(whole - 0.8, Math.max(0.8, whole * lost));
    if (lost > 0) ctx.setLineDash([whole - gap, gap]);
  }
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.moveTo(tip[0], tip[1]);
  ctx.lineTo(neck[0] - uy * half, neck[1] + ux * half);
  ctx.lineTo(neck[0] + uy * half, neck[1] - ux * half);
  ctx.closePath();
  ctx.fillStyle = ink.paint(tone);
  ctx.fill();
}

/** A frame around a line: what is selected or under the pointer. */
export function drawCasing(ctx: Surface, ink: Ink, arc: Arc, selected: boolean): void {
  const width = arc.idle ? 1 : arc.width;
  for (const [token, wider] of [
    [selected ? 'accent' : 'ink-3', selected ? 8 : 6],
    ['bg-1', 4],
  ] as const) {
    ctx.beginPath();
    trace(ctx, arc.points);
    ctx.strokeStyle = ink.paint(token);
    ctx.lineWidth = width + wider;
    ctx.stroke();
  }
}

/** Square: root. Disc: other nodes. Filled: server. Heavy outline: client. */
export function drawDisc(ctx: Surface, ink: Ink, disc: Disc): void {
  const { x, y, r } = disc;
  ctx.beginPath();
  if (disc.root) ctx.rect(x - r, y - r, 2 * r, 2 * r);
  else {
    ctx.moveTo(x + r, y);
    ctx.arc(x, y, r, 0, 2 * Math.PI);
  }
  ctx.fillStyle = ink.paint(disc.server ? 'recorded' : 'bg-1');
  ctx.fill();
  ctx.strokeStyle = ink.paint(disc.client || disc.server ? 'recorded' : 'line-3');
  ctx.lineWidth = disc.client ? 2.2 : 1.4;
  if (disc.silent) ctx.setLineDash([2, 2]);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** A series as it is drawn: counts of intervals, or their moving mean. */
export interface Drawn {
  length: number;
  /** When each interval begins, ns. */
  t0: Float64Array;
  airtime: Float64Array;
  frames: ArrayLike<number>;
  lost: ArrayLike<number>;
  judged: ArrayLike<number>;
}

/** Each interval as the mean of the `intervals` around it; at the ends, of those there are. Losses stay losses of as many. */
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

/** Draws load as an area of steps. `values` are a column of `series`. */
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

/** Share of frames that were lost: the outline of an area, hollow as what died; none where nothing is known. */
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

/** Changes of RPL parents: diamonds on a line; ticks where diamonds would cover each other. */
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

/** Length of an interval, ns. */
export function stepOf(series: Pick<Drawn, 't0'>, x: TimeScale): number {
  const [first, second] = [series.t0[0], series.t0[1]];
  return first !== undefined && second !== undefined ? second - first : x.t1 - x.t0;
}
