// Drawing of the marks of figures, the same on canvas, in SVG and in files.
import { line as path, area, curveStepAfter, curveLinear } from 'd3-shape';
import type { FigureSeries, LineLook, MarkView } from '../../ipc/gen/types';
import { drawMarker } from '../glyphs';
import { RECORDED, seriesStyle, type Style } from '../series';
import type { Ink, Surface } from '../surface';
import { slot, type Frame, type Value } from './place';

type Of<K extends MarkView['mark']> = Extract<MarkView, { mark: K }>;

/**
 * Look of a series: colour, dash and marker, and the opacity of its fill, 0 to 1. The first group is solid, others are
 * fainter.
 */
export interface Look extends Style {
  fill: number;
  /** Whether its algorithm is a reading of an incomplete source. */
  reading: boolean;
}

/** Opacity of the fill by the number of the group; the last one is for all further groups. */
const FILLS = [0.72, 0.36, 0.12, 0];

/** Look of a series; without one, that of the recorded behaviour. */
export function lookOf(series: FigureSeries | undefined): Look {
  const style = series?.order == null ? RECORDED : seriesStyle(series.order, series.variant);
  const fill = FILLS[Math.min(series?.group ?? 0, FILLS.length - 1)] ?? 0.3;
  return { ...style, fill, reading: series?.reading ?? false };
}

const INK: Look = { ...RECORDED, fill: 0.6, reading: false };

/** Strokes the current path, `width` px wide. */
export function stroke(
  ctx: Surface,
  ink: Ink,
  colour: Style['colour'],
  width: number,
  dash: readonly number[] = [],
): void {
  ctx.strokeStyle = ink.paint(colour);
  ctx.lineWidth = width;
  ctx.setLineDash([...dash]);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** Dash of the outline of boxes and bars, px: dashed for a reading of an incomplete source. */
export const outline = ({ reading }: Pick<Look, 'reading'>): readonly number[] => (reading ? [3, 2] : []);

/** Fills the current path over the background, hatched for a reading of an incomplete source. */
export function tinted(ctx: Surface, ink: Ink, look: Pick<Look, 'colour' | 'fill' | 'reading'>): void {
  ctx.fillStyle = ink.paint('bg-1');
  ctx.fill();
  ctx.fillStyle = look.reading
    ? ink.hatch(look.colour === 'recorded' ? 'recorded' : look.colour)
    : ink.paint(look.colour);
  ctx.globalAlpha = look.reading ? 1 : look.fill;
  ctx.fill();
  ctx.globalAlpha = 1;
}

/** Draws a box with whiskers, outliers as crosses. Returns the place of its label, px. */
export function drawBox(
  ctx: Surface,
  ink: Ink,
  mark: Of<'box'>,
  look: Look,
  at: { frame: Frame; each: number; y: Value },
): { x: number; y: number } {
  const [x, width] = slot(mark, at.each, at.frame);
  const [low, lower, median, upper, high] = mark.five.map(at.y) as [number, number, number, number, number];
  const half = width / 2;
  ctx.beginPath();
  for (const [from, to] of [
    [low, lower],
    [upper, high],
  ] as const) {
    ctx.moveTo(x, from);
    ctx.lineTo(x, to);
  }
  for (const end of [low, high]) {
    ctx.moveTo(x - half * 0.55, end);
    ctx.lineTo(x + half * 0.55, end);
  }
  stroke(ctx, ink, look.colour, 1.2);
  ctx.beginPath();
  ctx.rect(x - half, upper, width, lower - upper);
  tinted(ctx, ink, look);
  stroke(ctx, ink, look.colour, 1.3, outline(look));
  ctx.beginPath();
  ctx.moveTo(x - half, median);
  ctx.lineTo(x + half, median);
  stroke(ctx, ink, 'ink-1', 2);
  ctx.beginPath();
  for (const value of mark.outliers) cross(ctx, x, at.y(value), 2.2);
  stroke(ctx, ink, look.colour, 1);
  // A box of one value is a line, so its marker identifies the series.
  if (mark.n === 1) drawMarker(ctx, ink, look.marker === 'none' ? { ...INK, marker: 'square' } : look, x, median, 3.4);
  const top = Math.min(high, ...mark.outliers.map(at.y));
  return { x, y: top - 5 };
}

/**
 * Draws a bar from zero with its interval, and the greatest value as a hollow square. Returns the place of its label,
 * px.
 */
export function drawBar(
  ctx: Surface,
  ink: Ink,
  mark: Of<'bar'>,
  look: Look,
  at: { frame: Frame; each: number; y: Value },
): { x: number; y: number } {
  const [x, width] = slot(mark, at.each, at.frame);
  const [zero, end] = [at.y(0), at.y(mark.value)];
  ctx.beginPath();
  ctx.rect(x - width / 2, Math.min(zero, end), width, Math.abs(zero - end));
  tinted(ctx, ink, look);
  stroke(ctx, ink, look.colour, 1, outline(look));
  const ends = mark.interval?.map(at.y);
  if (ends) {
    ctx.beginPath();
    ctx.moveTo(x, ends[0] ?? end);
    ctx.lineTo(x, ends[1] ?? end);
    stroke(ctx, ink, 'ink-1', 1.4);
  }
  if (mark.most !== null) {
    ctx.beginPath();
    ctx.rect(x - 3.2, at.y(mark.most) - 3.2, 6.4, 6.4);
    ctx.fillStyle = ink.paint('bg-1');
    ctx.fill();
    stroke(ctx, ink, 'ink-1', 1.2);
  }
  const far = [end, ...(ends ?? [])];
  return { x, y: mark.value < 0 ? Math.max(...far) + 12 : Math.min(...far) - 5 };
}

/**
 * Draws a cell of a matrix, `each` px wide and `row` px high, in the colour of its series with the opacity of its fill.
 * Returns its middle, px.
 */
export function drawCell(
  ctx: Surface,
  ink: Ink,
  mark: Of<'cell'>,
  look: Look,
  at: { frame: Frame; each: number; row: number },
): { x: number; y: number } {
  const [x, y] = [at.frame.left + at.each * mark.x, at.frame.top + at.row * mark.y];
  ctx.beginPath();
  ctx.rect(x + 1, y + 1, at.each - 2, at.row - 2);
  ctx.fillStyle = ink.paint(look.colour);
  ctx.globalAlpha = mark.fill;
  ctx.fill();
  ctx.globalAlpha = 1;
  stroke(ctx, ink, 'line-2', 1);
  return { x: x + at.each / 2, y: y + at.row / 2 };
}

/** The surface in the type that d3-shape wants: straight and stepped curves use only `moveTo` and `lineTo`. */
function context(ctx: Surface): CanvasRenderingContext2D {
  return ctx as unknown as CanvasRenderingContext2D;
}

/** Number of markers on a line without markers at its points, so that it can be told from others without its colour. */
const ALONG = 3;

/**
 * Index (from 0) of a line among the lines of its panel, and their number. Each line has its markers at other points,
 * so that equal lines are all seen.
 */
export interface Among {
  index: number;
  count: number;
}

/** Draws a line with its band and markers; `x` and `y` are the scales of its axes. */
export function drawLine(
  ctx: Surface,
  ink: Ink,
  mark: Of<'line'>,
  look: Look,
  x: Value,
  y: Value,
  { index, count }: Among = { index: 0, count: 1 },
): void {
  const curve = mark.look === 'step' ? curveStepAfter : curveLinear;
  const points = mark.points as [number, number][];
  if (mark.band.length === points.length && mark.band.some(([low, high]) => high > low)) {
    ctx.beginPath();
    area<[number, number]>(
      (point) => x(point[0]),
      (_, index) => y(mark.band[index]?.[0] ?? NaN),
      (_, index) => y(mark.band[index]?.[1] ?? NaN),
    )
      .curve(curve)
      .context(context(ctx))(points);
    ctx.fillStyle = ink.paint(look.colour);
    ctx.globalAlpha = 0.16;
    ctx.fill();
    ctx.globalAlpha = 1;
  }
  ctx.beginPath();
  path<[number, number]>(
    (point) => x(point[0]),
    (point) => y(point[1]),
  )
    .curve(curve)
    .context(context(ctx))(points);
  const [colour, width, dash] = lineStyle(mark.look, look);
  ctx.lineJoin = 'round';
  stroke(ctx, ink, colour, width, dash);
  const own = mark.look === 'series' || mark.look === 'step';
  if (mark.markers) for (const [at, value] of points) drawMarker(ctx, ink, look, x(at), y(value), 3.6);
  else if (own && count > 1 && look.marker !== 'none' && points.length > ALONG)
    for (let nth = 0; nth < ALONG; nth += 1) {
      const point = points[Math.floor((points.length * (nth + (index + 0.5) / count)) / ALONG)];
      if (point) drawMarker(ctx, ink, look, x(point[0]), y(point[1]), 3);
    }
}

/** Colour, width (px) and dash (px) of a line. */
export function lineStyle(kind: LineLook, look: Look): [Style['colour'], number, readonly number[]] {
  switch (kind) {
    case 'ink':
      return ['ink-1', 1.3, []];
    case 'ink_dashed':
      return ['ink-1', 1.3, [5, 3]];
    case 'thin':
      return ['ink-3', 1, [2, 3]];
    default:
      return [look.colour, look.colour === 'recorded' ? 2.2 : 1.8, look.dash];
  }
}

/** Adds a cross of half width `r` px to the current path. */
function cross(ctx: Surface, x: number, y: number, r: number): void {
  ctx.moveTo(x - r, y - r);
  ctx.lineTo(x + r, y + r);
  ctx.moveTo(x - r, y + r);
  ctx.lineTo(x + r, y - r);
}

/** Draws dots of one shape. */
export function drawDots(ctx: Surface, ink: Ink, mark: Of<'dots'>, look: Look, x: Value, y: Value): void {
  if (mark.points.length === 0) return;
  ctx.beginPath();
  for (const [at, value] of mark.points as [number, number][]) {
    const [cx, cy] = [x(at), y(value)];
    if (mark.shape === 'cross') cross(ctx, cx, cy, 2.6);
    else if (mark.shape === 'triangle') {
      ctx.moveTo(cx, cy - 3.4);
      ctx.lineTo(cx + 3.2, cy + 2.4);
      ctx.lineTo(cx - 3.2, cy + 2.4);
      ctx.closePath();
    } else {
      const r = mark.shape === 'ring' ? 4.2 : 1.8;
      ctx.moveTo(cx + r, cy);
      ctx.arc(cx, cy, r, 0, 2 * Math.PI);
    }
  }
  if (mark.shape === 'cross') {
    ctx.globalAlpha = 0.8;
    stroke(ctx, ink, 'ink-1', 1.1);
    ctx.globalAlpha = 1;
  } else if (mark.shape === 'ring') stroke(ctx, ink, look.colour, 1.4);
  else {
    ctx.fillStyle = ink.paint(mark.shape === 'triangle' ? 'ink-1' : look.colour);
    ctx.globalAlpha = 0.75;
    ctx.fill();
    ctx.globalAlpha = 1;
  }
}

/** Draws the marker of a series with its intervals in both directions. */
export function drawPoint(ctx: Surface, ink: Ink, mark: Of<'point'>, look: Look, x: Value, y: Value): void {
  const [cx, cy] = [x(mark.at[0]), y(mark.at[1])];
  ctx.beginPath();
  if (mark.across) {
    ctx.moveTo(x(mark.across[0]), cy);
    ctx.lineTo(x(mark.across[1]), cy);
  }
  if (mark.along) {
    ctx.moveTo(cx, y(mark.along[0]));
    ctx.lineTo(cx, y(mark.along[1]));
  }
  stroke(ctx, ink, look.colour, 1.4);
  drawMarker(ctx, ink, look.marker === 'none' ? { ...INK, marker: 'square' } : look, cx, cy, 4.4);
}
