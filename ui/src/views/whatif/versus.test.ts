import { describe, expect, it } from 'vitest';
import { held, roomFor } from './versus';

describe('the axis of an interval strip', () => {
  it('holds all values on round limits, and no negative ones where there are none', () => {
    expect(roomFor(2.1, 9.7, 0.1)).toEqual([0, 12]);
    expect(roomFor(0, 0, 0.01)[0]).toBe(0);
    expect(roomFor(-0.4, 0.9, 0.1)[0]).toBeLessThan(-0.4);
    const [low, high] = roomFor(5, 5, 0.1);
    expect(low).toBeLessThan(5);
    expect(high).toBeGreaterThan(5);
  });

  it('stays while a slider moves values within it', () => {
    const first = roomFor(2, 18, 0.1);
    for (const [low, high] of [
      [3, 17],
      [4, 12],
      [2.5, 9],
    ] as const)
      expect(held(first, roomFor(low, high, 0.1))).toBe(first);
  });

  it('grows to both where values leave it, and ends where they fill little of it', () => {
    const first = roomFor(2, 18, 0.1);
    const wider = held(first, roomFor(10, 30, 0.1));
    expect(wider[0]).toBe(first[0]);
    expect(wider[1]).toBeGreaterThanOrEqual(30);
    const far = roomFor(300, 340, 1);
    expect(held(first, far)).toBe(far);
    const narrow = roomFor(2.0, 2.4, 0.01);
    expect(held(first, narrow)).toBe(narrow);
  });
});
