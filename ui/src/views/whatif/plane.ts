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
  return param.unit === 'seconds' ? `${text} s` : text;
}

/** Round limits that hold all values with some air, logarithmic. */
export function logLimits(values: readonly number[], air: number): [number, number] {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  if (positive.length === 0) return [0.1, 10];
  const [low, high] = [Math.min(...positive), Math.max(...positive)];
  return [low / air, high * air];
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
const LETTER = 5.9;

/** Labels beside their points, where they cover neither each other nor what is `taken`. */
export function placeLabels(labels: readonly Label[], inside: Box, taken: readonly Box[]): Label[] {
  const used = [...taken];
  return labels.map((label) => {
    const width = label.text.length * LETTER;
    const boxOf = ([dx, dy]: readonly [number, number]): Box => ({
      left: label.x + dx,
      right: label.x + dx + width,
      top: label.y + dy - 10,
      bottom: label.y + dy + 3,
    });
    const places = [
      [-8 - width, 4],
      [8, -6],
      [4, -12],
      [-width - 4, -12],
      [8, 14],
      [-width - 4, 18],
      [8, -22],
      [8, 30],
    ] as const;
    const free = (box: Box) =>
      box.left >= inside.left &&
      box.right <= inside.right &&
      box.top >= inside.top &&
      box.bottom <= inside.bottom &&
      used.every(
        (other) => box.right < other.left || box.left > other.right || box.bottom < other.top || box.top > other.bottom,
      );
    const [dx, dy] = places.find((place) => free(boxOf(place))) ?? [8, -6];
    used.push(boxOf([dx, dy]));
    return { ...label, x: label.x + dx, y: label.y + dy };
  });
}
