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
  read_as: {
    links: [],
    fcs: request.decode?.fcs ?? 'auto',
    unpack_ratio: 250,
    sources: [],
    contexts: [],
    ports: [5683],
    guessed: [],
    rc_option: 65_020,
    keys: request.decode?.keys.length ?? 0,
    addresses: 0,
    files: [{ name: '', path: request.path, sha256: '' }],
    clocks: [],
    duplicates: 0,
    comments: [],
    frame_comments: 0,
    names: 0,
    mote_log: null,
  },
  file_len: 10,
  sha256: 'ab',
  frames: 1,
  messages: 1,
  exchanges: 1,
  copies: 1,
  fates: { answered: 1, needless: 0, reply_lost: 0, lost: 0, unknown: 0 },
  timers: { log: 0, inferred: 0, gaps: 0, first: null, first_gaps: null, wait: null },
  coap_frames: 1,
  start: 0,
  end: 10,
  telling: null,
  epoch: null,
  associations: [],
  said: [],
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
          colour_rules: [],
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
    save: () => Promise.resolve(null),
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
    expect([session.library.captures.length, session.summary, session.capture?.view.path]).toEqual([
      2,
      true,
      '/x/a.pcap',
    ]);
    session.navigation.show('rto');
    expect(session.summary).toBe(false);
    await session.open([{ path: '/x/a.pcap', sample: null }]);
    expect(session.library.captures.length).toBe(2);
    await session.library.close(session.capture!.id);
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
    expect(session.library.captures.map((capture) => capture.view.path)).toEqual(['good']);
    expect(session.library.imports.list.find((item) => item.state === 'failed')?.failure?.message).toBe('A ZIP header');
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
    const [item] = session.library.imports.list;
    expect([item?.state, item?.share]).toEqual(['reading', 0.25]);
    session.library.imports.cancel(item!);
    await opening;
    expect(session.library.imports.list).toEqual([]);
    expect(session.library.captures).toEqual([]);
  });
});

describe('Decode as and merge', () => {
  const decode = {
    fcs: 'none',
    ports: [],
    rc_option: null,
    contexts: [],
    keys: ['0f1e2d3c4b5a69788796a5b4c3d2e1f0'],
    addresses: [],
    unpack_ratio: null,
  } as const;
  const asked = () => ({ ...decode, ports: [], contexts: [], keys: [...decode.keys], addresses: [] });

  it('reads a capture again in place of the old one, and remembers how', async () => {
    const requests: OpenRequest[] = [];
    const session = new Session(
      backend((request) => {
        requests.push(request);
        return Promise.resolve(view(request));
      }),
    );
    await session.start();
    await session.open([{ path: '/x/a.pcap' }]);
    const before = session.capture!;
    await session.library.reopen(before, asked());
    expect(requests.at(-1)).toEqual({ path: '/x/a.pcap', sample: null, merge: null, decode: asked() });
    expect(session.library.captures.map(({ id }) => id)).not.toContain(before.id);
    expect(session.capture?.view.read_as).toMatchObject({ fcs: 'none', keys: 1 });
    expect(session.capture?.request.decode?.keys).toEqual([...decode.keys]);
    expect(session.summary).toBe(true);
  });

  it('keeps the capture when it cannot be read so', async () => {
    const session = new Session(
      backend((q) => (q.decode ? Promise.reject(new Failure('request', 'Key 1')) : Promise.resolve(view(q)))),
    );
    await session.start();
    await session.open([{ path: '/x/a.pcap' }]);
    const before = session.capture!;
    await session.library.reopen(before, asked());
    expect(session.capture).toBe(before);
  });

  it('asks whether several files record one network, and follows the answer', async () => {
    const asked: OpenRequest[] = [];
    const session = new Session(
      backend((q) => {
        asked.push(q);
        return Promise.resolve(view(q));
      }),
    );
    await session.openFiles(['/a.pcap']);
    expect([asked.length, session.library.offered.length]).toEqual([1, 0]);
    await session.openFiles(['/b.pcap', '/c.pcap']);
    expect([asked.length, session.library.offered]).toEqual([1, ['/b.pcap', '/c.pcap']]);
    await session.library.openOffered('nothing');
    expect([asked.length, session.library.offered]).toEqual([1, []]);
    await session.openFiles(['/b.pcap', '/c.pcap']);
    await session.library.openOffered('merge');
    expect(asked.slice(1).map(({ path, merge }) => [path, merge])).toEqual([[null, ['/b.pcap', '/c.pcap']]]);
    await session.openFiles(['/d.pcap', '/e.pcap']);
    await session.library.openOffered('separate');
    expect(asked.slice(2).map(({ path }) => path)).toEqual(['/d.pcap', '/e.pcap']);
  });

  it('merges the capture with those picked', async () => {
    const requests: OpenRequest[] = [];
    const session = new Session(
      backend((request) => {
        requests.push(request);
        return Promise.resolve(view(request));
      }),
    );
    await session.start();
    await session.open([{ path: '/x/a.pcap' }]);
    await session.library.mergeWith(session.capture!);
    expect(requests.at(-1)).toEqual({ path: null, sample: null, merge: ['/x/a.pcap', 'b.pcap'], decode: null });
  });
});
