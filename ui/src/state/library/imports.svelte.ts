import type { Backend, Progress } from '../../ipc/backend';
import { Failure } from '../../ipc/backend';
import type { CaptureView, OpenRequest } from '../../ipc/gen/types';

/** A capture to import. */
export interface Wanted {
  /** Name for people, of the file or of all that are merged. */
  name: string;
  request: OpenRequest;
  /** Number of the capture that it replaces; absent: it replaces none. */
  instead?: number;
  /** Folder that it is opened with, as one of its runs; absent: it is opened by itself. */
  folder?: string;
}

/** State of an import. */
export type ImportState = 'waiting' | 'reading' | 'done' | 'failed' | 'cancelled';

/** One file that is being imported, or several that are merged. */
export class Import {
  readonly id: number;
  /** Name for people, of the file or of all that are merged. */
  readonly name: string;
  readonly request: OpenRequest;
  state = $state<ImportState>('waiting');
  /** Progress, octets read of all. */
  progress = $state.raw<Progress>({ done: 0, total: 0 });
  /** Failure, with the error of an import that failed or was cancelled; null for others. */
  failure = $state.raw<Failure | null>(null);
  /** Time at which reading began, ms of `performance.now()`. */
  startedAt = 0;
  /** Time spent reading, ms. */
  elapsed = $state(0);
  readonly abort = new AbortController();

  /** Number of the capture that this one replaces; undefined: it replaces none. */
  readonly instead: number | undefined;
  /** Folder that it is opened with, as one of its runs; undefined: it is opened by itself. */
  readonly folder: string | undefined;

  constructor(id: number, { name, request, instead, folder }: Wanted) {
    this.id = id;
    this.instead = instead;
    this.folder = folder;
    this.name = name;
    this.request = request;
  }

  /** Share that is read, 0 to 1; null while the total is unknown. */
  get share(): number | null {
    const { done, total } = this.progress;
    return total > 0 ? Math.min(1, done / total) : null;
  }
  /** Units of progress a second; 0 at the beginning. */
  get rate(): number {
    return this.elapsed > 0 ? this.progress.done / (this.elapsed / 1000) : 0;
  }
  /** Time left, seconds; null where it is not known. */
  get left(): number | null {
    const { done, total } = this.progress;
    return total > 0 && this.rate > 0 ? Math.max(0, total - done) / this.rate : null;
  }
  /** Whether it is done, failed or cancelled. */
  get over(): boolean {
    return this.state !== 'waiting' && this.state !== 'reading';
  }
}

/**
 * Imports files one after the other, so that each has the whole disk and memory. Calls `opened` for each that is done.
 */
export class Imports {
  #backend: Backend;
  #opened: (view: CaptureView, from: Import) => void;
  #list = $state.raw<readonly Import[]>([]);
  #next = 1;
  #running: Promise<void> = Promise.resolve();

  constructor(backend: Backend, opened: (view: CaptureView, from: Import) => void) {
    this.#backend = backend;
    this.#opened = opened;
  }

  /** Imports that are waiting, running or failed. */
  get list(): readonly Import[] {
    return this.#list;
  }
  get busy(): boolean {
    return this.#list.some((item) => !item.over);
  }

  /** Reads `wanted` after those that wait already. Resolves with them when they are over; never rejects. */
  async add(wanted: readonly Wanted[]): Promise<readonly Import[]> {
    const items = wanted.map((one) => new Import(this.#next++, one));
    this.#list = [...this.#list, ...items];
    this.#running = this.#running.then(async () => {
      for (const item of items) await this.#read(item);
    });
    await this.#running;
    return items;
  }

  /** Stops an import, or keeps it from starting. */
  cancel(item: Import): void {
    if (item.state === 'waiting') item.state = 'cancelled';
    item.abort.abort();
  }

  /** Removes an import from the list. */
  dismiss(item: Import): void {
    this.#list = this.#list.filter((other) => other !== item);
  }

  async #read(item: Import): Promise<void> {
    if (item.over) return;
    item.state = 'reading';
    item.startedAt = performance.now();
    try {
      const view = await this.#backend.call('open', item.request, {
        signal: item.abort.signal,
        onProgress: (progress) => {
          item.elapsed = performance.now() - item.startedAt;
          item.progress = progress;
        },
      });
      item.elapsed = performance.now() - item.startedAt;
      item.state = 'done';
      // The cause of earlier failures of the same file is gone.
      const same = JSON.stringify(item.request);
      this.#list = this.#list.filter((other) => other.state !== 'failed' || JSON.stringify(other.request) !== same);
      this.#opened(view, item);
      setTimeout(() => this.dismiss(item), 0);
    } catch (thrown) {
      const failure = Failure.from(thrown);
      item.failure = failure;
      item.state = failure.cancelled ? 'cancelled' : 'failed';
      if (failure.cancelled) this.dismiss(item);
    }
  }
}
