import { expect, it } from 'vitest';
import { walk } from './walk';

it('arrows walk options in a ring, from either end where none is active', () => {
  expect(walk('ArrowDown', -1, 3)).toBe(0);
  expect(walk('ArrowUp', -1, 3)).toBe(2);
  expect(walk('ArrowDown', 2, 3)).toBe(0);
  expect(walk('ArrowUp', 0, 3)).toBe(2);
  expect(walk('ArrowDown', 0, 0)).toBe(0);
  expect(walk('Home', 1, 3)).toBeNull();
});
