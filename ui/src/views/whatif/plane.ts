import { extent } from 'd3-array';
import { fixed } from '../../format';
import type { ParamSpec, SweepPoint } from '../../ipc/gen/types';
import type { Style } from '../../plot/series';

/** One setting in the plane: how long it waits against how often it is too early. */
export interface PlanePoint {
  w: number;
  b: number;
  value: number;
}

export interface Curve {
  key: string;
  name: string;
  param: ParamSpec;
  style: Style;
  points: PlanePoint[];
  subject: boolean;
}

/** The points of a sweep that have both measures. */
export function planePoints(sweep: readonly SweepPoint[] | undefined): PlanePoint[] {
  return (sweep ?? []).flatMap(({ value, metrics }) => {
    const [w, b] = [metrics.w?.mean, metrics.b?.mean];
    return w !== null && w !== undefined && b !== null && b !== undefined ? [{ w, b, value }] : [];
  });
}

/** Settings that no other one beats in both measures, from quick to careful. */
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

/** `K strong 0.5`. */
export function setting(param: ParamSpec, value: number): string {
  return `${param.label} ${short(param, value)}`;
}

export function short(param: ParamSpec, value: number): string {
  const text = fixed(value, value >= 10 || Number.isInteger(value) ? 0 : value >= 1 ? 1 : 3)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
  return withUnit(param, text);
}

/** A number of a parameter with its unit, where it has one. */
export function withUnit(param: ParamSpec, text: string): string {
  return param.unit === 'seconds' ? `${text} s` : text;
}

/** Round limits that hold all values with some air, logarithmic. */
export function logLimits(values: readonly number[], air: number): [number, number] {
  const [low, high] = extent(values.filter((value) => value > 0 && Number.isFinite(value)));
  return low === undefined ? [0.1, 10] : [low / air, high * air];
}

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Label {
  key: string;
  text: string;
  x: number;
  y: number;
}

/** Width of a letter of a label, on average. */
export const LETTER = 5.9;

/** Small boxes along a curve: what a label should not cover. */
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

const shared = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

export const boxOf = ({ text, x, y }: Pick<Label, 'text' | 'x' | 'y'>): Box => ({
  left: x,
  right: x + text.length * LETTER,
  top: y - 10,
  bottom: y + 3,
});

/** Labels beside their points, where they cover neither each other nor what is `taken`; else where they cover the least. */
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
      // The nearest first.
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
