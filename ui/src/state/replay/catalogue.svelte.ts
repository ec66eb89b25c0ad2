import { SvelteSet } from 'svelte/reactivity';
import type { Backend } from '../../ipc/backend';
import { canonical } from '../../ipc/canonical';
import type { AlgorithmSpec, UnimplementedProposal, OutlookRequest, OutlookView, PresetsView } from '../../ipc/gen/types';
import { Reply } from '../replies/reply.svelte';

/** Algorithms under one heading, in the order of the registry. */
export interface Family {
  name: string;
  /** With each its place in the registry, which decides its look. */
  items: { spec: AlgorithmSpec; order: number }[];
}

/** Algorithms that say every word of `query`, by heading; headings in the order of their first member. */
export function families(
  specs: readonly AlgorithmSpec[],
  query: string,
  keep: (spec: AlgorithmSpec) => boolean = () => true,
): Family[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const groups: Record<string, Family> = {};
  specs.forEach((spec, order) => {
    const text =
      `${spec.name} ${spec.id} ${spec.family_name} ${spec.heading} ${spec.citation} ${spec.summary}`.toLowerCase();
    if (!keep(spec) || !words.every((word) => text.includes(word))) return;
    (groups[spec.heading] ??= { name: spec.heading, items: [] }).items.push({ spec, order });
  });
  return Object.values(groups);
}

/** What is looked at on the Algorithms page: an algorithm, the path it is tried on, the user's own presets. */
export class Catalogue {
  readonly proposals = new Reply<readonly UnimplementedProposal[]>();
  readonly outlook = new Reply<OutlookView>();
  readonly presets = new Reply<PresetsView>();
  /** Ids of the user's own. */
  readonly mine = new SvelteSet<string>();
  #backend: Backend;
  #onload: (view: PresetsView) => void;
  /** The algorithm, or the name of a proposal. */
  chosen = $state<string | null>(null);
  /** Round trip, seconds. */
  rtt = $state(0.5);
  /** Probability that a copy or its reply is lost. */
  loss = $state(0.1);

  constructor(backend: Backend, onload: (view: PresetsView) => void) {
    this.#backend = backend;
    this.#onload = onload;
  }

  /** Ask for the proposals that have no preset, once. */
  want(): void {
    void this.proposals.ask('catalogue', () => this.#backend.call('catalogue', null));
  }

  /** Ask what `id` comes to on the path. */
  try(id: string): void {
    const request: OutlookRequest = { algorithm: { id, params: {} }, rtt: this.rtt, loss: this.loss };
    void this.outlook.ask(canonical(request), ({ signal }) => this.#backend.call('outlook', request, { signal }));
  }

  /** Let the user pick files of presets and load them; true when something was. */
  async load(): Promise<boolean> {
    const paths = await this.#backend.pick('presets');
    for (const path of paths) {
      // The same file may have been edited since.
      this.presets.clear();
      await this.presets.ask(path, () => this.#backend.call('presets', { path, text: null }));
      const view = this.presets.value;
      if (!view) return false;
      for (const { id } of view.mine) this.mine.add(id);
      this.#onload(view);
    }
    return paths.length > 0;
  }
}
