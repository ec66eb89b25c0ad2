import { describe, expect, it } from 'vitest';
import { Failure } from '../../ipc/backend';
import { Reply } from './reply.svelte';

function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

describe('Reply', () => {
  it('asks equal questions once', async () => {
    const reply = new Reply<number>();
    let asked = 0;
    const start = () => Promise.resolve(++asked);
    await reply.ask('a', start);
    await reply.ask('a', start);
    expect(asked).toBe(1);
    expect(reply.value).toBe(1);
  });

  it('answers all who ask the same question when its answer is there, not before', async () => {
    const reply = new Reply<string>();
    const answer = deferred<string>();
    const first = reply.ask('a', () => answer.promise);
    const seen = reply.ask('a', () => Promise.reject(new Error('asked twice'))).then(() => reply.value);
    answer.resolve('here');
    expect(await seen).toBe('here');
    await first;
  });

  it('drops a late answer and aborts its question', async () => {
    const reply = new Reply<string>();
    const [first, second] = [deferred<string>(), deferred<string>()];
    let signal: AbortSignal | undefined;
    const one = reply.ask('1', (asking) => {
      signal = asking.signal;
      return first.promise;
    });
    const two = reply.ask('2', () => second.promise);
    expect(signal?.aborted).toBe(true);
    second.resolve('new');
    await two;
    first.resolve('old');
    await one;
    expect(reply.value).toBe('new');
    expect(reply.pending).toBe(false);
  });

  it('keeps the old value while a new one loads, and after a failure', async () => {
    const reply = new Reply<number>();
    await reply.ask('1', () => Promise.resolve(1));
    const next = deferred<number>();
    const asking = reply.ask('2', () => next.promise);
    expect([reply.value, reply.pending]).toEqual([1, true]);
    next.reject(new Failure('io', 'gone'));
    await asking;
    expect([reply.value, reply.failure?.message]).toEqual([1, 'gone']);
    await reply.ask('2', () => Promise.resolve(2));
    expect([reply.value, reply.failure]).toEqual([2, undefined]);
  });

  it('shows a first value until the answer is there', async () => {
    const reply = new Reply<number>();
    const next = deferred<number>();
    let show: (value: number) => void = () => {};
    const asking = reply.ask('1', ({ onFirst }) => {
      show = onFirst;
      return next.promise;
    });
    show(1);
    expect([reply.value, reply.first, reply.pending]).toEqual([1, true, true]);
    next.resolve(2);
    await asking;
    expect([reply.value, reply.first, reply.pending]).toEqual([2, false, false]);
    // Nothing is shown of a question that was overtaken.
    show(3);
    expect([reply.value, reply.first]).toEqual([2, false]);
  });

  it('is silent about cancellation', async () => {
    const reply = new Reply<number>();
    const next = deferred<number>();
    const asking = reply.ask('1', () => next.promise);
    reply.cancel();
    next.reject(new Failure('cancelled', 'Cancelled'));
    await asking;
    expect([reply.pending, reply.failure]).toEqual([false, undefined]);
  });
});
