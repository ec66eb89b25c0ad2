import type { Backend, Failure as Problem, Progress } from '../../ipc/backend';
import type {
  AlgorithmChoice,
  FigureView,
  StudyFigureKind,
  StudyFigureRequest,
  StudyFoundView,
  StudyGridRequest,
  StudyGridView,
  StudyReportForm,
  StudyReportRequest,
} from '../../ipc/gen/types';
import { canonical } from '../../ipc/canonical';
import { Failure } from '../replies/kinds';
import { Reply } from '../replies/reply.svelte';
import type { Prefs } from '../window/prefs.svelte';
import { StudyDraft } from './studydraft.svelte';

/** Least pause between two readings of a study's rows while it runs, ms. Chosen here: an eye follows no more. */
const REST_MS = 2000;
/**
 * Least pause as a multiple of the time of the last reading. Chosen here: reading takes at most a tenth of the time.
 */
const REST = 10;
/** Greatest number of studies that are offered again. */
const MOST_RECENT = 8;

/** Measure, captures and channel of the grid; null: as the study says. */
export type Asked = Pick<StudyGridRequest, 'measure' | 'from' | 'channel'>;

const AS_THE_STUDY_SAYS: Asked = { measure: null, from: null, channel: null };

/** A study that is being run. */
export class StudyRun {
  readonly path: string;
  readonly abort = new AbortController();
  progress = $state.raw<Progress>({ done: 0, total: 0 });
  /** Time of the first report, ms, and the number of tasks done by then. */
  #begun: { at: number; done: number } | undefined;
  #rate = $state(0);

  constructor(path: string) {
    this.path = path;
  }

  report(progress: Progress, now: number): void {
    this.progress = progress;
    if (progress.total === 0) return;
    this.#begun ??= { at: now, done: progress.done };
    const seconds = (now - this.#begun.at) / 1000;
    if (seconds > 0) this.#rate = (progress.done - this.#begun.done) / seconds;
  }

  /** Number of tasks done a second since the first report; 0 before the second one. */
  get rate(): number {
    return this.#rate;
  }
  /** Seconds left; null while it is not known. */
  get left(): number | null {
    const { done, total } = this.progress;
    return this.#rate > 0 ? (total - done) / this.#rate : null;
  }
}

/** Studies of the window: the one that is open, the one that runs, and one that is being made from a folder of runs. */
export class Studies {
  readonly grid = new Reply<StudyGridView>();
  readonly figure = new Reply<FigureView>();
  #backend: Backend;
  #prefs: Prefs;
  #path = $state<string | null>(null);
  #asked = $state.raw<Asked>(AS_THE_STUDY_SAYS);
  #figureAsked = $state.raw<StudyFigureRequest | null>(null);
  #over = $state<string | null>(null);
  #run = $state.raw<StudyRun | null>(null);
  #failure = $state.raw<Problem>();
  #notes = $state.raw<readonly string[]>([]);
  #draft = $state.raw<StudyDraft | null>(null);
  /** Number of times that rows may have changed. */
  #turn = $state(0);

  constructor(backend: Backend, prefs: Prefs) {
    this.#backend = backend;
    this.#prefs = prefs;
  }

  /** File or folder of the open study; null: none is open. */
  get path(): string | null {
    return this.#path;
  }
  get asked(): Asked {
    return this.#asked;
  }
  /** Axis of the factor plot, here and in the report; null: the first. */
  get over(): string | null {
    return this.#over;
  }
  showOver(over: string | null): void {
    this.#over = over;
  }
  /** Whether the open study has rows to report. */
  get reportable(): boolean {
    return this.#path !== null && (this.grid.value?.tasks ?? 0) > 0;
  }
  /** The study that runs, whichever is open. */
  get running(): StudyRun | null {
    return this.#run;
  }
  /** Whether it is the open one that runs. */
  get busy(): boolean {
    return this.#run !== null && this.#run.path === this.#path;
  }
  /** Reason why a study could not be written or run. */
  get failure(): Problem | undefined {
    return this.#failure;
  }
  /** Captures that the last run left out, and why. */
  get notes(): readonly string[] {
    return this.#notes;
  }
  get draft(): StudyDraft | null {
    return this.#draft;
  }
  get recent(): readonly string[] {
    return this.#prefs.get('studies');
  }

  /** Asks for a study's file, or for the folder of one that has run, and opens it. */
  async pick(what: 'studies' | 'folder'): Promise<void> {
    const [path] = await this.#backend.pick(what);
    if (path) this.open(path);
  }

  open(path: string): void {
    this.close();
    this.#path = path;
    this.#prefs.set('studies', [path, ...this.recent.filter((other) => other !== path)].slice(0, MOST_RECENT));
  }

  /** Shows no study; one that runs goes on. */
  close(): void {
    this.#path = null;
    this.#asked = AS_THE_STUDY_SAYS;
    this.#figureAsked = null;
    this.#over = null;
    this.#failure = undefined;
    this.#notes = [];
    this.#draft = null;
    this.grid.clear();
    this.figure.clear();
  }

  /** Shows another measure, other captures or another channel. */
  show(change: Partial<Asked>): void {
    this.#asked = { ...this.#asked, ...change };
  }

  /** Asks for the grid of the open study; equal questions are asked once, until rows are new. */
  want(): void {
    if (this.#path === null) return;
    const request: StudyGridRequest = { path: this.#path, ...this.#asked };
    void this.grid.ask(`${String(this.#turn)} ${canonical(request)}`, (asking) =>
      this.#backend.call('study_grid', request, asking),
    );
  }

  /** Asks for a figure of the open study. */
  wantFigure(kind: StudyFigureKind, over: string | null): void {
    if (this.#path === null) return;
    const request: StudyFigureRequest = { path: this.#path, kind, measure: this.#asked.measure, over };
    this.#figureAsked = request;
    void this.figure.ask(`${String(this.#turn)} ${canonical(request)}`, (asking) =>
      this.#backend.call('study_figure', request, asking),
    );
  }

  /** Runs the tasks of the open study that have no row; one study at a time, since it takes all cores. */
  async run(): Promise<void> {
    if (this.#path === null || this.#run) return;
    const run = new StudyRun(this.#path);
    this.#run = run;
    this.#failure = undefined;
    this.#notes = [];
    void this.#follow(run);
    try {
      const { notes } = await this.#backend.call(
        'study_run',
        { path: run.path },
        { signal: run.abort.signal, onProgress: (progress) => run.report(progress, performance.now()) },
      );
      if (this.#path === run.path) this.#notes = notes;
    } catch (thrown) {
      const failure = Failure.from(thrown);
      if (!failure.cancelled && this.#path === run.path) this.#failure = failure;
    } finally {
      this.#run = null;
      this.#turn += 1;
    }
  }

  /** Stops the run; rows that are there stay, and the next run goes on. */
  stop(): void {
    this.#run?.abort.abort();
  }

  /** Reads the rows again and again while a study runs, the slower the longer that takes. */
  async #follow(run: StudyRun): Promise<void> {
    for (let rest = REST_MS; this.#run === run;) {
      await new Promise((done) => setTimeout(done, rest));
      if (this.#run !== run || this.grid.pending || run.progress.total === 0) continue;
      const before = performance.now();
      this.#turn += 1;
      // The view asks in an effect; where it is not open, nothing is read.
      await new Promise((done) => setTimeout(done, 0));
      while (this.grid.pending) await new Promise((done) => setTimeout(done, 50));
      rest = Math.max(REST_MS, REST * (performance.now() - before));
    }
  }

  /** Asks for a folder of runs and looks through it. */
  async pickRuns(usual: readonly AlgorithmChoice[]): Promise<void> {
    const [folder] = await this.#backend.pick('folder');
    if (!folder) return;
    this.close();
    const draft = new StudyDraft(folder, usual);
    this.#draft = draft;
    await this.find(draft);
  }

  /** Looks through the folder of a draft, with its patterns or with guessed ones. */
  async find(draft: StudyDraft, patterns: readonly string[] | null = null): Promise<void> {
    const request = { folder: draft.folder, patterns: patterns && [...patterns] };
    await draft.found.ask(canonical(request), async (asking) => {
      const found: StudyFoundView = await this.#backend.call('study_find', request, asking);
      draft.learn(found);
      return found;
    });
  }

  /** Asks where the draft's file is to be; null: not said. */
  async place(draft: StudyDraft): Promise<void> {
    draft.path = (await this.#backend.save('study.toml')) ?? draft.path;
  }

  /** Writes the draft, opens it as a study and runs it. */
  async write(draft: StudyDraft): Promise<void> {
    if (draft.path === null) await this.place(draft);
    const request = draft.request;
    if (request) await this.#made(() => this.#backend.call('study_write', request));
  }

  /** Asks for a place, writes the bundled captures there, opens a study over them and runs it. */
  async bundled(): Promise<void> {
    const path = await this.#backend.save('bundled.toml');
    if (path !== null) await this.#made(() => this.#backend.call('study_bundled', { path }));
  }

  async #made(write: () => Promise<{ path: string }>): Promise<void> {
    this.#failure = undefined;
    try {
      const { path } = await write();
      this.open(path);
      await this.run();
    } catch (thrown) {
      this.#failure = Failure.from(thrown);
    }
  }

  /**
   * Asks for a place and writes the report of the open study there; resolves with the path, null when dismissed.
   * Rejects where it cannot be written.
   */
  async saveReport(form: StudyReportForm): Promise<string | null> {
    const study = this.#path;
    if (study === null) return null;
    const file =
      study
        .split(/[/\\]/)
        .at(-1)
        ?.replace(/\.toml$/i, '') ?? '';
    const name = (this.grid.value?.name || file).replace(/[^\p{L}\p{N}._-]+/gu, '-').toLowerCase();
    const path = await this.#backend.save(`${name}.${form === 'html' ? 'html' : 'md'}`);
    if (path === null) return null;
    const request: StudyReportRequest = { study, over: this.#over, form, path };
    await this.#backend.call('study_report', request);
    return path;
  }

  /** Writes the table of the latest figure; resolves with the path, or null when none was chosen. */
  async saveTable(format: 'csv' | 'parquet' | 'latex' | 'markdown' | 'json'): Promise<string | null> {
    const figure = this.#figureAsked;
    const extension = { csv: 'csv', parquet: 'parquet', latex: 'tex', markdown: 'md', json: 'json' }[format];
    if (!figure) return null;
    const path = await this.#backend.save(`${figure.kind}.${extension}`);
    if (path !== null) await this.#backend.call('export_study_figure', { figure, format, path });
    return path;
  }
}
