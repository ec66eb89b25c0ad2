import { Failure, type Backend } from '../ipc/backend';
import type { AssumedView, CaptureView, DecodeAs, OpenRequest, Startup } from '../ipc/gen/types';
import { Actions } from './window/actions.svelte';
import { Algorithms } from './replay/algorithms.svelte';
import { Announcer } from './window/announcer.svelte';
import { Catalogue } from './replay/catalogue.svelte';
import { Capture } from './capture/capture.svelte';
import { Figures } from './workspace/figures.svelte';
import { Imports, type Import } from './library/imports.svelte';
import { Jobs } from './window/jobs.svelte';
import { Live } from './library/live.svelte';
import { FilterFields } from './capture/packets.svelte';
import { asked, entered } from './library/decode';
import { Prefs } from './window/prefs.svelte';
import { Reply } from './replies/reply.svelte';
import { Report } from './document/report.svelte';
import { Rules } from './replay/rules.svelte';
import type { ReplaySettings } from './replay/runs.svelte';
import { isSession } from './document/sessionfile';
import { Saving } from './document/saving.svelte';
import { Search } from './replay/search.svelte';
import { Tags } from './library/tags.svelte';
import { Tour } from './window/tour.svelte';
import { Undo } from './document/undo.svelte';
import { WhatIf } from './replay/whatif.svelte';

/** The views there are, in the order of the tabs and of the keys 1 to 9. */
export const VIEWS = [
  { id: 'timeline', title: 'Timeline' },
  { id: 'exchanges', title: 'Exchanges' },
  { id: 'rto', title: 'RTO' },
  { id: 'compare', title: 'Compare' },
  { id: 'whatif', title: 'What-if' },
  { id: 'packets', title: 'Packets' },
  { id: 'ladder', title: 'Ladder' },
  { id: 'network', title: 'Network' },
  { id: 'algorithms', title: 'Algorithms' },
  { id: 'figures', title: 'Figures' },
  { id: 'report', title: 'Report' },
] as const;

export type ViewId = (typeof VIEWS)[number]['id'];

/** How an import went, for its summary. */
export interface Arrival {
  capture: number;
  seconds: number;
}

/** Recent files kept. */
const RECENT = 12;

const NOTHING: OpenRequest = { path: null, sample: null, merge: null, decode: null };

/** Everything the window knows. Made once in `main.ts`, passed by context. */
export class Session {
  readonly backend: Backend;
  readonly prefs: Prefs;
  readonly announcer = new Announcer();
  readonly actions = new Actions();
  readonly algorithms: Algorithms;
  readonly catalogue: Catalogue;
  readonly whatIf = new WhatIf();
  readonly rules = new Rules();
  readonly search: Search;
  readonly imports: Imports;
  /** What takes long, whoever asked for it. */
  readonly jobs: Jobs;
  readonly report: Report;
  readonly saving: Saving;
  readonly undo: Undo;
  readonly tour: Tour;
  readonly live: Live;
  readonly fields: FilterFields;
  readonly figures: Figures;
  readonly tags: Tags;
  readonly #starting = new Reply<Startup>();
  #captures = $state.raw<readonly Capture[]>([]);
  #current = $state<number | null>(null);
  #view = $state<ViewId>('timeline');
  #summary = $state(false);
  #ready = $state(false);
  #baseline = $state<string | null>(null);
  #arrivals = $state.raw<readonly Arrival[]>([]);
  #decoding = $state<number | null>(null);
  #tagging = $state<number | null>(null);
  /** 802.15.4 keys of the preferences, as typed: in memory, unless the reader keeps them. */
  keysText = $state('');
  preferring = $state(false);
  /** The list of flags is open. */
  flagging = $state(false);
  #offered = $state.raw<readonly string[]>([]);

  constructor(outer: Backend, prefs: Prefs = new Prefs()) {
    this.jobs = new Jobs(outer);
    const { backend } = this.jobs;
    this.backend = backend;
    this.prefs = prefs;
    this.algorithms = new Algorithms(prefs);
    this.figures = new Figures(backend, prefs);
    this.tags = new Tags(backend, prefs);
    this.fields = new FilterFields(backend);
    this.catalogue = new Catalogue(backend, ({ algorithms, loaded }) => this.algorithms.learn(algorithms, loaded));
    this.report = new Report(this);
    this.saving = new Saving(this);
    this.undo = new Undo(this);
    this.tour = new Tour(prefs);
    this.keysText = prefs.get('keys') ?? '';
    this.live = new Live(backend, (view) => this.#grew(view));
    this.search = new Search(backend);
    this.imports = new Imports(backend, (view, from) => this.#arrived(view, from));
  }

  get startup(): Startup | undefined {
    return this.#starting.value;
  }
  get failure(): Failure | undefined {
    return this.#starting.failure;
  }
  /** What the window begins with is decided: from now on, nothing open means that nothing is open. */
  get ready(): boolean {
    return this.#ready;
  }
  get captures(): readonly Capture[] {
    return this.#captures;
  }
  get capture(): Capture | undefined {
    return this.#captures.find((capture) => capture.id === this.#current);
  }
  get view(): ViewId {
    return this.#view;
  }
  /** The import summary of the current capture covers the view. */
  get summary(): boolean {
    return this.#summary && this.capture !== undefined;
  }
  /** Key of the algorithm that differences are taken to; null: the recorded behaviour. */
  get baseline(): string | null {
    return this.#baseline;
  }
  get settings(): ReplaySettings {
    return {
      channel: this.prefs.get('channel'),
      workload: this.prefs.get('workload'),
      seed: this.prefs.get('seed'),
      replicates: this.prefs.get('replicates'),
      ...this.rules.policy,
    };
  }

  /** The same of `capture`, and who of it is replayed. */
  settingsFor(capture: Capture): ReplaySettings {
    return { ...this.settings, ...capture.part.asked };
  }

  arrival(capture: number): Arrival | undefined {
    return this.#arrivals.find((arrival) => arrival.capture === capture);
  }

  /** What the window needs first; then what is open already, else the first sample. */
  async start(): Promise<void> {
    await this.#starting.ask('start', async () => {
      const [startup, specs, open] = await Promise.all([
        this.backend.call('startup', null),
        this.backend.call('algorithms', null),
        this.backend.call('captures', null),
      ]);
      this.algorithms.load(specs, startup.default_algorithms);
      const first = this.algorithms.shown.find(({ spec }) => spec.params.length > 0) ?? this.algorithms.shown[0];
      if (first) this.whatIf.choose(first.spec.id);
      for (const view of open) this.#admit(view);
      return startup;
    });
    if (!this.failure) await this.#first();
    this.#ready = true;
  }

  /** What the window begins with: the files it was started with, or a sample to look at. */
  async #first(): Promise<void> {
    // Nobody who has a file waits for sniffers.
    void this.live.start();
    const named = await this.backend.openedWith().catch(() => []);
    const last = this.prefs.get('view');
    if (VIEWS.some(({ id }) => id === last) && location.hash.length < 3) this.#view = last as ViewId;
    await this.openFiles(named);
    const sample = this.startup?.samples[0];
    if (this.#captures.length === 0 && this.#offered.length === 0 && !this.imports.list.length && sample)
      await this.open([{ path: null, sample: sample.id }]);
  }

  /** Keys of the preferences, one each. */
  get keys(): readonly string[] {
    return this.keysText
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  }

  /** A file was opened or saved: it leads the recent ones. */
  remember(path: string): void {
    const rest = this.prefs.get('recent').filter((recent) => recent.path !== path);
    const at = isSession(path) || /\.html$/i.test(path) ? 'session' : 'capture';
    this.prefs.set('recent', [{ path, at } as const, ...rest].slice(0, RECENT));
  }

  show(view: ViewId): void {
    this.#view = view;
    this.prefs.set('view', view);
    this.#summary = false;
  }

  select(capture: number): void {
    this.#current = capture;
    this.#summary = false;
    // That page shows no capture.
    if (this.#view === 'algorithms') this.#view = 'timeline';
  }

  showSummary(on: boolean): void {
    this.#summary = on;
  }

  compareWith(baseline: string | null): void {
    this.#baseline = baseline;
  }

  /** The capture whose "Decode as" dialog is open. */
  get decoding(): Capture | undefined {
    return this.#captures.find((capture) => capture.id === this.#decoding);
  }
  decodeAs(capture: number | null): void {
    this.#decoding = capture;
  }

  /** The capture whose tags are open. */
  get tagging(): Capture | undefined {
    return this.#captures.find((capture) => capture.id === this.#tagging);
  }
  tag(capture: number | null): void {
    this.#tagging = capture;
  }

  /** Read captures, one after the other. */
  async open(wanted: readonly Partial<OpenRequest>[]): Promise<void> {
    const session = wanted.find(({ path }) => path && isSession(path))?.path;
    if (session) {
      await this.saving.open(session);
      return;
    }
    const usual = this.#usual();
    // A bundled capture knows how it is read.
    const requests = wanted.map((request) => ({ ...NOTHING, decode: request.sample ? null : usual, ...request }));
    const fresh = requests.filter((request) => !this.#goToOpen(request));
    await this.imports.add(fresh.map((request) => ({ request, name: this.#nameOf(request) })));
  }

  /** A capture, a session or a report, by what it is called. */
  async openPath(path: string): Promise<void> {
    if (isSession(path) || /\.html$/i.test(path)) await this.saving.open(path);
    else await this.open([{ path, sample: null }]);
  }

  async pick(): Promise<void> {
    await this.openFiles(await this.backend.pick());
  }

  /** Files that came together and wait for a word on whether they are recordings of one network. */
  get offered(): readonly string[] {
    return this.#offered;
  }

  /** Read files; of several at once it is asked first whether they belong together. */
  async openFiles(paths: readonly string[]): Promise<void> {
    // A session names its captures itself; `open` goes by it.
    if (paths.length > 1 && !paths.some(isSession)) this.#offered = paths;
    else await this.open(paths.map((path) => ({ path, sample: null })));
  }

  /** What to do with the files that wait: join them on one clock, read each on its own, or nothing. */
  async answer(how: 'merge' | 'separate' | 'nothing'): Promise<void> {
    const paths = this.#offered;
    this.#offered = [];
    if (how === 'merge') await this.open([{ merge: [...paths] }]);
    else if (how === 'separate') await this.open(paths.map((path) => ({ path, sample: null })));
  }

  /** Load the user's own presets; what is wrong with them stands on the Algorithms page. */
  async loadPresets(): Promise<void> {
    const loaded = await this.catalogue.load();
    const first = this.catalogue.presets.value?.loaded[0];
    if (loaded && first) {
      this.catalogue.chosen = first;
      this.announcer.toast(`${this.catalogue.presets.value?.loaded.length ?? 0} presets loaded`, 'done');
    }
    if (loaded || this.catalogue.presets.failure) this.show('algorithms');
  }

  /** Read a capture again, otherwise; it takes the place of what was read before. */
  async reopen(capture: Capture, decode: DecodeAs): Promise<void> {
    const request = { ...capture.request, decode };
    await this.imports.add([{ request, name: capture.title, instead: capture.id }]);
  }

  /** Read `capture` and others that are picked as recordings of one network. */
  async mergeWith(capture: Capture): Promise<void> {
    const own = capture.view.read_as.files.flatMap(({ path }) => path ?? []);
    const paths = [...own, ...(await this.backend.pick()).filter((path) => !own.includes(path))];
    if (own.length > 0 && paths.length > own.length)
      await this.open([{ merge: paths, decode: capture.request.decode }]);
  }

  /** Say something of a capture that it cannot tell, or tells wrongly; in place of what was said of the same clients. */
  async assume(capture: Capture, one: AssumedView): Promise<void> {
    const others = capture.said.now.filter(({ association }) => association !== one.association);
    const says = one.vantage !== null || one.workload !== null;
    capture.said.set(says ? [...others, one] : others, `said ${one.association}`);
    await this.#judge(capture, 'undo');
  }

  /** Take back what was said last, or say it again. */
  async reconsider(capture: Capture, way: 'undo' | 'redo'): Promise<void> {
    capture.said[way]();
    await this.#judge(capture, way === 'undo' ? 'redo' : 'undo');
  }

  /** Judge it by what is said of it; `back` takes that back where the reader stops it. */
  async #judge(capture: Capture, back: 'undo' | 'redo'): Promise<void> {
    try {
      const view = await this.backend.call('assume', { capture: capture.id, said: [...capture.said.now] });
      const next = new Capture(this.backend, view, capture.title, capture.sample, capture.request, capture.said);
      next.viewport.set(capture.viewport.t0, capture.viewport.t1);
      next.selection.select(capture.selection.exchange);
      next.flags.restore(capture.flags.all);
      next.chooseAssociation(capture.association);
      this.#captures = this.#captures.map((other) => (other === capture ? next : other));
      if (this.#current === capture.id) this.#current = next.id;
    } catch (thrown) {
      const failure = Failure.from(thrown);
      if (failure.cancelled) capture.said[back]();
      else this.announcer.toast(failure.message, 'error');
    }
  }

  async close(id: number): Promise<void> {
    const at = this.#captures.findIndex((capture) => capture.id === id);
    this.#captures = this.#captures.filter((capture) => capture.id !== id);
    if (this.#current === id) this.#current = (this.#captures[at] ?? this.#captures.at(-1))?.id ?? null;
    try {
      await this.backend.call('close', { capture: id });
    } catch (thrown) {
      this.announcer.toast(Failure.from(thrown).message, 'error');
    }
  }

  /** How the preferences say captures are read; null: as they say themselves. */
  #usual(): DecodeAs | null {
    const { prefs } = this;
    const [ports, rcOption, contexts] = [prefs.get('ports'), prefs.get('rcOption'), prefs.get('contexts')];
    const keys = this.keysText;
    if (!ports && !rcOption && !contexts && !keys.trim()) return null;
    return asked({ ...entered(null), ports, rcOption, contexts, keys }).decode;
  }

  /** Already open: go there instead of reading it twice. */
  #goToOpen(request: OpenRequest): boolean {
    if (request.merge) return false;
    const there = this.#captures.find(({ sample, view }) =>
      request.path === null ? sample === request.sample : view.path === request.path,
    );
    if (there) this.select(there.id);
    return there !== undefined;
  }

  #nameOf(request: OpenRequest): string {
    if (request.sample !== null) {
      return this.startup?.samples.find((sample) => sample.id === request.sample)?.name ?? request.sample;
    }
    const paths = request.merge ?? [request.path ?? ''];
    return paths.map((path) => path.split(/[/\\]/).at(-1)).join(' + ');
  }

  #admit(view: CaptureView, request?: OpenRequest): void {
    // A bundled file is named after its sample.
    const sample =
      view.path === null ? this.startup?.samples.find(({ id }) => view.name.startsWith(`${id}.`)) : undefined;
    const place = this.#captures.findIndex((other) => other.id === view.id);
    const others = this.#captures.filter((other) => other.id !== view.id);
    const stem = view.name.replace(/(\.(pcap|pcapng|cap|log|txt))?(\.gz)?$/, '');
    const folder = view.path?.split(/[/\\]/).at(-2);
    const taken = others.some((other) => other.title === stem);
    const title = sample?.name ?? (taken && folder ? `${folder}/${stem}` : stem);
    // One that is read again stays where it is.
    const at = place < 0 ? others.length : place;
    const capture = new Capture(this.backend, view, title, sample?.id ?? null, request);
    void this.tags.want(view.id);
    this.#captures = [...others.slice(0, at), capture, ...others.slice(at)];
    this.#current ??= view.id;
  }

  /** The recording has more to show; the first time the window goes there. */
  #grew(view: CaptureView): void {
    const before = this.#captures.find(({ id }) => id === view.id);
    this.#admit(view);
    if (before) this.#captures.find(({ id }) => id === view.id)?.goOnFrom(before);
    else this.select(view.id);
  }

  #arrived(view: CaptureView, from: Import): void {
    this.#admit(view, from.request);
    if (view.path !== null) this.remember(view.path);
    if (from.instead !== undefined && from.instead !== view.id) void this.close(from.instead);
    this.#current = view.id;
    this.#arrivals = [...this.#arrivals, { capture: view.id, seconds: from.elapsed / 1000 }];
    this.#summary = from.request.sample === null || from.instead !== undefined;
    this.announcer.say(
      `${this.capture?.title ?? view.name} is open: ${view.exchanges} exchanges, ${view.copies} copies`,
    );
  }
}
