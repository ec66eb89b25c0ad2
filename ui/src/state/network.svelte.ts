import type { Columns } from '../ipc/arrow';
import type { Backend } from '../ipc/backend';
import type { NetworkLoadColumns, NetworkSeriesColumns } from '../ipc/gen/commands';
import type { NetworkView } from '../ipc/gen/types';
import { Reply } from './reply.svelte';
import type { Viewport } from './viewport.svelte';

/** A node or a link, by its position. */
export interface Place {
  kind: 'node' | 'link';
  id: number;
}

/** How much of the time before the playhead the picture shows, in seconds; 0: the brushed window. */
export const SPANS = [0, 10, 60, 300] as const;
export type SpanChoice = (typeof SPANS)[number];

/** Pixels of a bin of the series. */
const BIN = 4;

export function same(a: Place | null, b: Place | null): boolean {
  return a?.kind === b?.kind && a?.id === b?.id;
}

/** The network of one capture: what it is, what is looked at, what it carried then. */
export class Network {
  readonly view = new Reply<NetworkView>();
  readonly load = new Reply<Columns<NetworkLoadColumns>>();
  readonly series = new Reply<Columns<NetworkSeriesColumns>>();
  readonly #backend: Backend;
  readonly #capture: number;
  #selected = $state.raw<Place | null>(null);
  #hovered = $state.raw<Place | null>(null);
  #span = $state<SpanChoice>(0);

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

  /** What the picture sums up: the time before `at`, or the brush. */
  window(viewport: Viewport, at: number): [number, number] {
    if (this.#span === 0) return [viewport.t0, viewport.t1];
    return [Math.max(viewport.start, at - this.#span * 1e9), at];
  }

  /** Ask for nodes and links. For effects. */
  want(): void {
    const request = { capture: this.#capture };
    void this.view.ask('all', ({ signal }) => this.#backend.call('network', request, { signal }));
  }

  /** Ask what was carried in a window. For effects. */
  wantLoad(t0: number, t1: number): void {
    const request = { capture: this.#capture, t0: Math.round(t0), t1: Math.round(t1) };
    void this.load.ask(`${request.t0} ${request.t1}`, ({ signal }) =>
      this.#backend.call('network_load', request, { signal }),
    );
  }

  /** Ask for load and loss over what `viewport` shows `px` wide, of everything or of one place. For effects. */
  wantSeries(viewport: Viewport, px: number, of: Place | null): void {
    const { t0, t1, px: width } = viewport.tile(px);
    const bins = Math.min(4096, Math.max(1, Math.round(width / BIN)));
    const [link, node] = [of?.kind === 'link' ? of.id : null, of?.kind === 'node' ? of.id : null];
    const request = { capture: this.#capture, t0, t1, bins, link, node };
    void this.series.ask(JSON.stringify(request), ({ signal }) =>
      this.#backend.call('network_series', request, { signal }),
    );
  }
}
