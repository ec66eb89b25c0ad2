// RPL tree of a network at a time or over a window, and paths in it.
import type { NetworkNode } from '../../ipc/gen/types';

/** Position of each node's parent, by position; null at a root, and where none is known. */
export type Tree = readonly (number | null)[];

/** Parent of a node at a time, ns; null: none was seen by then. */
export function parentAt(node: NetworkNode, at: number): number | null {
  let parent: number | null = null;
  for (const change of node.parents) if (change.at <= at) parent = change.node;
  return parent;
}

/** Parent that a node had longest between `t0` and `t1` (ns), of equals the first; null: none. */
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

/**
 * Tree by the function `parent`; a node of which no parent was ever seen is below the node that the core puts above it.
 */
export function treeOf(nodes: readonly NetworkNode[], parent: (node: NetworkNode) => number | null): Tree {
  return nodes.map((node) => (node.parents.length > 0 ? parent(node) : node.above));
}

/** Path from a node to its root, both included. Parents of one moment may form a loop: the path ends there. */
export function wayUp(tree: Tree, id: number): number[] {
  const way: number[] = [];
  for (let at: number | null = id; at !== null && !way.includes(at); at = tree[at] ?? null) way.push(at);
  return way;
}

/**
 * Path from one node to another in the tree, both included: up to their common ancestor, and down. Empty without one.
 */
export function pathBetween(tree: Tree, from: number, to: number): number[] {
  const [up, down] = [wayUp(tree, from), wayUp(tree, to)];
  const meeting = up.findIndex((id) => down.includes(id));
  const common = up[meeting];
  if (common === undefined) return [];
  return [...up.slice(0, meeting + 1), ...down.slice(0, down.indexOf(common)).reverse()];
}

/** Largest number of hops from a node to its root. */
export function depthOf(tree: Tree): number {
  return tree.reduce<number>((deepest, _, id) => Math.max(deepest, wayUp(tree, id).length - 1), 0);
}
