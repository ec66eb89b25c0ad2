import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import type { Backend } from '../../ipc/backend';
import { canonical } from '../../ipc/canonical';
import type {
  AlgorithmChoice,
  AnswerView,
  CheckAgainView,
  DistributionView,
  MeasuredRun,
  ReplayRequest,
  ReplayView,
  RunView,
  SensitivityView,
  StateLine,
} from '../../ipc/gen/types';
import { choiceKey } from './algorithms.svelte';
import { Reply, type Asking } from '../replies/reply.svelte';

/** Replay settings: a replay request without its capture and algorithms. */
export type ReplaySettings = Pick<ReplayRequest, 'channel' | 'workload' | 'seed' | 'replicates' | 'policy' | 'part'> & {
  /** Whether the model-free bounds are computed, which double the time; by default they are. */
  bounds?: boolean;
};

/** Clients whose completion times are shown by themselves; a report records as many (crates/api/src/commands/report/recorder.rs). */
const CLIENTS = 12;

/**
 * Replicates of a first answer: from 19 on their range is an honest 90 % interval (crates/replay/src/stats/quantile.rs). The core goes on
 * from as many and runs none twice (crates/replay/src/run/begun.rs).
 */
export const FIRST = 20;
/** A whole answer that comes this soon after the first one, ms, makes that needless. */
const SOON_MS = 300;

/** Replay results of one capture. */
export class Runs {
  readonly replay = new Reply<ReplayView>();
  readonly sensitivity = new Reply<SensitivityView>();
  readonly measured = new Reply<readonly MeasuredRun[]>();
  readonly distribution = new Reply<DistributionView>();
  /** A run held against a second capture. */
  readonly again = new Reply<CheckAgainView>();
  /** The verdict with what real runs took, and the answer that it is about. */
  readonly #told = new Reply<{ replay: ReplayView; verdict: AnswerView }>();
  #requests = new WeakMap<ReplayView, ReplayRequest>();
  #backend: Backend;
  #capture: number;
  #byKey = $derived<Readonly<Record<string, RunView>>>(
    Object.fromEntries(this.replay.value?.runs.map((run) => [choiceKey(run.algorithm), run]) ?? []),
  );

  constructor(backend: Backend, capture: number) {
    this.#backend = backend;
    this.#capture = capture;
  }

  /**
   * Asks for runs of `choices`; `baseline` is one of their keys, or null for the recorded behaviour. With `first` a first answer
   * of few replicates is shown where the whole one takes longer. Resolves when they are there, have failed, or are no longer wanted.
   */
  want(
    choices: readonly AlgorithmChoice[],
    settings: ReplaySettings,
    baseline: string | null,
    first = false,
  ): Promise<void> {
    if (choices.length === 0) {
      this.replay.clear();
      return Promise.resolve();
    }
    const place = choices.findIndex((choice) => choiceKey(choice) === baseline);
    const request: ReplayRequest = {
      bounds: true,
      ...settings,
      capture: this.#capture,
      algorithms: [...choices],
      baseline: place < 0 ? null : place,
    };
    const inTwo = first && settings.channel !== 'recorded' && settings.replicates > FIRST;
    return this.replay.ask(canonical(request), (asking) =>
      inTwo ? this.#inTwo(request, asking) : this.#ask(request, asking),
    );
  }

  async #ask(request: ReplayRequest, asking: Asking<ReplayView>): Promise<ReplayView> {
    const view = await this.#backend.call('replay', request, asking);
    this.#requests.set(view, request);
    return view;
  }

  /** The answer to `request`, after a first one of few replicates. */
  async #inTwo(request: ReplayRequest, asking: Asking<ReplayView>): Promise<ReplayView> {
    let first: ReplayView | undefined;
    try {
      first = await this.#ask({ ...request, replicates: FIRST }, asking);
    } catch (thrown) {
      // The whole answer says what is wrong.
      if (asking.signal.aborted) throw thrown;
    }
    asking.signal.throwIfAborted();
    const whole = this.#ask(request, asking);
    const timer = setTimeout(() => first && asking.onFirst(first), SOON_MS);
    try {
      return await whole;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Asks for the sensitivity of these runs; a channel without a model has none. */
  wantSensitivity(choices: readonly AlgorithmChoice[], settings: ReplaySettings): void {
    if (choices.length === 0 || settings.channel === 'recorded') {
      this.sensitivity.clear();
      return;
    }
    const request: ReplayRequest = {
      ...settings,
      bounds: false,
      capture: this.#capture,
      algorithms: [...choices],
      baseline: null,
    };
    void this.sensitivity.ask(canonical(request), (asking) => this.#backend.call('sensitivity', request, asking));
  }

  /** Asks for real runs of this network under `choices`; `open` are the numbers of all open captures, which may be such runs. */
  wantMeasured(choices: readonly AlgorithmChoice[], open: readonly number[]): void {
    if (choices.length === 0) {
      this.measured.clear();
      return;
    }
    const request = { capture: this.#capture, algorithms: [...choices] };
    const question = `${canonical(request)} ${open.join(' ')}`;
    void this.measured.ask(question, (asking) => this.#backend.call('measured', request, asking));
  }

  /** Asks for the verdict on the answer that is there with what real runs took; where there are none, the answer's own is whole. */
  wantVerdict(): void {
    const replay = this.replay.value;
    const request = replay && this.#requests.get(replay);
    const measured = this.measured.value?.filter(({ same, alike }) => same.length + alike.length > 0) ?? [];
    if (!request || measured.length === 0) {
      this.#told.clear();
      return;
    }
    void this.#told.ask(`${canonical(request)} ${canonical(measured)}`, async ({ signal, onProgress }) => ({
      replay,
      verdict: await this.#backend.call('verdict', request, { signal, onProgress }),
    }));
  }

  /** The verdict on the answer that is there; what real runs took follows when it is known. */
  get verdict(): AnswerView | undefined {
    const told = this.#told.value;
    return told && told.replay === this.replay.value ? told.verdict : this.replay.value?.verdict;
  }

  /** Asks for `run`, held against the open capture `second`. */
  wantAgain(run: number, second: number): void {
    const request = { run, capture: second };
    void this.again.ask(canonical(request), (asking) => this.#backend.call('check_again', request, asking));
  }

  /** Asks for the completion times of the runs that are there. */
  wantDistribution(): void {
    const runs = this.replay.value?.runs.map(({ run }) => run) ?? [];
    if (runs.length === 0) {
      this.distribution.clear();
      return;
    }
    const request = { capture: this.#capture, runs, clients: CLIENTS };
    void this.distribution.ask(canonical(request), (asking) => this.#backend.call('distribution', request, asking));
  }

  of(key: string): RunView | undefined {
    return this.#byKey[key];
  }
}

/** The reply of each of `keys`, made where missing; others are dropped. Reads nothing reactively, for effects. */
function replies<K, T>(map: SvelteMap<K, Reply<T>>, keys: readonly K[]): [K, Reply<T>][] {
  return untrack(() => {
    for (const key of [...map.keys()]) if (!keys.includes(key)) map.delete(key);
    return keys.map((key) => {
      let reply = map.get(key);
      if (!reply) map.set(key, (reply = new Reply<T>()));
      return [key, reply];
    });
  });
}

/** The estimators' states at a time, per run. */
export class States {
  #replies = new SvelteMap<number, Reply<readonly StateLine[]>>();
  #backend: Backend;
  #capture: number;

  constructor(backend: Backend, capture: number) {
    this.#backend = backend;
    this.#capture = capture;
  }

  want(runs: readonly number[], association: number, at: number): void {
    for (const [run, reply] of replies(this.#replies, runs)) {
      const request = { capture: this.#capture, run, association, at };
      void reply.ask(`${association} ${at}`, ({ signal }) => this.#backend.call('state', request, { signal }));
    }
  }

  of(run: number): readonly StateLine[] | undefined {
    return this.#replies.get(run)?.value;
  }
}
