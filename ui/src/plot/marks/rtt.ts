import type { Columns } from '../../ipc/arrow';
import type { RtoColumns } from '../../ipc/gen/commands';
import { SAMPLE } from '../../state/replies/kinds';
import type { TimeScale } from '../scale';
import type { Token } from '../series';
import type { Ink, Surface } from '../surface';

/** Reply with timers and round trips of one association: a row for each exchange, times in s but `t` in ns. */
export type RtoRows = Columns<RtoColumns>;
type Value = (value: number) => number;

/** Draws a step line: each of `values` holds until the next row; gaps where it is NaN. */
export function drawSteps(
  ctx: Surface,
  ink: Ink,
  x: TimeScale,
  y: Value,
  rows: RtoRows,
  values: Float64Array,
  look: { colour: Token; width: number; dash: readonly number[] },
): void {
  ctx.beginPath();
  let open = false;
  for (let row = 0; row < rows.length; row += 1) {
    const [t, value] = [rows.t[row] ?? NaN, values[row] ?? NaN];
    const until = row + 1 < rows.length ? (rows.t[row + 1] ?? x.t1) : x.t1;
    if (Number.isNaN(value)) {
      open = false;
      continue;
    }
    if (until < x.t0 || t > x.t1) continue;
    const [from, to, level] = [x(Math.max(t, x.t0)), x(Math.min(until, x.t1)), y(value)];
    if (open) ctx.lineTo(from, level);
    else ctx.moveTo(from, level);
    ctx.lineTo(to, level);
    open = true;
  }
  ctx.strokeStyle = ink.paint(look.colour);
  ctx.lineWidth = look.width;
  ctx.lineJoin = 'miter';
  ctx.setLineDash([...look.dash]);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** Calls `draw` with the place of each mark, px. */
type Places<P extends number[]> = (draw: (...place: P) => void) => void;

/** Draws shortfalls of timers, `width` px wide: a bar from the timer up to the round trip, and a line at the timer. */
export function drawShortfallMarks(
  ctx: Surface,
  ink: Ink,
  width: number,
  each: Places<[left: number, timer: number, rtt: number]>,
): void {
  ctx.beginPath();
  each((left, timer, rtt) => ctx.rect(left, rtt, width, timer - rtt));
  ctx.fillStyle = ink.paint('waste');
  ctx.globalAlpha = 0.28;
  ctx.fill();
  ctx.globalAlpha = 1;
  ctx.beginPath();
  each((left, timer) => {
    ctx.moveTo(left, timer);
    ctx.lineTo(left + width, timer);
  });
  ctx.strokeStyle = ink.paint('waste');
  ctx.lineWidth = 1.4;
  ctx.stroke();
}

/**
 * Time by which the first timer was shorter than it took its copy to be answered, s: the wait before the air, where it
 * is known, and the true RTT. 0 where it was not needless, NaN where the timer is not known, or the difference is
 * within its error.
 */
export function shortfallOf(rows: RtoRows, row: number): number {
  if (rows.needless[row] !== 1) return 0;
  const wait = rows.wait[row] ?? NaN;
  const answered = (rows.true_rtt[row] ?? NaN) + (Number.isNaN(wait) ? 0 : wait);
  const short = answered - (rows.first_timer[row] ?? NaN);
  return short > (rows.first_error[row] ?? NaN) ? short : NaN;
}

/** Draws, for each needless first timer of the window, how much shorter it was than the true RTT of its copy. */
export function drawShortfalls(ctx: Surface, ink: Ink, x: TimeScale, y: Value, rows: RtoRows, width: number): void {
  drawShortfallMarks(ctx, ink, width, (draw) => {
    for (let row = 0; row < rows.length; row += 1) {
      const [t, timer, short] = [rows.t[row] ?? NaN, rows.first_timer[row] ?? NaN, shortfallOf(rows, row)];
      if (t < x.t0 || t > x.t1 || !(short > 0)) continue;
      draw(x(t) - width / 2, y(timer), y(timer + short));
    }
  });
}

/** Shape of a round-trip sample by its use in the estimator: strong, weak, not sampled, or unknown. */
export type SampleShape = 'strong' | 'weak' | 'not_sampled' | 'unknown';

/** Classes of samples (values of `SAMPLE`) of each shape, in the order of drawing. */
const SHAPES: readonly (readonly [shape: SampleShape, classes: readonly number[]])[] = [
  ['unknown', [SAMPLE.unknown]],
  ['strong', [SAMPLE.strong, SAMPLE.exact]],
  ['weak', [SAMPLE.weak]],
  ['not_sampled', [SAMPLE.not_sampled]],
];

const OUTLINES: Readonly<Record<SampleShape, (ctx: Surface, cx: number, cy: number) => void>> = {
  unknown: (ctx, cx, cy) => ctx.rect(cx - 3.5, cy - 3.5, 7, 7),
  strong: (ctx, cx, cy) => {
    ctx.moveTo(cx + 3.1, cy);
    ctx.arc(cx, cy, 3.1, 0, 2 * Math.PI);
  },
  weak: (ctx, cx, cy) => {
    ctx.moveTo(cx, cy - 4.5);
    ctx.lineTo(cx + 4.3, cy + 3.3);
    ctx.lineTo(cx - 4.3, cy + 3.3);
    ctx.closePath();
  },
  not_sampled: (ctx, cx, cy) => {
    ctx.moveTo(cx - 3.4, cy - 3.4);
    ctx.lineTo(cx + 3.4, cy + 3.4);
    ctx.moveTo(cx + 3.4, cy - 3.4);
    ctx.lineTo(cx - 3.4, cy + 3.4);
  },
};

/** Draws all samples of one shape. */
export function drawSampleMarks(
  ctx: Surface,
  ink: Ink,
  shape: SampleShape,
  each: Places<[cx: number, cy: number]>,
): void {
  ctx.beginPath();
  each((cx, cy) => OUTLINES[shape](ctx, cx, cy));
  if (shape !== 'not_sampled') {
    ctx.fillStyle = shape === 'unknown' ? ink.hatch('ink-3') : ink.paint('ink-1');
    ctx.fill();
  }
  ctx.strokeStyle = ink.paint(shape === 'unknown' ? 'ink-2' : shape === 'not_sampled' ? 'ink-1' : 'bg-1');
  ctx.lineWidth = shape === 'not_sampled' ? 1.7 : 1;
  ctx.stroke();
}

/** Draws the round trips of the window, each in the shape of its class. */
export function drawSamples(ctx: Surface, ink: Ink, x: TimeScale, y: Value, rows: RtoRows): void {
  for (const [shape, classes] of SHAPES)
    drawSampleMarks(ctx, ink, shape, (draw) => {
      for (let row = 0; row < rows.length; row += 1) {
        const t = rows.t[row] ?? NaN;
        const rtt = sampleOf(rows, row);
        if (!classes.includes(rows.class[row] ?? -1) || t < x.t0 || t > x.t1 || Number.isNaN(rtt)) continue;
        draw(x(t), y(rtt));
      }
    });
}

/**
 * Round trip that a row shows, s: the true RTT of its first copy where known, else that of the copy that closed it; NaN
 * without one.
 */
export function sampleOf(rows: RtoRows, row: number): number {
  const first = rows.true_rtt[row] ?? NaN;
  return Number.isNaN(first) ? (rows.rtt[row] ?? NaN) : first;
}

/** Smallest and largest value, s, drawn from `t0` to `t1` (ns); Infinity and -Infinity without any. */
export function extentOf(rows: RtoRows, t0: number, t1: number): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let row = 0; row < rows.length; row += 1) {
    const t = rows.t[row] ?? NaN;
    if (t < t0 || t > t1) continue;
    const timer = rows.first_timer[row] ?? NaN;
    const short = shortfallOf(rows, row);
    const seen = Number.isNaN(timer) ? rows.first_gap[row] : timer + (short > 0 ? short : 0);
    for (const value of [seen, timer, rows.rto[row], rows.strong[row], rows.weak[row], sampleOf(rows, row)]) {
      if (value === undefined || Number.isNaN(value) || value <= 0) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return [low, high];
}
