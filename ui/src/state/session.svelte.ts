import { Failure, type Backend } from '../ipc/backend';
import type { OpenRequest, Startup } from '../ipc/gen/types';
import type { Capture } from './capture/capture.svelte';
import { FilterFields } from './capture/packets.svelte';
import { Report } from './document/report.svelte';
import { Saving } from './document/saving.svelte';
import { isNodeList } from './capture/nodes.svelte';
import { isSession } from './document/sessionfile';
import { Undo } from './document/undo.svelte';
import { Library } from './library/library.svelte';
import { isFileName } from './library/names';
import type { Algorithms } from './replay/algorithms.svelte';
import type { WhatIf } from './replay/whatif.svelte';
import { Reply } from './replies/reply.svelte';
import { Actions } from './window/actions.svelte';
import { Announcer } from './window/announcer.svelte';
import { Dialogs } from './window/dialogs.svelte';
import { Jobs } from './window/jobs.svelte';
import { Navigation } from './window/navigation.svelte';
import { Prefs } from './window/prefs.svelte';
import { Tour } from './window/tour.svelte';
import { Workspace } from './workspace/workspace.svelte';

/**
 * The state of one window: it makes its parts, each from the parts below it. Made once in `main.ts`, passed on by
 * context.
 */
export class Session {
  readonly backend: Backend;
  readonly prefs: Prefs;
  readonly announcer = new Announcer();
  readonly actions = new Actions();
  readonly dialogs = new Dialogs();
  readonly navigation: Navigation;
  readonly jobs: Jobs;
  readonly tour: Tour;
  readonly fields: FilterFields;
  readonly library: Library;
  readonly workspace: Workspace;
  readonly saving: Saving;
  readonly undo: Undo;
  readonly report: Report;
  readonly #starting = new Reply<Startup>();
  #ready = $state(false);

  constructor(outer: Backend, prefs: Prefs = new Prefs()) {
    this.jobs = new Jobs(outer);
    const { backend } = this.jobs;
    this.backend = backend;
    this.prefs = prefs;
    this.navigation = new Navigation(prefs);
    this.tour = new Tour(prefs);
    this.fields = new FilterFields(backend);
    this.library = new Library(backend, prefs, this.announcer, this.navigation);
    this.workspace = new Workspace(backend, prefs);
    this.saving = new Saving(this, backend, this.announcer);
    this.undo = new Undo(this);
    this.report = new Report(this, backend, this.announcer);
  }

  /** Reply to the first request; undefined until it is there. */
  get startup(): Startup | undefined {
    return this.#starting.value;
  }
  /** Error of the start; undefined where it did not fail. */
  get failure(): Failure | undefined {
    return this.#starting.failure;
  }
  /** Whether the start is over: from then on, no open capture means that the reader has none open. */
  get ready(): boolean {
    return this.#ready;
  }
  /** The capture that is shown; undefined without one. */
  get capture(): Capture | undefined {
    return this.library.current;
  }
  /** Whether the import summary of the current capture covers the view. */
  get summary(): boolean {
    return this.navigation.summary && this.capture !== undefined;
  }
  get algorithms(): Algorithms {
    return this.workspace.algorithms;
  }
  get whatIf(): WhatIf {
    return this.workspace.whatIf;
  }

  /**
   * Asks for the replies that the window needs first; then shows the captures that are open already, else the first
   * sample.
   */
  async start(): Promise<void> {
    await this.#starting.ask('start', async () => {
      const [startup, specs, open] = await Promise.all([
        this.backend.call('startup', null),
        this.backend.call('algorithms', null),
        this.backend.call('captures', null),
      ]);
      this.workspace.packetLook.start(startup.colour_rules);
      this.algorithms.load(specs, startup.default_algorithms);
      const first = this.algorithms.shown.find(({ spec }) => spec.params.length > 0) ?? this.algorithms.shown[0];
      if (first) this.whatIf.choose(first.spec.id);
      this.library.start(startup.samples, open);
      return startup;
    });
    if (!this.failure) await this.#openFirst();
    this.#ready = true;
  }

  /** Opens the files that the program was started with, or a sample. */
  async #openFirst(): Promise<void> {
    const { library } = this;
    // Opening a file must not block on the discovery of sniffers, which can take seconds.
    void library.live.start();
    void library.follow.resume();
    const named = await this.backend.openedWith().catch(() => []);
    this.navigation.resume();
    await this.openFiles(named);
    const sample = this.startup?.samples[0];
    if (library.captures.length === 0 && library.offered.length === 0 && !library.imports.list.length && sample)
      await this.open([{ path: null, sample: sample.id }]);
  }

  /** Opens captures; a session file among them is opened in place of all. */
  async open(wanted: readonly Partial<OpenRequest>[]): Promise<void> {
    const session = wanted.find(({ path }) => path && isSession(path))?.path;
    if (session) await this.saving.open(session);
    else await this.library.open(wanted);
  }

  /** Opens a capture, a session, a report or a folder of captures, told apart by the name. */
  async openPath(path: string): Promise<void> {
    if (isSession(path) || /\.html$/i.test(path)) await this.saving.open(path);
    else await this.openFiles([path]);
  }

  /**
   * Opens files and folders. The captures of a folder are its runs. For several other captures at once the reader is
   * asked whether they record one network. Lists of nodes among them belong to the capture that is opened with them,
   * else to the current one.
   */
  async openFiles(paths: readonly string[]): Promise<void> {
    const lists = paths.filter(isNodeList);
    const captures: string[] = [];
    for (const path of paths)
      if (!isNodeList(path) && (isFileName(path) || !(await this.#openAsFolder(path)))) captures.push(path);
    if (captures.length > 1 && !captures.some(isSession)) this.library.offer(captures);
    else await this.open(captures.map((path) => ({ path, sample: null })));
    for (const path of lists) await this.library.useNodes(path);
  }

  /** Asks for a folder and opens its captures as runs. */
  async pickFolder(): Promise<void> {
    for (const folder of await this.backend.pick('folder')) {
      try {
        await this.library.openFolder(folder);
      } catch (thrown) {
        const failure = Failure.from(thrown);
        if (!failure.cancelled) this.announcer.toast(failure.message, 'error');
      }
    }
  }

  /** Opens the captures of a folder; false where there is no folder of this path. */
  async #openAsFolder(path: string): Promise<boolean> {
    try {
      await this.library.openFolder(path);
      return true;
    } catch (thrown) {
      const failure = Failure.from(thrown);
      if (failure.code === 'not_found') this.announcer.toast(failure.message, 'error');
      return failure.cancelled || failure.code === 'not_found';
    }
  }

  /** Asks for a file with places and names of nodes, and takes it for the current capture. */
  async pickNodes(): Promise<void> {
    for (const path of await this.backend.pick('nodes')) await this.library.useNodes(path);
  }

  /** Asks for files and opens them. */
  async pick(): Promise<void> {
    await this.openFiles(await this.backend.pick());
  }

  /** Asks for preset files and loads them; errors in them are shown on the Algorithms page. */
  async loadPresets(): Promise<void> {
    const { catalogue } = this.workspace;
    const loaded = await catalogue.load();
    const first = catalogue.presets.value?.loaded[0];
    if (loaded && first) {
      catalogue.chosen = first;
      this.announcer.toast(`${catalogue.presets.value?.loaded.length ?? 0} presets loaded`, 'done');
    }
    if (loaded || catalogue.presets.failure) this.navigation.show('algorithms');
  }
}
