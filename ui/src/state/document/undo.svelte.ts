import { untrack } from 'svelte';
import { canonical } from '../../ipc/canonical';
import type {
  AlgorithmChoice,
  ChannelKind,
  PartView,
  PolicyView,
  SessionFlag,
  SessionSweep,
  WorkloadKind,
} from '../../ipc/gen/types';
import type { Capture } from '../capture/capture.svelte';
import { History } from '../fields/history.svelte';
import type { Place } from '../capture/network.svelte';
import type { Stored } from '../window/prefs.svelte';
import type { Session } from '../session.svelte';

/** What undo takes back: parameters and selections, of the window and of each open capture. */
interface Steps {
  algorithms: readonly AlgorithmChoice[];
  baseline: string | null;
  channel: ChannelKind;
  workload: WorkloadKind;
  seed: number;
  replicates: number;
  rules: PolicyView;
  metrics: readonly string[] | null;
  whatIf: AlgorithmChoice;
  kept: readonly AlgorithmChoice[];
  sweep: SessionSweep;
  pinned: readonly string[];
  recipe: string | null;
  switches: Stored['figures'];
  /** Captures left out of figures, by number. */
  without: readonly number[];
  tags: Stored['tags'];
  captures: Readonly<Record<number, Looked>>;
}

interface Looked {
  window: readonly [number, number];
  selection: number | null;
  association: number;
  /** In Network. */
  place: Place | null;
  /** In Packets. */
  frame: number | null;
  filter: string;
  flags: readonly SessionFlag[];
  part: PartView;
}

const OF_WINDOW = [
  ...(['algorithms', 'baseline', 'channel', 'workload', 'seed', 'replicates', 'rules', 'metrics', 'pinned'] as const),
  // Another algorithm on the table takes its sweep and what was kept with it.
  ...(['whatIf', 'kept', 'sweep', 'recipe', 'switches', 'without', 'tags'] as const),
];
const OF_CAPTURE = ['selection', 'association', 'place', 'frame', 'filter', 'flags', 'part', 'window'] as const;

/** What a hand moves: quick changes of it are one. Everything else is chosen, each time anew. */
const STROKES: ReadonlySet<string> = new Set(['window', 'whatIf', 'rules', 'switches', 'seed', 'replicates', 'frame']);

/** For people, where a change is of this. */
const NAMES: Record<keyof Omit<Steps, 'captures'> | keyof Looked, string> = {
  algorithms: 'the algorithms shown',
  baseline: 'the baseline',
  channel: 'the channel',
  workload: 'the workload',
  seed: 'the seed',
  replicates: 'the replicates',
  rules: 'the rule',
  metrics: 'the measures',
  whatIf: 'the parameter change',
  kept: 'the settings kept',
  sweep: 'the sweep',
  pinned: 'the rows pinned',
  recipe: 'the figure',
  switches: 'the figure’s switches',
  without: 'the captures of figures',
  tags: 'the tags',
  window: 'the window of time',
  selection: 'the selection',
  association: 'the association',
  place: 'the node or link',
  frame: 'the frame',
  filter: 'the filter',
  flags: 'the flags',
  part: 'who is replayed, and from when',
};

/**
 * Undo and redo of every change of a parameter or of a selection, whoever made it: the state is watched, not the hands.
 * What belongs to a capture that is closed meanwhile is passed over.
 */
export class Undo {
  #app: Session;
  #history = $state.raw<History<Steps> | null>(null);
  /** What each state was reached by, for the names of the commands. */
  #kinds = new WeakMap<Steps, string>();

  constructor(app: Session) {
    this.#app = app;
  }

  get canUndo(): boolean {
    return this.#history?.canUndo ?? false;
  }
  get canRedo(): boolean {
    return this.#history?.canRedo ?? false;
  }
  /** What undo would take back. */
  get what(): string {
    const now = this.#history?.now;
    return (now && this.#kinds.get(now)) ?? 'the change';
  }

  /** Take note of how things are; for an effect, which runs again when any of it changes. */
  watch(): void {
    const now = look(this.#app);
    untrack(() => this.#note(now));
  }

  #note(now: Steps): void {
    const history = this.#history;
    // A window that follows the playhead is not the reader's doing.
    const moving = this.#app.captures.some(({ playback }) => playback.playing);
    if (!history) {
      if (now.whatIf.id !== '') this.#history = new History(now);
      return;
    }
    const kind = changed(history.now, now);
    if (kind === null) return;
    if (kind === 'captures' || (moving && kind === 'window')) {
      history.amend(now);
      return;
    }
    this.#kinds.set(now, NAMES[kind]);
    if (!STROKES.has(kind)) history.seal();
    // Two sliders in quick succession are two steps.
    history.set(now, `${kind} ${stroke(kind, history.now, now)}`);
  }

  undo(): void {
    this.#history?.undo();
    this.#apply();
  }

  redo(): void {
    this.#history?.redo();
    this.#apply();
  }

  #apply(): void {
    const app = this.#app;
    const then = this.#history?.now;
    if (!then) return;
    app.algorithms.show(then.algorithms);
    app.compareWith(then.baseline);
    app.prefs.set('channel', then.channel);
    app.prefs.set('workload', then.workload);
    app.prefs.set('seed', then.seed);
    app.prefs.set('replicates', then.replicates);
    app.rules.restore(then.rules);
    app.prefs.set('metrics', then.metrics && [...then.metrics]);
    app.whatIf.choose(then.whatIf.id, then.whatIf.params);
    app.whatIf.restore(then.kept);
    app.whatIf.resweep(then.sweep);
    app.prefs.set('pinned', [...then.pinned]);
    app.prefs.set('recipe', then.recipe);
    app.prefs.set('figures', then.switches);
    app.figures.leaveOut(then.without);
    app.prefs.set('tags', then.tags);
    for (const capture of app.captures) {
      const looked = then.captures[capture.id];
      if (!looked) continue;
      capture.viewport.set(...looked.window);
      capture.selection.select(looked.selection);
      capture.chooseAssociation(looked.association);
      capture.network.select(looked.place);
      capture.packets.open(looked.frame);
      capture.packets.apply(looked.filter);
      capture.flags.restore(looked.flags);
      capture.part.restore(looked.part);
    }
  }
}

/** What a hand is on: which parameter, which rule. */
function stroke(kind: string, from: Steps, to: Steps): string {
  if (kind === 'whatIf') return `${to.whatIf.id} ${moved(from.whatIf.params, to.whatIf.params)}`;
  return kind === 'rules' ? moved(from.rules, to.rules) : '';
}

/** Names of the values that are not the same. */
function moved(a: object, b: object): string {
  const [before, after] = [a, b] as Record<string, unknown>[];
  const names = Object.keys({ ...before, ...after }).sort();
  return names.filter((name) => before?.[name] !== after?.[name]).join();
}

function look(app: Session): Steps {
  const { channel, workload, seed, replicates } = app.settings;
  return {
    algorithms: app.algorithms.chosen,
    baseline: app.baseline,
    ...{ channel, workload, seed, replicates },
    rules: app.rules.given,
    metrics: app.prefs.get('metrics'),
    whatIf: app.whatIf.now,
    kept: app.whatIf.snapshots.map(({ choice }) => choice),
    sweep: app.whatIf.sweeping,
    pinned: app.prefs.get('pinned'),
    recipe: app.prefs.get('recipe'),
    switches: app.prefs.get('figures'),
    without: app.figures.without,
    tags: app.prefs.get('tags'),
    captures: Object.fromEntries(app.captures.map((capture) => [capture.id, looked(capture)])),
  };
}

function looked({ viewport, selection, association, network, packets, flags, part }: Capture): Looked {
  return {
    ...{ window: [viewport.t0, viewport.t1] as const, selection: selection.exchange, association },
    ...{ place: network.selected, frame: packets.frame, filter: packets.filter, flags: flags.all, part: part.given },
  };
}

/** Asked in every frame of a pan: what is the same object needs no text. */
const differ = (a: unknown, b: unknown): boolean => a !== b && canonical(a) !== canonical(b);

/** The first difference; `captures` where one was opened or closed; null where there is none. */
function changed(a: Steps, b: Steps): keyof Omit<Steps, 'captures'> | keyof Looked | 'captures' | null {
  for (const key of OF_WINDOW) if (differ(a[key], b[key])) return key;
  for (const [id, now] of Object.entries(b.captures)) {
    const then = a.captures[Number(id)];
    if (!then) return 'captures';
    // A selection comes first: what it does to the window is part of it.
    for (const key of OF_CAPTURE) if (differ(then[key], now[key])) return key;
  }
  return Object.keys(a.captures).length === Object.keys(b.captures).length ? null : 'captures';
}
