import type { NetworkView, PositionView, PlanView, SessionNode } from '../../ipc/gen/types';

/** Longest name of a node, characters: so much room have lists. */
export const LONGEST_NAME = 40;

/** Whether the name of a file is that of a list of nodes: a simulation of Cooja (.csc), or rows (.csv). */
export const isNodeList = (path: string): boolean => /\.(csc|csv)(\.gz)?$/i.test(path);

/** An address and its port, which begins with a colon. */
const PORT = /^(.*?)(:\d+)$/;

/**
 * Names and places of the nodes of one capture: the only place that decides the name of a node. The core's name
 * identifies a node; the reader, or a list of nodes, may give it another one and a place.
 */
export class Nodes {
  #all = $state.raw<readonly SessionNode[]>([]);
  // Made anew whenever something is given: nothing changes it.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #byNode = $derived(new Map(this.#all.map((one) => [one.node, one])));
  /** Pattern of the core's names of renamed nodes in a sentence, the longest first; null where no node is renamed. */
  readonly #pattern = $derived.by(() => {
    const named = this.#all.filter(({ name }) => name !== null).map(({ node }) => escaped(node));
    named.sort((a, b) => b.length - a.length);
    return named.length > 0 ? new RegExp(`(?<![\\w:.])(?:${named.join('|')})(?![\\w:]|\\.\\w)`, 'g') : null;
  });

  /** Names and places that were given, sorted by the core's name of the node. */
  get all(): readonly SessionNode[] {
    return this.#all;
  }
  /** Replaces all given names and places. */
  restore(all: readonly SessionNode[]): void {
    this.#all = all;
  }

  /** The shown name of a node, or of an endpoint (a node with its port), that the core calls `core`. */
  nameOf(core: string): string {
    const own = this.#byNode.get(core)?.name;
    if (own) return own;
    const [, node = '', port = ''] = PORT.exec(core) ?? [];
    const name = this.#byNode.get(node)?.name;
    return name ? `${name}${port}` : core;
  }

  /** A sentence of the core with the shown names of nodes in it. */
  say(text: string): string {
    return this.#pattern ? text.replace(this.#pattern, (core) => this.nameOf(core)) : text;
  }

  /** The given place of a node that the core calls `core`; null without one. */
  placeOf(core: string): PositionView | null {
    return this.#byNode.get(core)?.place ?? null;
  }

  /** Gives a node a name, cut to the longest one; an empty name takes it back. */
  rename(core: string, name: string): void {
    const said = name.trim().slice(0, LONGEST_NAME);
    this.#give([{ node: core, name: said === '' || said === core ? null : said, place: this.placeOf(core) }]);
  }

  /** Takes names and places from a list of nodes; those that it lacks stay. */
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
