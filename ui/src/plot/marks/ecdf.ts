// Drawing of empirical distribution functions: lines with their bands, and labels beside the lines.
import { bisectLeft } from 'd3-array';
import { drawMarker } from '../glyphs';
import type { ValueScale } from '../scale';
import type { Style } from '../series';
import type { Ink, Surface } from '../surface';

/** Empirical distribution of completion times. All lists have one length, sorted by time. */
export interface EcdfCurve {
  name: string;
  style: Style;
  /** Times, in the unit of the horizontal scale. */
  times: readonly number[];
  /** Share of exchanges that were complete by each time, 0 to 1. */
  share: readonly number[];
  /** Lower and upper end of its band at each time; empty where it has none. */
  low: readonly number[];
  high: readonly number[];
}

/** Scales of a plot of distributions. */
export interface EcdfPlace {
  x: ValueScale;
  y: ValueScale;
}

/** Places of the markers on a curve, as shares of its height. */
const MARKED = [0.25, 0.5, 0.75];
/** Opacity of a band, 0 to 1. */
const BAND = 0.14;

function trace(ctx: Surface, { x, y }: EcdfPlace, times: readonly number[], shares: readonly number[]): void {
  times.forEach((time, at) => {
    const [px, py] = [x(time), y(shares[at] ?? 0)];
    if (at === 0) ctx.moveTo(px, py);
    else ctx.lineTo(px, py);
  });
}

/** Index of the first time at which a curve reaches the share `part` of its own height. */
function reached({ share }: EcdfCurve, part: number): number {
  return Math.min(share.length - 1, bisectLeft(share, part * (share.at(-1) ?? 0)));
}

/** Draws bands, then lines, then markers. */
export function drawEcdf(ctx: Surface, ink: Ink, curves: readonly EcdfCurve[], place: EcdfPlace): void {
  for (const { times, low, high, style } of curves) {
    if (low.length === 0) continue;
    ctx.beginPath();
    trace(ctx, place, times, high);
    for (let at = times.length - 1; at >= 0; at--) ctx.lineTo(place.x(times[at] ?? 0), place.y(low[at] ?? 0));
    ctx.closePath();
    ctx.fillStyle = ink.paint(style.colour);
    ctx.globalAlpha = BAND;
    ctx.fill();
  }
  ctx.globalAlpha = 1;
  for (const { times, share, style } of curves) {
    ctx.beginPath();
    trace(ctx, place, times, share);
    ctx.strokeStyle = ink.paint(style.colour);
    ctx.lineWidth = style.colour === 'recorded' ? 2.2 : 1.6;
    ctx.setLineDash([...style.dash]);
    ctx.stroke();
  }
  ctx.setLineDash([]);
  for (const curve of curves) {
    if (curve.style.marker === 'none') continue;
    for (const part of MARKED) {
      const at = reached(curve, part);
      drawMarker(ctx, ink, curve.style, place.x(curve.times[at] ?? 0), place.y(curve.share[at] ?? 0), 3);
    }
  }
}

/** Number of primitives that {@link drawEcdf} makes. */
export const ecdfWeight = (curves: readonly EcdfCurve[]): number => curves.length * 5;

/** A label with its place, and the point of its curve that a line leads to; px. */
export interface EcdfLabel {
  name: string;
  style: Style;
  x: number;
  y: number;
  anchor: 'start' | 'end';
  to: readonly [x: number, y: number];
}

/** Width of the widest letter of a label, and height of a line, px. */
const LETTER = 6.6;
const LINE = 13;

type Box = readonly [left: number, top: number, right: number, bottom: number];
const meet = (a: Box, b: Box) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/** Every second point of a curve, px: enough to see how much a label covers. */
function pointsOf({ times, share }: EcdfCurve, { x, y }: EcdfPlace): (readonly [number, number])[] {
  return times.flatMap((time, at) => (at % 2 === 0 ? [[x(time), y(share[at] ?? 0)] as const] : []));
}

/**
 * Places labels of the curves within `width` × `height` px, none over another and each over as little of the curves as
 * there is room for. A curve without room for its label has none.
 */
export function ecdfLabels(curves: readonly EcdfCurve[], place: EcdfPlace, width: number, height: number): EcdfLabel[] {
  const points = curves.flatMap((curve) => pointsOf(curve, place));
  const taken: Box[] = [];
  return curves.flatMap((curve) => {
    const wide = curve.name.length * LETTER + 4;
    const candidates = [0.35, 0.5, 0.65, 0.8, 0.2].flatMap((part) => {
      const at = reached(curve, part);
      const [px, py] = [place.x(curve.times[at] ?? 0), place.y(curve.share[at] ?? 0)];
      return [14, 44, 90].flatMap((off) =>
        (['end', 'start'] as const).flatMap((anchor) =>
          [0, -18, 18, -40, 40].map((dy) => {
            const x = anchor === 'end' ? px - off : px + off;
            const left = anchor === 'end' ? x - wide : x;
            const box: Box = [left, py + dy - LINE + 3, left + wide, py + dy + 4];
            return { x, y: py + dy + 3.5, anchor, to: [px, py] as const, box, off: off + Math.abs(dy) };
          }),
        ),
      );
    });
    const room = candidates.filter(
      ({ box }) =>
        box[0] >= 0 && box[1] >= 0 && box[2] <= width && box[3] <= height && !taken.some((other) => meet(box, other)),
    );
    const covered = (box: Box) =>
      points.filter(([x, y]) => x > box[0] - 2 && x < box[2] + 2 && y > box[1] && y < box[3]).length;
    const cost = ({ box, off }: (typeof candidates)[number]) => covered(box) * 60 + off;
    const [first, ...rest] = room;
    if (!first) return [];
    const best = rest.reduce((a, b) => (cost(b) < cost(a) ? b : a), first);
    taken.push(best.box);
    return [{ name: curve.name, style: curve.style, x: best.x, y: best.y, anchor: best.anchor, to: best.to }];
  });
}
