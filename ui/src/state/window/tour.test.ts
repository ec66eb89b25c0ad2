import { expect, it } from 'vitest';
import { Prefs } from './prefs.svelte';
import { STOPS, Tour } from './tour.svelte';

it('has four steps, is offered once, and may be taken again', () => {
  const store = new Map<string, string>();
  const prefs = () =>
    new Prefs({ getItem: (key) => store.get(key) ?? null, setItem: (key, text) => void store.set(key, text) });
  expect(STOPS.length).toBe(4);
  const tour = new Tour(prefs());
  tour.offer();
  expect(tour.step).toBe(0);
  tour.go(-1);
  expect(tour.step).toBe(0);
  for (let k = 0; k < 4; k += 1) tour.go(1);
  expect(tour.step).toBe(null);
  const later = new Tour(prefs());
  later.offer();
  expect(later.step).toBe(null);
  later.restart();
  expect(later.stop?.view).toBe('timeline');
  later.end();
  expect(later.stop).toBe(null);
});
