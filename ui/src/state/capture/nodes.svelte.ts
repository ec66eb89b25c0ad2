import type { NetworkView, PositionView, PlanView, SessionNode } from '../../ipc/gen/types';

/** Longest name of a node: what lists have room for. */
export const LONGEST_NAME = 40;

/** Whether a file is a list of nodes by its name: a simulation of Cooja, or rows. */
export const isNodeList = (path: string): boolean => /\.(csc|csv)(\.gz)?$/i.test(path);

const PORT = /^(.*?)(:\d+)$/;

/**
 * Names and places of the nodes of one capture: the one place that decides what a node is called. A node is known by its name in the
 * core; the reader, or a list of nodes, may give it another one and a place.
 */
export class Nodes {
  #all = $state.raw<readonly SessionNode[]>([]);
  // Made anew whenever something is given: nothing changes it.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #byNode = $derived(new Map(this.#all.map((one) => [one.node, one])));
  /** Finds names of nodes in a sentence, the longest first. */
  readonly #pattern = $derived.by(() => {
    const named = this.#all.filter(({ name }) => name !== null).map(({ node }) => escaped(node));
    named.sort((a, b) => b.length - a.length);
    return named.length > 0 ? new RegExp(`(?<![\\w:.])(?:${named.join('|')})(?![\\w:]|\\.\\w)`, 'g') : null;
  });

  /** Names and places that were given, by node. */
  get all(): readonly SessionNode[] {
    return this.#all;
  }
  restore(all: readonly SessionNode[]): void {
    this.#all = all;
  }

  /** The name of a node, or of an end of messages (a node and its port), that the core calls `core`. */
  nameOf(core: string): string {
    const own = this.#byNode.get(core)?.name;
    if (own) return own;
    const [, node = '', port = ''] = PORT.exec(core) ?? [];
    const name = this.#byNode.get(node)?.name;
    return name ? `${name}${port}` : core;
  }

  /** A sentence of the core with the names of nodes as they are called here. */
  say(text: string): string {
    return this.#pattern ? text.replace(this.#pattern, (core) => this.nameOf(core)) : text;
  }

  placeOf(core: string): PositionView | null {
    return this.#byNode.get(core)?.place ?? null;
  }

  /** Calls a node `name`; an empty one takes the name back. */
  rename(core: string, name: string): void {
    const said = name.trim().slice(0, LONGEST_NAME);
    this.#give([{ node: core, name: said === '' || said === core ? null : said, place: this.placeOf(core) }]);
  }

  /** Takes names and places of a list; what it does not say stays. */
  take(plan: PlanView, network: NetworkView): void {
    this.#give(
      plan.nodes.flatMap(({ node, place, name }) => {
        const core = network.nodes[node]?.name;
        if (core === undefined) return [];
        const before = this.#byNode.get(core);
        return [{ node: core, name: name ?? before?.name ?? null, place: place ?? before?.place ?? null }];
      }),
    );
  }

  #give(given: readonly SessionNode[]): void {
    const others = this.#all.filter(({ node }) => !given.some((one) => one.node === node));
    this.#all = [...others, ...given.filter(({ name, place }) => name !== null || place !== null)].sort((a, b) =>
      a.node < b.node ? -1 : Number(a.node > b.node),
    );
  }
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
