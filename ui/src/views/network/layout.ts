// Layout of the network graph: as a tidy tree, or in rings where that is crowded. All lengths are px.
import { descending, extent, max } from 'd3-array';
import { cluster, stratify, tree } from 'd3-hierarchy';
import type { NetworkNode } from '../../ipc/gen/types';
import type { Point } from '../../plot/marks/network';
import { apart, nearest } from './apart';

/** Layout of the graph: places and sizes of nodes, and widths of links. */
export interface GraphLayout {
  /** Centres of the nodes, by position. */
  places: readonly Point[];
  /** Radius of a node, px. */
  r: number;
  /** Position of the node in the centre of rings, drawn larger, since most links end there; -1: none. */
  hub: number;
  /** Names: below each node with its roles, below it alone, or beside as many nodes as there is room for. */
  named: 'two lines' | 'one line' | 'around';
  /** Width of the busiest link. */
  widest: number;
}

/** Margins of a tree at the sides, the top and the foot, px. */
const SIDE = 62;
const TOP = 52;
const FOOT = 56;
/** Margins beside and above rings, px, with room for names. */
const RING_SIDE = 104;
const RING_EDGE = 34;
/** Margin beside rings whose nodes are named by numbers, px. */
const RING_NUMBERS = 40;
/**
 * Distance of nodes below which rings replace the tree, if they leave more room. In px, chosen here by judgement:
 * discs have a radius of 4.8 px there (0.3 of it), and smaller ones can hardly be pointed at.
 */
const CROWDED = 16;
/**
 * Distance of nodes below which those of a ring stand on several lines in turn. In px, chosen here: two discs of the
 * least size (7 px), and 2 px between them.
 */
const SHOULDER = 9;
/** Least and greatest radius of a node, px. */
export const SMALLEST = 3.5;
export const LARGEST = 11;
/** Radius of the node in the centre of rings, px. */
export const HUB = 13;
/** Width of the busiest link where there is room. */
export const WIDEST = 10;

/** `value` cut to `low..high`. */
export const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));

/** Place of a node in a tree: hops from the root, and place across, in units of the least distance of neighbours. */
interface Slot {
  layer: number;
  slot: number;
}

/** Slots of all nodes as `arrange` places them; several trees stand side by side, roots with most children first. */
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
 * Lays nodes out as a tidy tree from left to right (d3-hierarchy's `tree`: Buchheim et al. 2002), or in rings where
 * that is crowded. `links`: their number; with many, names need more room. The playhead does not change the result.
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
    // A tree whose nodes would touch each other is never better: nodes of rings can be moved apart.
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
 * Lays a tree out around its root: layers are rings, and leaves go round once in the order of the tree, so that no tree
 * edge crosses another (radial drawing: Eades 1992, Drawing free trees; d3-hierarchy's `cluster` gives every leaf a
 * slot). `room`: least distance of neighbours on a ring.
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
    // Too many for one line stand on several, at most half of the way to the next inner ring.
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
      // Nodes of different rings may be nearer than those of one ring.
      places: nearest(places) < r + HUB + 2 ? apart(places, (id) => (id === hub ? HUB : r) + 1, width, height) : places,
      r,
      hub,
      named: 'around',
      // Half of the way in, neighbouring links have half of the room, and need as much space between them.
      widest: clamp(room / 6, 1.6, WIDEST / 2),
    },
    room,
  };
}
