import { expect, it } from 'vitest';
import { History } from './history.svelte';

it('undoes a stroke at once and redoes it', () => {
  const history = new History(0);
  history.set(1, 'k', 0);
  history.set(2, 'k', 100);
  history.set(3, 'k', 200);
  history.set(9, 'other', 300);
  history.undo();
  expect(history.now).toBe(3);
  history.undo();
  expect([history.now, history.canUndo]).toEqual([0, false]);
  history.redo();
  history.redo();
  expect([history.now, history.canRedo]).toEqual([9, false]);
});

it('starts a new stroke after a pause, and forgets the future on a change', () => {
  const history = new History(0);
  history.set(1, 'k', 0);
  history.set(2, 'k', 5_000);
  history.undo();
  expect(history.now).toBe(1);
  history.set(7, 'k', 9_000);
  expect(history.canRedo).toBe(false);
});
