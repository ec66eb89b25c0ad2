// Layout of the network's graph. The core says which node is above which; d3-hierarchy makes a tree of it.
import { descending, extent, max } from 'd3-array';
import { cluster, stratify, tree } from 'd3-hierarchy';
import type { NetworkNode } from '../../ipc/gen/types';
import type { Point } from '../../plot/marks/network';
import { apart, nearest } from './apart';

/** Layout of the graph: places and sizes of nodes, limits of links. */
export interface GraphLayout {
  places: readonly Point[];
  r: number;
  /** In the middle of rings: where most links end, so that it is larger than the others; -1: there are none. */
  hub: number;
  /** Room for names below the nodes, and for what they are; `around`: beside them, as many as have room. */
  named: 'two lines' | 'one line' | 'around';
  /** Pixels of the busiest link. */
  widest: number;
}

const SIDE = 62;
const TOP = 52;
const FOOT = 56;
/** Beside and above rings: room for names, at most. */
const RING_SIDE = 104;
const RING_EDGE = 34;
/** Beside rings whose nodes are called by numbers. */
const RING_NUMBERS = 40;
/** Columns whose nodes are nearer than this become rings around the root, where those have more room. */
const CROWDED = 16;
/** Nodes that stand nearer than this on a ring take turns in standing further in. */
const SHOULDER = 9;
export const SMALLEST = 3.5;
export const LARGEST = 11;
/** Radius of a hub, px. */
export const HUB = 13;
/** Width of the busiest link where there is room, px. */
export const WIDEST = 10;

export const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));

/** Place of a node in a tree: its hops from the top, and its place across, where neighbours are at least 1 apart. */
interface Slot {
  layer: number;
  slot: number;
}

/** Slots of all nodes as `arrange` has them; the trees of several roots are beside each other, those with most children first. */
function slotsOf(nodes: readonly NetworkNode[], arrange: typeof tree | typeof cluster): Slot[] {
  // One root above all, which is not drawn, makes a tree of a forest.
  const top = nodes.length;
  const root = stratify<NetworkNode | null>()
    .id((_, id) => String(id))
    .parentId((node) => node && String(node.above ?? top))([...nodes, null]);
  root.children?.sort((a, b) => descending(a.children?.length ?? 0, b.children?.length ?? 0));
  const slots = nodes.map((): Slot => ({ layer: 0, slot: 0 }));
  const arranged = arrange<NetworkNode | null>()
    .nodeSize([1, 1])
    .separation(() => 1)(root);
  for (const { id, depth, x } of arranged) if (depth > 0) slots[Number(id)] = { layer: depth - 1, slot: x };
  return slots;
}

/**
 * A tidy tree from left to right (d3-hierarchy's `tree`: Buchheim et al. 2002); a crowd in rings. Depends on the network and the size
 * alone: no playhead moves it.
 */
export function layoutOf(nodes: readonly NetworkNode[], links: number, width: number, height: number): GraphLayout {
  const slots = slotsOf(nodes, tree);
  const layers = max(slots, ({ layer }) => layer) ?? 0;
  const [low = 0, high = 0] = extent(slots, ({ slot }) => slot);
  const across = (width - 2 * SIDE) / Math.max(1, layers);
  const down = (height - TOP - FOOT) / Math.max(1, high - low);
  const middle = (TOP + height - FOOT) / 2;
  const room = Math.min(high === low ? Infinity : down, layers === 0 ? Infinity : across);
  if (room < CROWDED) {
    const round = rings(nodes, width, height);
    // Columns that would touch each other are never the better picture: rings can be moved apart.
    if (round.room > room || room < 2 * SMALLEST + 2) return round.layout;
  }
  const r = clamp(room * 0.3, SMALLEST, LARGEST);
  return {
    places: slots.map(({ layer, slot }): Point => [
      layers === 0 ? width / 2 : SIDE + layer * across,
      high === low ? middle : TOP + (slot - low) * down,
    ]),
    r,
    hub: -1,
    // With many links, every word would stand on one of them.
    named: room >= 72 && links <= 2.5 * nodes.length ? 'two lines' : room >= 42 ? 'one line' : 'around',
    widest: r < 8 ? WIDEST / 2 : WIDEST,
  };
}

/**
 * A tree around its root: layers are rings, and leaves go round them once in the order of the tree, so that no way to a parent crosses
 * another (radial drawing: Eades 1992, Drawing free trees; d3-hierarchy's `cluster` gives every leaf a slot of its own). `room` is
 * that between the nearest nodes.
 */
function rings(nodes: readonly NetworkNode[], width: number, height: number): { layout: GraphLayout; room: number } {
  const placed = slotsOf(nodes, cluster);
  const slots = placed.map(({ slot }) => slot);
  const [low = 0, high = 0] = extent(slots);
  const side = nodes.every(({ name }) => /^mote \d+$/.test(name)) ? RING_NUMBERS : RING_SIDE;
  const [rx, ry] = [Math.max(1, width / 2 - side), Math.max(1, height / 2 - RING_EDGE)];
  // One root is the centre; several stand on the innermost ring.
  const inner = placed.filter(({ layer }) => layer === 0).length > 1 ? 1 : 0;
  const outermost = Math.max(1, (max(placed, ({ layer }) => layer) ?? 0) + inner);
  const turn = (slot: number) => (2 * Math.PI * (slot - low + 0.5)) / (high - low + 1) - Math.PI / 2;
  const at = (share: number, slot: number): Point => [
    width / 2 + share * rx * Math.cos(turn(slot)),
    height / 2 + share * ry * Math.sin(turn(slot)),
  ];

  const places = nodes.map((): Point => [width / 2, height / 2]);
  let room = Infinity;
  for (let ring = 1; ring <= outermost; ring += 1) {
    const there = placed.flatMap(({ layer }, id) => (layer + inner === ring ? [id] : []));
    there.sort((a, b) => (slots[a] ?? 0) - (slots[b] ?? 0) || a - b);
    const share = ring / outermost;
    const gaps = (shares: (k: number) => number) =>
      there.map((id, k) => {
        const [x, y] = at(shares(k), slots[id] ?? 0);
        const next = (k + 1) % there.length;
        const [u, v] = at(shares(next), slots[there[next] ?? id] ?? 0);
        return there.length < 2 ? Infinity : Math.hypot(u - x, v - y);
      });
    // Too many for one line: they stand on several, at most half of the way to the ring within.
    const apart = Math.min(...gaps(() => share), Infinity);
    const rows = clamp(Math.ceil(SHOULDER / Math.max(apart, 0.1)), 1, 5);
    const shares = (k: number) => share - ((k % rows) / rows) * (0.5 / outermost);
    there.forEach((id, k) => (places[id] = at(shares(k), slots[id] ?? 0)));
    room = Math.min(room, ...gaps(shares));
  }
  const r = clamp(room * 0.3, SMALLEST, LARGEST);
  const hub = inner === 0 ? placed.findIndex(({ layer }) => layer === 0) : -1;
  return {
    layout: {
      // Rings within each other may come nearer than nodes of one ring.
      places: nearest(places) < r + HUB + 2 ? apart(places, (id) => (id === hub ? HUB : r) + 1, width, height) : places,
      r,
      hub,
      named: 'around',
      // Half of the way in, neighbouring links have half of the room, and need as much air.
      widest: clamp(room / 6, 1.6, WIDEST / 2),
    },
    room,
  };
}
