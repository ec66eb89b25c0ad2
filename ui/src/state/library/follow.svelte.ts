import { Failure, type Backend } from '../../ipc/backend';
import type { CaptureView, FollowRequest, FollowView } from '../../ipc/gen/types';
import { LOOK, restAfter } from './pace';

/**
 * The file that is followed as it grows, one at a time, and the capture that it becomes. Calls `grew` with each new
 * state of the capture, and `failed` with a message when the file cannot be read any more.
 */
export class Follow {
  #backend: Backend;
  #grew: (view: CaptureView) => void;
  #failed: (message: string) => void;
  #view = $state.raw<FollowView | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #rested = 0;

  constructor(backend: Backend, grew: (view: CaptureView) => void, failed: (message: string) => void) {
    this.#backend = backend;
    this.#grew = grew;
    this.#failed = failed;
  }

  get running(): boolean {
    return this.#view !== null;
  }
  /** Name of the followed file; empty where none is. */
  get name(): string {
    return this.#view?.path.split(/[/\\]/).at(-1) ?? '';
  }
  /** Path of the followed file; undefined where none is. */
  get path(): string | undefined {
    return this.#view?.path;
  }
  /** Whether a capture is that of the followed file. */
  follows(capture: number): boolean {
    return this.#view !== null && this.#view.capture === capture;
  }

  /** Goes on with a file that the core follows already, as after a reload of the page. */
  async resume(): Promise<void> {
    // The page of a report has no core that could follow one.
    this.#view = await this.#backend.call('follow_state', null).catch(() => null);
    if (this.#view) this.#later();
  }

  /** Follows a file in place of the one before. */
  async start(request: FollowRequest): Promise<void> {
    await this.stop();
    await this.#ask(async () => {
      this.#view = await this.#backend.call('follow_start', request);
      this.#rested = 0;
      await this.#read();
    });
    if (this.#view) this.#later();
  }

  /** Stops following; the file is read a last time, and the capture is its state then. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.#view) return;
    this.#view = null;
    await this.#ask(async () => {
      const view = await this.#backend.call('follow_stop', null);
      if (view) this.#grew(view);
    });
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#tick(), LOOK);
  }

  async #tick(): Promise<void> {
    this.#rested -= LOOK;
    if (this.#rested <= 0) await this.#ask(() => this.#read());
    if (this.#view) this.#later();
  }

  /** Reads the new part of the file. Large files take long to read and are read less often. */
  async #read(): Promise<void> {
    const began = performance.now();
    const followed = this.#view;
    const capture = await this.#backend.call('follow_refresh', null);
    this.#rested = restAfter(performance.now() - began);
    // Stopped meanwhile: the reply of the stop stands.
    if (!capture || !followed || this.#view !== followed) return;
    this.#view = { ...followed, capture: capture.id };
    this.#grew(capture);
  }

  /** Does `work`; a failure stops following, but not a look that the reader stopped. */
  async #ask(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      const failure = Failure.from(thrown);
      if (failure.cancelled) return;
      this.#failed(failure.message);
      await this.stop();
    }
  }
}
