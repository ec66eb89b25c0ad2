import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Backend, CallOptions } from '../../ipc/backend';
import type { ReplayRequest, ReplayView } from '../../ipc/gen/types';
import { FIRST, Runs, type ReplaySettings } from './runs.svelte';

const CHOICES = [{ id: 'cocoa_plus', params: {} }];
const SETTINGS: ReplaySettings = { channel: 'auto', workload: 'auto', seed: 1, replicates: 200, policy: {}, part: {} };

/** A core that answers when it is told to. */
class Core {
  readonly asked: { replicates: number; signal: AbortSignal | undefined; answer: () => void }[] = [];
  readonly backend = {
    call: (_name: string, { replicates }: ReplayRequest, { signal }: CallOptions) =>
      new Promise((resolve) => {
        this.asked.push({ replicates, signal, answer: () => resolve({ runs: [], capture: replicates }) });
      }),
  } as unknown as Backend;
  /** Answers the last request. */
  async answer(): Promise<void> {
    this.asked.at(-1)?.answer();
    await vi.advanceTimersByTimeAsync(0);
  }
  get replicates(): number[] {
    return this.asked.map(({ replicates }) => replicates);
  }
}

/** The number of replicates of the value that is shown. */
const shown = (value: ReplayView | undefined) => value?.capture;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('shows a first answer of few replicates where the whole one takes longer, and says so', async () => {
  const core = new Core();
  const runs = new Runs(core.backend, 0);
  const whole = runs.want(CHOICES, SETTINGS, null, true);
  expect(core.replicates).toEqual([FIRST]);
  await core.answer();
  expect(core.replicates).toEqual([FIRST, 200]);
  expect(shown(runs.replay.value), 'the whole one may come at once').toBeUndefined();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([shown(runs.replay.value), runs.replay.first]).toEqual([FIRST, true]);
  await core.answer();
  await whole;
  expect([shown(runs.replay.value), runs.replay.first]).toEqual([200, false]);
});

it('shows no first answer where the whole one comes soon', async () => {
  const core = new Core();
  const runs = new Runs(core.backend, 0);
  const whole = runs.want(CHOICES, SETTINGS, null, true);
  await core.answer();
  await core.answer();
  await whole;
  await vi.advanceTimersByTimeAsync(1_000);
  expect([shown(runs.replay.value), runs.replay.first]).toEqual([200, false]);
});

it('asks once where few replicates or a channel without a model are wanted, or no first answer', async () => {
  const core = new Core();
  const ask = (settings: Partial<ReplaySettings>, first: boolean) => {
    void new Runs(core.backend, 0).want(CHOICES, { ...SETTINGS, ...settings }, null, first);
    return core.replicates.at(-1);
  };
  expect(ask({ replicates: FIRST }, true)).toBe(FIRST);
  expect(ask({ channel: 'recorded' }, true)).toBe(200);
  expect(ask({}, false)).toBe(200);
  await core.answer();
  expect(core.asked.length).toBe(3);
});

it('does not go on from a first answer that nobody wants any more', async () => {
  const core = new Core();
  const runs = new Runs(core.backend, 0);
  const old = runs.want(CHOICES, SETTINGS, null, true);
  void runs.want(CHOICES, { ...SETTINGS, seed: 2 }, null, false);
  expect(core.asked[0]?.signal?.aborted).toBe(true);
  core.asked[0]?.answer();
  await old;
  expect(core.replicates).toEqual([FIRST, 200]);
});
