import type { Backend, CallOptions, CommandName, Progress, Reply, Request } from '../../ipc/backend';
import { SLOW } from '../../ipc/gen/commands';

/** After this long somebody who waits is told what for, and may stop it. */
const LONG_MS = 1000;

/** What each command is doing, for people. */
const DOING: Partial<Record<CommandName, string>> = {
  assume: 'Judging the capture again',
  replay: 'Replaying',
  sweep: 'Replaying with other values',
  sensitivity: 'Asking the same in other ways',
  channel_states: 'Fitting channel states',
  channel_state_series: 'Fitting channel states',
  identify: 'Finding out which algorithm was running',
  packet_row: 'Looking for a packet',
  packets: 'Reading packets',
  network: 'Reading the network',
  network_load: 'Reading the network',
  network_series: 'Reading the network',
  export_packets: 'Writing packets',
  export_run: 'Writing packets',
  figure: 'Drawing the figure',
  export_figure: 'Writing the table',
  session_read: 'Looking for the captures of the session',
  report: 'Making the report',
};

/** These say themselves how far they are, where they are asked for; or belong to a recording, which has its own bar. */
export const ELSEWHERE: readonly CommandName[] = ['open', 'optimise', 'packet_count', 'live_stop', 'live_refresh'];

/** A call that somebody waits for. */
export class Job {
  readonly id: number;
  readonly what: string;
  progress = $state.raw<Progress>();
  readonly abort = new AbortController();

  constructor(id: number, what: string) {
    this.id = id;
    this.what = what;
  }

  /** 0 to 1, or null while nobody knows. */
  get share(): number | null {
    const { done, total } = this.progress ?? { done: 0, total: 0 };
    return total > 0 ? Math.min(1, done / total) : null;
  }
}

/** The calls that take long, whoever asks: how far they are, and a way to stop each. */
export class Jobs {
  /** To ask through. */
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

  /** Those under way for longer than a second, the oldest first. */
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
