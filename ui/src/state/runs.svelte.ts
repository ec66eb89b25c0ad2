import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import type { Columns } from '../ipc/arrow';
import type { Backend } from '../ipc/backend';
import { canonical } from '../ipc/canonical';
import type { LaneColumns, RtoColumns } from '../ipc/gen/commands';
import type { AlgorithmChoice, ReplayRequest, ReplayView, RunView, SensitivityView, StateLine } from '../ipc/gen/types';
import { choiceKey } from './algorithms.svelte';
import { Reply } from './reply.svelte';
import type { Tile, Viewport } from './viewport.svelte';

/** How to replay: everything but what. */
export type ReplaySettings = Pick<ReplayRequest, 'channel' | 'workload' | 'seed' | 'replicates'> & {
  /** With the model-free bounds, which take as long again; by default yes. */
  bounds?: boolean;
};

/** A run's number, or null for what was recorded. */
export type RunOrRecorded = number | null;

/** What the replays of one capture gave. */
export class Runs {
  readonly replay = new Reply<ReplayView>();
  readonly sensitivity = new Reply<SensitivityView>();
  #backend: Backend;
  #capture: number;
  #byKey = $derived<Readonly<Record<string, RunView>>>(
    Object.fromEntries(this.replay.value?.runs.map((run) => [choiceKey(run.algorithm), run]) ?? []),
  );

  constructor(backend: Backend, capture: number) {
    this.#backend = backend;
    this.#capture = capture;
  }

  /** Ask for these runs; `baseline` is a key of `choices`, or null for the recorded behaviour. */
  want(choices: readonly AlgorithmChoice[], settings: ReplaySettings, baseline: string | null): void {
    if (choices.length === 0) {
      this.replay.clear();
      return;
    }
    const place = choices.findIndex((choice) => choiceKey(choice) === baseline);
    const request: ReplayRequest = {
      bounds: true,
      ...settings,
      capture: this.#capture,
      algorithms: [...choices],
      baseline: place < 0 ? null : place,
      as_recorded: [],
    };
    void this.replay.ask(canonical(request), (asking) => this.#backend.call('replay', request, asking));
  }

  /** Ask what the answers for these depend on; of a channel without a model, nothing. */
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
      as_recorded: [],
    };
    void this.sensitivity.ask(canonical(request), (asking) => this.#backend.call('sensitivity', request, asking));
  }

  of(key: string): RunView | undefined {
    return this.#byKey[key];
  }
}

/** The reply of each of `keys`, made where missing; others are forgotten. For effects: reads nothing reactively. */
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

/** Columns of a window that is wider than what is looked at. */
interface Tiled<T> {
  tile: Tile;
  columns: T;
}

/** While what is there still covers the window, another level of detail is asked for at most this often. */
const PACE_MS = 120;

/** Arrow replies per behaviour for the window looked at, fetched when the window leaves what is there. */
export class Tiles<T> {
  #asked = { key: '', detail: '', at: -Infinity };
  #later: ReturnType<typeof setTimeout> | undefined;
  #replies = new SvelteMap<RunOrRecorded, Reply<Tiled<T>>>();
  #fetch: (run: RunOrRecorded, tile: Tile, signal: AbortSignal) => Promise<T>;

  constructor(fetch: (run: RunOrRecorded, tile: Tile, signal: AbortSignal) => Promise<T>) {
    this.#fetch = fetch;
  }

  /** Make sure that `runs` are there for what `viewport` shows `px` wide; forget other runs. */
  want(viewport: Viewport, px: number, runs: readonly RunOrRecorded[], detail = ''): void {
    const tile = viewport.tile(px);
    const key = `${detail} ${tile.t0} ${tile.t1} ${tile.px}`;
    const ask = () => {
      if (key !== this.#asked.key) this.#asked = { key, detail, at: performance.now() };
      for (const [run, reply] of replies(this.#replies, runs)) {
        void reply.ask(key, async ({ signal }) => ({ tile, columns: await this.#fetch(run, tile, signal) }));
      }
    };
    clearTimeout(this.#later);
    const wait = this.#asked.at + PACE_MS - performance.now();
    // A zoom passes through many levels of detail: those that nobody would see are left out.
    const other = key !== this.#asked.key && detail === this.#asked.detail;
    if (other && wait > 0 && this.#serves(viewport, runs)) this.#later = setTimeout(ask, wait);
    else ask();
  }

  /** All `runs` are there for what `viewport` shows, be it more finely or coarsely. */
  #serves(viewport: Viewport, runs: readonly RunOrRecorded[]): boolean {
    return untrack(() =>
      runs.every((run) => {
        const tile = this.#replies.get(run)?.value?.tile;
        return tile !== undefined && viewport.contains(tile.t0, tile.t1);
      }),
    );
  }

  of(run: RunOrRecorded): T | undefined {
    return this.#replies.get(run)?.value?.columns;
  }

  reply(run: RunOrRecorded): Reply<Tiled<T>> | undefined {
    return this.#replies.get(run);
  }
}

export function laneTiles(backend: Backend, capture: number): Tiles<Columns<LaneColumns>> {
  return new Tiles((run, tile, signal) => backend.call('lanes', { capture, run, ...tile }, { signal }));
}

export function rtoTiles(backend: Backend, capture: number, association: () => number): Tiles<Columns<RtoColumns>> {
  return new Tiles((run, { t0, t1 }, signal) =>
    backend.call('rto', { capture, run, association: association(), t0, t1 }, { signal }),
  );
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
