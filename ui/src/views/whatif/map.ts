import { extent } from 'd3-array';
import type { SweepPoint } from '../../ipc/gen/types';

export interface Cell {
  value: number;
  across: number;
  /** Mean of the measure; null where it does not apply. */
  mean: number | null;
  support: number | null;
}

/** A sweep of two parameters as a grid. */
export interface Grid {
  /** Values of the parameter along the foot, ascending. */
  columns: number[];
  /** Values of the other one, ascending. */
  rows: number[];
  /** Row by row; undefined where the sweep has no such point. */
  cells: (Cell | undefined)[];
  low: number;
  high: number;
  /** Place of the best mean, -1 where nothing applies. */
  best: number;
}

const ascending = (values: Iterable<number>) => [...new Set(values)].sort((a, b) => a - b);

/** The points of a sweep of two parameters, by their values. */
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
