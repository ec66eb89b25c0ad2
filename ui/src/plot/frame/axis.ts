// Geometry of axes of values, of which AxisX and AxisY make elements and figures draw on a surface.
import type { Token } from '../series';
import type { Ink, Surface } from '../surface';

/** Part of a text that stands at its place. */
export type Anchor = 'start' | 'middle' | 'end';

/** A straight line, px. */
export interface Segment {
  x1: number;
  x2: number;
  y1: number;
  y2: number;
}

/** A tick of an axis with its value; null where it has no grid line or no label. Places in px. */
export interface AxisTick {
  tick: number;
  line: Segment | null;
  label: { x: number; y: number; text: string; anchor: Anchor } | null;
}

/** Ticks of an axis and their labels. */
interface Axis {
  ticks: readonly number[];
  /** Maps a tick to px. */
  scale: (tick: number) => number;
  /** Text of a tick; an empty one has a grid line only. */
  label: (tick: number, index: number) => string;
  /** Ends of the grid lines, px; no lines where they are equal. */
  from?: number;
  to?: number;
}

/** An axis from left to right. */
export interface HorizontalAxis extends Axis {
  /** Baseline of the labels, px. */
  y: number;
  anchor?: (tick: number) => Anchor;
}

/** An axis from bottom to top. */
export interface VerticalAxis extends Axis {
  /** Place of the labels' ends next to the axis, px. */
  x: number;
  /** Anchor of the labels: `end` (default) has them left of the axis, `start` right of it. */
  anchor?: Anchor;
  /** Distance from a tick down to the baseline of its label, px. */
  drop?: number;
}

/** Places the ticks of a horizontal axis. */
export function axisX({
  ticks,
  scale,
  label,
  y,
  from = 0,
  to = 0,
  anchor = () => 'middle',
}: HorizontalAxis): AxisTick[] {
  return ticks.map((tick, index) => {
    const [x, text] = [scale(tick), label(tick, index)];
    return {
      tick,
      line: to > from ? { x1: x, x2: x, y1: from, y2: to } : null,
      label: text ? { x, y, text, anchor: anchor(tick) } : null,
    };
  });
}

/** Places the ticks of a vertical axis. */
export function axisY({
  ticks,
  scale,
  label,
  x,
  from = 0,
  to = 0,
  anchor = 'end',
  drop = 3.5,
}: VerticalAxis): AxisTick[] {
  return ticks.map((tick, index) => {
    const [y, text] = [scale(tick), label(tick, index)];
    return {
      tick,
      line: to > from ? { x1: from, x2: to, y1: y, y2: y } : null,
      label: text ? { x, y: y + drop, text, anchor } : null,
    };
  });
}

/** Draws lines of one colour, 1 px wide. */
export function drawSegments(ctx: Surface, ink: Ink, colour: Token, segments: readonly Segment[]): void {
  ctx.beginPath();
  for (const { x1, x2, y1, y2 } of segments) {
    ctx.moveTo(x1, y1);
    ctx.lineTo(x2, y2);
  }
  ctx.strokeStyle = ink.paint(colour);
  ctx.lineWidth = 1;
  ctx.stroke();
}
