import { Failure, type Backend } from '../../ipc/backend';
import type { FoundCapture, FoundKind, OpenRequest, SessionCapture, SessionFile } from '../../ipc/gen/types';
import type { Capture } from '../capture/capture.svelte';
import type { Announcer } from '../window/announcer.svelte';
import type { Holder } from './fields';
import { SESSION_ENDING, fileOf, openingOf, readCapture, readWindow } from './sessionfile';

/** A capture of a session file that is missing or whose octets differ. */
export interface Problem {
  saved: SessionCapture;
  state: Exclude<FoundKind, 'same'>;
  /** The capture that is open in its place; null: none. */
  capture: Capture | null;
}

/**
 * The session file of the window: saves it, opens another, and lists the captures that did not come back. Failures
 * become messages.
 */
export class Saving {
  #holder: Holder;
  #backend: Backend;
  #announcer: Announcer;
  #path = $state<string | null>(null);
  #file = $state.raw<SessionFile | null>(null);
  /** The open capture for each index in the file's list; null where it is missing. */
  #opened: (Capture | null)[] = [];
  #problems = $state.raw<readonly Problem[]>([]);
  #opening = $state(false);

  constructor(holder: Holder, backend: Backend, announcer: Announcer) {
    this.#holder = holder;
    this.#backend = backend;
    this.#announcer = announcer;
  }

  /** Path that it was saved to or opened from; null before. */
  get path(): string | null {
    return this.#path;
  }
  /** Name of the file without its folder; null before it is saved. */
  get name(): string | null {
    return this.#path?.split(/[/\\]/).at(-1) ?? null;
  }
  /** Captures that are missing or differ, after opening. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** Whether a session is being opened: its captures come one by one, and its settings after them. */
  get opening(): boolean {
    return this.#opening;
  }

  /** Forgets all problems, which are then no longer shown. */
  dismiss(): void {
    this.#problems = [];
  }

  /** Writes the session; asks for a place where it has none, or with `as`. */
  async save(as = false): Promise<void> {
    const { library } = this.#holder;
    const title = library.current?.title.replace(/[^\p{L}\p{N}._-]+/gu, '-').toLowerCase() ?? 'session';
    const path = (!as && this.#path) || (await this.#backend.save(`${title}${SESSION_ENDING}`));
    if (!path) return;
    await this.#try('The session was not saved', async () => {
      const captures = library.captures.map(({ id }) => id);
      await Promise.all(captures.map((id) => library.tags.want(id)));
      await this.#backend.call('session_write', { path, captures, file: fileOf(this.#holder) });
      this.#path = path;
      library.remember(path, 'session');
      this.#announcer.toast(`Session saved as ${this.name ?? path}`, 'done');
    });
  }

  /**
   * Opens a session file, or the one inside a report, in place of all captures; asks for one where no path is given.
   */
  async open(path?: string): Promise<void> {
    const { library } = this.#holder;
    const from = path ?? (await this.#backend.pick('sessions'))[0];
    if (from === undefined) return;
    this.#opening = true;
    await this.#try('The session was not opened', async () => {
      const { file, found } = await this.#backend.call('session_read', { path: from });
      this.#path = from;
      this.#file = file;
      this.#opened = [];
      library.remember(from, 'session');
      for (const open of library.captures) await library.close(open.id);
      const problems: Problem[] = [];
      let current: Capture | null = null;
      for (const [index, saved] of file.captures.entries()) {
        const opened = await this.#read(saved, openingOf(saved, found[index] ?? NOWHERE, library.keys));
        const state = opened ? stateOf(opened, saved) : 'missing';
        this.#opened.push(opened);
        if (state !== 'same') problems.push({ saved, state, capture: opened });
        if (index === file.current) current = opened;
      }
      this.#arrange(file, current);
      this.#problems = problems;
      this.#announcer.toast(
        problems.length === 0 ? `${this.name ?? from} is open, as it was` : 'Some captures are not as they were',
        problems.length === 0 ? 'done' : 'error',
      );
    });
    this.#opening = false;
  }

  /** Asks where a missing capture is, and opens it in its place. */
  async find(problem: Problem): Promise<void> {
    const { library } = this.#holder;
    const paths = await this.#backend.pick('captures');
    if (paths.length === 0) return;
    const request = openingOf({ ...problem.saved, sample: null }, { state: 'same', paths }, library.keys);
    if (problem.capture) await library.close(problem.capture.id);
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
    const { library } = this.#holder;
    const before = library.captures.map(({ id }) => id);
    await library.open([request]);
    const opened = library.captures.find(({ id }) => !before.includes(id)) ?? null;
    if (opened) {
      readCapture(opened, saved);
      await library.tags.adopt(opened.view, saved.tags);
    }
    return opened;
  }

  #arrange(file: SessionFile, current: Capture | null): void {
    const { library, navigation } = this.#holder;
    if (current) library.select(current.id);
    navigation.showSummary(false);
    const unknown = readWindow(this.#holder, file, this.#opened);
    if (unknown.length > 0) this.#announcer.toast(`This program does not have ${unknown.join(', ')}`, 'error');
  }

  async #try(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      const failure = Failure.from(thrown);
      if (!failure.cancelled) this.#announcer.toast(`${what}: ${failure.message}`, 'error');
    }
  }
}

const NOWHERE: FoundCapture = { state: 'missing', paths: [] };

function stateOf(capture: Capture, saved: SessionCapture): FoundKind {
  return capture.view.sha256 === saved.files.map(({ sha256 }) => sha256).join(' + ') ? 'same' : 'differs';
}
