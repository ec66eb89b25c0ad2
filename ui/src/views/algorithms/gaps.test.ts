import { expect, it } from 'vitest';
import { gapPlot } from './gaps';

const S = 1e9;

it('puts both axes on one scale, and says what fits', () => {
  const { marks, ticks } = gapPlot([
    { seen: 2.5 * S, shortest: 2 * S, longest: 3 * S },
    { seen: 12 * S, shortest: 4 * S, longest: 6 * S },
    { seen: 0.5 * S, shortest: 0.5 * S, longest: 0.5 * S },
  ]);
  expect(marks.map(({ fits }) => fits)).toEqual([true, false, true]);
  // Gap as long as the only timeout it could be: on the diagonal.
  expect(marks[2]?.x).toBeCloseTo(marks[2]?.y ?? NaN);
  // Longer than any: above it.
  expect(marks[1]?.y).toBeGreaterThan(marks[1]?.high ?? NaN);
  expect(ticks).toEqual([0.5, 1, 2, 5, 10]);
  for (const { x, y } of marks) {
    expect(x).toBeGreaterThan(0);
    expect(y).toBeLessThan(1);
  }
});

it('marks powers of ten alone where there are many', () => {
  const one = (seconds: number) => ({ seen: seconds * S, shortest: seconds * S, longest: seconds * S });
  expect(gapPlot([one(0.3), one(90)]).ticks).toEqual([1, 10, 100]);
  expect(gapPlot([one(0.15), one(0.6)]).ticks).toEqual([0.2, 0.5]);
});

it('has nothing to show of nothing', () => {
  expect(gapPlot([])).toMatchObject({ marks: [], ticks: [] });
});
