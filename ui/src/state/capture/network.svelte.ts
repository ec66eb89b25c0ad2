import type { Columns } from '../../ipc/arrow';
import type { Backend } from '../../ipc/backend';
import type { NetworkLoadColumns, NetworkSeriesColumns } from '../../ipc/gen/commands';
import type { NetworkView } from '../../ipc/gen/types';
import { Reply } from '../replies/reply.svelte';
import type { Viewport } from './time/viewport.svelte';

/** A node or a link, by its index in the network's list. */
export interface Place {
  kind: 'node' | 'link';
  id: number;
}

/** Choices of the time before the playhead that the network graph shows, seconds; 0: the brushed window. */
export const SPANS = [0, 10, 60, 300] as const;
/** Time before the playhead, seconds; 0: the brushed window. */
export type SpanChoice = (typeof SPANS)[number];

/**
 * Links beside the tree that are drawn: none, those of the node or link under the pointer, or those with at least so
 * many frames in the window.
 */
export type Others = 'none' | 'hover' | number;
/** Places of nodes in the graph: those of a plan, or a tree. */
export type Arrangement = 'plan' | 'tree';

/**
 * Width of an interval of the series by default, px. Chosen here by judgement: bars of that width can still be told
 * apart.
 */
const BIN = 4;
/** Largest number of intervals in one reply. The limit of the core (`crates/table/src/network.rs`). */
const MOST_BINS = 4096;

/** Names of the intervals in which the series can be counted, by their length in seconds; 0: {@link BIN} px each. */
export const INTERVALS = { 0: 'pixel', 0.1: '0.1 s', 1: '1 s', 10: '10 s', 60: '1 min', 600: '10 min' } as const;
/** Length of an interval of the series, seconds; 0: {@link BIN} px. */
export type IntervalChoice = keyof typeof INTERVALS;

/** Choices for the number of intervals in a moving mean, all odd; 1: no mean. */
export const MEANS = [1, 5, 15, 51] as const;
/** Number of intervals in the moving mean; 1: no mean. */
export type MeanChoice = (typeof MEANS)[number];

/** Whether two places are the same node or link, or both null. */
export function same(a: Place | null, b: Place | null): boolean {
  return a?.kind === b?.kind && a?.id === b?.id;
}

/** The network of one capture: its nodes and links, the selected place, and its load in a window. */
export class Network {
  readonly view = new Reply<NetworkView>();
  readonly load = new Reply<Columns<NetworkLoadColumns>>();
  /** Load of simulated frames over the whole time of the capture. */
  readonly whole = new Reply<Columns<NetworkLoadColumns>>();
  readonly series = new Reply<Columns<NetworkSeriesColumns>>();
  readonly #backend: Backend;
  readonly #capture: number;
  #selected = $state.raw<Place | null>(null);
  #hovered = $state.raw<Place | null>(null);
  #span = $state<SpanChoice>(0);
  #interval = $state<IntervalChoice>(0);
  #mean = $state<MeanChoice>(1);
  #others = $state<Others>('hover');
  #arrangement = $state<Arrangement>('plan');
  #follows = $state(false);
  #simulated = $state<string | null>(null);

  constructor(backend: Backend, capture: number) {
    this.#backend = backend;
    this.#capture = capture;
  }

  get selected(): Place | null {
    return this.#selected;
  }
  /** Node or link under the pointer; null: none. */
  get hovered(): Place | null {
    return this.#hovered;
  }
  get span(): SpanChoice {
    return this.#span;
  }
  get interval(): IntervalChoice {
    return this.#interval;
  }
  get mean(): MeanChoice {
    return this.#mean;
  }
  get others(): Others {
    return this.#others;
  }
  get arrangement(): Arrangement {
    return this.#arrangement;
  }
  /** Whether the tree has the parents at the playhead; else those that nodes had longest in the window. */
  get follows(): boolean {
    return this.#follows;
  }
  /** Key of the algorithm whose simulated frames are summed up, where a run has them; null: the recorded ones. */
  get simulated(): string | null {
    return this.#simulated;
  }
  /** IDs of the associations of the selected node, whose lanes are pointed at; empty without a selected node. */
  get lanes(): readonly number[] {
    const [view, place] = [this.view.value, this.#selected];
    if (!view || place?.kind !== 'node') return [];
    return view.nodes[place.id]?.client_of ?? [];
  }

  select(place: Place | null): void {
    this.#selected = place;
  }
  hover(place: Place | null): void {
    if (!same(place, this.#hovered)) this.#hovered = place;
  }
  /** Chooses the time before the playhead that the graph shows, seconds. */
  choose(span: SpanChoice): void {
    this.#span = span;
  }

  /** Chooses the links beside the tree that are drawn. */
  show(others: Others): void {
    this.#others = others;
  }
  arrange(arrangement: Arrangement): void {
    this.#arrangement = arrangement;
  }
  /** Chooses whether the tree has the parents at the playhead. */
  follow(playhead: boolean): void {
    this.#follows = playhead;
  }

  /** Chooses the frames that are summed up: the simulated ones of an algorithm by key, or the recorded ones (null). */
  simulate(key: string | null): void {
    this.#simulated = key;
  }

  /** Counts the series in intervals of so many seconds. */
  countBy(seconds: IntervalChoice): void {
    this.#interval = seconds;
  }
  /** Draws the series as a moving mean over so many intervals. */
  smooth(intervals: MeanChoice): void {
    this.#mean = intervals;
  }

  /** The window that the network graph sums up, ns: the time before `at`, or the brushed window. */
  window(viewport: Viewport, at: number): [number, number] {
    if (this.#span === 0) return [viewport.t0, viewport.t1];
    return [Math.max(viewport.start, at - this.#span * 1e9), at];
  }

  /** Asks for nodes and links. For effects. */
  want(): void {
    const request = { capture: this.#capture };
    void this.view.ask('all', ({ signal }) => this.#backend.call('network', request, { signal }));
  }

  /**
   * Asks for the load from `t0` to `t1` (ns), of the simulated frames of run `run`, or of the recorded ones (null). For
   * effects.
   */
  wantLoad(t0: number, t1: number, run: number | null): void {
    const request = { capture: this.#capture, t0: Math.round(t0), t1: Math.round(t1), run };
    void this.load.ask(`${request.t0} ${request.t1} ${run}`, ({ signal }) =>
      this.#backend.call('network_load', request, { signal }),
    );
  }

  /** Asks for the load of the simulated frames of run `run` over the whole time of `viewport`. For effects. */
  wantWhole({ start, end }: Viewport, run: number): void {
    const request = { capture: this.#capture, t0: Math.round(start), t1: Math.round(end), run };
    void this.whole.ask(`${request.t0} ${request.t1} ${run}`, ({ signal }) =>
      this.#backend.call('network_load', request, { signal }),
    );
  }

  /**
   * Asks for load and loss over `viewport` drawn `px` wide, of the whole network (null) or of one place, and of the
   * simulated frames of run `run` or of the recorded ones (null). For effects.
   */
  wantSeries(viewport: Viewport, px: number, of: Place | null, run: number | null): void {
    const window = this.#interval === 0 ? byPixels(viewport, px) : byTime(viewport, px, this.#interval * 1e9);
    const [link, node] = [of?.kind === 'link' ? of.id : null, of?.kind === 'node' ? of.id : null];
    const request = { capture: this.#capture, ...window, link, node, run };
    void this.series.ask(JSON.stringify(request), ({ signal }) =>
      this.#backend.call('network_series', request, { signal }),
    );
  }
}

/** Intervals of a request: their range in ns, and their number. */
interface Bins {
  t0: number;
  t1: number;
  bins: number;
}

function byPixels(viewport: Viewport, px: number): Bins {
  const { t0, t1, px: width } = viewport.tile(px);
  return { t0, t1, bins: Math.min(MOST_BINS, Math.max(1, Math.round(width / BIN))) };
}

/**
 * Intervals of `length` ns, counted from the capture's start, so that panning moves none of them; where they would be
 * too many, intervals of the next whole multiple.
 */
export function byTime(viewport: Viewport, px: number, length: number): Bins {
  const { t0, t1 } = viewport.tile(px);
  const step = length * Math.max(1, Math.ceil((t1 - t0) / length / (MOST_BINS - 1)));
  const first = viewport.start + Math.floor((t0 - viewport.start) / step) * step;
  const bins = Math.max(1, Math.ceil((t1 - first) / step));
  return { t0: first, t1: first + bins * step, bins };
}
