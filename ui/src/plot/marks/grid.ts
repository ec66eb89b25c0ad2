// Grid of the time axis and lines of lanes, drawn on the surface of the marks, which saves an element.
import { drawSegments } from '../frame/axis';
import type { TimeScale } from '../scale';
import { timeTicks } from '../ticks';
import type { Ink, Surface } from '../surface';

/** Draws the grid lines of a time axis, and fainter ones half-way between, `height` px high. */
export function drawGrid(ctx: Surface, ink: Ink, x: TimeScale, height: number): void {
  const right = x(x.t1);
  const { ticks, step } = timeTicks(x.t0, x.t1, right - x(x.t0));
  const draw = (times: readonly number[], opacity: number) => {
    ctx.globalAlpha = opacity;
    const within = times.map(x).filter((px) => px <= right);
    const lines = within.map((px) => ({ x1: px, x2: px, y1: 0, y2: height }));
    drawSegments(ctx, ink, 'line-1', lines);
  };
  const whole = ticks.map(({ t }) => t);
  draw(
    whole.map((t) => t + step / 2),
    0.55,
  );
  draw(whole, 1);
}

/** Draws the lines of lanes at `heights` px, from end to end of the axis, each in the middle of a pixel. */
export function drawLines(ctx: Surface, ink: Ink, x: TimeScale, heights: readonly number[]): void {
  const [x1, x2] = [x(x.t0), x(x.t1)];
  const lines = heights.map((y) => ({ x1, x2, y1: y + 0.5, y2: y + 0.5 }));
  drawSegments(ctx, ink, 'line-1', lines);
}
