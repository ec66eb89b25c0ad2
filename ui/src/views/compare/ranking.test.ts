import { expect, it } from 'vitest';
import type { Row } from './columns';
import { Ranking } from './ranking.svelte';

const row = (key: string, mean: number | null) =>
  ({ item: { key }, run: { metrics: { w: { mean } } } }) as unknown as Row;
const ROWS = [row('a', 3), row('b', 1), row('c', null), row('d', 2)];
const keys = (rows: readonly Row[]) => rows.map(({ item }) => item.key).join('');

it('turns from upwards to downwards to as it was, unknown always last', () => {
  const ranking = new Ranking();
  expect(keys(ranking.order(ROWS))).toBe('abcd');
  ranking.turn('w');
  expect(keys(ranking.order(ROWS))).toBe('bdac');
  ranking.turn('w');
  expect(keys(ranking.order(ROWS))).toBe('adbc');
  ranking.turn('w');
  expect(ranking.by).toBeNull();
  expect(keys(ranking.order(ROWS))).toBe('abcd');
});

it('keeps what is pinned before the others, each part in its order', () => {
  const ranking = new Ranking();
  expect(keys(ranking.order(ROWS, ['d', 'b', 'gone']))).toBe('bdac');
  ranking.turn('w');
  ranking.turn('w');
  expect(keys(ranking.order(ROWS, ['c', 'b']))).toBe('bcad');
});
