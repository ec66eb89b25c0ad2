import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LaneRange } from '../../replies/lanes';
import type { RunOrRecorded } from '../../replies/lanes';
import { Tiles } from './tiles.svelte';
import { Viewport, type Tile } from './viewport.svelte';

/** Tiles whose questions are answered by hand, with the tile asked for. */
function byHand() {
  const asked: {
    runs: readonly RunOrRecorded[];
    tile: Tile;
    lanes: LaneRange;
    answer: () => void;
    fail: () => void;
  }[] = [];
  const tiles = new Tiles<Tile>(
    (runs, tile, _, lanes) =>
      new Promise((resolve, reject) => {
        asked.push({
          ...{ runs, tile, lanes },
          answer: () => {
            resolve(new Map(runs.map((run) => [run, tile])));
          },
          fail: () => {
            reject(new Error('no'));
          },
        });
      }),
  );
  const settled = () => vi.advanceTimersByTimeAsync(0);
  return { asked, tiles, settled };
}

const END = 1800e9;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('Tiles', () => {
  it('asks one question at a time, then the latest of those that came meanwhile', async () => {
    const { asked, tiles, settled } = byHand();
    const viewport = new Viewport(0, END);
    tiles.want(viewport, 1000, [null]);
    for (const zoom of [2, 8, 64]) {
      viewport.set(0, END / zoom);
      tiles.want(viewport, 1000, [null]);
    }
    expect(asked.length).toBe(1);
    asked[0]?.answer();
    await vi.advanceTimersByTimeAsync(500);
    expect(asked.length).toBe(2);
    expect(asked[1]?.tile).toEqual(viewport.tile(1000));
    asked[1]?.answer();
    await settled();
    expect(tiles.of(null)).toEqual(viewport.tile(1000));
  });

  it('asks for more than it shows while a zoom goes out, and for what it shows when the hand rests', async () => {
    const { asked, tiles, settled } = byHand();
    const viewport = new Viewport(0, END);
    viewport.set(900e9, 910e9);
    tiles.want(viewport, 1000, [null]);
    asked[0]?.answer();
    await settled();
    viewport.set(860e9, 950e9);
    tiles.want(viewport, 1000, [null]);
    const [, ahead] = asked;
    expect(ahead && ahead.tile.t0 <= 770e9 && ahead.tile.t1 >= 1040e9).toBe(true);
    ahead?.answer();
    await settled();
    // Inside of it nothing is asked while it moves.
    viewport.set(800e9, 1010e9);
    tiles.want(viewport, 1000, [null]);
    expect(asked.length).toBe(2);
    await vi.advanceTimersByTimeAsync(500);
    expect(asked.length).toBe(3);
    expect(asked[2]?.tile).toEqual(viewport.tile(1000));
    asked[2]?.answer();
    await settled();
    expect(tiles.of(null)).toEqual(viewport.tile(1000));
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked.length).toBe(3);
  });

  it('shows what comes while a hand moves with its next move, and when it rests', async () => {
    const { asked, tiles, settled } = byHand();
    const viewport = new Viewport(0, END);
    const zoom = (times: number) => {
      viewport.set(0, END / times);
      tiles.want(viewport, 1000, [null]);
    };
    const [all, some, few] = [1, 4, 16].map((times) => {
      viewport.set(0, END / times);
      return viewport.tile(1000);
    });
    zoom(1);
    asked[0]?.answer();
    await settled();
    expect(tiles.of(null), 'with nothing there nothing waits').toEqual(all);

    await vi.advanceTimersByTimeAsync(500);
    zoom(4);
    asked[1]?.answer();
    await settled();
    expect(tiles.of(null)).toEqual(all);
    zoom(4.01);
    await settled();
    expect(tiles.of(null)).toEqual(some);

    await vi.advanceTimersByTimeAsync(500);
    zoom(16);
    asked[2]?.answer();
    await vi.advanceTimersByTimeAsync(49);
    expect(tiles.of(null)).toEqual(some);
    await vi.advanceTimersByTimeAsync(1);
    expect(tiles.of(null)).toEqual(few);
  });

  it('asks nothing finer while a zoom goes out over what is there', async () => {
    const { asked, tiles, settled } = byHand();
    const viewport = new Viewport(0, END);
    viewport.set(900e9, 910e9);
    tiles.want(viewport, 1000, [null]);
    asked[0]?.answer();
    await settled();
    viewport.set(860e9, 950e9);
    tiles.want(viewport, 1000, [null]);
    asked[1]?.answer();
    await settled();
    for (let length = 92e9; length < 220e9; length *= 1.1) {
      viewport.set(905e9 - length / 2, 905e9 + length / 2);
      tiles.want(viewport, 1000, [null]);
      await vi.advanceTimersByTimeAsync(60);
    }
    expect(asked.length).toBe(2);
    await vi.advanceTimersByTimeAsync(200);
    expect(asked.map(({ tile }) => tile).slice(2)).toEqual([viewport.tile(1000)]);
  });

  it('asks ahead while a zoom goes out, before what is there is crowded', async () => {
    const { asked, tiles, settled } = byHand();
    const viewport = new Viewport(0, END);
    const show = async (length: number) => {
      viewport.set(900e9 - length / 2, 900e9 + length / 2);
      tiles.want(viewport, 1000, [null]);
      await settled();
    };
    const answer = async () => {
      asked.at(-1)?.answer();
      await settled();
    };
    await show(10e9);
    await answer();
    // One step is made finer when the hand rests, two are looked ahead of.
    await show(12.5e9);
    expect(asked.length).toBe(1);
    await show(15.6e9);
    expect(asked.length).toBe(2);
    const perPx = ({ t0, t1, px }: Tile) => (t1 - t0) / px;
    expect(Math.log2(perPx(asked[1]!.tile) / (15.6e9 / 1000))).toBeCloseTo(2, 0);
    await answer();
    await show(38e9);
    expect(asked.length).toBe(2);
    expect(viewport.contains(asked[1]!.tile.t0, asked[1]!.tile.t1)).toBe(true);
    // Still inside, and an answer takes a while.
    await show(40e9);
    expect(viewport.contains(asked[1]!.tile.t0, asked[1]!.tile.t1)).toBe(true);
    expect(asked.length).toBe(3);
    await show(60e9);
    await answer();
    // The held tile serves the present window; the gesture may go on.
    await vi.advanceTimersByTimeAsync(500);
    expect(asked.at(-1)?.tile).toEqual(viewport.tile(1000));
    await answer();
    await vi.advanceTimersByTimeAsync(500);
    expect(asked.length).toBe(4);
  });

  it('asks for the lanes in sight and some beside, and again when a scroll comes near the end of those', async () => {
    const { asked, tiles, settled } = byHand();
    const viewport = new Viewport(0, END);
    const scroll = async (first: number, last: number) => {
      tiles.want(viewport, 1000, [null], '', [first, last]);
      await vi.advanceTimersByTimeAsync(500);
      asked.at(-1)?.answer();
      await settled();
    };
    await scroll(0, 4);
    await scroll(2, 6);
    expect(asked.map(({ lanes }) => lanes)).toEqual([[0, 7]]);
    expect([0, 7, 8].map((lane) => tiles.has(lane))).toEqual([true, true, false]);
    await scroll(3, 7);
    await scroll(5, 9);
    await scroll(6, 10);
    await scroll(4, 8);
    await scroll(3, 7);
    expect(asked.map(({ lanes }) => lanes)).toEqual([
      [0, 7],
      [0, 10],
      [3, 13],
      [0, 10],
    ]);
    // Far away at once, without a wait for the pace.
    tiles.want(viewport, 1000, [null], '', [40, 44]);
    expect(asked.at(-1)?.lanes).toEqual([37, 47]);
    expect(tiles.has(40)).toBe(false);
    asked.at(-1)?.answer();
    await settled();
    expect(tiles.has(40)).toBe(true);
    tiles.want(viewport, 1000, [null]);
    expect(asked.at(-1)?.lanes).toBe(null);
  });

  it('asks again when a pan comes near the end of what is there', async () => {
    const { asked, tiles, settled } = byHand();
    const viewport = new Viewport(0, END);
    viewport.set(900e9, 1000e9);
    tiles.want(viewport, 1000, [null]);
    asked[0]?.answer();
    await settled();
    const end = asked[0]?.tile.t1 ?? 0;
    for (; viewport.t1 < end - 8e9; viewport.pan(1e9)) tiles.want(viewport, 1000, [null]);
    await vi.advanceTimersByTimeAsync(500);
    expect(asked.length).toBe(1);
    viewport.pan(3e9);
    expect(viewport.t1).toBeLessThan(end);
    tiles.want(viewport, 1000, [null]);
    await vi.advanceTimersByTimeAsync(500);
    expect(asked.length).toBe(2);
  });

  it('goes on after a failure', async () => {
    const { asked, tiles, settled } = byHand();
    const viewport = new Viewport(0, END);
    tiles.want(viewport, 1000, [null]);
    viewport.set(0, END / 64);
    tiles.want(viewport, 1000, [null]);
    asked[0]?.fail();
    await settled();
    expect(asked.length).toBe(2);
    expect(tiles.reply.pending).toBe(true);
  });

  it('asks for all runs in one question', async () => {
    const { asked, tiles, settled } = byHand();
    tiles.want(new Viewport(0, END), 1000, [null, 3]);
    expect(asked.map(({ runs }) => runs)).toEqual([[null, 3]]);
    expect([tiles.of(null), tiles.of(3)]).toEqual([undefined, undefined]);
    asked[0]?.answer();
    await settled();
    expect([tiles.of(null), tiles.of(3)]).toEqual([asked[0]?.tile, asked[0]?.tile]);
  });

  it('asks at once for a run that comes later, and only for that', async () => {
    const { asked, tiles, settled } = byHand();
    const viewport = new Viewport(0, END);
    tiles.want(viewport, 1000, [null]);
    asked[0]?.answer();
    await settled();
    const recorded = tiles.of(null);
    tiles.want(viewport, 1000, [null, 3]);
    expect(asked.map(({ runs }) => runs)).toEqual([[null], [3]]);
    expect(tiles.of(null)).toBe(recorded);
    asked[1]?.answer();
    await settled();
    expect([tiles.of(null), tiles.of(3)]).toEqual([recorded, asked[1]?.tile]);
  });

  it('asks for a run that comes while the others are under way with them', async () => {
    const { asked, tiles, settled } = byHand();
    const viewport = new Viewport(0, END);
    tiles.want(viewport, 1000, [null]);
    tiles.want(viewport, 1000, [null, 3]);
    asked[0]?.answer();
    await settled();
    expect(tiles.of(3)).toBeUndefined();
    asked[1]?.answer();
    await settled();
    expect(asked.map(({ runs }) => runs)).toEqual([[null], [null, 3]]);
    expect([tiles.of(null), tiles.of(3)]).toEqual([asked[1]?.tile, asked[1]?.tile]);
  });

  it('forgets runs that are no longer wanted without a question', async () => {
    const { asked, tiles, settled } = byHand();
    const viewport = new Viewport(0, END);
    tiles.want(viewport, 1000, [null, 3]);
    asked[0]?.answer();
    await settled();
    tiles.want(viewport, 1000, [null]);
    await settled();
    expect(asked.length).toBe(1);
    expect([tiles.of(null), tiles.of(3)]).toEqual([asked[0]?.tile, undefined]);
  });
});
