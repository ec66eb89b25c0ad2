import { describe, expect, it, vi } from 'vitest';
import type { Backend } from '../ipc/backend';
import { Network, same } from './network.svelte';
import { Viewport } from './viewport.svelte';

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
    network.wantLoad(0, 10.4);
    network.wantLoad(0, 10.2);
    network.wantSeries(viewport, 400, { kind: 'link', id: 3 });
    network.wantSeries(viewport, 400, { kind: 'node', id: 2 });
    // Four pixels a bin, at the level of detail of the tile.
    const bins = Math.round(viewport.tile(400).px / 4);
    expect(asked).toEqual([
      ['network_load', { capture: 7, t0: 0, t1: 10 }],
      ['network_series', { capture: 7, t0: 0, t1: 1000 * S, bins, link: 3, node: null }],
      ['network_series', { capture: 7, t0: 0, t1: 1000 * S, bins, link: null, node: 2 }],
    ]);
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
