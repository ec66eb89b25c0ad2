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
  readonly reply = new Reply<TrustView>();
  /** The second half of the capture by a twin of the first half. */
  readonly halves = new Reply<HalvesView>();
  readonly #backend: Backend;
  readonly #capture: number;
  #open = $state(false);
  #before = $state.raw<Compared | null>(null);

  constructor(backend: Backend, capture: number) {
    this.#backend = backend;
    this.#capture = capture;
  }

  /** True while the panel stands in place of the comparison. */
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
  /** Takes the place of a comparison, or gives it back. */
  takePlaceOf(compared: Compared | null): void {
    this.#before = compared;
  }

  /** Asks the twin; resolves when it has answered, failed, or is no longer asked. */
  want(): Promise<void> {
    const request = { capture: this.#capture };
    return this.reply.ask('all', (asking) => this.#backend.call('trust', request, asking));
  }

  /** Asks a twin of the first half for the second; resolves as `want` does. */
  wantHalves(): Promise<void> {
    const request = { capture: this.#capture };
    return this.halves.ask('all', (asking) => this.#backend.call('halves', request, asking));
  }
}
