import { SvelteMap } from 'svelte/reactivity';
import { canonical } from '../../ipc/canonical';
import type { Backend } from '../../ipc/backend';
import type { FigureRequest, FigureView } from '../../ipc/gen/types';
import { Reply } from '../replies/reply.svelte';

/**
 * The figures of all recipes, each with a reply of its own: one that is refused leaves the others. They are asked for
 * one after the other, since figures of the same captures share their replays.
 */
export class Overview {
  #backend: Backend;
  #replies = new SvelteMap<string, Reply<FigureView>>();
  /** Number of the latest request for all; an older one goes no further. */
  #turn = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Reply with the figure of a recipe; undefined until it is asked for. */
  of(recipe: string): Reply<FigureView> | undefined {
    return this.#replies.get(recipe);
  }

  /** Asks for the figures of `requests`, one of each recipe; those that are there already are not asked for again. */
  async want(requests: readonly FigureRequest[]): Promise<void> {
    this.stop();
    const turn = this.#turn;
    for (const request of requests)
      if (!this.#replies.has(request.recipe)) this.#replies.set(request.recipe, new Reply());
    for (const request of requests) {
      if (turn !== this.#turn) return;
      await this.#replies
        .get(request.recipe)
        ?.ask(canonical(request), (asking) => this.#backend.call('figure', request, asking));
    }
  }

  /** Stops what is under way; figures that are there stay. */
  stop(): void {
    this.#turn += 1;
    for (const reply of this.#replies.values()) reply.cancel();
  }
}
