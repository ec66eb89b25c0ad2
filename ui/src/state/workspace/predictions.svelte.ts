import { Failure, type Backend } from '../../ipc/backend';
import { canonical } from '../../ipc/canonical';
import type { CheckAgainView, KeptPrediction } from '../../ipc/gen/types';
import type { Prefs } from '../window/prefs.svelte';

/** Outcome of an action, for a message. */
export interface Notice {
  text: string;
  kind: 'done' | 'error';
}

/** Predictions that the session keeps as they were made, and the reader's own calibration table. */
export class Predictions {
  #backend: Backend;
  #prefs: Prefs;
  #kept = $state.raw<readonly KeptPrediction[]>([]);

  constructor(backend: Backend, prefs: Prefs) {
    this.#backend = backend;
    this.#prefs = prefs;
  }

  /** The kept predictions, earliest first. */
  get kept(): readonly KeptPrediction[] {
    return this.#kept;
  }
  restore(kept: readonly KeptPrediction[]): void {
    this.#kept = kept;
  }

  /** Predictions that were made from another capture than the one with this SHA-256. */
  elsewhere(sha256: string): readonly KeptPrediction[] {
    return this.#kept.filter(({ capture }) => capture.sha256 !== sha256);
  }

  /** Keeps the predictions of these runs of one capture, once each. */
  async keep(runs: readonly number[]): Promise<Notice> {
    try {
      const kept = await this.#backend.call('keep_prediction', { runs: [...runs] });
      const key = canonical(kept);
      if (!this.#kept.some((other) => canonical(other) === key)) this.#kept = [...this.#kept, kept];
      return { text: 'Kept: save the session for later', kind: 'done' };
    } catch (thrown) {
      return refused('The predictions were not kept', thrown);
    }
  }
  forget(prediction: KeptPrediction): void {
    this.#kept = this.#kept.filter((kept) => kept !== prediction);
  }

  /** CSV file of the calibration table; null: none was chosen yet. */
  get table(): string | null {
    return this.#prefs.get('calibration');
  }

  /**
   * Adds a check to the calibration table, after asking for its file where there is none or `elsewhere` is set; null
   * when dismissed.
   */
  async add(check: CheckAgainView, elsewhere = false): Promise<Notice | null> {
    const known = elsewhere ? null : this.table;
    const path = known ?? (await this.#backend.save('my-calibration.csv'));
    if (path === null) return null;
    try {
      const { added, said } = await this.#backend.call('calibration_add', { path, check });
      this.#prefs.set('calibration', path);
      return { text: `${added ? 'Added' : 'Already there'}. ${said}`, kind: 'done' };
    } catch (thrown) {
      return refused('The check was not added', thrown);
    }
  }
}

const refused = (what: string, thrown: unknown): Notice => ({
  text: `${what}: ${Failure.from(thrown).message}`,
  kind: 'error',
});
