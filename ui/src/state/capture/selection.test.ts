import { expect, it } from 'vitest';
import { Selection } from './selection.svelte';

it('lets only the publisher clear a hover', () => {
  const selection = new Selection();
  selection.hover('timeline', 7);
  selection.hover('table', null);
  expect(selection.hovered).toBe(7);
  selection.hover('timeline', null);
  expect(selection.hovered).toBeNull();
});

it('selects by exchange and clears for anyone', () => {
  const selection = new Selection();
  selection.select(7);
  expect(selection.exchange).toBe(7);
  selection.select(null);
  expect(selection.exchange).toBeNull();
});
