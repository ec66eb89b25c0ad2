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

it('reads a preference under its former name, and stores it under its present one', () => {
  const store = memory('{"weather":true,"speed":20}');
  const prefs = new Prefs(store);
  expect([prefs.get('channelStates'), prefs.get('speed')]).toEqual([true, 20]);
  prefs.set('speed', 30);
  expect(JSON.parse(store.text ?? '')).toMatchObject({ channelStates: true, speed: 30 });
  expect(store.text).not.toContain('weather');
  expect(new Prefs(memory('{"channelStates":false,"weather":true}')).get('channelStates')).toBe(false);
});

it('leaves the channel to the capture, unless a reader chose another one', () => {
  expect(new Prefs(memory()).get('channel')).toBe('auto');
  // Texts of before had the default of then in them.
  expect(new Prefs(memory('{"channel":"empirical","speed":20}')).get('channel')).toBe('auto');
  expect(new Prefs(memory('{"channel":"queued"}')).get('channel')).toBe('queued');
  const store = memory('{"channel":"empirical"}');
  new Prefs(store).set('channel', 'empirical');
  expect(new Prefs(store).get('channel')).toBe('empirical');
});
