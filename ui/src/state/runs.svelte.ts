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
export type ReplaySettings = Pick<ReplayRequest, 'channel' | 'workload' | 'seed' | 'replicates' | 'policy' | 'part'> & {
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

/** The last question. */
interface Asked {
  key: string;
  tile: Tile | undefined;
  /** The longest window that it serves well. */
  length: number;
  detail: string;
  at: number;
}

/** While what is there still covers the window, another level of detail is asked for at most this often. */
const PACE_MS = 120;
/** What zooming out asks for serves windows so many times as long. */
const AHEAD = 3;

const keyOf = ({ t0, t1, px }: Tile, detail: string) => `${detail} ${t0} ${t1} ${px}`;

/** Arrow replies per behaviour for the window looked at, fetched when the window leaves what is there. */
export class Tiles<T> {
  #asked: Asked = { key: '', tile: undefined, length: Infinity, detail: '', at: -Infinity };
  #later: ReturnType<typeof setTimeout> | undefined;
  /** Questions without an answer yet, and what to ask when there are none. */
  #open = 0;
  #next: (() => void) | undefined;
  #replies = new SvelteMap<RunOrRecorded, Reply<Tiled<T>>>();
  #fetch: (run: RunOrRecorded, tile: Tile, signal: AbortSignal) => Promise<T>;

  constructor(fetch: (run: RunOrRecorded, tile: Tile, signal: AbortSignal) => Promise<T>) {
    this.#fetch = fetch;
  }

  /** Make sure that `runs` are there for what `viewport` shows `px` wide; forget other runs. */
  want(viewport: Viewport, px: number, runs: readonly RunOrRecorded[], detail = ''): void {
    const tile = this.#kept(viewport, viewport.tile(px), detail);
    const again = () => {
      this.want(viewport, px, runs, detail);
    };
    clearTimeout(this.#later);
    this.#next = undefined;
    const wait = this.#asked.at + PACE_MS - performance.now();
    const other = keyOf(tile, detail) !== this.#asked.key && detail === this.#asked.detail;
    const serves = other && this.#serves(viewport, runs);
    // A zoom passes through many levels of detail: those that nobody would see are left out. None is given up that is
    // under way, since the next would be no sooner there.
    if (other && this.#open > 0) this.#next = again;
    else if (serves && wait > 0) this.#later = setTimeout(again, wait);
    else if (other && !serves && viewport.length > this.#asked.length) {
      // Zooming out: what is shown next, coarsely; and finely when the hand rests.
      this.#ask(viewport.tile(px, AHEAD), viewport.length * AHEAD, detail, runs);
      this.#later = setTimeout(again, PACE_MS);
    } else this.#ask(tile, viewport.length, detail, runs);
  }

  /** What was asked for last where it is as good as `tile`; a pan asks anew when it comes near the end of that. */
  #kept(viewport: Viewport, tile: Tile, detail: string): Tile {
    const { tile: last, detail: of } = this.#asked;
    if (!last || of !== detail) return tile;
    const near = viewport.length / 16;
    const inside =
      (last.t0 <= viewport.start || last.t0 <= viewport.t0 - near) &&
      (last.t1 >= viewport.end || last.t1 >= viewport.t1 + near);
    // Levels of detail are half an octave apart.
    const apart = Math.abs(Math.log2((last.t1 - last.t0) / last.px / ((tile.t1 - tile.t0) / tile.px)));
    return inside && apart < 0.25 ? last : tile;
  }

  /** Ask for `tile`, which serves windows up to `length`. */
  #ask(tile: Tile, length: number, detail: string, runs: readonly RunOrRecorded[]): void {
    const key = keyOf(tile, detail);
    if (key !== this.#asked.key) this.#asked = { key, tile, length, detail, at: performance.now() };
    const fetches: Promise<T>[] = [];
    // All at once: one picture is drawn anew, not one per run.
    const together = Promise.resolve().then(() => Promise.allSettled(fetches));
    for (const [run, reply] of replies(this.#replies, runs)) {
      const start = async (signal: AbortSignal) => {
        const fetched = this.#fetch(run, tile, signal);
        fetches.push(fetched);
        await together;
        return { tile, columns: await fetched };
      };
      this.#open += 1;
      void reply
        .ask(key, ({ signal }) => start(signal))
        .finally(() => {
          this.#open -= 1;
          if (this.#open > 0) return;
          const next = this.#next;
          this.#next = undefined;
          next?.();
        });
    }
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
