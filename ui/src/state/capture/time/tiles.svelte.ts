import { untrack } from 'svelte';
import { choose, within, type ByRun, type LaneRange, type RunOrRecorded } from '../../replies/lanes';
import { Reply } from '../../replies/reply.svelte';
import type { Tile, Viewport } from './viewport.svelte';

/** Columns of each behaviour for a window that is wider than what is looked at. */
interface Tiled<T> {
  tile: Tile;
  lanes: LaneRange;
  /** The question without the behaviours. */
  key: string;
  columns: ByRun<T>;
}

/** The last question. */
interface Asked {
  key: string;
  tile: Tile | undefined;
  lanes: LaneRange;
  /** The window it was asked for, and the longest that it serves well. */
  length: number;
  most: number;
  detail: string;
  at: number;
}

/** While what is there still covers the window, another level of detail is asked for at most this often. */
const PACE_MS = 120;
/** No pointer movement for this long (ms, three frames of a screen): the gesture is over, ask for full resolution. */
const MOVING_MS = 50;
/** While zooming out, a tile is as coarse as that of a window so many times as long. */
const AHEAD = 4;
/**
 * Windows so many times as long are served well: beyond, marks crowd, of which each costs its time to draw. The next answer is some
 * frames away, and a fast hand makes the window twice as long until then.
 */
const SERVED = { fine: 1.5, ahead: 2.5 };

/** One request. */
interface Sight {
  tile: Tile;
  lanes: LaneRange;
}

/** The tile that a view needs. */
interface Wanted {
  viewport: Viewport;
  px: number;
  runs: readonly RunOrRecorded[];
  detail: string;
  seen: LaneRange;
}

const keyOf = ({ tile: { t0, t1, px }, lanes }: Sight, detail: string) =>
  `${detail} ${t0} ${t1} ${px} ${lanes?.join('-') ?? ''}`;

/** Those that are `seen`, and above and below half as many: who scrolls finds lanes there. */
function around(seen: LaneRange): LaneRange {
  if (seen === null) return null;
  const [first, last] = seen;
  const beside = Math.max(2, Math.ceil((last - first + 1) / 2));
  return [Math.max(0, first - beside), last + beside];
}

/** Another lane above and below, where there is one. */
const nextTo = (seen: LaneRange): LaneRange => seen && [Math.max(0, seen[0] - 1), seen[1] + 1];

/** Columns of `runs` in a window, of some lanes; behaviours that the other side does not know are left out. */
export type FetchTile<T> = (
  runs: readonly RunOrRecorded[],
  tile: Tile,
  signal: AbortSignal,
  lanes: LaneRange,
) => Promise<ByRun<T>>;

/**
 * Arrow columns of all behaviours for the window looked at, fetched when the window leaves what is there. One question
 * and one answer for all of them: each costs the main thread its own, and the picture is drawn anew once.
 */
export class Tiles<T> {
  readonly reply = new Reply<Tiled<T>>();
  #asked: Asked = {
    ...{ key: '', tile: undefined, lanes: null },
    ...{ length: Infinity, most: Infinity, detail: '', at: -Infinity },
  };
  #later: ReturnType<typeof setTimeout> | undefined;
  /** Questions without an answer yet, and what to ask when there are none. */
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

  /** Make sure that `runs` are there for what `viewport` shows `px` wide, of the lanes that are `seen`; forget other runs. */
  want(viewport: Viewport, px: number, runs: readonly RunOrRecorded[], detail = '', seen: LaneRange = null): void {
    const { t0, t1 } = viewport;
    if (t0 !== this.#moved.t0 || t1 !== this.#moved.t1) this.#moved = { t0, t1, at: performance.now() };
    this.#wanted = { viewport, px, runs, detail, seen };
    this.#plan(this.#wanted, false);
    this.#held?.();
  }

  /**
   * While a hand moves over what is there, an answer waits for its next move: drawn between two moves it costs a frame of its
   * own, of a window that is about to go.
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

  /** Ask for what is wanted, now or later; `rests`: nothing has moved for a while. */
  #plan(wanted: Wanted, rests: boolean): void {
    const { viewport, px, runs, detail, seen } = wanted;
    const lanes = around(seen);
    const sight = this.#kept(viewport, { tile: viewport.tile(px), lanes }, detail, seen);
    const later = (ms: number) => setTimeout(() => this.#plan(wanted, true), ms);
    clearTimeout(this.#later);
    this.#next = undefined;
    const wait = this.#asked.at + PACE_MS - performance.now();
    const other = keyOf(sight, detail) !== this.#asked.key && detail === this.#asked.detail;
    const serves = other && this.#serves(viewport, runs, seen);
    const outwards = other && !rests && viewport.length > this.#asked.length;
    const { length } = viewport;
    // A zoom passes through many levels of detail: those that nobody would see are left out. None is given up that is
    // under way, since the next would be no sooner there.
    if (other && this.#open > 0) this.#next = () => this.#plan(wanted, rests);
    else if (outwards && (!serves || length > this.#asked.most)) {
      // Zooming out: what is shown next, coarsely; and finely when the hand rests.
      this.#ask({ tile: viewport.tile(px, AHEAD), lanes }, { length, most: length * SERVED.ahead, detail }, runs);
      this.#later = later(PACE_MS);
    } else if (serves && (outwards || wait > 0)) this.#later = later(outwards ? PACE_MS : wait);
    else this.#ask(sight, { length, most: length * SERVED.fine, detail }, runs);
  }

  /** The last request where it serves as well as `fresh`; a pan or a scroll asks again near its end. */
  #kept(viewport: Viewport, fresh: Sight, detail: string, seen: LaneRange): Sight {
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

  #ask(sight: Sight, of: Pick<Asked, 'length' | 'most' | 'detail'>, runs: readonly RunOrRecorded[]): void {
    const key = keyOf(sight, of.detail);
    if (key !== this.#asked.key) this.#asked = { key, ...sight, ...of, at: performance.now() };
    const start = async (signal: AbortSignal): Promise<Tiled<T>> => {
      // Another run must not ask again for the runs that the same tile has.
      const there = untrack(() => this.reply.value);
      const kept = there?.key === key ? [there.columns] : [];
      const missing = runs.filter((run) => !kept.some((columns) => columns.has(run)));
      const fetched = missing.length > 0 ? [await this.#fetch(missing, sight.tile, signal, sight.lanes)] : [];
      await this.#inStep();
      return { ...sight, key, columns: choose(runs, ...fetched, ...kept) };
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

  /** All `runs` are there for what `viewport` shows of the lanes that are `seen`, be it more finely or coarsely. */
  #serves(viewport: Viewport, runs: readonly RunOrRecorded[], seen: LaneRange): boolean {
    const there = untrack(() => this.reply.value);
    return (
      there !== undefined &&
      viewport.contains(there.tile.t0, there.tile.t1) &&
      within(seen, there.lanes) &&
      runs.every((run) => there.columns.has(run))
    );
  }

  of(run: RunOrRecorded): T | undefined {
    return this.reply.value?.columns.get(run);
  }

  /** True where the held tile includes the lane at this place. */
  has(place: number): boolean {
    return this.reply.value !== undefined && within([place, place], this.reply.value.lanes);
  }
}
