import type { Backend } from '../../ipc/backend';
import type { AlgorithmChoice, ChannelKind, HalvesView, TrustView } from '../../ipc/gen/types';
import { Reply } from '../replies/reply.svelte';

/** A comparison: its timers, channel and baseline. */
export interface Compared {
  choices: readonly AlgorithmChoice[];
  channel: ChannelKind;
  baseline: string | null;
}

/** Self-replay of one capture's network twin, and whether its panel is open in Compare. */
export class Trust {
  /** Checks of the twin against its own capture, and the channel that follows. */
  readonly reply = new Reply<TrustView>();
  /** Checks of the second half of the capture, predicted by a twin of the first half. */
  readonly halves = new Reply<HalvesView>();
  readonly #backend: Backend;
  readonly #capture: number;
  #open = $state(false);
  #before = $state.raw<Compared | null>(null);

  constructor(backend: Backend, capture: number) {
    this.#backend = backend;
    this.#capture = capture;
  }

  /** Whether the panel stands in place of the comparison. */
  get open(): boolean {
    return this.#open;
  }
  show(on: boolean): void {
    this.#open = on;
  }

  /** The comparison before the self-replay took its place; null where it did not. */
  get before(): Compared | null {
    return this.#before;
  }
  /** Keeps the comparison whose place the self-replay takes; null gives it back. */
  takePlaceOf(compared: Compared | null): void {
    this.#before = compared;
  }

  /** Asks for the self-replay; resolves when it is there, has failed, or is no longer wanted. */
  want(): Promise<void> {
    const request = { capture: this.#capture };
    return this.reply.ask('all', (asking) => this.#backend.call('trust', request, asking));
  }

  /** Asks for the prediction of the second half; resolves as `want` does. */
  wantHalves(): Promise<void> {
    const request = { capture: this.#capture };
    return this.halves.ask('all', (asking) => this.#backend.call('halves', request, asking));
  }
}
