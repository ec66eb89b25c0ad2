import type { Columns } from '../../ipc/arrow';
import type { NavigatorColumns } from '../../ipc/gen/commands';
import type { TimeScale } from '../scale';
import type { Ink, Surface } from '../surface';

/** Reply of the navigator: frames, needless and lost copies in each bin of time. */
export type Density = Columns<NavigatorColumns>;

/**
 * Layout of the navigator's rows, top down, px: frames (an area), needless copies (bars up), lost copies (bars down).
 */
export interface DensityLook {
  /** Foot of the area and its height, px. */
  frames: { y: number; height: number };
  /** Foot of the bars of needless copies and their greatest height. */
  needless: { y: number; height: number };
  /** Top of the bars of lost copies and their greatest height. */
  lost: { y: number; height: number };
  /** Width of a column of bars. */
  column: number;
}

/**
 * Sums of `values` over columns `column` px wide, by the number of the column from px 0; columns without any are left
 * out.
 */
function columnsOf(x: TimeScale, density: Density, values: Float32Array, column: number): Map<number, number> {
  const sums = new Map<number, number>();
  for (let row = 0; row < density.length; row += 1) {
    const value = values[row] ?? 0;
    if (value <= 0) continue;
    const slot = Math.floor(x(density.t0[row] ?? 0) / column);
    sums.set(slot, (sums.get(slot) ?? 0) + value);
  }
  return sums;
}

/** Draws the rows of the navigator, each scaled to its own greatest column. */
export function drawDensity(ctx: Surface, ink: Ink, x: TimeScale, density: Density, look: DensityLook): void {
  const frames = columnsOf(x, density, density.frames, look.column);
  const most = Math.max(1, ...frames.values());
  const { y, height } = look.frames;
  const [first, last] = [Math.floor(x(x.t0) / look.column), Math.ceil(x(x.t1) / look.column) - 1];
  ctx.beginPath();
  ctx.moveTo(x(x.t0), y);
  for (let slot = first; slot <= last; slot += 1) {
    const px = Math.min(Math.max((slot + 0.5) * look.column, x(x.t0)), x(x.t1));
    ctx.lineTo(px, y - ((frames.get(slot) ?? 0) / most) * height);
  }
  ctx.lineTo(x(x.t1), y);
  ctx.closePath();
  ctx.fillStyle = ink.paint('line-3');
  ctx.globalAlpha = 0.55;
  ctx.fill();
  ctx.globalAlpha = 1;

  for (const [values, colour, foot, size, sign] of [
    [density.needless, 'waste', look.needless.y, look.needless.height, -1],
    [density.lost, 'ink-3', look.lost.y, look.lost.height, 1],
  ] as const) {
    const sums = columnsOf(x, density, values, look.column);
    const highest = Math.max(1, ...sums.values());
    ctx.beginPath();
    for (const [slot, value] of sums) {
      const bar = Math.max(2, (value / highest) * size);
      ctx.rect(slot * look.column + 0.5, sign < 0 ? foot - bar : foot, look.column - 1.4, bar);
    }
    ctx.fillStyle = ink.paint(colour);
    ctx.fill();
  }
}
