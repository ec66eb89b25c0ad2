import type { Columns } from '../../ipc/arrow';
import type { NetworkLoadColumns } from '../../ipc/gen/commands';
import type { NetworkLink, NetworkNode, NetworkView } from '../../ipc/gen/types';
import { HATCHED, type Arc, type Disc, type Point } from '../../plot/marks/network';
import type { Place } from '../../state/capture/network.svelte';
import { BOW, HUB, WIDEST, type GraphLayout } from './layout';

export type Load = Columns<NetworkLoadColumns>;

const NOWHERE: Point = [0, 0];

/**
 * Points of a curve between two nodes, from an edge of radius `r` to one of radius `end`, bent to the left of its direction: both
 * directions stay apart.
 */
export function bend(from: Point, to: Point, r: number, end = r, most = BOW, steps = 14): Point[] {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  const bow = Math.min(most, 8 + Math.max(0, length - 90) * 0.16);
  const middle: Point = [
    (from[0] + to[0]) / 2 + (dy / length) * bow * 2,
    (from[1] + to[1]) / 2 - (dx / length) * bow * 2,
  ];
  const at = (t: number): Point => [
    (1 - t) ** 2 * from[0] + 2 * t * (1 - t) * middle[0] + t ** 2 * to[0],
    (1 - t) ** 2 * from[1] + 2 * t * (1 - t) * middle[1] + t ** 2 * to[1],
  ];
  // Parameters of the curve at the edges of both nodes.
  const [leaves, meets] = [Math.min(0.45, (r + 3) / length), 1 - Math.min(0.45, (end + 3) / length)];
  return Array.from({ length: steps + 1 }, (_, k) => at(leaves + ((meets - leaves) * k) / steps));
}

/** A point beside the middle of a link, on the outer side of its bend. */
export function outside(arc: Arc, gap: number): Point {
  const [first, last] = [arc.points[0] ?? NOWHERE, arc.points.at(-1) ?? NOWHERE];
  const [x, y] = arc.points[Math.floor(arc.points.length / 2)] ?? NOWHERE;
  const [dx, dy] = [last[0] - first[0], last[1] - first[1]];
  const length = Math.hypot(dx, dy) || 1;
  const away = arc.width / 2 + gap;
  return [x + (dy / length) * away, y - (dx / length) * away];
}

/** Sums of a link over the window. */
export interface Carried {
  frames: number;
  retries: number;
  lost: number;
  judged: number;
  airtime: number;
  /** From the first attempt to arrival, seconds, the mean; NaN where nothing is known to have arrived. */
  delay: number;
}

export function carried(load: Load | undefined, link: number): Carried | null {
  if (!load || link >= load.length) return null;
  const frames = load.frames[link] ?? 0;
  return {
    frames,
    retries: frames - (load.unique[link] ?? 0),
    lost: load.lost[link] ?? 0,
    judged: load.judged[link] ?? 0,
    airtime: load.airtime[link] ?? 0,
    delay: load.delay[link] ?? NaN,
  };
}

/** Share of the window during which a node, or one that it has links with, was sending. */
export function busy(load: Load | undefined, links: number, node: number, seconds: number): number | null {
  const around = load?.around[links + node];
  return around === undefined || !(seconds > 0) ? null : around / seconds;
}

/** Area follows load: the busiest link of the window is the widest. Off 802.15.4 nothing is known of air time. */
export function widths(links: readonly NetworkLink[], load: Load | undefined): number[] {
  const loads = links.map((_, id) => {
    const sums = carried(load, id);
    return sums ? sums.airtime || sums.frames * 1e-3 : 0;
  });
  const most = Math.max(1e-9, ...loads);
  return loads.map((value) => 1.4 + (WIDEST - 1.4) * Math.sqrt(value / most));
}

const radiusOf = (layout: GraphLayout, id: number): number => (id === layout.hub ? HUB : layout.r);
/** Links end further away from a hub, where many arrive: their heads would be one ring. */
const edgeOf = (layout: GraphLayout, id: number): number => (id === layout.hub ? HUB + 10 : layout.r);

/** Share of the busiest link's width below which a link is drawn faint. Chosen here by eye. */
const FAINT = 0.3;

const pairOf = (a: number, b: number): string => `${Math.min(a, b)} ${Math.max(a, b)}`;

/** Pairs of a node and its RPL parent at a time. */
function treeOf(nodes: readonly NetworkNode[], at: number): ReadonlySet<string> {
  return new Set(
    nodes.flatMap((node, id) => {
      const parent = parentAt(node, at);
      return parent === null ? [] : [pairOf(id, parent)];
    }),
  );
}

/** Links as they are drawn; `focus`: what is looked at, beside which a crowd stands back; `at`: when the parents are looked at. */
export function arcs(
  view: NetworkView,
  load: Load | undefined,
  layout: GraphLayout,
  focus: readonly Place[] = [],
  at = Infinity,
): Arc[] {
  const wide = widths(view.links, load);
  const apart = layout.named === 'around' && focus.length > 0;
  const tree = treeOf(view.nodes, at);
  return view.links.map((link, id) => {
    const from = layout.places[link.from] ?? NOWHERE;
    const to = layout.places[link.to] ?? NOWHERE;
    const sums = carried(load, id);
    const known = sums !== null && sums.judged > 0;
    const faint = (wide[id] ?? 0) < FAINT * WIDEST;
    const touched = focus.some((place) =>
      place.kind === 'link' ? place.id === id : place.id === link.from || place.id === link.to,
    );
    return {
      points: bend(from, to, edgeOf(layout, link.from), edgeOf(layout, link.to), layout.bow),
      width: Math.max(1, ((wide[id] ?? 1) * layout.widest) / WIDEST),
      lost: known ? sums.lost / sums.judged : null,
      idle: sums === null || sums.frames === 0,
      faint,
      thin: layout.widest < HATCHED,
      // Beside the tree of parents, other links with little load stand back until one of their nodes is looked at.
      away: !touched && (apart || (faint && tree.size > 0 && !tree.has(pairOf(link.from, link.to)))),
    };
  });
}

export function discs(nodes: readonly NetworkNode[], layout: GraphLayout): Disc[] {
  return nodes.map((node, id) => ({
    x: layout.places[id]?.[0] ?? 0,
    y: layout.places[id]?.[1] ?? 0,
    r: radiusOf(layout, id),
    root: node.role === 'root',
    server: node.server_of.length > 0,
    client: node.client_of.length > 0,
    silent: node.silent,
  }));
}

/** A node's parent at a time; null: none yet. */
export function parentAt(node: NetworkNode, at: number): number | null {
  let parent: number | null = null;
  for (const change of node.parents) if (change.at <= at) parent = change.node;
  return parent;
}

/** From child to parent, as far as both are known at `at`. */
export function parentBands(
  nodes: readonly NetworkNode[],
  layout: GraphLayout,
  at: number,
): (readonly [Point, Point])[] {
  return nodes.flatMap((node, id) => {
    const parent = parentAt(node, at);
    const [from, to] = [layout.places[id], parent === null ? undefined : layout.places[parent]];
    return from && to ? [[from, to] as const] : [];
  });
}

/** The link nearest to a point within `reach` px; null: none. */
export function nearestArc(arcs: readonly Arc[], x: number, y: number, reach = 7): number | null {
  let [best, least]: [number | null, number] = [null, Infinity];
  arcs.forEach(({ points, width }, id) => {
    for (let k = 1; k < points.length; k += 1) {
      const [a, b] = [points[k - 1], points[k]];
      if (!a || !b) continue;
      const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
      const t = Math.max(0, Math.min(1, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1)));
      const distance = Math.hypot(a[0] + t * dx - x, a[1] + t * dy - y) - width / 2;
      if (distance < least) [best, least] = [id, distance];
    }
  });
  return least <= reach ? best : null;
}

export function nearestDisc(discs: readonly Disc[], x: number, y: number): number | null {
  let [best, least]: [number | null, number] = [null, Infinity];
  discs.forEach((disc, id) => {
    const distance = Math.hypot(disc.x - x, disc.y - y) - disc.r;
    if (distance < least) [best, least] = [id, distance];
  });
  return least <= 4 ? best : null;
}

/** The part of a name that stands inside a node: a mote's number. */
export function numberOf(name: string): string {
  return /^mote (\d{1,3})$/.exec(name)?.[1] ?? '';
}

/** Names short enough to stand below a node: the last octets of an address, two at least. */
export function shortName(name: string): string {
  const octets = name.split(':');
  return octets.length === 8 && octets.every((octet) => octet.length === 2) ? `…${octets.slice(-3).join(':')}` : name;
}

/** Roles of a node, in words. */
export function roleOf(node: NetworkNode): string {
  const rpl = { root: 'root', router: 'router', leaf: '', host: '' }[node.role];
  const coap = [node.server_of.length > 0 ? 'server' : '', node.client_of.length > 0 ? 'client' : ''];
  return (
    [rpl, ...coap].filter(Boolean).join(', ') || (node.silent ? 'never heard' : node.role === 'leaf' ? 'leaf' : '')
  );
}
