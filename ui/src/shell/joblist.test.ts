import { render, screen } from '@testing-library/svelte';
import { flushSync, type Component } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import Within from '../../test/unit/Within.svelte';
import { Failure, type Backend, type CallOptions } from '../ipc/backend';
import { Session } from '../state/session.svelte';
import JobList from './JobList.svelte';

describe('a call that takes longer than a second', () => {
  it('is shown with its progress, and stops when it is cancelled', async () => {
    vi.useFakeTimers();
    let onProgress: CallOptions['onProgress'];
    const call = (_name: string, _request: unknown, options?: CallOptions) =>
      new Promise((_, reject) => {
        onProgress = options?.onProgress;
        options?.signal?.addEventListener('abort', () => reject(new Failure('cancelled', 'Cancelled')));
      });
    const app = new Session({ call } as unknown as Backend);
    render(Within, { props: { of: JobList as Component<Record<string, unknown>>, props: {}, app } });
    const reply = app.backend.call('replay', {} as never);
    expect(screen.queryByText('Replaying')).toBeNull();
    vi.advanceTimersByTime(1000);
    onProgress?.({ done: 3, total: 8 });
    flushSync();
    const bar = screen.getByRole('progressbar', { name: 'Replaying' });
    expect(bar.getAttribute('aria-valuenow')).toBe('37');
    screen.getByRole('button', { name: 'Cancel: Replaying' }).click();
    await expect(reply).rejects.toMatchObject({ cancelled: true });
    flushSync();
    expect(screen.queryByRole('progressbar')).toBeNull();
    vi.useRealTimers();
  });
});
