import { canonical } from '../ipc/canonical';
import type { Backend } from '../ipc/backend';
import type { AlgorithmChoice, OptimiseRequest, OptimisedView } from '../ipc/gen/types';
import { Reply } from './reply.svelte';
import type { ReplaySettings } from './runs.svelte';

/** What to search for. */
export interface Wanted {
  /** Names of parameters; empty: nothing is chosen yet. */
  over: readonly string[];
  /** A measure. */
  objective: string;
  /** Number of an open capture; null: none. */
  holdOut: number | null;
  evaluations: number;
}

/** Replicates of each question: a search asks many. */
const REPLICATES = 50;

/** Parameters that improve a measure, found on one capture and checked on another. */
export class Search {
  readonly found = new Reply<OptimisedView>();
  #backend: Backend;
  #open = $state(false);
  #wanted = $state.raw<Wanted>({ over: [], objective: 'completion', holdOut: null, evaluations: 120 });

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Its dialog. */
  get open(): boolean {
    return this.#open;
  }
  show(on: boolean): void {
    this.#open = on;
    if (!on) this.found.cancel();
  }

  get wanted(): Wanted {
    return this.#wanted;
  }
  want(some: Partial<Wanted>): void {
    this.#wanted = { ...this.#wanted, ...some };
  }

  /** Search from `algorithm` on; what was found before is forgotten. */
  async run(capture: number, algorithm: AlgorithmChoice, settings: ReplaySettings): Promise<void> {
    const { over, objective, holdOut, evaluations } = this.#wanted;
    const request: OptimiseRequest = {
      capture,
      hold_out: holdOut === capture ? null : holdOut,
      algorithm,
      over: [...over],
      objective,
      method: 'nelder_mead',
      evaluations,
      workload: settings.workload,
      seed: settings.seed,
      replicates: Math.min(settings.replicates, REPLICATES),
    };
    this.found.clear();
    await this.found.ask(canonical(request), (asking) => this.#backend.call('optimise', request, asking));
  }
}
