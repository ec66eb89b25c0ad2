import { Failure, type Progress } from '../../ipc/backend';

/** Time after which a pending reply is shown as such, ms: shorter waits would only flicker. */
const SLOW_MS = 300;

/** Arguments of a request: the signal that stops it, and the callbacks for its progress and its first answer. */
export interface Asking<T> {
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  /** Shows a first, rough value until the answer is there. */
  onFirst: (value: T) => void;
}

/**
 * The latest answer to a request that keeps changing: equal requests are sent once, a new request cancels the one under
 * way, late answers are dropped, and the old value stays until a new one replaces it.
 */
export class Reply<T> {
  // Raw: replies are replaced whole, and typed arrays must not be proxied.
  #value = $state.raw<T>();
  #failure = $state.raw<Failure>();
  #pending = $state(false);
  #slow = $state(false);
  #progress = $state.raw<Progress>();
  #first = $state(false);
  #key: string | undefined;
  #abort: AbortController | undefined;
  /** Settled when the latest request is. */
  #settled: Promise<void> = Promise.resolve();

  /** The latest answer; undefined before the first. */
  get value(): T | undefined {
    return this.#value;
  }
  /** Error of the latest request; undefined where it succeeded, is under way or was stopped. */
  get failure(): Failure | undefined {
    return this.#failure;
  }
  /** Whether a request is under way. */
  get pending(): boolean {
    return this.#pending;
  }
  /** Whether a request is under way for long enough to show it. */
  get slow(): boolean {
    return this.#slow;
  }
  get progress(): Progress | undefined {
    return this.#progress;
  }
  /** Whether the value is a first, rough one: the answer is under way, or did not come. */
  get first(): boolean {
    return this.#first;
  }

  /**
   * Sends a request unless `key` is that of the latest one. Resolves when that request is answered, failed or replaced;
   * never rejects.
   */
  ask(key: string, start: (asking: Asking<T>) => Promise<T>): Promise<void> {
    if (key !== this.#key) this.#settled = this.#send(key, start);
    return this.#settled;
  }

  async #send(key: string, start: (asking: Asking<T>) => Promise<T>): Promise<void> {
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    this.#key = key;
    this.#pending = true;
    this.#progress = undefined;
    const timer = setTimeout(() => {
      if (this.#abort === abort) this.#slow = true;
    }, SLOW_MS);
    const current = () => this.#abort === abort;
    try {
      const value = await start({
        signal: abort.signal,
        onProgress: (progress) => {
          if (current()) this.#progress = progress;
        },
        onFirst: (value) => {
          if (current()) [this.#value, this.#first, this.#failure] = [value, true, undefined];
        },
      });
      if (!current()) return;
      this.#value = value;
      this.#first = false;
      this.#failure = undefined;
    } catch (thrown) {
      if (!current()) return;
      const failure = Failure.from(thrown);
      this.#key = undefined;
      if (!failure.cancelled) this.#failure = failure;
    } finally {
      clearTimeout(timer);
      if (current()) {
        this.#pending = false;
        this.#slow = false;
        this.#abort = undefined;
      }
    }
  }

  /** Stops the request under way; the value stays. */
  cancel(): void {
    if (!this.#abort) return;
    this.#abort.abort();
    this.#abort = undefined;
    this.#key = undefined;
    this.#pending = false;
    this.#slow = false;
  }

  /** Stops the request under way and forgets value and error. */
  clear(): void {
    this.cancel();
    this.#key = undefined;
    this.#value = undefined;
    this.#first = false;
    this.#failure = undefined;
  }
}
