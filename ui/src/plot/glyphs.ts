// Outlines of the markers of series, one set for legend, plot and files.
import { symbolCircle, type SymbolType } from 'd3-shape';
import type { Marker, Style } from './series';
import { Recorder, type Ink, type Surface } from './surface';

type Vertex = readonly [x: number, y: number];
type Outline = Pick<Surface, 'moveTo' | 'lineTo' | 'arc' | 'closePath'>;

/** Symbol size in d3-shape's unit: the area of a circle of radius `r` px. */
const sizeOf = (r: number): number => Math.PI * r * r;
const radiusOf = (size: number): number => Math.sqrt(size / Math.PI);

/** A d3-shape symbol with the vertices that `at` gives for a radius in px. */
function polygon(at: (r: number) => readonly Vertex[]): SymbolType {
  return {
    draw(context, size) {
      at(radiusOf(size)).forEach(([x, y], index) => (index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
      context.closePath();
    },
  };
}

/** Vertices of two crossing bars, turned by `turn` radians. */
function bars(r: number, turn: number): Vertex[] {
  const [arm, half, c, s] = [r * 1.3, r * 0.45, Math.cos(turn), Math.sin(turn)];
  const upright: Vertex[] = [
    [-half, -arm],
    [half, -arm],
    [half, -half],
    [arm, -half],
    [arm, half],
    [half, half],
    [half, arm],
    [-half, arm],
    [-half, half],
    [-arm, half],
    [-arm, -half],
    [-half, -half],
  ];
  return upright.map(([x, y]) => [x * c - y * s, x * s + y * c]);
}

/** Vertices of a star with five points of radius 1.4 `r` px. */
function star(r: number): Vertex[] {
  return Array.from({ length: 10 }, (_, k) => {
    const [angle, size] = [(k * Math.PI) / 5, k % 2 === 0 ? r * 1.4 : r * 0.6];
    return [Math.sin(angle) * size, -Math.cos(angle) * size];
  });
}

// d3-shape's own polygons have other proportions: at 3 px its triangle and star are hard to tell apart.
const SYMBOLS: Readonly<Record<Exclude<Marker, 'none'>, SymbolType>> = {
  circle: symbolCircle,
  diamond: polygon((r) => [[0, -r * 1.25], [r * 1.25, 0], [0, r * 1.25], [-r * 1.25, 0]]), // prettier-ignore
  triangle: polygon((r) => [[0, -r * 1.25], [r * 1.2, r * 0.95], [-r * 1.2, r * 0.95]]), // prettier-ignore
  'triangle-down': polygon((r) => [[0, r * 1.25], [r * 1.2, -r * 0.95], [-r * 1.2, -r * 0.95]]), // prettier-ignore
  square: polygon((r) => [[-r, -r], [r, -r], [r, r], [-r, r]]), // prettier-ignore
  plus: polygon((r) => bars(r, 0)),
  cross: polygon((r) => bars(r, Math.PI / 4)),
  star: polygon(star),
};

/** An outline moved to (`x`, `y`): surfaces have no transform. */
function movedTo(ctx: Outline, x: number, y: number): Outline {
  return {
    moveTo: (px, py) => ctx.moveTo(x + px, y + py),
    lineTo: (px, py) => ctx.lineTo(x + px, y + py),
    arc: (px, py, r, from, to) => ctx.arc(x + px, y + py, r, from, to),
    closePath: () => ctx.closePath(),
  };
}

/** Adds the outline of a marker of radius `r` px around (`x`, `y`) to the current path; nothing for `none`. */
export function traceGlyph(ctx: Outline, marker: Marker, x: number, y: number, r: number): void {
  if (marker === 'none') return;
  SYMBOLS[marker].draw(movedTo(ctx, x, y) as CanvasRenderingContext2D, sizeOf(r));
}

/** The outline of a marker of radius `r` px around the origin as SVG path data; empty for `none`. */
export function markerPath(marker: Marker, r: number): string {
  const recorder = new Recorder();
  recorder.beginPath();
  traceGlyph(recorder, marker, 0, 0, r);
  return recorder.path;
}

/** Draws a series' marker: filled with its colour, or hollow. A series without one gets a circle. */
export function drawMarker(ctx: Surface, ink: Ink, look: Style, x: number, y: number, r: number): void {
  ctx.beginPath();
  traceGlyph(ctx, look.marker === 'none' ? 'circle' : look.marker, x, y, r);
  ctx.fillStyle = ink.paint(look.hollow ? 'bg-1' : look.colour);
  ctx.fill();
  ctx.strokeStyle = ink.paint(look.hollow ? look.colour : 'bg-1');
  ctx.lineWidth = 1.1;
  ctx.stroke();
}
