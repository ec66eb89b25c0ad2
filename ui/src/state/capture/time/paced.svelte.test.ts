import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { paced } from './paced.svelte';
import { Viewport } from './viewport.svelte';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('follows a window at its own pace, and to the end', () => {
  const viewport = new Viewport(0, 1e9);
  let read: ReturnType<typeof paced> | undefined;
  const stop = $effect.root(() => {
    read = paced(() => viewport);
  });
  const move = (t0: number, t1: number) => {
    viewport.set(t0, t1);
    flushSync();
    return read?.window;
  };
  flushSync();
  expect(read?.window).toEqual({ t0: 0, t1: 1e9 });
  expect(move(1e8, 9e8)).toEqual({ t0: 0, t1: 1e9 });
  expect(move(2e8, 8e8)).toEqual({ t0: 0, t1: 1e9 });
  vi.advanceTimersByTime(100);
  expect(read?.window).toEqual({ t0: 2e8, t1: 8e8 });
  vi.advanceTimersByTime(1000);
  expect(move(3e8, 8e8)).toEqual({ t0: 3e8, t1: 8e8 });
  stop();
});
