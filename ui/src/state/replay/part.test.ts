import { describe, expect, test } from 'vitest';
import { Part } from './part.svelte';
import { settingsWords } from './settings';

describe('the part of a capture that is replayed', () => {
  test('by default everybody, from the beginning', () => {
    const part = new Part();
    expect(part.is).toBe(false);
    expect(part.given).toEqual({});
    expect(part.asked).toEqual({});
    expect(part.words(5)).toBe('');
  });

  test('clients that stay as recorded are listed once and in order', () => {
    const part = new Part();
    part.stay([4, 1, 4]);
    expect(part.given).toEqual({ as_recorded: [1, 4] });
    expect(part.asked).toEqual({ part: { as_recorded: [1, 4] } });
    expect(part.words(5)).toBe('2 of 5 clients as recorded');
  });

  test('what is given comes back from a session, and nothing else', () => {
    const [part, other] = [new Part(), new Part()];
    part.stay([2]);
    part.begin({ at: 331_000_000_000, warm: false });
    other.stay([0, 1]);
    other.restore(part.given);
    expect(other.given).toEqual({ as_recorded: [2], start: { at: 331_000_000_000, warm: false } });
    other.restore({});
    expect(other.is).toBe(false);
  });

  test('captions name the part and its start', () => {
    const part = new Part();
    part.stay([2]);
    part.begin({ at: 331_000_000_000, warm: true });
    const settings = { channel: 'empirical', workload: 'auto', seed: 1, replicates: 200 } as const;
    const of = { part, associations: Array.from({ length: 4 }) as never[] };
    expect(settingsWords(settings, of)).toBe(
      '200\u00a0replicates, seed 1, channel empirical, workload as detected, 1 of 4 clients as recorded, from 5:31.000 on, timers warm',
    );
  });
});
