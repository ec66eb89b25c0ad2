import fc from 'fast-check';
import { flushSync } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import { empty } from '../../ipc/arrow';
import { canonical } from '../../ipc/canonical';
import { Failure, type Backend } from '../../ipc/backend';
import { NAVIGATOR_COLUMNS } from '../../ipc/gen/commands';
import type {
  AlgorithmSpec,
  AssociationView,
  CaptureView,
  OpenRequest,
  SessionFile,
  SessionView,
  SessionWriteRequest,
} from '../../ipc/gen/types';
import { Prefs } from '../window/prefs.svelte';
import { fileOf, isSession } from './sessionfile';
import { Session } from '../session.svelte';
import { VIEWS } from '../window/views';

const S = 1e9;
const HASH = 'ab'.repeat(32);
const SPECS = ['cocoa', 'lee'].map((id) => ({ id, name: id, params: [{ name: 'k', default: 4 }], default: true }));

/** A core that opens anything: `hash` tells what is in a file, `saved` is what session_read finds. */
function window_(hash: (request: OpenRequest) => string = () => HASH, saved?: () => SessionView) {
  let id = 0;
  const written: SessionWriteRequest[] = [];
  const call = vi.fn((name: string, request: unknown): Promise<unknown> => {
    switch (name) {
      case 'startup':
        return Promise.resolve({ version: '1', samples: [], default_algorithms: ['cocoa'], colour_rules: [] });
      case 'algorithms':
        return Promise.resolve(SPECS as unknown as AlgorithmSpec[]);
      case 'captures':
        return Promise.resolve([]);
      case 'navigator':
        return Promise.resolve(empty(NAVIGATOR_COLUMNS));
      case 'open': {
        const asked = request as OpenRequest;
        id += 1;
        return Promise.resolve({
          ...{ id, name: 'a.pcap', path: asked.path, sha256: hash(asked), start: 0, end: 100 * S, exchanges: 50 },
          associations: [0, 1].map(
            (lane) =>
              ({
                id: lane,
                client_name: `c${lane}`,
                server_name: 's',
                client: `[fd00::${lane}]:5683`,
              }) as AssociationView,
          ),
        } as CaptureView);
      }
      case 'session_write':
        written.push(request as SessionWriteRequest);
        return Promise.resolve((request as SessionWriteRequest).file);
      case 'session_read': {
        const found = saved?.();
        return found ? Promise.resolve(found) : Promise.reject(new Failure('request', 'version 9 of the format'));
      }
      default:
        return Promise.resolve(null);
    }
  });
  const backend = {
    call,
    openedWith: () => Promise.resolve([]),
    pick: () => Promise.resolve(['/found/a.pcap']),
    save: (name: string) => Promise.resolve(`/home/${name}`),
  } as unknown as Backend;
  const session = new Session(backend, new Prefs());
  return { session, call, written };
}

/** Completes a file as the core does: it names the captures' files. */
const complete = (file: SessionFile): SessionFile => ({
  ...file,
  captures: file.captures.map((capture) => ({
    ...capture,
    name: 'a.pcap',
    files: [{ name: 'a.pcap', path: '/there/a.pcap', sha256: HASH, octets: 10 }],
  })),
});

const seen = fc.record({
  window: fc.tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 1, max: 100 })),
  selection: fc.option(fc.integer({ min: 0, max: 49 })),
  playhead: fc.integer({ min: 0, max: 100 }),
  association: fc.integer({ min: 0, max: 1 }),
  tags: fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), fc.string({ maxLength: 5 }), {
    noNullPrototype: true,
  }),
  seed: fc.nat(),
  replicates: fc.integer({ min: 1, max: 10_000 }),
  channel: fc.constantFrom('auto', 'twin', 'recorded', 'empirical', 'gilbert_elliott'),
  workload: fc.constantFrom('auto', 'arrivals', 'think_time'),
  rules: fc.constantFrom(
    {},
    { nstart: 4, queue: 0, max_retransmit: 2, exchange_lifetime: 60e9, blind: 'linear' } as const,
    { service: 250e6, room: 3, repeats: true },
    { state_lifetime: 255e9, destinations: 2, plimit: true, probing_rate: 1, processing: 5e8 },
  ),
  stays: fc.subarray([0, 1]),
  start: fc.option(fc.record({ at: fc.integer({ min: 0, max: 100 }), warm: fc.boolean() })),
  algorithms: fc.subarray(['cocoa', 'lee']),
  k: fc.integer({ min: 5, max: 9 }),
  metrics: fc.option(fc.array(fc.constantFrom('w', 'b'))),
  columns: fc.option(fc.array(fc.record({ name: fc.constantFrom('frame', 'rtt'), width: fc.option(fc.nat()) }))),
  colours: fc.option(
    fc.array(
      fc.record({ name: fc.string(), filter: fc.string(), colour: fc.constantFrom('red', 'grey'), on: fc.boolean() }),
    ),
  ),
  view: fc.constantFrom(...VIEWS.map(({ id }) => id)),
  title: fc.string(),
  sections: fc.subarray(['summary', 'compare']),
  kept: fc.uniqueArray(fc.integer({ min: 5, max: 9 }), { maxLength: 3 }),
  sweep: fc.record({
    picture: fc.constantFrom('plane', 'curve', 'map'),
    over: fc.option(fc.constant('k')),
    across: fc.option(fc.constant('k')),
    measure: fc.option(fc.constant('w')),
  }),
  recipes: fc.subarray(['rto_box', 'rtt_box']),
  leftOut: fc.boolean(),
  flags: fc.uniqueArray(fc.record({ at: fc.integer({ min: 0, max: 100 }), note: fc.string({ maxLength: 5 }) }), {
    selector: ({ at }) => at,
    maxLength: 3,
  }),
});

describe('a session', () => {
  it('is restored exactly as saved, for any document', async () => {
    await fc.assert(
      fc.asyncProperty(seen, async (state) => {
        const first = window_();
        await first.session.start();
        await first.session.open([{ path: '/there/a.pcap', sample: null }]);
        const capture = first.session.capture!;
        capture.viewport.set(state.window[0] * S, state.window[1] * S);
        capture.selection.select(state.selection);
        capture.playback.seek(state.playhead * S);
        capture.chooseAssociation(state.association);
        for (const [key, value] of Object.entries(state.tags)) first.session.library.tags.set(capture.view, key, value);
        capture.flags.restore(state.flags.map(({ at, note }) => ({ at: at * S, note })));
        for (const recipe of state.recipes) first.session.workspace.figures.set(recipe, 'box', 'iqr15');
        first.session.prefs.set('recipe', state.recipes[0] ?? null);
        first.session.workspace.figures.leaveOut(
          state.leftOut ? { '': [capture.id], rto_box: [], early_bars: [capture.id] } : {},
        );
        first.session.algorithms.show(state.algorithms.map((id) => ({ id, params: { k: state.k } })));
        first.session.workspace.compareWith(
          state.algorithms[0] ? `${state.algorithms[0]} ${canonical({ k: state.k })}` : null,
        );
        first.session.prefs.set('seed', state.seed);
        first.session.prefs.set('replicates', state.replicates);
        first.session.prefs.set('channel', state.channel);
        first.session.prefs.set('workload', state.workload);
        first.session.workspace.rules.restore(state.rules);
        capture.part.stay(state.stays);
        capture.part.begin(state.start && { at: state.start.at * S, warm: state.start.warm });
        first.session.prefs.set('metrics', state.metrics);
        first.session.prefs.set('packetColumns', state.columns);
        first.session.prefs.set('colourRules', state.colours);
        first.session.whatIf.choose('lee', { k: state.k });
        first.session.whatIf.restore(state.kept.map((k) => ({ id: 'lee', params: { k } })));
        first.session.whatIf.resweep(state.sweep);
        first.session.report.adopt({
          title: state.title,
          notes: '',
          sections: state.sections,
          figures: state.kept.map((k) => ({ recipe: 'rto_box', params: { k } })),
        });
        first.session.navigation.show(state.view);
        const file = complete(fileOf(first.session));
        const text = JSON.stringify(file);

        const second = window_(undefined, () => ({
          file: JSON.parse(text) as SessionFile,
          found: [{ state: 'same', paths: ['/here/a.pcap'] }],
        }));
        await second.session.start();
        await second.session.saving.open('/here/day.rtoscope.json');
        expect(second.session.saving.problems).toEqual([]);
        expect(complete(fileOf(second.session))).toEqual(JSON.parse(text));
      }),
      { numRuns: 40 },
    );
  });

  it('asks for a path once, then saves there', async () => {
    const { session, written } = window_();
    await session.start();
    await session.open([{ path: '/there/a.pcap', sample: null }]);
    await session.saving.save();
    await session.saving.save();
    expect(written.map(({ path }) => path)).toEqual(['/home/a.rtoscope.json', '/home/a.rtoscope.json']);
    expect(session.prefs.get('recent')[0]).toEqual({ path: '/home/a.rtoscope.json', at: 'session' });
  });

  it('reports a missing capture, takes the one that is found, and reports different octets', async () => {
    const { session } = window_();
    await session.start();
    await session.open([{ path: '/there/a.pcap', sample: null }]);
    const file = complete(fileOf(session));
    let hash = 'cd'.repeat(32);
    const other = window_(
      () => hash,
      () => ({ file, found: [{ state: 'missing', paths: [null] }] }),
    );
    await other.session.start();
    await other.session.saving.open('/here/day.rtoscope.json');
    expect(other.session.saving.problems.map(({ state, capture }) => [state, capture])).toEqual([['missing', null]]);
    await other.session.saving.find(other.session.saving.problems[0]!);
    expect(other.session.saving.problems[0]?.state).toBe('differs');
    expect(other.session.capture?.view.path).toBe('/found/a.pcap');
    hash = HASH;
    await other.session.saving.find(other.session.saving.problems[0]!);
    expect(other.session.saving.problems).toEqual([]);
    expect(other.session.library.captures.length).toBe(1);
  });

  it('that cannot be read changes nothing, and the reason is shown', async () => {
    const { session } = window_();
    await session.start();
    await session.open([{ path: '/there/a.pcap', sample: null }]);
    await session.saving.open('/here/day.rtoscope.json');
    expect(session.library.captures.length).toBe(1);
    expect(session.announcer.toasts.at(-1)?.text).toContain('version 9');
  });

  it('is being opened until its settings are there, or the reason why they are not', async () => {
    const { session } = window_();
    await session.start();
    await session.open([{ path: '/there/a.pcap', sample: null }]);
    const file = complete(fileOf(session));
    const found = [{ state: 'same', paths: ['/here/a.pcap'] }] satisfies SessionView['found'];
    const other = window_(undefined, () => ({ file: { ...file, replay: { ...file.replay, seed: 9 } }, found }));
    await other.session.start();
    const opening: [boolean, number][] = [];
    const stop = $effect.root(() => {
      $effect(() => {
        if (other.session.capture) opening.push([other.session.saving.opening, other.session.prefs.get('seed')]);
      });
    });
    await other.session.saving.open('/here/day.rtoscope.json');
    flushSync();
    stop();
    expect(opening.at(0)).toEqual([true, 1]);
    expect(opening.at(-1)).toEqual([false, 9]);
    expect(opening.filter(([isOpening, seed]) => !isOpening && seed !== 9)).toEqual([]);
    await session.saving.open('/here/day.rtoscope.json');
    expect(session.saving.opening).toBe(false);
  });

  it('never contains a key', async () => {
    const { session, written } = window_();
    const key = '000102030405060708090a0b0c0d0e0f';
    await session.start();
    session.library.keysText = key;
    await session.open([{ path: '/there/a.pcap', sample: null }]);
    expect(session.capture?.request.decode?.keys).toEqual([key]);
    await session.saving.save();
    expect(JSON.stringify(written)).not.toContain(key);
    expect(session.prefs.get('keys')).toBe(null);
  });

  it('is recognised by the ending of its name', () => {
    expect(['a.rtoscope.json', 'A.RTOSCOPE.JSON', 'a.json', 'a.pcap'].map(isSession)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

/** Opens a capture in a session whose changes are taken note of, as the window does. */
async function watched(session: Session) {
  const stop = $effect.root(() => {
    $effect(() => session.undo.watch());
  });
  await session.start();
  await session.open([{ path: '/there/a.pcap', sample: null }]);
  flushSync();
  return { capture: session.capture!, stop };
}

describe('undo', () => {
  it('reverts parameters and selections in reverse order, and redoes them', async () => {
    const { session } = window_();
    const { capture, stop } = await watched(session);
    const steps: [() => void, () => unknown][] = [
      [() => session.whatIf.choose('lee', { k: 5 }), () => session.whatIf.params.k],
      [() => session.prefs.set('seed', 9), () => session.workspace.settings.seed],
      [() => session.workspace.rules.set('room', 4), () => session.workspace.settings.policy?.room],
      [() => capture.selection.select(7), () => capture.selection.exchange],
      [() => capture.viewport.set(10 * S, 20 * S), () => capture.viewport.t0],
      [() => capture.chooseAssociation(1), () => capture.association],
      [() => session.algorithms.add({ id: 'lee', params: {} }), () => session.algorithms.chosen.length],
      [() => session.workspace.compareWith('lee'), () => session.workspace.baseline],
      [() => session.prefs.set('metrics', ['w']), () => session.prefs.get('metrics')],
      [() => session.prefs.set('pinned', ['lee']), () => session.prefs.get('pinned')],
      [() => session.whatIf.keep(), () => session.whatIf.snapshots.length],
      [() => session.whatIf.sweep('k'), () => session.whatIf.sweeping.over],
      [() => session.workspace.figures.choose('rto_box'), () => session.prefs.get('recipe')],
      [
        () => session.workspace.figures.set('rto_box', 'box', 'iqr15'),
        () => session.workspace.figures.switches('rto_box').box,
      ],
      [() => session.workspace.figures.take([capture.id], false), () => session.workspace.figures.takes(capture.id)],
      [
        () => session.library.tags.set(capture.view, 'room', 'cellar'),
        () => session.library.tags.of(capture.view).room,
      ],
      [() => capture.network.select({ kind: 'link', id: 2 }), () => capture.network.selected],
      [() => capture.packets.open(3), () => capture.packets.frame],
      [() => capture.packets.apply('coap'), () => capture.packets.filter],
      [() => capture.flags.plant(5 * S, 'here'), () => capture.flags.all],
      // Not a stroke of the same hand, however quick.
      [() => capture.flags.plant(6 * S, 'there'), () => capture.flags.all],
    ];
    const look = () => steps.map(([, value]) => value());
    const states = [look()];
    for (const [change] of steps) {
      change();
      flushSync();
      states.push(look());
    }
    expect(session.undo.what).toBe('the flags');
    for (let at = steps.length - 1; at >= 0; at -= 1) {
      session.undo.undo();
      flushSync();
      expect(look()).toEqual(states[at]);
    }
    expect(session.undo.canUndo).toBe(false);
    for (let at = 1; at <= steps.length; at += 1) {
      session.undo.redo();
      flushSync();
      expect(look()).toEqual(states[at]);
    }
    stop();
  });

  it('counts neither a window that follows the playhead nor captures that open', async () => {
    const { session } = window_();
    const { capture, stop } = await watched(session);
    capture.viewport.set(0, 10 * S);
    flushSync();
    capture.playback.play(true);
    capture.playback.advance(1000, 30);
    flushSync();
    capture.playback.play(false);
    flushSync();
    await session.open([{ path: '/there/b.pcap', sample: null }]);
    flushSync();
    session.undo.undo();
    flushSync();
    expect([capture.viewport.t0, capture.viewport.t1]).toEqual([0, 100 * S]);
    expect(session.undo.canUndo).toBe(false);
    expect(session.library.captures.length).toBe(2);
    stop();
  });
});
