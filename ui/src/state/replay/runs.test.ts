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

it('has the verdict of the answer that is shown, and what real runs took once the core has said it', async () => {
  const real = { name: 'other', capture: null, algorithm: null, known: 'bundled', same: [0], alike: [], metrics: {} };
  const asked: unknown[] = [];
  let measured = [{ ...real, same: [] as number[] }];
  const backend = {
    call: (name: string, request: ReplayRequest) => {
      if (name === 'measured') return Promise.resolve(measured);
      if (name === 'verdict') asked.push(request);
      const headline = `${name}, seed ${request.seed}`;
      return Promise.resolve(name === 'verdict' ? { headline, details: [] } : { runs: [], verdict: { headline } });
    },
  } as unknown as Backend;
  const runs = new Runs(backend, 0);
  const flush = () => vi.advanceTimersByTimeAsync(0);
  const want = (seed: number) => runs.want(CHOICES, { ...SETTINGS, seed }, null);
  expect(runs.verdict).toBeUndefined();
  await want(1);
  runs.wantMeasured(CHOICES, []);
  await flush();
  runs.wantVerdict();
  expect([runs.verdict?.headline, asked.length], 'no real run beside a timer').toEqual(['replay, seed 1', 0]);
  measured = [{ ...real, same: [0] }];
  runs.wantMeasured(CHOICES, [7]);
  await flush();
  runs.wantVerdict();
  await flush();
  expect(runs.verdict?.headline).toBe('verdict, seed 1');
  expect(asked).toEqual([{ ...SETTINGS, seed: 1, bounds: true, capture: 0, algorithms: CHOICES, baseline: null }]);
  // Another answer does not stand under the words of the one before.
  await want(2);
  expect(runs.verdict?.headline).toBe('replay, seed 2');
  runs.wantVerdict();
  await flush();
  expect(runs.verdict?.headline).toBe('verdict, seed 2');
  // The same question again is another answer.
  runs.replay.clear();
  runs.wantVerdict();
  await want(2);
  runs.wantVerdict();
  await flush();
  expect([runs.verdict?.headline, asked.length]).toEqual(['verdict, seed 2', 3]);
});
