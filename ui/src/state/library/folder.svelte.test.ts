// Folders of runs in the library: how they are opened, named and ordered, and what undo and session files keep of that.
import { flushSync } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import { empty } from '../../ipc/arrow';
import { Failure, type Backend } from '../../ipc/backend';
import { NAVIGATOR_COLUMNS } from '../../ipc/gen/commands';
import type { CaptureView, OpenRequest, SessionFile, StudyFindRequest } from '../../ipc/gen/types';
import { fileOf } from '../document/sessionfile';
import { Session } from '../session.svelte';
import { Prefs } from '../window/prefs.svelte';

const RUNS = ['default-seed10/radio.pcap.gz', 'default-seed2/radio.pcap.gz', 'cocoa/seed1/radio.pcap.gz'];
const SPECS = [{ id: 'cocoa', name: 'cocoa', params: [{ name: 'k', default: 4 }], default: true }];

/** A core with the folders `folders`, by path; it opens any file but those named `broken`. */
function window_(folders: Record<string, readonly string[]> = { '/lab/chain5': RUNS }, saved?: SessionFile) {
  let id = 0;
  const call = vi.fn((name: string, request: unknown): Promise<unknown> => {
    switch (name) {
      case 'startup':
        return Promise.resolve({ version: '1', samples: [], default_algorithms: ['cocoa'], colour_rules: [] });
      case 'algorithms':
        return Promise.resolve(SPECS);
      case 'captures':
      case 'proposed_tags':
        return Promise.resolve([]);
      case 'navigator':
        return Promise.resolve(empty(NAVIGATOR_COLUMNS));
      case 'study_find': {
        const { folder } = request as StudyFindRequest;
        const paths = folders[folder];
        if (!paths) return Promise.reject(new Failure('request', `${folder} cannot be read: not a directory.`));
        const [first, ...others] = paths;
        const captures = first === undefined ? [] : [{ path: first, tags: {}, ran: null }];
        return Promise.resolve({ folder, patterns: [], captures, others, ran: [], study: null });
      }
      case 'open': {
        const { path } = request as OpenRequest;
        const file = path?.split(/[\\/]/).at(-1) ?? '';
        if (file.startsWith('broken')) return Promise.reject(new Failure('capture', 'This is no capture.'));
        id += 1;
        const view = {
          id,
          name: file,
          path,
          sha256: path,
          start: 0,
          end: 1e9,
          exchanges: 1,
          associations: [],
          said: [],
        };
        return Promise.resolve(view as unknown as CaptureView);
      }
      case 'session_read':
        return Promise.resolve({
          file: saved,
          found: saved?.captures.map(({ files }) => ({ state: 'same', paths: files.map(({ path }) => path) })),
        });
      default:
        return Promise.resolve(null);
    }
  });
  const pick = vi.fn(() => Promise.resolve(Object.keys(folders)));
  const backend = { call, openedWith: () => Promise.resolve([]), pick } as unknown as Backend;
  return { session: new Session(backend, new Prefs()), call };
}

const listed = ({ library }: Session) =>
  library.groups.all.map(({ name, runs }) => `${name}: ${runs.map((run) => run.name).join(' ')}`);
const opened = (call: { mock: { calls: unknown[][] } }) =>
  call.mock.calls.flatMap(([name, request]) => (name === 'open' ? [(request as OpenRequest).path] : []));

describe('a folder', () => {
  it('opens its runs as one group in the order of their names, and shows the first', async () => {
    const { session, call } = window_();
    await session.start();
    await session.pickFolder();
    expect(opened(call)).toEqual([
      '/lab/chain5/cocoa/seed1/radio.pcap.gz',
      '/lab/chain5/default-seed2/radio.pcap.gz',
      '/lab/chain5/default-seed10/radio.pcap.gz',
    ]);
    expect(listed(session)).toEqual(['chain5: seed1 default-seed2 default-seed10']);
    expect(session.capture?.title).toBe('seed1');
    expect(session.navigation.summary).toBe(true);
    expect(session.announcer.said).toBe('chain5 is open: 3\u00a0runs');
    expect(session.prefs.get('recent')).toEqual([{ path: '/lab/chain5', at: 'folder' }]);
  });

  it('that is dropped beside a file is told from it, and asks no question', async () => {
    const { session } = window_();
    await session.start();
    await session.openFiles(['/lab/chain5', '/lab/alone']);
    expect(session.library.offered).toEqual([]);
    expect(listed(session)).toEqual(['chain5: seed1 default-seed2 default-seed10', 'alone: alone']);
  });

  it('takes in runs that are open already, and is shown again where all are', async () => {
    const { session, call } = window_();
    await session.start();
    await session.open([{ path: '/lab/chain5/default-seed2/radio.pcap.gz' }]);
    expect(listed(session)).toEqual(['radio: radio']);
    await session.openPath('/lab/chain5');
    expect(listed(session)).toEqual(['chain5: default-seed2 seed1 default-seed10']);
    session.library.select(1);
    await session.openPath('/lab/chain5');
    expect(opened(call)).toHaveLength(3);
    expect(session.capture?.title).toBe('seed1');
  });

  it('without a capture says so, and one broken run leaves the others', async () => {
    const { session } = window_({ '/lab/none': [], '/lab/half': ['a.pcap', 'broken.pcap', 'c.pcap'] });
    await session.start();
    await session.openFiles(['/lab/none']);
    expect(session.announcer.toasts.map(({ text }) => text)).toEqual(['There is no capture in none.']);
    await session.openFiles(['/lab/half']);
    expect(listed(session)).toEqual(['half: a c']);
    expect(session.library.imports.list.map(({ state }) => state)).toContain('failed');
  });
});

/** A session whose changes are taken note of, with the folder and two files opened. */
async function watched() {
  const { session } = window_();
  const stop = $effect.root(() => {
    $effect(() => session.undo.watch());
  });
  await session.start();
  for (const path of ['/one/a.pcap', '/lab/chain5', '/two/b.pcap']) await session.openPath(path);
  flushSync();
  return { session, stop };
}

describe('the order of the library', () => {
  it('is changed within groups and among them, and taken back step by step', async () => {
    const { session, stop } = await watched();
    const { groups } = session.library;
    const first = listed(session);
    expect(first).toEqual(['a: a', 'chain5: seed1 default-seed2 default-seed10', 'b: b']);
    expect(session.undo.canUndo).toBe(false);
    const run = session.library.captures.find(({ title }) => title === 'default-seed10')?.id ?? 0;
    expect(groups.move({ capture: run }, 0)).toEqual({ at: 0, count: 3, name: 'default-seed10', group: 'chain5' });
    flushSync();
    expect(session.undo.what).toBe('the order of the library');
    expect(groups.move({ folder: '/lab/chain5' }, 9)).toEqual({ at: 2, count: 3, name: 'chain5', group: null });
    flushSync();
    const last = ['a: a', 'b: b', 'chain5: default-seed10 seed1 default-seed2'];
    expect(listed(session)).toEqual(last);
    session.undo.undo();
    flushSync();
    session.undo.undo();
    flushSync();
    expect(listed(session)).toEqual(first);
    session.undo.redo();
    flushSync();
    session.undo.redo();
    flushSync();
    expect(listed(session)).toEqual(last);
    stop();
  });

  it('keeps captures that came since in their place when it is taken back', async () => {
    const { session, stop } = await watched();
    session.library.groups.move({ folder: '/lab/chain5' }, 0);
    flushSync();
    await session.openPath('/three/c.pcap');
    flushSync();
    session.undo.undo();
    flushSync();
    expect(listed(session)).toEqual(['a: a', 'chain5: seed1 default-seed2 default-seed10', 'b: b', 'c: c']);
    stop();
  });

  it('comes back with a session, groups too', async () => {
    const { session, stop } = await watched();
    session.library.groups.move({ folder: '/lab/chain5' }, 0);
    const file = fileOf(session);
    expect(file.captures.map(({ folder }) => folder)).toEqual([...RUNS.map(() => '/lab/chain5'), undefined, undefined]);
    session.library.captures.forEach(({ view }, index) => {
      const { name, path, sha256 } = view;
      file.captures[index]?.files.push({ name, path, sha256, octets: 1 });
    });
    const second = window_({}, JSON.parse(JSON.stringify(file)) as SessionFile).session;
    await second.start();
    await second.saving.open('/day.rtoscope.json');
    expect(second.saving.problems).toEqual([]);
    expect(listed(second)).toEqual(listed(session));
    stop();
  });

  it('stays where a capture is read again in the place of the one before', async () => {
    const { session, stop } = await watched();
    const run = session.library.captures[1];
    if (run) await session.library.reopen(run, { ...run.request.decode } as never);
    expect(listed(session)).toEqual(['a: a', 'chain5: seed1 default-seed2 default-seed10', 'b: b']);
    expect(session.capture?.title).toBe('seed1');
    stop();
  });
});

it('a selected run is in sight, and a group that is folded by hand stays so', async () => {
  const { session, stop } = await watched();
  const { groups, captures } = session.library;
  const [, run] = captures;
  groups.fold('/lab/chain5', true);
  session.library.select(captures.at(-1)?.id ?? 0);
  expect(groups.isFolded('/lab/chain5')).toBe(true);
  session.library.select(run?.id ?? 0);
  expect(groups.isFolded('/lab/chain5')).toBe(false);
  stop();
});
