import type { Backend } from '../../ipc/backend';
import type { ChannelStateSeries, ChannelStatesView } from '../../ipc/gen/types';
import { Reply } from '../replies/reply.svelte';
import type { Viewport } from './time/viewport.svelte';

/**
 * Samples of one series: about one for each pixel of a wide window. Chosen here by judgement; each is a probability
 * of the smoother, and a reply of so many is small.
 */
const POINTS = 1024;

/** Two-state channel models fitted to one capture, and the series of states of one path. */
export class ChannelStates {
  /** Fits of all paths. */
  readonly view = new Reply<ChannelStatesView>();
  /** States of one path over a window. */
  readonly series = new Reply<ChannelStateSeries>();
  readonly #backend: Backend;
  readonly #capture: number;

  constructor(backend: Backend, capture: number) {
    this.#backend = backend;
    this.#capture = capture;
  }

  /** Asks for the fitted models. For effects. */
  want(): void {
    const request = { capture: this.#capture };
    void this.view.ask('all', (asking) => this.#backend.call('channel_states', request, asking));
  }

  /** Asks for the channel states of the association over `viewport` drawn `px` wide. For effects. */
  wantSeries(association: number, viewport: Viewport, px: number): void {
    const { t0, t1 } = viewport.whole ? { t0: viewport.start, t1: viewport.end } : viewport.tile(px);
    const request = { capture: this.#capture, association, t0, t1, points: POINTS };
    void this.series.ask(JSON.stringify(request), ({ signal }) =>
      this.#backend.call('channel_state_series', request, { signal }),
    );
  }
}
