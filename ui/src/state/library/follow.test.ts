import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure, type Backend } from '../../ipc/backend';
import type { CaptureView } from '../../ipc/gen/types';
import { Follow } from './follow.svelte';

const PATH = '/x/growing.pcap';
const read = (id: number, frames = 1) => ({ id, frames }) as unknown as CaptureView;
const failing = (code: 'capture' | 'cancelled', message: string) => () => {
  throw new Failure(code, message);
};

/** A core that gives each command its answers in turn, the last one again and again. */
function follow(answers: Record<string, (() => unknown)[]>) {
  const names: string[] = [];
  const call = (name: string) => {
    names.push(name);
    const queue = answers[name] ?? [];
    const answer = (queue.length > 1 ? queue.shift() : queue[0]) ?? (() => null);
    return new Promise((resolve) => resolve(answer()));
  };
  const [grew, failed] = [vi.fn(), vi.fn()];
  return { one: new Follow({ call } as unknown as Backend, grew, failed), names, grew, failed };
}

const begins = { follow_start: [() => ({ path: PATH, capture: null })] };
const request = { path: PATH, decode: null, capture: null };

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('Follow', () => {
  it('shows what is there at once, looks every second, and ends with the file as it is then', async () => {
    const refreshes = [() => read(4, 10), () => null, () => read(4, 20), () => null];
    const { one, names, grew } = follow({ ...begins, follow_refresh: refreshes, follow_stop: [() => read(4, 21)] });
    await one.start(request);
    expect([one.running, one.name, one.follows(4), one.follows(5)]).toEqual([true, 'growing.pcap', true, false]);
    expect(grew.mock.calls).toEqual([[read(4, 10)]]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(grew.mock.calls.at(-1)).toEqual([read(4, 20)]);
    await one.stop();
    expect(grew.mock.calls.at(-1)).toEqual([read(4, 21)]);
    expect([one.running, one.name, one.follows(4)]).toEqual([false, '', false]);
    const before = names.length;
    await vi.advanceTimersByTimeAsync(5000);
    expect(names).toHaveLength(before);
  });

  it('gives a quarter of the time to reading at most', async () => {
    const slow = async () => {
      await vi.advanceTimersByTimeAsync(1000);
      return read(1);
    };
    const { one, names } = follow({ ...begins, follow_refresh: [slow, () => null] });
    await one.start(request);
    const looks = () => names.filter((name) => name === 'follow_refresh').length;
    await vi.advanceTimersByTimeAsync(2000);
    expect(looks()).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(looks()).toBe(2);
  });

  it('says why a file cannot be followed any more, and ends', async () => {
    const gone = failing('capture', 'no capture');
    const { one, names, failed } = follow({ ...begins, follow_refresh: [() => read(2), gone] });
    await one.start(request);
    await vi.advanceTimersByTimeAsync(1000);
    expect(failed.mock.calls).toEqual([['no capture']]);
    expect([one.running, names.at(-1)]).toEqual([false, 'follow_stop']);
  });

  it('looks again after a look that was cancelled', async () => {
    const refreshes = [failing('cancelled', 'Cancelled'), () => read(3)];
    const { one, grew, failed } = follow({ ...begins, follow_refresh: refreshes });
    await one.start(request);
    await vi.advanceTimersByTimeAsync(1000);
    expect([one.running, grew.mock.calls.length, failed.mock.calls.length]).toEqual([true, 1, 0]);
  });

  it('goes on after the page was loaded again', async () => {
    const { one, grew } = follow({
      follow_state: [() => ({ path: PATH, capture: 7 })],
      follow_refresh: [() => read(7)],
    });
    await one.resume();
    expect(one.follows(7)).toBe(true);
    await vi.advanceTimersByTimeAsync(1000);
    expect(grew).toHaveBeenCalledWith(read(7));
  });
});
