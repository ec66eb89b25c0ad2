import { Failure } from '../../ipc/backend';
import type { FoundCapture, FoundKind, OpenRequest, SessionCapture, SessionFile } from '../../ipc/gen/types';
import type { Capture } from '../capture/capture.svelte';
import { SESSION_ENDING, arrange, fileOf, openingOf, place } from './sessionfile';
import type { Session } from '../session.svelte';

/** A capture of a session file that is not as it was. */
export interface Problem {
  saved: SessionCapture;
  state: Exclude<FoundKind, 'same'>;
  /** What is open in its place. */
  capture: Capture | null;
}

/** The session file that the window is: saving, opening, and what did not come back. */
export class Saving {
  #app: Session;
  #path = $state<string | null>(null);
  #file = $state.raw<SessionFile | null>(null);
  /** What is open of `#file`, by its position there. */
  #opened: (Capture | null)[] = [];
  #problems = $state.raw<readonly Problem[]>([]);

  constructor(app: Session) {
    this.#app = app;
  }

  /** Where it was saved to or opened from. */
  get path(): string | null {
    return this.#path;
  }
  /** Its name without its folder. */
  get name(): string | null {
    return this.#path?.split(/[/\\]/).at(-1) ?? null;
  }
  /** Captures that are missing or differ, after opening. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  dismiss(): void {
    this.#problems = [];
  }

  /** Write the session; asks where unless it has a place. */
  async save(as = false): Promise<void> {
    const app = this.#app;
    const title = app.capture?.title.replace(/[^\p{L}\p{N}._-]+/gu, '-').toLowerCase() ?? 'session';
    const path = (!as && this.#path) || (await app.backend.save(`${title}${SESSION_ENDING}`));
    if (!path) return;
    await this.#try('The session was not saved', async () => {
      const captures = app.captures.map(({ id }) => id);
      await Promise.all(captures.map((id) => app.tags.want(id)));
      await app.backend.call('session_write', { path, captures, file: fileOf(app) });
      this.#path = path;
      app.remember(path);
      app.announcer.toast(`Session saved as ${this.name ?? path}`, 'done');
    });
  }

  /** Open a session file, or a report, which has one inside; without a path, asks which. */
  async open(path?: string): Promise<void> {
    const app = this.#app;
    const from = path ?? (await app.backend.pick('sessions'))[0];
    if (from === undefined) return;
    await this.#try('The session was not opened', async () => {
      const { file, found } = await app.backend.call('session_read', { path: from });
      this.#path = from;
      this.#file = file;
      this.#opened = [];
      app.remember(from);
      for (const open of app.captures) await app.close(open.id);
      const problems: Problem[] = [];
      let current: Capture | null = null;
      for (const [index, saved] of file.captures.entries()) {
        const opened = await this.#read(saved, openingOf(saved, found[index] ?? NOWHERE, app.keys));
        const state = opened ? stateOf(opened, saved) : 'missing';
        this.#opened.push(opened);
        if (state !== 'same') problems.push({ saved, state, capture: opened });
        if (index === file.current) current = opened;
      }
      this.#arrange(file, current);
      this.#problems = problems;
      app.announcer.toast(
        problems.length === 0 ? `${this.name ?? from} is open, as it was` : 'Some captures are not as they were',
        problems.length === 0 ? 'done' : 'error',
      );
    });
  }

  /** The reader says where a capture is. */
  async find(problem: Problem): Promise<void> {
    const app = this.#app;
    const paths = await app.backend.pick('captures');
    if (paths.length === 0) return;
    const request = openingOf({ ...problem.saved, sample: null }, { state: 'same', paths }, app.keys);
    if (problem.capture) await app.close(problem.capture.id);
    const capture = await this.#read(problem.saved, request);
    const state = capture ? stateOf(capture, problem.saved) : 'missing';
    const at = this.#file?.captures.indexOf(problem.saved) ?? -1;
    if (at >= 0) this.#opened[at] = capture;
    const instead = state === 'same' ? [] : [{ ...problem, state, capture }];
    this.#problems = this.#problems.flatMap((other) => (other === problem ? instead : [other]));
    if (this.#file && capture) this.#arrange(this.#file, capture);
  }

  async #read(saved: SessionCapture, request: OpenRequest | null): Promise<Capture | null> {
    if (!request) return null;
    const app = this.#app;
    const before = app.captures.map(({ id }) => id);
    await app.open([request]);
    const opened = app.captures.find(({ id }) => !before.includes(id)) ?? null;
    if (opened) {
      place(opened, saved);
      await app.tags.adopt(opened.view, saved.tags);
    }
    return opened;
  }

  #arrange(file: SessionFile, current: Capture | null): void {
    const app = this.#app;
    if (current) app.select(current.id);
    app.showSummary(false);
    const unknown = arrange(app, file, this.#opened);
    if (unknown.length > 0) app.announcer.toast(`This program does not have ${unknown.join(', ')}`, 'error');
  }

  async #try(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      const failure = Failure.from(thrown);
      if (!failure.cancelled) this.#app.announcer.toast(`${what}: ${failure.message}`, 'error');
    }
  }
}

const NOWHERE: FoundCapture = { state: 'missing', paths: [] };

function stateOf(capture: Capture, saved: SessionCapture): FoundKind {
  return capture.view.sha256 === saved.files.map(({ sha256 }) => sha256).join(' + ') ? 'same' : 'differs';
}
