// Points, front and labels of the trade-off plane.
import { extent } from 'd3-array';
import { fixed } from '../../format';
import type { ParamSpec, SweepPoint } from '../../ipc/gen/types';
import type { Style } from '../../plot/series';

/** Setting in the trade-off plane, by the measures `w` and `b` of the core. */
export interface PlanePoint {
  /** W: mean of timeout / latest round trip over good timeouts (Allman & Paxson, SIGCOMM 1999). */
  w: number;
  /** B: share of bad timeouts among all, 0 to 1 (ibid.). */
  b: number;
  /** Value of the swept parameter, in its natural unit. */
  value: number;
}

/** Curve of a timer over one swept parameter. */
export interface Curve {
  /** Slot of its sweep; equal for the same curve. */
  key: string;
  name: string;
  /** Parameter that is swept. */
  param: ParamSpec;
  style: Style;
  /** Points in the order of the sweep. */
  points: PlanePoint[];
  /** Whether it is that of the edited algorithm. */
  subject: boolean;
}

/** Points of a sweep at which both measures apply. */
export function planePoints(sweep: readonly SweepPoint[] | undefined): PlanePoint[] {
  return (sweep ?? []).flatMap(({ value, metrics }) => {
    const [w, b] = [metrics.w?.mean, metrics.b?.mean];
    return w !== null && w !== undefined && b !== null && b !== undefined ? [{ w, b, value }] : [];
  });
}

/**
 * Pareto front: points that no other equals or beats in both measures, in ascending order of W; one of equal points.
 */
export function paretoFront<T extends { w: number; b: number }>(points: readonly T[]): T[] {
  const front: T[] = [];
  let best = Infinity;
  for (const point of [...points].sort((p, q) => p.w - q.w || p.b - q.b)) {
    if (point.b < best) {
      front.push(point);
      best = point.b;
    }
  }
  return front;
}

/** Parameter with a value: `K strong 0.5`. */
export function setting(param: ParamSpec, value: number): string {
  return `${param.label} ${short(param, value)}`;
}

/** Value of a parameter with its unit: whole from 10 on, one decimal from 1 on, else three, without trailing zeros. */
export function short(param: ParamSpec, value: number): string {
  const text = fixed(value, value >= 10 || Number.isInteger(value) ? 0 : value >= 1 ? 1 : 3)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
  return withUnit(param, text);
}

/** Number of a parameter with its unit; only seconds have one. */
export function withUnit(param: ParamSpec, text: string): string {
  return param.unit === 'seconds' ? `${text} s` : text;
}

/**
 * Ends of a logarithmic axis for the positive values, with a factor of `air` free on both sides; 0.1 to 10 without any.
 */
export function logLimits(values: readonly number[], air: number): [number, number] {
  const [low, high] = extent(values.filter((value) => value > 0 && Number.isFinite(value)));
  return low === undefined ? [0.1, 10] : [low / air, high * air];
}

/** Rectangle by its edges, px. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Label: text, and its left end on the baseline, px. */
interface Label {
  key: string;
  text: string;
  x: number;
  y: number;
}

/** Mean width of a letter of a label, px. */
export const LETTER = 5.9;

/** Boxes of 6 by 6 px along a curve (px), at most `step` px apart, for labels to keep off. */
export function along(points: readonly { x: number; y: number }[], step = 6): Box[] {
  return points.flatMap((point, index) => {
    const to = points[index + 1] ?? point;
    const steps = Math.max(1, Math.ceil(Math.hypot(to.x - point.x, to.y - point.y) / step));
    return Array.from({ length: steps }, (_, k): Box => {
      const [x, y] = [point.x + ((to.x - point.x) * k) / steps, point.y + ((to.y - point.y) * k) / steps];
      return { left: x - 3, right: x + 3, top: y - 3, bottom: y + 3 };
    });
  });
}

/** Area that two boxes share, px². */
const shared = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

/** Box around a label. */
export const boxOf = ({ text, x, y }: Pick<Label, 'text' | 'x' | 'y'>): Box => ({
  left: x,
  right: x + text.length * LETTER,
  top: y - 10,
  bottom: y + 3,
});

/**
 * Places labels beside their points and `inside` a box, off each other and `taken` boxes, or where they cover the
 * least.
 */
export function placeLabels(labels: readonly Label[], inside: Box, taken: readonly Box[]): Label[] {
  const used = [...taken];
  return labels.map((label) => {
    const width = label.text.length * LETTER;
    const places = [-6, 4, 14, -18, 26, -30, 38]
      .flatMap((dy) => [
        [-8 - width, dy],
        [8, dy],
      ])
      .concat([
        [-width / 2, -10],
        [-width / 2, 18],
      ])
      // The nearest places first.
      .map(([dx = 0, dy = 0]) => ({ ...label, x: label.x + dx, y: label.y + dy, far: Math.abs(dy - 4) }))
      .sort((a, b) => a.far - b.far);
    const within = places.filter((place) => {
      const box = boxOf(place);
      return (
        box.left >= inside.left && box.right <= inside.right && box.top >= inside.top && box.bottom <= inside.bottom
      );
    });
    let best = within[0] ?? places[0];
    let least = Infinity;
    for (const place of within) {
      const box = boxOf(place);
      const covered = used.reduce((sum, other) => sum + shared(box, other), 0);
      if (covered < least) [best, least] = [place, covered];
      if (covered === 0) break;
    }
    const placed = best ? { key: label.key, text: label.text, x: best.x, y: best.y } : label;
    used.push(boxOf(placed));
    return placed;
  });
}
