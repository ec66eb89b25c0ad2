import { Delaunay } from 'd3-delaunay';

/**
 * Returns a search for the mark nearest to a place. Marks lie at `[x(mark), y(mark)]` px; the search gives null where
 * none is within `reach` px. The triangulation is made at the first search, so that a plot without a pointer costs
 * nothing.
 */
export function nearestOf<T>(
  marks: readonly T[],
  x: (mark: T) => number,
  y: (mark: T) => number,
): (px: number, py: number, reach: number) => T | null {
  let made: Delaunay<T> | undefined;
  return (px, py, reach) => {
    if (marks.length === 0) return null;
    made ??= Delaunay.from(marks, x, y);
    const mark = marks[made.find(px, py)];
    return mark !== undefined && Math.hypot(x(mark) - px, y(mark) - py) < reach ? mark : null;
  };
}
