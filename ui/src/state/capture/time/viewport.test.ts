import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Viewport } from './viewport.svelte';

const END = 1800e9;

describe('Viewport', () => {
  it('starts with the whole capture', () => {
    const viewport = new Viewport(0, END);
    expect([viewport.t0, viewport.t1, viewport.whole]).toEqual([0, END, true]);
  });

  it('zooms around a time and back', () => {
    const viewport = new Viewport(0, END);
    viewport.set(300e9, 500e9);
    viewport.zoom(0.5, 350e9);
    expect([viewport.t0, viewport.t1]).toEqual([325e9, 425e9]);
    viewport.zoom(2, 350e9);
    expect([viewport.t0, viewport.t1]).toEqual([300e9, 500e9]);
  });

  it('keeps its length at the ends', () => {
    const viewport = new Viewport(0, END);
    viewport.set(300e9, 500e9);
    viewport.pan(-1e15);
    expect([viewport.t0, viewport.t1]).toEqual([0, 200e9]);
    viewport.pan(1e15);
    expect([viewport.t0, viewport.t1]).toEqual([END - 200e9, END]);
  });

  it('never leaves the capture nor turns around, whatever the hand does', () => {
    const act = fc.oneof(
      fc.record({ kind: fc.constant('pan' as const), by: fc.double({ min: -2e12, max: 2e12, noNaN: true }) }),
      fc.record({ kind: fc.constant('zoom' as const), by: fc.double({ min: 1e-6, max: 1e6, noNaN: true }) }),
      fc.record({ kind: fc.constant('start' as const), by: fc.double({ min: -1e12, max: 3e12, noNaN: true }) }),
      fc.record({ kind: fc.constant('end' as const), by: fc.double({ min: -1e12, max: 3e12, noNaN: true }) }),
    );
    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
        const viewport = new Viewport(0, END);
        for (const { kind, by } of acts) {
          if (kind === 'pan') viewport.pan(by);
          else if (kind === 'zoom') viewport.zoom(by);
          else viewport.edge(kind, by);
          expect(viewport.t0).toBeGreaterThanOrEqual(0);
          expect(viewport.t1).toBeLessThanOrEqual(END);
          expect(viewport.length).toBeGreaterThanOrEqual(9_999);
        }
      }),
    );
  });

  it('asks for the same tile while it pans inside it', () => {
    const viewport = new Viewport(0, END);
    viewport.set(300e9, 440e9);
    const tile = viewport.tile(872);
    viewport.pan(1e9);
    expect(viewport.tile(872)).toEqual(tile);
    expect(viewport.contains(tile.t0, tile.t1)).toBe(true);
    expect((tile.t1 - tile.t0) / tile.px / (140e9 / 872)).toBeCloseTo(1, 0);
  });

  it('goes on from a shorter capture: all of it, its end, or where the reader is', () => {
    const before = new Viewport(0, 100e9);
    const after = () => {
      const viewport = new Viewport(0, 130e9);
      viewport.follow(before);
      return [viewport.t0, viewport.t1];
    };
    expect(after()).toEqual([0, 130e9]);
    before.set(80e9, 100e9);
    expect(after()).toEqual([110e9, 130e9]);
    before.pan(-30e9);
    expect(after()).toEqual([50e9, 70e9]);
  });
});
