// The tree of a network at a time or over a window, and the paths in it.
import type { NetworkNode } from '../../ipc/gen/types';

/** Per node the node above it; null at a top. */
export type Tree = readonly (number | null)[];

/** A node's parent at a time; null: none yet. */
export function parentAt(node: NetworkNode, at: number): number | null {
  let parent: number | null = null;
  for (const change of node.parents) if (change.at <= at) parent = change.node;
  return parent;
}

/** The parent that a node had longest between `t0` and `t1`; of equals the first; null: none. */
export function parentWithin(node: NetworkNode, t0: number, t1: number): number | null {
  const held = new Map<number, number>();
  node.parents.forEach(({ at, node: parent }, place) => {
    const until = node.parents[place + 1]?.at ?? Infinity;
    const time = Math.min(until, t1) - Math.max(at, t0);
    if (time > 0) held.set(parent, (held.get(parent) ?? 0) + time);
  });
  let [longest, most]: [number | null, number] = [null, 0];
  for (const [parent, time] of held) if (time > most) [longest, most] = [parent, time];
  return longest;
}

/** The tree by what `parent` says; nodes of which no parent was ever seen are below the node that the core puts above them. */
export function treeOf(nodes: readonly NetworkNode[], parent: (node: NetworkNode) => number | null): Tree {
  return nodes.map((node) => (node.parents.length > 0 ? parent(node) : node.above));
}

/** From a node to the top of its tree, both included. Parents of one moment may go round in a circle: it ends there. */
export function wayUp(tree: Tree, id: number): number[] {
  const way: number[] = [];
  for (let at: number | null = id; at !== null && !way.includes(at); at = tree[at] ?? null) way.push(at);
  return way;
}

/** From one node to another through the tree: up to where their ways meet, and down. Empty where they do not meet. */
export function pathBetween(tree: Tree, from: number, to: number): number[] {
  const [up, down] = [wayUp(tree, from), wayUp(tree, to)];
  const meeting = up.findIndex((id) => down.includes(id));
  const common = up[meeting];
  if (common === undefined) return [];
  return [...up.slice(0, meeting + 1), ...down.slice(0, down.indexOf(common)).reverse()];
}

/** Largest number of hops to a top. */
export function depthOf(tree: Tree): number {
  return tree.reduce<number>((deepest, _, id) => Math.max(deepest, wayUp(tree, id).length - 1), 0);
}
