import { untrack } from 'svelte';
import { choose, within, type ByRun, type LaneRange, type RunOrRecorded } from '../../replies/lanes';
import { Reply } from '../../replies/reply.svelte';
import type { Tile, Viewport } from './viewport.svelte';

/** A reply: columns of each behaviour for a tile, which is wider than the window. */
interface Tiled<T> {
  tile: Tile;
  lanes: LaneRange;
  /** Text of the request without its behaviours. */
  key: string;
  columns: ByRun<T>;
}

/** The last request that was sent. */
interface Asked {
  key: string;
  tile: Tile | undefined;
  lanes: LaneRange;
  /** Length of the window that it was sent for, and of the longest window that it serves well, ns. */
  length: number;
  most: number;
  /** Further text by which requests differ, such as the association. */
  detail: string;
  /** Time of sending, ms of `performance.now()`. */
  at: number;
}

/** Shortest interval between requests for another level of detail while the held tile covers the window, ms. */
const PACE_MS = 120;
/**
 * No pointer movement for this long (ms, three frames of a screen): the gesture is over, and replies are drawn at once.
 */
const MOVING_MS = 50;
/** Factor of the window's length that sets the level of detail while zooming out. */
const AHEAD = 4;
/**
 * Factors of the window's length up to which a tile serves well. Beyond, marks crowd and each costs time to draw. The
 * next reply comes some frames later, and a fast gesture doubles the window until then.
 */
const SERVED = { fine: 1.5, ahead: 2.5 };

/** A request: the tile, and the lanes (null: all). */
interface TileRequest {
  tile: Tile;
  lanes: LaneRange;
}

/** Tile that a view needs: its window drawn `px` wide, its behaviours, and the lanes in sight. */
interface Wanted {
  viewport: Viewport;
  px: number;
  runs: readonly RunOrRecorded[];
  detail: string;
  seen: LaneRange;
}

const keyOf = ({ tile: { t0, t1, px }, lanes }: TileRequest, detail: string) =>
  `${detail} ${t0} ${t1} ${px} ${lanes?.join('-') ?? ''}`;

/** Range of the lanes `seen`, widened by half as many above and below, which a scroll shows next. */
function around(seen: LaneRange): LaneRange {
  if (seen === null) return null;
  const [first, last] = seen;
  const beside = Math.max(2, Math.ceil((last - first + 1) / 2));
  return [Math.max(0, first - beside), last + beside];
}

/** Range of the lanes `seen`, widened by one above and below. */
const nextTo = (seen: LaneRange): LaneRange => seen && [Math.max(0, seen[0] - 1), seen[1] + 1];

/**
 * Fetches the columns of `runs` for a tile and a range of lanes; behaviours that the core does not know are left out.
 * Rejects as requests do.
 */
export type FetchTile<T> = (
  runs: readonly RunOrRecorded[],
  tile: Tile,
  signal: AbortSignal,
  lanes: LaneRange,
) => Promise<ByRun<T>>;

/**
 * Arrow columns of all behaviours for the window, fetched when it leaves the held tile. One request serves all
 * behaviours, because each reply costs time on the main thread and a new drawing.
 */
export class Tiles<T> {
  /** The held tile, and the state of the request under way. */
  readonly reply = new Reply<Tiled<T>>();
  #asked: Asked = {
    ...{ key: '', tile: undefined, lanes: null },
    ...{ length: Infinity, most: Infinity, detail: '', at: -Infinity },
  };
  #later: ReturnType<typeof setTimeout> | undefined;
  /** Requests under way, and the one to send when there are none. */
  #open = 0;
  #next: (() => void) | undefined;
  #fetch: FetchTile<T>;
  /** The last tile wanted, the start of its gesture, and the timer that ends it. */
  #wanted: Wanted | undefined;
  #moved = { t0: NaN, t1: NaN, at: -Infinity };
  #held: (() => void) | undefined;

  constructor(fetch: FetchTile<T>) {
    this.#fetch = fetch;
  }

  /**
   * Asks for `runs` over `viewport` drawn `px` wide, for the lanes `seen`, unless they are there. Other runs are
   * dropped. Texts `detail` tell requests for different content apart.
   */
  want(viewport: Viewport, px: number, runs: readonly RunOrRecorded[], detail = '', seen: LaneRange = null): void {
    const { t0, t1 } = viewport;
    if (t0 !== this.#moved.t0 || t1 !== this.#moved.t1) this.#moved = { t0, t1, at: performance.now() };
    this.#wanted = { viewport, px, runs, detail, seen };
    this.#plan(this.#wanted, false);
    this.#held?.();
  }

  /**
   * Delays a reply until the next move of a gesture over the held tile: drawn between two moves it would cost a frame
   * of its own, for a window that is about to change.
   */
  async #inStep(): Promise<void> {
    const { viewport, runs, seen } = this.#wanted ?? {};
    const wait = this.#moved.at + MOVING_MS - performance.now();
    if (!viewport || !runs || wait <= 0 || !this.#serves(viewport, runs, seen ?? null)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, wait);
      this.#held = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#held = undefined;
  }

  /** Sends the request for `wanted` now or later; `rests`: the gesture is over. */
  #plan(wanted: Wanted, rests: boolean): void {
    const { viewport, px, runs, detail, seen } = wanted;
    const lanes = around(seen);
    const request = this.#reusable(viewport, { tile: viewport.tile(px), lanes }, detail, seen);
    const later = (ms: number) => setTimeout(() => this.#plan(wanted, true), ms);
    clearTimeout(this.#later);
    this.#next = undefined;
    const wait = this.#asked.at + PACE_MS - performance.now();
    const other = keyOf(request, detail) !== this.#asked.key && detail === this.#asked.detail;
    const serves = other && this.#serves(viewport, runs, seen);
    const outwards = other && !rests && viewport.length > this.#asked.length;
    const { length } = viewport;
    // A zoom passes through many levels of detail: those that would not be seen are skipped. A request under way is not
    // given up, since the next would come no sooner.
    if (other && this.#open > 0) this.#next = () => this.#plan(wanted, rests);
    else if (outwards && (!serves || length > this.#asked.most)) {
      // Zooming out: a coarse tile for the next windows; a fine one when the gesture is over.
      this.#ask({ tile: viewport.tile(px, AHEAD), lanes }, { length, most: length * SERVED.ahead, detail }, runs);
      this.#later = later(PACE_MS);
    } else if (serves && (outwards || wait > 0)) this.#later = later(outwards ? PACE_MS : wait);
    else this.#ask(request, { length, most: length * SERVED.fine, detail }, runs);
  }

  /** The last request where it serves as well as `fresh`; a pan or a scroll asks again near its end. */
  #reusable(viewport: Viewport, fresh: TileRequest, detail: string, seen: LaneRange): TileRequest {
    const { tile } = fresh;
    const { tile: last, lanes, detail: of } = this.#asked;
    if (!last || of !== detail || !within(nextTo(seen), lanes)) return fresh;
    const near = viewport.length / 16;
    const inside =
      (last.t0 <= viewport.start || last.t0 <= viewport.t0 - near) &&
      (last.t1 >= viewport.end || last.t1 >= viewport.t1 + near);
    // Levels of detail are half an octave apart.
    const apart = Math.abs(Math.log2((last.t1 - last.t0) / last.px / ((tile.t1 - tile.t0) / tile.px)));
    return inside && apart < 0.25 ? { tile: last, lanes } : fresh;
  }

  #ask(request: TileRequest, of: Pick<Asked, 'length' | 'most' | 'detail'>, runs: readonly RunOrRecorded[]): void {
    const key = keyOf(request, of.detail);
    if (key !== this.#asked.key) this.#asked = { key, ...request, ...of, at: performance.now() };
    const start = async (signal: AbortSignal): Promise<Tiled<T>> => {
      // Another run must not ask again for the runs that the same tile has.
      const there = untrack(() => this.reply.value);
      const kept = there?.key === key ? [there.columns] : [];
      const missing = runs.filter((run) => !kept.some((columns) => columns.has(run)));
      const fetched = missing.length > 0 ? [await this.#fetch(missing, request.tile, signal, request.lanes)] : [];
      await this.#inStep();
      return { ...request, key, columns: choose(runs, ...fetched, ...kept) };
    };
    this.#open += 1;
    void this.reply
      .ask(`${key} ${runs.join()}`, ({ signal }) => start(signal))
      .finally(() => {
        this.#open -= 1;
        if (this.#open > 0) return;
        const next = this.#next;
        this.#next = undefined;
        next?.();
      });
  }

  /** Whether the held tile has all `runs` over `viewport` and the lanes `seen`, at any level of detail. */
  #serves(viewport: Viewport, runs: readonly RunOrRecorded[], seen: LaneRange): boolean {
    const there = untrack(() => this.reply.value);
    return (
      there !== undefined &&
      viewport.contains(there.tile.t0, there.tile.t1) &&
      within(seen, there.lanes) &&
      runs.every((run) => there.columns.has(run))
    );
  }

  /** The held columns of a behaviour; undefined before there are any. */
  of(run: RunOrRecorded): T | undefined {
    return this.reply.value?.columns.get(run);
  }

  /** Whether the held tile includes the lane at this place, from 0 at the top. */
  has(place: number): boolean {
    return this.reply.value !== undefined && within([place, place], this.reply.value.lanes);
  }
}
