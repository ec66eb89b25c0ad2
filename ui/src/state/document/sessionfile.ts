// The state of the window as a session file has it, and back.
import type { DecodeAs, FoundCapture, OpenRequest, SessionCapture, SessionFile } from '../../ipc/gen/types';
import { choiceKey } from '../replay/algorithms.svelte';
import type { Capture } from '../capture/capture.svelte';
import { VIEWS, type Session, type ViewId } from '../session.svelte';
import type { TagSet } from '../library/tags.svelte';

/** What session files are called. */
export const SESSION_ENDING = '.rtoscope.json';

export const isSession = (path: string): boolean => /\.rtoscope\.json$/i.test(path);

/** What the window shows; the core fills in what only it knows: names, files, how they were read. */
export function fileOf(app: Session): SessionFile {
  const algorithms = app.algorithms.shown.filter(({ draft }) => !draft);
  const { channel, workload, seed, replicates } = app.settings;
  return {
    format: 'rtoscope-session',
    version: 1,
    program: '',
    captures: app.captures.map((capture) => captureOf(capture, app.tags.of(capture.view))),
    current: Math.max(
      0,
      app.captures.findIndex((capture) => capture === app.capture),
    ),
    view: app.view,
    algorithms: algorithms.map(({ choice }) => choice),
    baseline: algorithms.find(({ key }) => key === app.baseline)?.choice ?? null,
    replay: { channel, workload, seed, replicates, ...app.rules.policy },
    metrics: app.prefs.get('metrics'),
    what_if: app.whatIf.id === '' ? null : app.whatIf.now,
    kept: app.whatIf.snapshots.map(({ choice }) => choice),
    sweep: app.whatIf.sweeping,
    figures: {
      recipe: app.prefs.get('recipe'),
      switches: Object.entries(app.prefs.get('figures')).map(([recipe, params]) => ({ recipe, params })),
      without: app.captures.flatMap(({ id }, index) => (app.figures.takes(id) ? [] : [index])),
    },
    report: app.report.spec,
  };
}

function captureOf(capture: Capture, tags: TagSet): SessionCapture {
  return {
    name: '',
    sample: capture.sample,
    files: [],
    decode: { fcs: 'auto', ports: [], rc_option: null, contexts: [], keys: 0, addresses: [], unpack_ratio: null },
    window: [capture.viewport.t0, capture.viewport.t1],
    selection: capture.selection.exchange,
    playhead: capture.playback.at,
    association: capture.association,
    tags: { ...tags },
    flags: [...capture.flags.all],
    ...capture.part.given,
  };
}

/** How to open what a session file names; null when it is nowhere. `keys` are the reader's, for captures that need some. */
export function openingOf(saved: SessionCapture, found: FoundCapture, keys: readonly string[]): OpenRequest | null {
  const { fcs, ports, rc_option, contexts, addresses, unpack_ratio } = saved.decode;
  const decode: DecodeAs = {
    ...{ fcs, ports, rc_option, contexts, addresses, unpack_ratio },
    keys: saved.decode.keys > 0 ? [...keys] : [],
  };
  if (found.state === 'missing') return null;
  if (saved.sample !== null) return { path: null, sample: saved.sample, merge: null, decode };
  const paths = found.paths.flatMap((path) => path ?? []);
  const [only] = paths;
  if (only === undefined) return null;
  return paths.length === 1
    ? { path: only, sample: null, merge: null, decode }
    : { path: null, sample: null, merge: paths, decode };
}

/** Put a capture where the reader left it. */
export function place(capture: Capture, saved: SessionCapture): void {
  capture.viewport.set(...saved.window);
  capture.selection.select(
    saved.selection !== null && saved.selection < capture.view.exchanges ? saved.selection : null,
  );
  capture.playback.seek(saved.playhead);
  capture.chooseAssociation(saved.association < capture.associations.length ? saved.association : 0);
  capture.flags.restore(saved.flags);
  capture.part.restore({
    as_recorded: (saved.as_recorded ?? []).filter((id) => id < capture.associations.length),
    ...(saved.start && { start: saved.start }),
  });
}

/**
 * Everything that is not a capture's; `opened` are the captures of the file, where they are open. Algorithms this
 * program does not have are left out, and named.
 */
export function arrange(app: Session, file: SessionFile, opened: readonly (Capture | null)[]): string[] {
  const known = file.algorithms.filter(({ id }) => app.algorithms.spec(id) !== undefined);
  app.algorithms.show(known);
  app.prefs.set('channel', file.replay.channel);
  app.prefs.set('workload', file.replay.workload);
  app.prefs.set('seed', file.replay.seed);
  app.prefs.set('replicates', file.replay.replicates);
  app.rules.restore(file.replay.policy ?? {});
  app.prefs.set('metrics', file.metrics);
  app.compareWith(file.baseline && choiceKey(file.baseline));
  if (file.what_if && app.algorithms.spec(file.what_if.id)) {
    app.whatIf.choose(file.what_if.id, file.what_if.params);
    app.whatIf.restore(file.kept);
  }
  app.whatIf.resweep(file.sweep);
  app.prefs.set('recipe', file.figures.recipe);
  app.prefs.set('figures', Object.fromEntries(file.figures.switches.map(({ recipe, params }) => [recipe, params])));
  app.figures.leaveOut(file.figures.without.flatMap((index) => opened[index]?.id ?? []));
  app.report.adopt(file.report);
  if (VIEWS.some(({ id }) => id === file.view)) app.show(file.view as ViewId);
  return file.algorithms.filter((choice) => !known.includes(choice)).map(({ id }) => id);
}
