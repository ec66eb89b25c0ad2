import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure, type Backend, type CallOptions, type CommandName } from '../../ipc/backend';
import { SLOW } from '../../ipc/gen/commands';
import { ELSEWHERE, Jobs } from './jobs.svelte';

/** Answers on demand, and rejects when it is stopped. */
function outer() {
  const calls: { name: CommandName; options: CallOptions | undefined; answer: (reply: unknown) => void }[] = [];
  const call = (name: CommandName, _request: unknown, options?: CallOptions) =>
    new Promise((answer, reject) => {
      calls.push({ name, options, answer });
      options?.signal?.addEventListener('abort', () => reject(new Failure('cancelled', 'Cancelled')));
    });
  return { calls, backend: { call } as unknown as Backend };
}

const replay = (jobs: Jobs, options?: CallOptions) =>
  jobs.backend.call('replay', { capture: 1, algorithms: [] } as never, options);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('calls that take long', () => {
  it('are shown after a second, with how far they are, until they end', async () => {
    const { calls, backend } = outer();
    const jobs = new Jobs(backend);
    const heard: number[] = [];
    const reply = replay(jobs, { onProgress: ({ done }) => heard.push(done) });
    vi.advanceTimersByTime(999);
    expect(jobs.list).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(jobs.list.map(({ what, share }) => [what, share])).toEqual([['Replaying', null]]);
    calls[0]?.options?.onProgress?.({ done: 1, total: 4 });
    expect([jobs.list[0]?.share, heard]).toEqual([0.25, [1]]);
    calls[0]?.answer('the answer');
    expect(await reply).toBe('the answer');
    expect(jobs.list).toEqual([]);
  });

  it('stop one by one; the caller gets `cancelled`', async () => {
    const { backend } = outer();
    const jobs = new Jobs(backend);
    const [one, other] = [replay(jobs), replay(jobs)];
    vi.advanceTimersByTime(1000);
    expect(jobs.list).toHaveLength(2);
    jobs.list[0]?.abort.abort();
    await expect(one).rejects.toMatchObject({ cancelled: true });
    expect(jobs.list).toHaveLength(1);
    jobs.list[0]?.abort.abort();
    await expect(other).rejects.toMatchObject({ cancelled: true });
  });

  it('stop when the caller aborts', async () => {
    const { backend } = outer();
    const jobs = new Jobs(backend);
    const abort = new AbortController();
    const reply = replay(jobs, { signal: abort.signal });
    vi.advanceTimersByTime(2000);
    abort.abort();
    await expect(reply).rejects.toMatchObject({ cancelled: true });
    expect(jobs.list).toEqual([]);
  });

  it('are all that the core says may take long, unless they are shown elsewhere', async () => {
    for (const name of SLOW) {
      const { calls, backend } = outer();
      const jobs = new Jobs(backend);
      const reply = jobs.backend.call(name, null as never).catch(() => 'stopped');
      vi.advanceTimersByTime(1000);
      expect(jobs.list.map(({ what }) => what)).not.toContain('Working');
      expect(jobs.list).toHaveLength(ELSEWHERE.includes(name) ? 0 : 1);
      calls[0]?.answer(null);
      await reply;
    }
  });
});
