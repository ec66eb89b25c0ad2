import { expect, it, vi } from 'vitest';
import { Actions, chord, keyLabel, keepsKeys, match } from './actions.svelte';

const key = (key: string, change: Partial<KeyboardEvent> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...change,
});

it('names chords', () => {
  expect(chord(key('k', { ctrlKey: true }), false)).toBe('Mod+K');
  expect(chord(key('k', { metaKey: true }), true)).toBe('Mod+K');
  expect(chord(key('Z', { ctrlKey: true, shiftKey: true }), false)).toBe('Mod+Shift+Z');
  expect(chord(key('?', { shiftKey: true }), false)).toBe('?');
  expect(chord(key(' '), false)).toBe('Space');
  expect(chord(key('F6', { shiftKey: true }), false)).toBe('Shift+F6');
});

it('shows chords', () => {
  expect(keyLabel('Mod+K', false)).toBe('Ctrl K');
  expect(keyLabel('Mod+Shift+Z', true)).toBe('⌘⇧Z');
  expect(keyLabel('Shift+ArrowUp', false)).toBe('Shift ↑');
  expect(keyLabel('+', false)).toBe('+');
});

it('runs what a key means, but not while someone types', () => {
  const actions = new Actions();
  const [play, palette] = [vi.fn(), vi.fn()];
  const stop = actions.register(() => [
    { id: 'play', title: 'Play', group: 'Replay', keys: ['Space'], run: play },
    { id: 'palette', title: 'Commands', group: 'Help', keys: ['Mod+K'], run: palette },
    { id: 'no', title: 'No', group: 'Help', keys: ['N'], run: play, disabled: true },
  ]);
  const press = (target: Element, init: KeyboardEventInit) => {
    const event = new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true });
    Object.defineProperty(event, 'target', { value: target });
    return actions.press(event);
  };
  const [input, button] = [document.createElement('input'), document.createElement('button')];
  expect(press(document.body, { key: ' ' })).toBe(true);
  expect(press(button, { key: ' ' })).toBe(false);
  expect(press(input, { key: ' ' })).toBe(false);
  expect(press(document.body, { key: 'n' })).toBe(false);
  expect(press(input, { key: 'k', ctrlKey: true })).toBe(true);
  expect([play.mock.calls.length, palette.mock.calls.length]).toEqual([1, 1]);
  expect(keepsKeys(input, '1')).toBe(true);
  stop();
  expect(actions.all).toEqual([]);
});

it('finds commands by letters in order, word starts first', () => {
  expect(match('Show Timeline', 'xyz')).toBeNull();
  const better = match('Views Show Timeline', 'time') ?? -99;
  expect(better).toBeGreaterThan(match('Replay Step to any event in me', 'time') ?? -99);
});
