import { Failure, type Backend } from '../../ipc/backend';
import { plural } from '../../format';
import type {
  AlertView,
  AssumedView,
  CaptureView,
  DecodeAs,
  OpenRequest,
  Startup,
  StudyFoundView,
} from '../../ipc/gen/types';
import { Capture } from '../capture/capture.svelte';
import { carryOver } from '../capture/fields';
import type { Announcer } from '../window/announcer.svelte';
import type { Navigation } from '../window/navigation.svelte';
import type { Prefs, Recent } from '../window/prefs.svelte';
import { Alerts, type Watched } from './alerts.svelte';
import { asked, entered } from './decode';
import { Follow } from './follow.svelte';
import { Groups } from './groups.svelte';
import { Imports, type Import } from './imports.svelte';
import { Live } from './live.svelte';
import { runNames } from './names';
import { Tags } from './tags.svelte';

/** Time that the import of a capture took, in seconds, for its summary. */
export interface Arrival {
  capture: number;
  seconds: number;
}

/** Answers to the question whether files that were opened together record one network. */
export type MergeChoice = 'merge' | 'separate' | 'nothing';

/** Most recent files that are remembered. Chosen here by judgement: as many as a menu shows at a glance. */
const MOST_RECENT = 12;

const NOTHING: OpenRequest = { path: null, sample: null, merge: null, decode: null };

/**
 * The open captures: opens, merges, follows, judges and closes them, and knows which one is shown. Failures become
 * messages or entries of {@link Imports}.
 */
export class Library {
  readonly imports: Imports;
  readonly live: Live;
  readonly follow: Follow;
  readonly alerts: Alerts;
  readonly tags: Tags;
  readonly groups = new Groups();
  #backend: Backend;
  #prefs: Prefs;
  #announcer: Announcer;
  #navigation: Navigation;
  #samples: Startup['samples'] = [];
  #current = $state<number | null>(null);
  #arrivals = $state.raw<readonly Arrival[]>([]);
  #offered = $state.raw<readonly string[]>([]);
  /**
   * Keys of 802.15.4 security as typed in the preferences, one on a line. They stay in memory unless the reader asks to
   * store them.
   */
  keysText = $state('');

  constructor(backend: Backend, prefs: Prefs, announcer: Announcer, navigation: Navigation) {
    this.#backend = backend;
    this.#prefs = prefs;
    this.#announcer = announcer;
    this.#navigation = navigation;
    this.keysText = prefs.get('keys') ?? '';
    this.tags = new Tags(backend, prefs);
    this.live = new Live(backend, (view) => this.#grew(view));
    this.follow = new Follow(
      backend,
      (view) => this.#grew(view),
      (message) => announcer.toast(message, 'error'),
    );
    this.alerts = new Alerts(
      backend,
      prefs,
      announcer,
      (client, capture) => this.find(capture)?.callOf(client) ?? client,
    );
    this.imports = new Imports(backend, (view, from) => this.#arrived(view, from));
  }

  /** The open captures in the reader's order, runs of one folder together. */
  get captures(): readonly Capture[] {
    return this.groups.captures;
  }
  /** The capture that is shown; undefined without one. */
  get current(): Capture | undefined {
    return this.find(this.#current);
  }
  /** The capture that goes on: the recording, else the followed file; null without one. */
  get goesOn(): Watched | null {
    const { live, follow } = this;
    if (live.running && live.view) return { source: 'recording', path: live.view.path };
    return follow.path === undefined ? null : { source: 'followed', path: follow.path };
  }
  /** The open capture with this number; undefined where there is none. */
  find(id: number | null): Capture | undefined {
    return this.captures.find((capture) => capture.id === id);
  }
  /** Time that the import of a capture took; undefined for captures that were open before. */
  arrival(capture: number): Arrival | undefined {
    return this.#arrivals.find((arrival) => arrival.capture === capture);
  }
  /** Paths that were opened together and wait for the reader to say whether they record one network. */
  get offered(): readonly string[] {
    return this.#offered;
  }
  /** Keys of the preferences, in order. */
  get keys(): readonly string[] {
    return this.keysText
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  }

  /** Takes in the captures that the core has open already; `samples` are the bundled ones. */
  start(samples: Startup['samples'], open: readonly CaptureView[]): void {
    this.#samples = samples;
    for (const view of open) this.#admit(view);
  }

  /** Shows the open capture with this number; its group is unfolded. */
  select(capture: number): void {
    this.#current = capture;
    this.groups.reveal(capture);
    this.#navigation.showCapture();
  }

  /**
   * Shows an alert where it is: its capture, the time (ns) in *Timeline*, and the lane of its client, if it has one.
   */
  showAlert({ time, client }: AlertView): void {
    const capture = this.find(this.alerts.view?.capture ?? null);
    if (!capture || time === null) return;
    this.select(capture.id);
    this.#navigation.show('timeline');
    capture.goTo(time, client);
  }

  /** Imports captures one after the other; shows those that are open already. */
  async open(wanted: readonly Partial<OpenRequest>[]): Promise<void> {
    const preferred = this.#preferredDecoding();
    // A bundled capture knows how it is read.
    const requests = wanted.map((request) => ({ ...NOTHING, decode: request.sample ? null : preferred, ...request }));
    const unopened = requests.filter((request) => !this.#goToOpen(request));
    await this.imports.add(unopened.map((request) => ({ request, name: this.#nameOf(request) })));
  }

  /**
   * Opens every capture below a folder as one of its runs, in the order of names, and shows the first. Runs that
   * are open already join the others. Rejects with a {@link Failure} where the folder cannot be read, or has no
   * capture.
   */
  async openFolder(folder: string): Promise<void> {
    const found = await this.#backend.call('study_find', { folder, patterns: null });
    const paths = runsOf(found);
    const name = folder.split(/[/\\]/).findLast((part) => part !== '') ?? folder;
    if (paths.length === 0) throw new Failure('not_found', `There is no capture in ${name}.`);
    for (const open of this.captures) if (paths.includes(open.view.path ?? '')) open.folder = folder;
    const isOpen = (path: string) => this.captures.some(({ view }) => view.path === path);
    const decode = this.#preferredDecoding();
    const unopened = paths.filter((path) => !isOpen(path)).map((path) => ({ ...NOTHING, path, decode }));
    this.remember(folder, 'folder');
    const read = await this.imports.add(unopened.map((request) => ({ request, name: this.#nameOf(request), folder })));
    const runs = paths.flatMap((path) => this.captures.find(({ view }) => view.path === path) ?? []);
    const [first] = runs;
    if (first && read.length === 0) this.select(first.id);
    if (runs.length > 0) this.#announcer.say(`${name} is open: ${plural(runs.length, 'run')}`);
  }

  /** Holds files back until the reader says whether they record one network. */
  offer(paths: readonly string[]): void {
    this.#offered = paths;
  }
  /** Opens the held files: joined on one clock, each by itself, or not at all. */
  async openOffered(how: MergeChoice): Promise<void> {
    const paths = this.#offered;
    this.#offered = [];
    if (how === 'merge') await this.open([{ merge: [...paths] }]);
    else if (how === 'separate') await this.open(paths.map((path) => ({ path, sample: null })));
  }

  /** Reads a capture again with other options; it replaces the one before. */
  async reopen(capture: Capture, decode: DecodeAs): Promise<void> {
    const request = { ...capture.request, decode };
    const { folder } = capture;
    await this.imports.add([{ request, name: capture.title, instead: capture.id, ...(folder !== null && { folder }) }]);
  }

  /** Follows the file of a capture as it grows, with the same options; does nothing where it has no file of its own. */
  async followFile(capture: Capture): Promise<void> {
    const { path } = capture.view;
    if (path === null) return;
    await this.follow.start({ path, decode: capture.request.decode, capture: capture.id });
    if (this.follow.running) this.#announcer.say(`${capture.title} is followed as it grows`);
  }

  /** Asks for more files, and reads the files of `capture` with them as recordings of one network. */
  async mergeWith(capture: Capture): Promise<void> {
    const own = capture.view.read_as.files.flatMap(({ path }) => path ?? []);
    const paths = [...own, ...(await this.#backend.pick()).filter((path) => !own.includes(path))];
    if (own.length > 0 && paths.length > own.length)
      await this.open([{ merge: paths, decode: capture.request.decode }]);
  }

  /**
   * Takes names and places of nodes for the current capture from a list: a simulation of Cooja, rows of a plan, or
   * hosts.
   */
  async useNodes(path: string): Promise<void> {
    const capture = this.current;
    if (!capture) return;
    const file = path.split(/[/\\]/).at(-1) ?? path;
    try {
      const plan = await this.#backend.call('node_list', { capture: capture.id, path });
      const network = await this.#backend.call('network', { capture: capture.id });
      if (plan.nodes.length === 0) throw new Failure('request', `${file} lists none of the nodes of ${capture.title}.`);
      capture.nodes.take(plan, network);
      if (plan.nodes.some(({ place }) => place !== null)) capture.network.arrange('plan');
      const skipped = plan.notes.length > 0 ? `; ${plan.notes.join('; ')}` : '';
      this.#announcer.toast(`${plan.nodes.length} of ${network.nodes.length} nodes are in ${file}${skipped}`, 'done');
    } catch (thrown) {
      const failure = Failure.from(thrown);
      if (!failure.cancelled) this.#announcer.toast(failure.message, 'error');
    }
  }

  /** Assumes something about a capture that it cannot show; replaces the assumption about the same association. */
  async assume(capture: Capture, one: AssumedView): Promise<void> {
    const others = capture.said.now.filter(({ association }) => association !== one.association);
    const says = one.vantage !== null || one.workload !== null || one.stack !== null;
    capture.said.set(says ? [...others, one] : others, `said ${one.association}`);
    await this.#judge(capture, 'undo');
  }

  /** Takes the last assumption back, or makes it again. */
  async stepAssumptions(capture: Capture, way: 'undo' | 'redo'): Promise<void> {
    capture.said[way]();
    await this.#judge(capture, way === 'undo' ? 'redo' : 'undo');
  }

  /** Closes a capture and shows its neighbour. */
  async close(id: number): Promise<void> {
    if (this.follow.follows(id)) await this.follow.stop();
    const at = this.captures.findIndex((capture) => capture.id === id);
    this.groups.hold(this.captures.filter((capture) => capture.id !== id));
    if (this.#current === id) this.#current = (this.captures[at] ?? this.captures.at(-1))?.id ?? null;
    try {
      await this.#backend.call('close', { capture: id });
    } catch (thrown) {
      this.#announcer.toast(Failure.from(thrown).message, 'error');
    }
  }

  /** Puts a file that was opened or saved first among the recent ones. */
  remember(path: string, at: Recent['at']): void {
    const rest = this.#prefs.get('recent').filter((recent) => recent.path !== path);
    this.#prefs.set('recent', [{ path, at }, ...rest].slice(0, MOST_RECENT));
  }

  /** Makes the core judge a capture by its assumptions; `back` reverts them where the reader stops it. */
  async #judge(capture: Capture, back: 'undo' | 'redo'): Promise<void> {
    try {
      const view = await this.#backend.call('assume', { capture: capture.id, said: [...capture.said.now] });
      const next = new Capture(this.#backend, view, capture.title, capture.sample, capture.request, capture.said);
      carryOver(capture, next);
      this.groups.hold(this.captures.map((other) => (other === capture ? next : other)));
      if (this.#current === capture.id) this.#current = next.id;
    } catch (thrown) {
      const failure = Failure.from(thrown);
      if (failure.cancelled) capture.said[back]();
      else this.#announcer.toast(failure.message, 'error');
    }
  }

  /** Decoding options of the preferences; null where none is given, so that each capture decides. */
  #preferredDecoding(): DecodeAs | null {
    const [ports, rcOption, contexts] = [
      this.#prefs.get('ports'),
      this.#prefs.get('rcOption'),
      this.#prefs.get('contexts'),
    ];
    const keys = this.keysText;
    if (!ports && !rcOption && !contexts && !keys.trim()) return null;
    return asked({ ...entered(null), ports, rcOption, contexts, keys }).decode;
  }

  /** Shows a capture that is open already; false where it is not. */
  #goToOpen(request: OpenRequest): boolean {
    if (request.merge) return false;
    const there = this.captures.find(({ sample, view }) =>
      request.path === null ? sample === request.sample : view.path === request.path,
    );
    if (there) this.select(there.id);
    return there !== undefined;
  }

  #nameOf(request: OpenRequest): string {
    if (request.sample !== null) {
      return this.#samples.find((sample) => sample.id === request.sample)?.name ?? request.sample;
    }
    const paths = request.merge ?? [request.path ?? ''];
    return paths.map((path) => path.split(/[/\\]/).at(-1)).join(' + ');
  }

  /** Adds a capture, in the place of one of the same number or of the one that it replaces. */
  #admit(
    view: CaptureView,
    request?: OpenRequest,
    { folder, instead }: { folder?: string; instead?: number } = {},
  ): Capture {
    // A bundled file is named after its sample.
    const sample = view.path === null ? this.#samples.find(({ id }) => view.name.startsWith(`${id}.`)) : undefined;
    const before = this.find(view.id);
    const others = this.captures.filter((other) => other.id !== view.id && other.id !== instead);
    const place = this.captures.findIndex(({ id }) => id === view.id || id === instead);
    const capture = new Capture(this.#backend, view, sample?.name ?? view.name, sample?.id ?? null, request);
    capture.folder = folder ?? null;
    if (before) capture.title = before.title;
    else nameRuns([...others, capture]);
    void this.tags.want(view.id);
    this.groups.hold(place < 0 ? [...others, capture] : others.toSpliced(place, 0, capture));
    this.#current ??= view.id;
    return capture;
  }

  /** Takes in the recording, or the followed file, which has grown; it is shown when it first appears. */
  #grew(view: CaptureView): void {
    const before = this.find(view.id);
    const capture = this.#admit(view, before?.request);
    if (!before) {
      this.select(view.id);
      return;
    }
    capture.follow(before);
    carryOver(before, capture, ['window']);
  }

  #arrived(view: CaptureView, from: Import): void {
    const { folder, instead } = from;
    // The first run of a folder is shown; the others come behind it.
    const follows =
      instead === undefined && this.captures.some((other) => folder !== undefined && other.folder === folder);
    const capture = this.#admit(view, from.request, from);
    if (view.path !== null && folder === undefined) this.remember(view.path, 'capture');
    if (instead !== undefined && instead !== view.id) void this.close(instead);
    this.#arrivals = [...this.#arrivals, { capture: view.id, seconds: from.elapsed / 1000 }];
    if (follows) return;
    this.#current = view.id;
    this.groups.reveal(view.id);
    this.#navigation.showSummary(from.request.sample === null || instead !== undefined);
    this.#announcer.say(`${capture.title} is open: ${view.exchanges} exchanges, ${view.copies} copies`);
  }
}

/** Paths of the captures below a folder, by name: runs 2 to 10 stand in this order. */
function runsOf({ folder, captures, others }: StudyFoundView): string[] {
  const paths = [...captures.map(({ path }) => path), ...others];
  const { compare } = new Intl.Collator('en', { numeric: true });
  return paths.toSorted(compare).map((path) => `${folder.replace(/[/\\]$/, '')}/${path}`);
}

/** Gives captures of files the names that tell them apart. */
function nameRuns(captures: readonly Capture[]): void {
  const files = captures.filter(({ sample }) => sample === null);
  const names = runNames(files.map(({ view }) => view));
  files.forEach((capture, index) => (capture.title = names[index] ?? capture.title));
}
