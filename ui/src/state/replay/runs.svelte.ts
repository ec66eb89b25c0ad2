import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import type { Backend } from '../../ipc/backend';
import { canonical } from '../../ipc/canonical';
import type {
  AlgorithmChoice,
  AnswerView,
  CheckAgainView,
  DistributionView,
  KeptPrediction,
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
  /** Whether the bounds without a model are computed, too, which doubles the time; true where absent. */
  bounds?: boolean;
};

/**
 * Greatest number of clients whose completion times are shown each by itself; a report records as many
 * (crates/api/src/commands/written/report/recorder.rs).
 */
const CLIENTS = 12;

/**
 * Replicates of a first answer: from 19 on the range of replicates is a valid 90 % interval
 * (crates/replay/src/stats/quantile.rs). The core goes on from as many and runs none twice
 * (crates/replay/src/run/begun.rs).
 */
export const FIRST = 20;
/**
 * Time after the first answer within which the whole one makes it needless, ms. Chosen here by judgement: no
 * experiment decides it; numbers that change sooner than that would only flicker.
 */
const SOON_MS = 300;

/** Replay results of one capture. */
export class Runs {
  /** Runs of the algorithms that are shown. */
  readonly replay = new Reply<ReplayView>();
  /** Answers to variations of the question. */
  readonly sensitivity = new Reply<SensitivityView>();
  /** Real runs of the same network, under the algorithms that are shown. */
  readonly measured = new Reply<readonly MeasuredRun[]>();
  /** Distributions of completion times of the runs. */
  readonly distribution = new Reply<DistributionView>();
  /** Comparison of a run with a second capture. */
  readonly again = new Reply<CheckAgainView>();
  /** The verdict that knows the real runs, and the answer that it is about. */
  readonly #verdict = new Reply<{ replay: ReplayView; verdict: AnswerView }>();
  readonly #checks = new WeakMap<KeptPrediction, Reply<CheckAgainView>>();
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
   * Asks for runs of `choices`; `baseline` is one of their keys, or null for the recorded behaviour. With `first` a
   * first answer of few replicates is shown where the whole one takes longer. Resolves when the runs are there, have
   * failed, or are no longer wanted.
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

  /**
   * Asks for real runs of this network under `choices`; `open` are the numbers of all open captures, which may be such
   * runs.
   */
  wantMeasured(choices: readonly AlgorithmChoice[], open: readonly number[]): void {
    if (choices.length === 0) {
      this.measured.clear();
      return;
    }
    const request = { capture: this.#capture, algorithms: [...choices] };
    const question = `${canonical(request)} ${open.join(' ')}`;
    void this.measured.ask(question, (asking) => this.#backend.call('measured', request, asking));
  }

  /**
   * Asks for the verdict that knows the real runs, where there are any; otherwise the verdict of the answer itself
   * holds.
   */
  wantVerdict(): void {
    const replay = this.replay.value;
    const request = replay && this.#requests.get(replay);
    const measured = this.measured.value?.filter(({ same, alike }) => same.length + alike.length > 0) ?? [];
    if (!request || measured.length === 0) {
      this.#verdict.clear();
      return;
    }
    void this.#verdict.ask(`${canonical(request)} ${canonical(measured)}`, async ({ signal, onProgress }) => ({
      replay,
      verdict: await this.#backend.call('verdict', request, { signal, onProgress }),
    }));
  }

  /** The verdict on the present answer; the one that knows the real runs replaces it when it is there. */
  get verdict(): AnswerView | undefined {
    const known = this.#verdict.value;
    return known && known.replay === this.replay.value ? known.verdict : this.replay.value?.verdict;
  }

  /** Asks for a comparison of run number `run` with the open capture `second`. */
  wantAgain(run: number, second: number): void {
    const request = { run, capture: second };
    void this.again.ask(canonical(request), (asking) => this.#backend.call('check_again', request, asking));
  }

  /** Asks for a comparison of a kept prediction with this capture; `algorithm` null: the timer that ran. */
  wantKept(prediction: KeptPrediction, algorithm: AlgorithmChoice | null): void {
    const request = { prediction, algorithm, capture: this.#capture };
    void this.again.ask(canonical(request), (asking) => this.#backend.call('check_kept', request, asking));
  }

  /** The answer to a kept prediction held against this capture by the timer that ran. */
  keptCheck(prediction: KeptPrediction): Reply<CheckAgainView> {
    const known = this.#checks.get(prediction);
    if (known) return known;
    const reply = new Reply<CheckAgainView>();
    this.#checks.set(prediction, reply);
    return reply;
  }
  /** Asks for the answer to a kept prediction, once. */
  wantKeptCheck(prediction: KeptPrediction): void {
    const request = { prediction, algorithm: null, capture: this.#capture };
    void this.keptCheck(prediction).ask('kept', (asking) => this.#backend.call('check_kept', request, asking));
  }

  /** Asks for the distributions of completion times of the present runs. */
  wantDistribution(): void {
    const runs = this.replay.value?.runs.map(({ run }) => run) ?? [];
    if (runs.length === 0) {
      this.distribution.clear();
      return;
    }
    const request = { capture: this.#capture, runs, clients: CLIENTS };
    void this.distribution.ask(canonical(request), (asking) => this.#backend.call('distribution', request, asking));
  }

  /** The run of the algorithm with this key; undefined before it is there. */
  of(key: string): RunView | undefined {
    return this.#byKey[key];
  }
}

/** The reply of each of `keys`, made where it is missing; others are dropped. Reads nothing reactively, for effects. */
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

/** States of the estimators at a time, for each run. */
export class States {
  #replies = new SvelteMap<number, Reply<readonly StateLine[]>>();
  #backend: Backend;
  #capture: number;

  constructor(backend: Backend, capture: number) {
    this.#backend = backend;
    this.#capture = capture;
  }

  /** Asks for the states in `runs` (numbers) of the association's estimators at time `at`, ns of the trace. */
  want(runs: readonly number[], association: number, at: number): void {
    for (const [run, reply] of replies(this.#replies, runs)) {
      const request = { capture: this.#capture, run, association, at };
      void reply.ask(`${association} ${at}`, ({ signal }) => this.#backend.call('state', request, { signal }));
    }
  }

  /** The state in a run; undefined until it is known. */
  of(run: number): readonly StateLine[] | undefined {
    return this.#replies.get(run)?.value;
  }
}
