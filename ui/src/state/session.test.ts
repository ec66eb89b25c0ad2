import { describe, expect, it, vi } from 'vitest';
import { empty } from '../ipc/arrow';
import { Failure, type Backend, type CallOptions } from '../ipc/backend';
import { NAVIGATOR_COLUMNS } from '../ipc/gen/commands';
import type { CaptureView, OpenRequest } from '../ipc/gen/types';
import { Session } from './session.svelte';

let captures = 0;
const view = (request: OpenRequest): CaptureView => ({
  id: ++captures,
  name: request.path ?? `${request.sample}.capture.pcap.gz`,
  path: request.path,
  format: 'pcap',
  file_len: 10,
  sha256: 'ab',
  frames: 1,
  messages: 1,
  exchanges: 1,
  copies: 1,
  start: 0,
  end: 10,
  epoch: null,
  associations: [],
  notes: [],
});

function backend(
  open: (request: OpenRequest, options?: CallOptions) => Promise<CaptureView> = (q) => Promise.resolve(view(q)),
) {
  const call = vi.fn((name: string, request: unknown, options?: CallOptions): Promise<unknown> => {
    switch (name) {
      case 'startup':
        return Promise.resolve({
          version: '1',
          samples: [{ id: 'storm', name: 'Storm', about: '', nodes: 5 }],
          default_algorithms: [],
        });
      case 'algorithms':
      case 'captures':
        return Promise.resolve([]);
      case 'open':
        return open(request as OpenRequest, options);
      case 'navigator':
        return Promise.resolve(empty(NAVIGATOR_COLUMNS));
      default:
        return Promise.resolve(null);
    }
  });
  return {
    call,
    openedWith: () => Promise.resolve([]),
    pick: () => Promise.resolve(['b.pcap']),
    wireshark: () => Promise.resolve({ started: false, command: '' }),
    watchDrops: () => () => undefined,
  } as unknown as Backend;
}

describe('Session', () => {
  it('opens the first sample when nothing is open, without a summary', async () => {
    const session = new Session(backend());
    await session.start();
    expect(session.capture?.title).toBe('Storm');
    expect(session.summary).toBe(false);
  });

  it('shows the summary after a file, goes to a file that is open already, and closes', async () => {
    const session = new Session(backend());
    await session.start();
    await session.open([{ path: '/x/a.pcap', sample: null }]);
    expect([session.captures.length, session.summary, session.capture?.view.path]).toEqual([2, true, '/x/a.pcap']);
    session.show('rto');
    expect(session.summary).toBe(false);
    await session.open([{ path: '/x/a.pcap', sample: null }]);
    expect(session.captures.length).toBe(2);
    await session.close(session.capture!.id);
    expect(session.capture?.title).toBe('Storm');
  });

  it('goes on with the other files when one fails', async () => {
    const session = new Session(
      backend((q) =>
        q.path === 'bad' ? Promise.reject(new Failure('not_a_capture', 'A ZIP header')) : Promise.resolve(view(q)),
      ),
    );
    await session.open([
      { path: 'bad', sample: null },
      { path: 'good', sample: null },
    ]);
    expect(session.captures.map((capture) => capture.view.path)).toEqual(['good']);
    expect(session.imports.list.find((item) => item.state === 'failed')?.failure?.message).toBe('A ZIP header');
  });

  it('reports progress, rate and time left, and cancels', async () => {
    const session = new Session(
      backend(
        (_q, options) =>
          new Promise((_resolve, reject) => {
            options?.onProgress?.({ done: 25, total: 100 });
            options?.signal?.addEventListener('abort', () => reject(new Failure('cancelled', 'Cancelled')));
          }),
      ),
    );
    const opening = session.open([{ path: 'slow', sample: null }]);
    await new Promise((resolve) => setTimeout(resolve));
    const [item] = session.imports.list;
    expect([item?.state, item?.share]).toEqual(['reading', 0.25]);
    session.imports.cancel(item!);
    await opening;
    expect(session.imports.list).toEqual([]);
    expect(session.captures).toEqual([]);
  });
});
