import { expect, it, vi } from 'vitest';
import type { Backend } from '../../../ipc/backend';
import type { StepRequest, StepView } from '../../../ipc/gen/types';
import { Playback } from './playback.svelte';
import { Viewport } from './viewport.svelte';

const S = 1e9;
const EVENTS = [10, 20, 30].map((t) => t * S);

function setup() {
  const call = vi.fn((_name: string, q: StepRequest): Promise<StepView | null> => {
    const at = q.backwards ? EVENTS.filter((t) => t < q.at).at(-1) : EVENTS.find((t) => t > q.at);
    return Promise.resolve(at === undefined ? null : { at, association: 0, exchange: 1, copy: 0 });
  });
  const viewport = new Viewport(0, 100 * S);
  const playback = new Playback({ call } as unknown as Backend, 1, viewport);
  return { call, viewport, playback };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

it('plays at a speed, stops at the end, and starts over', () => {
  const { playback } = setup();
  playback.play(true);
  playback.advance(1000, 10);
  expect(playback.at).toBe(10 * S);
  playback.advance(1000, 1000);
  expect([playback.at, playback.playing]).toEqual([100 * S, false]);
  playback.play(true);
  expect([playback.at, playback.playing]).toEqual([0, true]);
});

it('takes the window along, or repeats it', () => {
  const { playback, viewport } = setup();
  viewport.set(0, 10 * S);
  playback.play(true);
  playback.advance(1000, 11);
  expect(viewport.t0).toBe(10 * S);
  playback.loop(true);
  playback.advance(1000, 10);
  expect(playback.at).toBe(viewport.t0);
});

it('steps to events and says when there is none', async () => {
  const { playback } = setup();
  expect((await playback.step(false))?.at).toBe(10 * S);
  expect((await playback.step(false))?.at).toBe(20 * S);
  expect((await playback.step(true))?.at).toBe(10 * S);
  expect(await playback.step(true)).toBeNull();
  expect(playback.at).toBe(10 * S);
});

it('knows the next event without asking again before it', async () => {
  const { playback, call } = setup();
  playback.seek(1 * S);
  await settle();
  expect(playback.next?.at).toBe(10 * S);
  const asked = call.mock.calls.length;
  playback.seek(5 * S);
  expect(call.mock.calls.length).toBe(asked);
  playback.seek(11 * S);
  await settle();
  expect(playback.next?.at).toBe(20 * S);
  playback.seek(31 * S);
  await settle();
  expect(playback.next).toBeNull();
});

it('steps to where two behaviours disagree, once both are there', async () => {
  const runs: Record<string, number> = {};
  const call = vi.fn(() => Promise.resolve(null));
  const playback = new Playback({ call } as unknown as Backend, 1, new Viewport(0, 100), (key) => runs[key]);
  playback.watch('disagreement', ['cocoa', null]);
  expect(await playback.step(false)).toBe(null);
  expect(call).not.toHaveBeenCalled();
  runs.cocoa = 4;
  await playback.step(true);
  const asked = { capture: 1, at: 0, kind: 'disagreement', backwards: true, between: [4, null] };
  expect(call).toHaveBeenCalledWith('step', asked);
});
