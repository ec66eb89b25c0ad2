import { canonical } from '../../ipc/canonical';
import type { Backend } from '../../ipc/backend';
import type { AlgorithmChoice, ChannelKind, OptimiseRequest, OptimisedView, PartView } from '../../ipc/gen/types';
import { Reply } from '../replies/reply.svelte';
import type { ReplaySettings } from './runs.svelte';

/** Channels of a search: all but the recorded one, which knows only copies that were sent. */
export type SearchChannel = Exclude<ChannelKind, 'recorded'>;

/** Settings of a parameter search. */
export interface Wanted {
  /** Names of the parameters that are searched; empty: none is chosen yet. */
  over: readonly string[];
  /** Measure that is improved. */
  objective: string;
  /** Number of the open capture that the result is checked on; null: none. */
  holdOut: number | null;
  /** Channel, which gives copies that were never sent their fate. */
  channel: SearchChannel;
  /** Greatest number of replays of the capture. */
  evaluations: number;
}

/**
 * Most replicates of each evaluation: a search makes many evaluations. Chosen here by judgement: no experiment
 * decides it; half makes the objective noisier by √2, double takes twice as long.
 */
const REPLICATES = 50;

/** Search for parameters that improve a measure on one capture, checked on another. */
export class Search {
  /** Result of the last search. */
  readonly found = new Reply<OptimisedView>();
  #backend: Backend;
  #open = $state(false);
  #wanted = $state.raw<Wanted>({
    over: [],
    objective: 'completion',
    holdOut: null,
    channel: 'auto',
    evaluations: 120,
  });

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Whether its dialog is open. */
  get open(): boolean {
    return this.#open;
  }
  /** Opens the dialog, with the channel of the other views, or closes it and stops the search. */
  show(on: boolean, channel?: ChannelKind): void {
    if (on && !this.#open && channel && channel !== 'recorded') this.want({ channel });
    this.#open = on;
    if (!on) this.found.cancel();
  }

  get wanted(): Wanted {
    return this.#wanted;
  }
  /** Changes the settings that `some` has. */
  want(some: Partial<Wanted>): void {
    this.#wanted = { ...this.#wanted, ...some };
  }

  /**
   * Searches from `algorithm` on a capture; the earlier result is dropped. `checked` is the part of the held-out
   * capture.
   */
  async run(capture: number, algorithm: AlgorithmChoice, settings: ReplaySettings, checked?: PartView): Promise<void> {
    const { over, objective, channel, evaluations } = this.#wanted;
    const holdOut = this.#wanted.holdOut === capture ? null : this.#wanted.holdOut;
    const request: OptimiseRequest = {
      capture,
      ...(settings.part && { part: settings.part }),
      hold_out: holdOut,
      ...(holdOut !== null && checked && { hold_out_part: checked }),
      algorithm,
      over: [...over],
      objective,
      method: 'nelder_mead',
      evaluations,
      channel,
      workload: settings.workload,
      seed: settings.seed,
      replicates: Math.min(settings.replicates, REPLICATES),
      ...(settings.policy && { policy: settings.policy }),
    };
    this.found.clear();
    await this.found.ask(canonical(request), (asking) => this.#backend.call('optimise', request, asking));
  }
}
