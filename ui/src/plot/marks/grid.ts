// Grid of the time axis and lines of lanes, drawn on the surface of the marks, which saves a layer.
import type { TimeScale } from '../scale';
import { timeTicks } from '../ticks';
import type { Ink, Surface } from '../surface';

/** Grid lines of the axis, fainter ones between them, over `height`. */
export function drawGrid(ctx: Surface, ink: Ink, x: TimeScale, height: number): void {
  const right = x(x.t1);
  const { ticks, step } = timeTicks(x.t0, x.t1, right - x(x.t0));
  const lines = (times: readonly number[], opacity: number) => {
    ctx.beginPath();
    for (const t of times) {
      const px = x(t);
      if (px > right) continue;
      ctx.moveTo(px, 0);
      ctx.lineTo(px, height);
    }
    ctx.globalAlpha = opacity;
    ctx.stroke();
  };
  ctx.strokeStyle = ink.paint('line-1');
  ctx.lineWidth = 1;
  const whole = ticks.map(({ t }) => t);
  lines(
    whole.map((t) => t + step / 2),
    0.55,
  );
  lines(whole, 1);
}

/** The lines of lanes, from the left end of the axis to its right, in the middle of a pixel. */
export function drawLines(ctx: Surface, ink: Ink, x: TimeScale, heights: readonly number[]): void {
  const [left, right] = [x(x.t0), x(x.t1)];
  ctx.beginPath();
  for (const y of heights) {
    ctx.moveTo(left, y + 0.5);
    ctx.lineTo(right, y + 0.5);
  }
  ctx.strokeStyle = ink.paint('line-1');
  ctx.lineWidth = 1;
  ctx.stroke();
}
