import { expect, it } from 'vitest';
import type { SweepPoint } from '../../ipc/gen/types';
import { cells } from './map';

const point = (value: number, across: number | null, mean: number | null): SweepPoint => ({
  value,
  across,
  metrics: {
    w: { recorded: null, worst: null, best: null, mean, lo90: null, hi90: null, another: null, support: 0.5 },
  },
});

it('lays a sweep out by its values, in whatever order it came', () => {
  const grid = cells([point(4, 2, 8), point(1, 2, 3), point(4, 1, 7), point(1, 1, null)], 'w', true);
  expect(grid.columns).toEqual([1, 4]);
  expect(grid.rows).toEqual([1, 2]);
  expect(grid.cells.map((cell) => cell?.mean)).toEqual([null, 7, 3, 8]);
  expect([grid.low, grid.high]).toEqual([3, 8]);
});

it('knows the best of either kind of measure, and none where all are equal', () => {
  const sweep = [point(1, 1, 5), point(2, 1, 1), point(3, 1, 9)];
  expect(cells(sweep, 'w', true).best).toBe(1);
  expect(cells(sweep, 'w', false).best).toBe(2);
  expect(cells([point(1, 1, 5), point(2, 1, 5)], 'w', true).best).toBe(-1);
  expect(cells([], 'w', true)).toMatchObject({ columns: [], rows: [], cells: [], best: -1 });
});

it('leaves out curves, and says where a point is missing', () => {
  const grid = cells([point(1, 1, 5), point(2, 2, 6), point(9, null, 1)], 'w', true);
  expect(grid.columns).toEqual([1, 2]);
  expect(grid.cells.map((cell) => cell?.mean)).toEqual([5, undefined, undefined, 6]);
});
