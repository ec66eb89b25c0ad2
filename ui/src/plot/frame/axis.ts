// Geometry of axes of values: AxisX and AxisY make elements of it, figures draw it on a surface.
import type { Token } from '../series';
import type { Ink, Surface } from '../surface';

export type Anchor = 'start' | 'middle' | 'end';

/** A straight line, px. */
export interface Segment {
  x1: number;
  x2: number;
  y1: number;
  y2: number;
}

/** A tick of an axis: its grid line and its label, where it has them. */
export interface AxisTick {
  tick: number;
  line: Segment | null;
  label: { x: number; y: number; text: string; anchor: Anchor } | null;
}

interface Axis {
  ticks: readonly number[];
  /** A tick to px. */
  scale: (tick: number) => number;
  /** Empty: the tick has a grid line only. */
  label: (tick: number, index: number) => string;
  /** Ends of the grid lines, px; none when equal. */
  from?: number;
  to?: number;
}

export interface HorizontalAxis extends Axis {
  /** Baseline of the labels. */
  y: number;
  anchor?: (tick: number) => Anchor;
}

export interface VerticalAxis extends Axis {
  /** The end of the labels that is next to the axis. */
  x: number;
  /** `start`: labels stand to the right of the axis. */
  anchor?: Anchor;
  /** From a tick down to the baseline of its label, px. */
  drop?: number;
}

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
