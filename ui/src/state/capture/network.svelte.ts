import type { Columns } from '../../ipc/arrow';
import type { Backend } from '../../ipc/backend';
import type { NetworkLoadColumns, NetworkSeriesColumns } from '../../ipc/gen/commands';
import type { NetworkView } from '../../ipc/gen/types';
import { Reply } from '../replies/reply.svelte';
import type { Viewport } from './time/viewport.svelte';

/** A node or a link, by its position. */
export interface Place {
  kind: 'node' | 'link';
  id: number;
}

/** Seconds before the playhead that the network graph shows; 0: the brushed window. */
export const SPANS = [0, 10, 60, 300] as const;
export type SpanChoice = (typeof SPANS)[number];

/** Links beside the tree that are drawn: none, those of what is looked at, or those with so many frames in the window. */
export type Others = 'none' | 'hover' | number;
/** Places of nodes: those of a plan, or a tree. */
export type Arrangement = 'plan' | 'tree';

/** Pixels of an interval of the series by default. */
const BIN = 4;
/** Largest number of intervals in one reply. */
const MOST_BINS = 4096;

/** Intervals that the series can be counted in, in seconds; 0: {@link BIN} pixels each. */
export const INTERVALS = { 0: 'pixel', 0.1: '0.1 s', 1: '1 s', 10: '10 s', 60: '1 min', 600: '10 min' } as const;
export type IntervalChoice = keyof typeof INTERVALS;

/** Intervals of a moving mean, the middle one its own; 1: none. */
export const MEANS = [1, 5, 15, 51] as const;
export type MeanChoice = (typeof MEANS)[number];

export function same(a: Place | null, b: Place | null): boolean {
  return a?.kind === b?.kind && a?.id === b?.id;
}

/** The network of one capture: its nodes and links, the selected place, and its load in a window. */
export class Network {
  readonly view = new Reply<NetworkView>();
  readonly load = new Reply<Columns<NetworkLoadColumns>>();
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

  constructor(backend: Backend, capture: number) {
    this.#backend = backend;
    this.#capture = capture;
  }

  get selected(): Place | null {
    return this.#selected;
  }
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
  /** Parents are those at the playhead; else those that nodes had longest in the window. */
  get follows(): boolean {
    return this.#follows;
  }
  /** Associations of the selected node, or of the ends of the selected link: the lanes to point at. */
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
  choose(span: SpanChoice): void {
    this.#span = span;
  }

  show(others: Others): void {
    this.#others = others;
  }
  arrange(arrangement: Arrangement): void {
    this.#arrangement = arrangement;
  }
  follow(playhead: boolean): void {
    this.#follows = playhead;
  }

  /** Counts the series in intervals of `seconds`. */
  countBy(seconds: IntervalChoice): void {
    this.#interval = seconds;
  }
  /** Draws the series as a mean of `intervals`. */
  smooth(intervals: MeanChoice): void {
    this.#mean = intervals;
  }

  /** The window that the network graph sums up: the time before `at`, or the brush. */
  window(viewport: Viewport, at: number): [number, number] {
    if (this.#span === 0) return [viewport.t0, viewport.t1];
    return [Math.max(viewport.start, at - this.#span * 1e9), at];
  }

  /** Asks for nodes and links. For effects. */
  want(): void {
    const request = { capture: this.#capture };
    void this.view.ask('all', ({ signal }) => this.#backend.call('network', request, { signal }));
  }

  /** Asks for the load in a window. For effects. */
  wantLoad(t0: number, t1: number): void {
    const request = { capture: this.#capture, t0: Math.round(t0), t1: Math.round(t1) };
    void this.load.ask(`${request.t0} ${request.t1}`, ({ signal }) =>
      this.#backend.call('network_load', request, { signal }),
    );
  }

  /** Asks for load and loss over `viewport` drawn `px` wide, of the whole network or of one place. For effects. */
  wantSeries(viewport: Viewport, px: number, of: Place | null): void {
    const window = this.#interval === 0 ? byPixels(viewport, px) : byTime(viewport, px, this.#interval * 1e9);
    const [link, node] = [of?.kind === 'link' ? of.id : null, of?.kind === 'node' ? of.id : null];
    const request = { capture: this.#capture, ...window, link, node };
    void this.series.ask(JSON.stringify(request), ({ signal }) =>
      this.#backend.call('network_series', request, { signal }),
    );
  }
}

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
 * Intervals of `length`, counted from the capture's start, so that panning moves none of them; where they would be too many,
 * of the next whole multiple that is not.
 */
export function byTime(viewport: Viewport, px: number, length: number): Bins {
  const { t0, t1 } = viewport.tile(px);
  const step = length * Math.max(1, Math.ceil((t1 - t0) / length / (MOST_BINS - 1)));
  const first = viewport.start + Math.floor((t0 - viewport.start) / step) * step;
  const bins = Math.max(1, Math.ceil((t1 - first) / step));
  return { t0: first, t1: first + bins * step, bins };
}
