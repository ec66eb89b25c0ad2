// Sweep over two parameters as a grid of cells.
import { extent } from 'd3-array';
import type { SweepPoint } from '../../ipc/gen/types';

/** Point of a sweep over two parameters. */
export interface Cell {
  /** Values of the parameter along the foot, and of the other one, in their natural units. */
  value: number;
  across: number;
  /** Mean of the measure in the unit of the core; null where it does not apply. */
  mean: number | null;
  /** Support, 0 to 1; null: not known, as through the network twin. */
  support: number | null;
}

/** Grid of a sweep over two parameters. */
export interface Grid {
  /** Values of the parameter along the foot, in its natural unit, ascending. */
  columns: number[];
  /** Values of the other parameter, in its natural unit, ascending. */
  rows: number[];
  /** Cells row by row; undefined where the sweep has no such point. */
  cells: (Cell | undefined)[];
  /** Least and greatest mean, in the unit of the core; 0 where nothing applies. */
  low: number;
  high: number;
  /** Position of the best mean in `cells`; -1 where nothing applies, or all means are equal. */
  best: number;
}

const ascending = (values: Iterable<number>) => [...new Set(values)].sort((a, b) => a - b);

/** Arranges the points of a sweep by their values, for the measure called `metric`. */
export function cells(sweep: readonly SweepPoint[], metric: string, smallerIsBetter: boolean): Grid {
  const points = sweep.flatMap(({ value, across, metrics }) => {
    const found = metrics[metric];
    return across === null ? [] : [{ value, across, mean: found?.mean ?? null, support: found?.support ?? null }];
  });
  const columns = ascending(points.map(({ value }) => value));
  const rows = ascending(points.map(({ across }) => across));
  const grid = rows.flatMap((across) =>
    columns.map((value): Cell | undefined => points.find((point) => point.value === value && point.across === across)),
  );
  const [low = 0, high = 0] = extent(points, ({ mean }) => mean ?? undefined);
  const best = low === high ? -1 : grid.findIndex((cell) => cell?.mean === (smallerIsBetter ? low : high));
  return { columns, rows, cells: grid, low, high, best };
}
