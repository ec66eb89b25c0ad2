import { SvelteSet } from 'svelte/reactivity';
import type { Backend } from '../../ipc/backend';
import { canonical } from '../../ipc/canonical';
import type {
  AlgorithmSpec,
  UnimplementedProposal,
  OutlookRequest,
  OutlookView,
  PresetsView,
} from '../../ipc/gen/types';
import { Reply } from '../replies/reply.svelte';

/** Algorithms under one heading, in the order of the registry. */
export interface Family {
  name: string;
  /** Specifications with their place in the registry, which decides colour and dash. */
  items: { spec: AlgorithmSpec; order: number }[];
}

/** Algorithms whose text has every word of `query`, by heading; headings in the order of their first member. */
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

/** State of the Algorithms page: the chosen algorithm, the path it is tried on, and the user's presets. */
export class Catalogue {
  readonly proposals = new Reply<readonly UnimplementedProposal[]>();
  readonly outlook = new Reply<OutlookView>();
  readonly presets = new Reply<PresetsView>();
  /** Ids of the user's presets. */
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

  /** Asks once for the proposals that have no preset. */
  want(): void {
    void this.proposals.ask('catalogue', () => this.#backend.call('catalogue', null));
  }

  /** Asks for the outlook of algorithm `id` on the path. */
  try(id: string): void {
    const request: OutlookRequest = { algorithm: { id, params: {} }, rtt: this.rtt, loss: this.loss };
    void this.outlook.ask(canonical(request), ({ signal }) => this.#backend.call('outlook', request, { signal }));
  }

  /** Asks for files of presets and loads them; true where any was picked. */
  async load(): Promise<boolean> {
    const paths = await this.#backend.pick('presets');
    for (const path of paths) {
      // The same file may have changed since: do not reuse the reply.
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
