// Distances between nodes, and the separation of nodes that overlap.
import type { Point } from '../../plot/marks/network';

/** Passes of the separation, at most; each moves every overlapping pair apart in turn. */
const PASSES = 40;

/** Smallest distance between any two points, in their unit; Infinity for fewer than two. */
export function nearest(points: readonly Point[]): number {
  let least = Infinity;
  points.forEach(([x, y], a) => {
    for (const [u, v] of points.slice(a + 1)) least = Math.min(least, Math.hypot(u - x, v - y));
  });
  return least;
}

/**
 * Moves points (px) apart that are nearer than the sum of their `rooms`, the radius in px that each needs by position,
 * and keeps them inside `width` by `height`. Deterministic: pairs are taken in order of position.
 */
export function apart(points: readonly Point[], rooms: (id: number) => number, width: number, height: number): Point[] {
  const moved = points.map(([x, y]): [number, number] => [x, y]);
  for (let pass = 0; pass < PASSES; pass += 1) {
    let still = true;
    moved.forEach((one, a) => {
      for (let b = a + 1; b < moved.length; b += 1) {
        const other = moved[b] ?? one;
        const [dx, dy] = [other[0] - one[0], other[1] - one[1]];
        const distance = Math.hypot(dx, dy);
        const room = rooms(a) + rooms(b);
        if (distance >= room) continue;
        still = false;
        // Points at one place part in directions of their own: multiples of the golden angle, in radians.
        const [ux, uy] =
          distance > 1e-6 ? [dx / distance, dy / distance] : [Math.cos(2.399963 * b), Math.sin(2.399963 * b)];
        const push = (room - distance) / 2 + 1e-3;
        one[0] -= ux * push;
        one[1] -= uy * push;
        other[0] += ux * push;
        other[1] += uy * push;
      }
    });
    for (const [id, point] of moved.entries()) {
      const edge = rooms(id) + 1;
      point[0] = Math.max(edge, Math.min(width - edge, point[0]));
      point[1] = Math.max(edge, Math.min(height - edge, point[1]));
    }
    if (still) break;
  }
  return moved;
}
