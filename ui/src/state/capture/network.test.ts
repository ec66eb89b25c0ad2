import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Backend } from '../../ipc/backend';
import { Network, byTime, same } from './network.svelte';
import { Viewport } from './time/viewport.svelte';

const S = 1e9;

function made(): { network: Network; asked: [string, unknown][] } {
  const asked: [string, unknown][] = [];
  const call = vi.fn((name: string, request: unknown) => {
    asked.push([name, request]);
    return Promise.resolve(
      name === 'network' ? { nodes: [{ client_of: [] }, { client_of: [4] }], links: [] } : { length: 0 },
    );
  });
  return { network: new Network({ call } as unknown as Backend, 7), asked };
}

describe('the network of a capture', () => {
  it('sums up the brush, or the time before the playhead', () => {
    const { network } = made();
    const viewport = new Viewport(0, 1000 * S);
    viewport.set(100 * S, 200 * S);
    expect(network.window(viewport, 500 * S)).toEqual([100 * S, 200 * S]);
    network.choose(60);
    expect(network.window(viewport, 500 * S)).toEqual([440 * S, 500 * S]);
    expect(network.window(viewport, 20 * S)).toEqual([0, 20 * S]);
  });
  it('asks for a window once, and for the series of what is selected', () => {
    const { network, asked } = made();
    const viewport = new Viewport(0, 1000 * S);
    network.wantLoad(0, 10.4, null);
    network.wantLoad(0, 10.2, null);
    network.wantLoad(0, 10.2, 3);
    viewport.set(100 * S, 200 * S);
    network.wantWhole(viewport, 3);
    viewport.set(0, 1000 * S);
    network.wantSeries(viewport, 400, { kind: 'link', id: 3 }, null);
    network.wantSeries(viewport, 400, { kind: 'node', id: 2 }, null);
    // Four pixels a bin, at the level of detail of the tile.
    const bins = Math.round(viewport.tile(400).px / 4);
    expect(asked).toEqual([
      ['network_load', { capture: 7, t0: 0, t1: 10, run: null }],
      ['network_load', { capture: 7, t0: 0, t1: 10, run: 3 }],
      ['network_load', { capture: 7, t0: 0, t1: 1000 * S, run: 3 }],
      ['network_series', { capture: 7, t0: 0, t1: 1000 * S, bins, link: 3, node: null, run: null }],
      ['network_series', { capture: 7, t0: 0, t1: 1000 * S, bins, link: null, node: 2, run: null }],
    ]);
  });
  it('counts in intervals that the reader chose', () => {
    const { network, asked } = made();
    const viewport = new Viewport(5 * S, 1005 * S);
    network.countBy(60);
    network.wantSeries(viewport, 400, null, null);
    // 1000 s in minutes: sixteen and a part of one.
    const whole = { t0: 5 * S, t1: (5 + 17 * 60) * S, bins: 17 };
    expect(asked).toEqual([['network_series', { capture: 7, ...whole, link: null, node: null, run: null }]]);
  });
  it('counts them from the start of the capture, all of the window, and never too many', () => {
    const start = 3 * S;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
        fc.constantFrom(0.1, 1, 10, 60, 600),
        (seconds, [a, b], length) => {
          const viewport = new Viewport(start, start + seconds * S);
          viewport.set(start + a * seconds * S, start + b * seconds * S);
          const { t0, t1, bins } = byTime(viewport, 900, length * S);
          const step = (t1 - t0) / bins;
          expect(bins).toBeLessThanOrEqual(4096);
          expect(step % (length * S)).toBe(0);
          expect((t0 - start) % step).toBe(0);
          expect(t0).toBeLessThanOrEqual(viewport.t0);
          expect(t1).toBeGreaterThanOrEqual(viewport.t1);
        },
      ),
    );
  });
  it('points at the lanes of a selected client', async () => {
    const { network } = made();
    network.want();
    await vi.waitFor(() => expect(network.view.value).toBeDefined());
    network.select({ kind: 'node', id: 1 });
    expect(network.lanes).toEqual([4]);
    network.select({ kind: 'link', id: 0 });
    expect(network.lanes).toEqual([]);
  });
  it('tells places apart', () => {
    expect(same({ kind: 'node', id: 1 }, { kind: 'link', id: 1 })).toBe(false);
    expect(same(null, null)).toBe(true);
  });
});
