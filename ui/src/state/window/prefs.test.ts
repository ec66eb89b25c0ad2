import { expect, it } from 'vitest';
import { Prefs, type Store } from './prefs.svelte';

function memory(initial?: string): Store & { text: string | null } {
  return {
    text: initial ?? null,
    getItem() {
      return this.text;
    },
    setItem(_key, value) {
      this.text = value;
    },
  };
}

it('remembers', () => {
  const store = memory();
  new Prefs(store).set('theme', 'dark');
  expect(new Prefs(store).get('theme')).toBe('dark');
  expect(new Prefs(store).get('replicates')).toBe(200);
});

it('survives a broken store', () => {
  expect(new Prefs(memory('{')).get('theme')).toBe('system');
  const full: Store = {
    getItem: () => null,
    setItem: () => {
      throw new Error('full');
    },
  };
  const prefs = new Prefs(full);
  prefs.set('speed', 100);
  expect(prefs.get('speed')).toBe(100);
});
