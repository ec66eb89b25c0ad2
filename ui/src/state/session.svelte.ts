import { Failure, type Backend } from '../ipc/backend';
import type { CaptureView, DecodeAs, OpenRequest, Startup } from '../ipc/gen/types';
import { Actions } from './actions.svelte';
import { Algorithms } from './algorithms.svelte';
import { Announcer } from './announcer.svelte';
import { Catalogue } from './catalogue.svelte';
import { Capture } from './capture.svelte';
import { Imports, type Import } from './imports.svelte';
import { FilterFields } from './packets.svelte';
import { Prefs } from './prefs.svelte';
import { Reply } from './reply.svelte';
import type { ReplaySettings } from './runs.svelte';
import { WhatIf } from './whatif.svelte';

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
] as const;

export type ViewId = (typeof VIEWS)[number]['id'];

/** How an import went, for its summary. */
export interface Arrival {
  capture: number;
  seconds: number;
}

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
  readonly imports: Imports;
  readonly fields: FilterFields;
  readonly #starting = new Reply<Startup>();
  #captures = $state.raw<readonly Capture[]>([]);
  #current = $state<number | null>(null);
  #view = $state<ViewId>('timeline');
  #summary = $state(false);
  #baseline = $state<string | null>(null);
  #arrivals = $state.raw<readonly Arrival[]>([]);
  #decoding = $state<number | null>(null);
  #offered = $state.raw<readonly string[]>([]);

  constructor(backend: Backend, prefs: Prefs = new Prefs()) {
    this.backend = backend;
    this.prefs = prefs;
    this.algorithms = new Algorithms(prefs);
    this.fields = new FilterFields(backend);
    this.catalogue = new Catalogue(backend, ({ algorithms, loaded }) => this.algorithms.learn(algorithms, loaded));
    this.imports = new Imports(backend, (view, from) => this.#arrived(view, from));
  }

  get startup(): Startup | undefined {
    return this.#starting.value;
  }
  get failure(): Failure | undefined {
    return this.#starting.failure;
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
    };
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
    if (this.failure) return;
    const named = await this.backend.openedWith().catch(() => []);
    await this.openFiles(named);
    const sample = this.startup?.samples[0];
    if (this.#captures.length === 0 && this.#offered.length === 0 && !this.imports.list.length && sample)
      await this.open([{ path: null, sample: sample.id }]);
  }

  show(view: ViewId): void {
    this.#view = view;
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

  /** Read captures, one after the other. */
  async open(asked: readonly Partial<OpenRequest>[]): Promise<void> {
    const requests = asked.map((request) => ({ ...NOTHING, ...request }));
    const fresh = requests.filter((request) => !this.#goToOpen(request));
    await this.imports.add(fresh.map((request) => ({ request, name: this.#nameOf(request) })));
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
    if (paths.length > 1) this.#offered = paths;
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
    const others = this.#captures.filter((other) => other.id !== view.id);
    const stem = view.name.replace(/(\.(pcap|pcapng|cap|log|txt))?(\.gz)?$/, '');
    const folder = view.path?.split(/[/\\]/).at(-2);
    const taken = others.some((other) => other.title === stem);
    const title = sample?.name ?? (taken && folder ? `${folder}/${stem}` : stem);
    this.#captures = [...others, new Capture(this.backend, view, title, sample?.id ?? null, request)];
    this.#current ??= view.id;
  }

  #arrived(view: CaptureView, from: Import): void {
    this.#admit(view, from.request);
    if (from.instead !== undefined && from.instead !== view.id) void this.close(from.instead);
    this.#current = view.id;
    this.#arrivals = [...this.#arrivals, { capture: view.id, seconds: from.elapsed / 1000 }];
    this.#summary = from.request.sample === null || from.instead !== undefined;
    this.announcer.say(
      `${this.capture?.title ?? view.name} is open: ${view.exchanges} exchanges, ${view.copies} copies`,
    );
  }
}
