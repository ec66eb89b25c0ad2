import { expect, it } from 'vitest';
import { empty } from '../../ipc/arrow';
import { LANE_COLUMNS } from '../../ipc/gen/commands';
import { byRun } from './lanes';

const RECORDED = 0xffffffff;

it('parts a reply into its behaviours, without a copy', () => {
  const run = Uint32Array.of(7, 7, RECORDED, RECORDED, RECORDED, 2);
  const t0 = Float64Array.of(1, 2, 3, 4, 5, 6);
  const parts = byRun({ ...empty(LANE_COLUMNS), length: 6, run, t0 }, [7, null, 2, 9]);
  expect([...parts].map(([key, { length, t0 }]) => [key, length, [...t0]])).toEqual([
    [7, 2, [1, 2]],
    [null, 3, [3, 4, 5]],
    [2, 1, [6]],
    [9, 0, []],
  ]);
  expect(parts.get(null)?.t0.buffer).toBe(t0.buffer);
});
