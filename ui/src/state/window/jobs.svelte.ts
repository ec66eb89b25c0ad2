import type { Backend, CallOptions, CommandName, Progress, Reply, Request } from '../../ipc/backend';
import { SLOW } from '../../ipc/gen/commands';

/** Delay after which a call is listed and can be stopped, ms. */
const LONG_MS = 1000;

/** Title of the job of each slow command. */
const DOING: Partial<Record<CommandName, string>> = {
  assume: 'Judging the capture again',
  replay: 'Replaying',
  sweep: 'Replaying with other values',
  sensitivity: 'Asking the same in other ways',
  trust: 'Asking the network twin about its own capture',
  halves: 'Predicting the second half of the capture by the first',
  measured: 'Looking for real runs of this network',
  verdict: 'Saying what real runs of this network took',
  check_again: 'Holding the prediction against the second capture',
  check_kept: 'Holding a kept prediction against this capture',
  keep_prediction: 'Keeping the predictions',
  channel_states: 'Fitting channel states',
  channel_state_series: 'Fitting channel states',
  identify: 'Finding out which algorithm was running',
  ladder: 'Simulating the hops of a replicate again',
  packet_row: 'Looking for a packet',
  packets: 'Reading packets',
  dissect: 'Reading a packet',
  network: 'Reading the network',
  node_list: 'Reading the list of nodes',
  network_load: 'Reading the network',
  network_series: 'Reading the network',
  export_packets: 'Writing packets',
  export_packet_table: 'Writing the table of packets',
  export_run: 'Writing packets',
  figure: 'Drawing the figure',
  export_figure: 'Writing the table',
  study_find: 'Looking through the folder of runs',
  study_run: 'Running the study',
  study_grid: 'Reading the rows of the study',
  study_figure: 'Drawing the figure of the study',
  export_study_figure: 'Writing the table',
  study_report: 'Making the report of the study',
  session_read: 'Looking for the captures of the session',
  report: 'Making the report',
  follow_stop: 'Reading the followed file a last time',
  alerts_stop: 'Reading the rest for alerts',
};

/** Slow commands that are not listed as jobs, because their views show the progress themselves. */
export const ELSEWHERE: readonly CommandName[] = [
  'open',
  'optimise',
  'packet_count',
  'live_stop',
  'live_refresh',
  'follow_refresh',
  'alerts_look',
];

/** A running call of a slow command. */
export class Job {
  readonly id: number;
  /** Title of the work, for people. */
  readonly what: string;
  /** Progress; undefined until the first report. */
  progress = $state.raw<Progress>();
  readonly abort = new AbortController();

  constructor(id: number, what: string) {
    this.id = id;
    this.what = what;
  }

  /** Share that is done, 0 to 1; null while the total is unknown. */
  get share(): number | null {
    const { done, total } = this.progress ?? { done: 0, total: 0 };
    return total > 0 ? Math.min(1, done / total) : null;
  }
}

/** Running calls of slow commands, with their progress and a way to stop each. */
export class Jobs {
  /** A backend that lists its slow calls here. */
  readonly backend: Backend;
  #list = $state.raw<readonly Job[]>([]);
  #next = 1;

  constructor(outer: Backend) {
    this.backend = {
      call: (name, request, options) =>
        SLOW.includes(name) && !ELSEWHERE.includes(name)
          ? this.#follow(outer, name, request, options)
          : outer.call(name, request, options),
      openedWith: () => outer.openedWith(),
      pick: (what) => outer.pick(what),
      save: (name) => outer.save(name),
      wireshark: (capture, frame) => outer.wireshark(capture, frame),
      watchDrops: (listener) => outer.watchDrops(listener),
    };
  }

  /** Calls that have run for longer than a second, the oldest first. */
  get list(): readonly Job[] {
    return this.#list;
  }

  async #follow<N extends CommandName>(
    outer: Backend,
    name: N,
    request: Request<N>,
    options: CallOptions = {},
  ): Promise<Reply<N>> {
    const job = new Job(this.#next++, DOING[name] ?? 'Working');
    const show = setTimeout(() => (this.#list = [...this.#list, job]), LONG_MS);
    const { signal, onProgress } = options;
    const stop = () => job.abort.abort();
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await outer.call(name, request, {
        signal: job.abort.signal,
        onProgress: (progress) => {
          job.progress = progress;
          onProgress?.(progress);
        },
      });
    } finally {
      clearTimeout(show);
      signal?.removeEventListener('abort', stop);
      this.#list = this.#list.filter((other) => other !== job);
    }
  }
}
