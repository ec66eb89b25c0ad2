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
  /** Algorithms with their index in the registry, which decides colour and dash. */
  items: { spec: AlgorithmSpec; order: number }[];
}

/**
 * Algorithms that pass `keep` and whose text has every word of `query`, by heading; headings in the order of their
 * first member.
 */
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

/** State of the Algorithms page: the chosen algorithm, the path it is tried on, and the reader's presets. */
export class Catalogue {
  /** Proposals without a faithful implementation. */
  readonly proposals = new Reply<readonly UnimplementedProposal[]>();
  /** Behaviour of the chosen algorithm on the path. */
  readonly outlook = new Reply<OutlookView>();
  /** Result of the last load of presets. */
  readonly presets = new Reply<PresetsView>();
  /** IDs of the reader's presets. */
  readonly mine = new SvelteSet<string>();
  #backend: Backend;
  #onload: (view: PresetsView) => void;
  /** ID of the chosen algorithm, or the name of a proposal; null: none. */
  chosen = $state<string | null>(null);
  /** Round-trip time of the path, seconds. */
  rtt = $state(0.5);
  /** Probability that a copy or its reply is lost, 0 to 1. */
  loss = $state(0.1);

  constructor(backend: Backend, onload: (view: PresetsView) => void) {
    this.#backend = backend;
    this.#onload = onload;
  }

  /** Asks once for the proposals without an implementation. */
  want(): void {
    void this.proposals.ask('catalogue', () => this.#backend.call('catalogue', null));
  }

  /** Asks for the behaviour of algorithm `id` on the path. */
  try(id: string): void {
    const request: OutlookRequest = { algorithm: { id, params: {} }, rtt: this.rtt, loss: this.loss };
    void this.outlook.ask(canonical(request), ({ signal }) => this.#backend.call('outlook', request, { signal }));
  }

  /**
   * Asks for preset files and loads them; true where all that were picked, at least one, were loaded. Calls `onload`
   * after each.
   */
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
