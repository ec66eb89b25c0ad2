import type { Backend } from '../../ipc/backend';
import type { TrustView } from '../../ipc/gen/types';
import { Reply } from '../replies/reply.svelte';

/** Self-replay of one capture's network twin, and whether its panel is open in Compare. */
export class Trust {
  readonly reply = new Reply<TrustView>();
  readonly #backend: Backend;
  readonly #capture: number;
  #open = $state(false);

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

  /** Asks the twin. For effects. */
  want(): void {
    const request = { capture: this.#capture };
    void this.reply.ask('all', (asking) => this.#backend.call('trust', request, asking));
  }
}
