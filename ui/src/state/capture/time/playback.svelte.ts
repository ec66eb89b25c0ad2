import type { Backend } from '../../../ipc/backend';
import type { EventKind, StepRequest, StepView } from '../../../ipc/gen/types';
import { Reply } from '../../replies/reply.svelte';
import type { Viewport } from './viewport.svelte';

/** Shortest interval between requests for the next event while playing, ms. */
const ASK_MS = 150;

/** Least speed, as a multiple of the recorded one. */
export const SLOWEST = 0.1;
/** Greatest speed, as a multiple of the recorded one. */
export const FASTEST = 1000;

/** Two behaviours by the keys of their algorithms; null is the recorded one. */
export type Pair = readonly [string | null, string | null];

/**
 * The playhead of a capture: it moves in the capture's time, by itself or from event to event. Times in ns of the
 * trace.
 */
export class Playback {
  readonly #backend: Backend;
  readonly #capture: number;
  readonly #viewport: Viewport;
  readonly #next = new Reply<StepView | null>();
  #at = $state(0);
  #playing = $state(false);
  #looping = $state(false);
  #kind = $state<EventKind>('any');
  #pair = $state.raw<Pair>([null, null]);
  readonly #runOf: (key: string) => number | undefined;
  #askedFrom = Infinity;
  #askedAt = -Infinity;

  constructor(
    backend: Backend,
    capture: number,
    viewport: Viewport,
    runOf: (key: string) => number | undefined = () => undefined,
  ) {
    this.#backend = backend;
    this.#runOf = runOf;
    this.#capture = capture;
    this.#viewport = viewport;
    this.#at = viewport.t0;
  }

  /** Time of the playhead. */
  get at(): number {
    return this.#at;
  }
  get playing(): boolean {
    return this.#playing;
  }
  get looping(): boolean {
    return this.#looping;
  }
  /** Kind of event that is stepped to. */
  get kind(): EventKind {
    return this.#kind;
  }
  /** The two behaviours whose disagreements are stepped to. */
  get pair(): Pair {
    return this.#pair;
  }
  /** The next event after the playhead; null where there is none, undefined while it is not known. */
  get next(): StepView | null | undefined {
    const next = this.#next.value;
    return next && next.at <= this.#at ? undefined : next;
  }

  /** Moves the playhead and asks for the next event. */
  seek(at: number): void {
    this.restore(at);
    this.lookAhead();
  }

  /** Moves the playhead to where a document has it, without asking for the next event, which a report does not show. */
  restore(at: number): void {
    this.#at = Math.round(Math.min(Math.max(at, this.#viewport.start), this.#viewport.end));
  }

  /** Starts or stops playing; from the end it starts at the beginning. */
  play(on: boolean): void {
    if (on && this.#at >= this.#viewport.end) this.seek(this.#viewport.start);
    this.#playing = on;
  }

  /** Chooses whether playing begins anew at the end of the window. */
  loop(on: boolean): void {
    this.#looping = on;
  }

  /** Chooses the kind of event, and the two behaviours for disagreements. */
  watch(kind: EventKind, pair: Pair = this.#pair): void {
    this.#kind = kind;
    this.#pair = pair;
    this.#askedFrom = Infinity;
    this.lookAhead();
  }

  /**
   * Moves the playhead by `ms` of wall-clock time at `speed`, a multiple of the recorded one. The window follows by
   * pages; a loop stays inside it.
   */
  advance(ms: number, speed: number): void {
    if (!this.#playing) return;
    let at = this.#at + ms * 1e6 * speed;
    if (this.#looping && at > this.#viewport.t1) at = this.#viewport.t0;
    if (at >= this.#viewport.end) {
      at = this.#viewport.end;
      this.#playing = false;
    }
    this.#at = Math.round(at);
    if (at > this.#viewport.t1 || at < this.#viewport.t0) {
      const first = at - this.#viewport.length * 0.1;
      this.#viewport.set(first, first + this.#viewport.length);
    }
    this.lookAhead();
  }

  /**
   * Stops playing and goes to the next or previous event of the chosen kind; resolves with it, null where there is
   * none. Rejects as requests do.
   */
  async step(backwards: boolean): Promise<StepView | null> {
    this.#playing = false;
    const request = this.#request(backwards);
    if (!request) return null;
    const found = await this.#backend.call('step', request);
    if (found) {
      this.seek(found.at);
      this.#viewport.reveal(found.at);
    }
    return found;
  }

  /** Asks for the next event where it is not known, at most every {@link ASK_MS} while playing. */
  lookAhead(now: number = performance.now()): void {
    const next = this.#next.value;
    const known = this.#askedFrom <= this.#at && (next === null || (next !== undefined && next.at > this.#at));
    if (known || (this.#playing && now - this.#askedAt < ASK_MS)) return;
    const request = this.#request(false);
    if (!request) return;
    this.#askedFrom = this.#at;
    this.#askedAt = now;
    void this.#next.ask(`${request.kind} ${request.between?.join() ?? ''} ${request.at}`, ({ signal }) =>
      this.#backend.call('step', request, { signal }),
    );
  }

  /** The request for an event; null while one of the two behaviours that may disagree is not replayed. */
  #request(backwards: boolean): StepRequest | null {
    const asked = { capture: this.#capture, at: this.#at, kind: this.#kind, backwards };
    if (this.#kind !== 'disagreement') return { ...asked, between: null };
    const [a, b] = this.#pair.map((key) => (key === null ? null : this.#runOf(key)));
    return a === undefined || b === undefined ? null : { ...asked, between: [a, b] };
  }
}
