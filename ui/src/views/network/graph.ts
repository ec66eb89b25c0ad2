// Edges and discs of the network graph: which are drawn, where, how wide, and which one a pointer is on.
import type { Columns } from '../../ipc/arrow';
import type { NetworkLoadColumns } from '../../ipc/gen/commands';
import type { NetworkNode, NetworkView } from '../../ipc/gen/types';
import type { Disc, Line, Point } from '../../plot/marks/network';
import type { Others, Place } from '../../state/capture/network.svelte';
import { HUB, type GraphLayout } from './layout';
import type { Tree } from './tree';

/** Load of links and nodes in a time: a row for each link, then one for each node, then one for all. */
export type Load = Columns<NetworkLoadColumns>;

/** Place of a node that the layout lacks. */
const NOWHERE: Point = [0, 0];

/** Traffic of a link in a time. Counts are of frames; off 802.15.4 of messages. */
export interface Carried {
  /** Number of frames, retries included. */
  frames: number;
  /** Number of retries among them. */
  retries: number;
  /** Number of lost frames, of `judged` whose delivery is known. */
  lost: number;
  judged: number;
  /** Time on the air, s; 0 off 802.15.4. */
  airtime: number;
  /** Mean time from the first attempt to arrival, s; NaN where nothing is known to have arrived. */
  delay: number;
}

/** Traffic of the link at a position; null before the load is known. */
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

/**
 * Share of the time, 0 to 1, during which a node or one that it has links with was sending; null before the load is
 * known. `links`: number of links; `node`: position of the node; `seconds`: length of the time.
 */
export function busy(load: Load | undefined, links: number, node: number, seconds: number): number | null {
  const around = load?.around[links + node];
  return around === undefined || !(seconds > 0) ? null : around / seconds;
}

const radiusOf = (layout: GraphLayout, id: number): number => (id === layout.hub ? HUB : layout.r);

/** Edge: the links between two nodes, both directions as one line. */
export interface Edge extends Line {
  /** Positions of its nodes: child and parent of a tree edge, else the lower position first. */
  from: number;
  to: number;
  /** Positions of the links from `from` to `to` and back; null: nothing was ever sent that way. */
  links: readonly [number | null, number | null];
}

/** Links drawn beside the tree, and the places and path that are emphasised. */
export interface Focus {
  /** Links beside the tree that are drawn. */
  others: Others;
  /** Places under the pointer or selected. */
  places: readonly Place[];
  /** Nodes of the emphasised path, in order; empty: none. */
  path: readonly number[];
}

/** Nothing emphasised: the tree alone. */
export const NOTHING: Focus = { others: 'hover', places: [], path: [] };

interface Pair {
  from: number;
  to: number;
  links: [number | null, number | null];
}

/** Pairs of nodes that sent each other something or are child and parent; pairs of the tree point to the parent. */
function pairsOf(view: NetworkView, tree: Tree): Pair[] {
  const pairs = new Map<number, Pair>();
  const key = (a: number, b: number) => Math.min(a, b) * view.nodes.length + Math.max(a, b);
  const pair = (a: number, b: number): Pair => {
    const known = pairs.get(key(a, b));
    if (known) return known;
    const [from, to] = tree[a] === b ? [a, b] : tree[b] === a ? [b, a] : [Math.min(a, b), Math.max(a, b)];
    const made: Pair = { from, to, links: [null, null] };
    pairs.set(key(a, b), made);
    return made;
  };
  tree.forEach((parent, id) => parent !== null && pair(id, parent));
  view.links.forEach(({ from, to }, id) => {
    if (from === to) return;
    const made = pair(from, to);
    made.links[made.from === from ? 0 : 1] = id;
  });
  return [...pairs.values()];
}

/** Ends of a line between two nodes, px, 1.5 px off their discs. */
function span(layout: GraphLayout, from: number, to: number): readonly [Point, Point] {
  const [a, b] = [layout.places[from] ?? NOWHERE, layout.places[to] ?? NOWHERE];
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [start, end] = [from, to].map((id) => Math.min(0.45, (radiusOf(layout, id) + 1.5) / length)) as [
    number,
    number,
  ];
  return [
    [a[0] + dx * start, a[1] + dy * start],
    [b[0] - dx * end, b[1] - dy * end],
  ];
}

/**
 * Edges that are drawn: those of `tree`, and of the others those that `focus` asks for. Width grows with the square
 * root of the load, and the busiest tree edge is the widest. Load is air time; off 802.15.4, where none is known,
 * messages.
 */
export function edges(
  view: NetworkView,
  load: Load | undefined,
  layout: GraphLayout,
  tree: Tree,
  focus = NOTHING,
): Edge[] {
  const steps = new Set(focus.path.slice(1).map((id, at) => `${String(focus.path[at])} ${String(id)}`));
  const sums = ({ links }: Pair) => {
    const both = links.flatMap((id) => (id === null ? [] : (carried(load, id) ?? [])));
    const sum = (of: (one: Carried) => number) => both.reduce((total, one) => total + of(one), 0);
    return {
      frames: sum(({ frames }) => frames),
      load: sum(({ airtime, frames }) => airtime || frames * 1e-3),
      lost: sum(({ lost }) => lost),
      judged: sum(({ judged }) => judged),
    };
  };
  const all = pairsOf(view, tree).map((pair) => ({ pair, sum: sums(pair), inTree: tree[pair.from] === pair.to }));
  const most = Math.max(1e-9, ...all.filter(({ inTree }) => inTree).map(({ sum }) => sum.load));
  const looked = ({ from, to, links }: Pair) =>
    focus.places.some(({ kind, id }) => (kind === 'link' ? links.includes(id) : id === from || id === to));
  const drawn = ({ pair, sum, inTree }: (typeof all)[number]) =>
    inTree || looked(pair) || (typeof focus.others === 'number' && sum.frames >= focus.others);
  return all.filter(drawn).map(({ pair, sum, inTree }) => {
    const isStep =
      steps.has(`${String(pair.from)} ${String(pair.to)}`) || steps.has(`${String(pair.to)} ${String(pair.from)}`);
    return {
      ...pair,
      points: span(layout, pair.from, pair.to),
      tree: inTree,
      width: Math.min(layout.widest, 1.2 + (layout.widest - 1.2) * Math.sqrt(sum.load / most)),
      lost: sum.judged > 0 ? sum.lost / sum.judged : null,
      idle: sum.frames === 0,
      away:
        focus.path.length > 0 &&
        !isStep &&
        !(inTree ? focus.places.some(({ kind }) => kind === 'link') && looked(pair) : looked(pair)),
    };
  });
}

/** Position of the link that an edge stands for: that to the parent, else the other direction; null: neither exists. */
export function linkOf({ links: [there, back] }: Edge): number | null {
  return there ?? back;
}

/** Discs of all nodes, by position; those beside a `path` are pale. */
export function discs(nodes: readonly NetworkNode[], layout: GraphLayout, path: readonly number[] = []): Disc[] {
  return nodes.map((node, id) => ({
    x: layout.places[id]?.[0] ?? 0,
    y: layout.places[id]?.[1] ?? 0,
    r: radiusOf(layout, id),
    root: node.role === 'root',
    server: node.server_of.length > 0,
    client: node.client_of.length > 0,
    silent: node.silent,
    away: path.length > 0 && !path.includes(id),
  }));
}

/** Position of the edge nearest to a point within `reach` px, tree edges before others; null: none. */
export function nearestEdge(lines: readonly Line[], x: number, y: number, reach = 6): number | null {
  let [best, least]: [number | null, number] = [null, Infinity];
  lines.forEach(({ points: [a, b], width, tree }, id) => {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const t = Math.max(0, Math.min(1, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1)));
    const distance = Math.hypot(a[0] + t * dx - x, a[1] + t * dy - y) - (tree ? width / 2 : 0);
    if (distance > reach) return;
    const ranked = distance + (tree ? 0 : reach);
    if (ranked < least) [best, least] = [id, ranked];
  });
  return best;
}

/** Position of the disc nearest to a point, at most 4 px outside its rim; null: none. */
export function nearestDisc(discs: readonly Disc[], x: number, y: number): number | null {
  let [best, least]: [number | null, number] = [null, Infinity];
  discs.forEach((disc, id) => {
    const distance = Math.hypot(disc.x - x, disc.y - y) - disc.r;
    if (distance < least) [best, least] = [id, distance];
  });
  return least <= 4 ? best : null;
}

/** Number of a mote, which fits inside its disc; empty for other names, and for more than three digits. */
export function numberOf(name: string): string {
  return /^mote (\d{1,3})$/.exec(name)?.[1] ?? '';
}

/** Name short enough to stand below a node: of an address only the end, where those of one network differ. */
export function shortName(name: string): string {
  const parts = name.split(':');
  if (parts.length === 8 && parts.every((octet) => octet.length === 2)) return `…${parts.slice(-3).join(':')}`;
  const isLong = name.length > 12 && parts.length > 3 && parts.every((part) => /^[0-9a-f]{0,4}$/.test(part));
  return isLong ? `…${parts.slice(-2).join(':')}` : name;
}

/** Roles of a node in words, RPL before CoAP; without any, `never heard`, `leaf` or nothing. */
export function roleOf(node: NetworkNode): string {
  const rpl = { root: 'root', router: 'router', leaf: '', host: '' }[node.role];
  const coap = [node.server_of.length > 0 ? 'server' : '', node.client_of.length > 0 ? 'client' : ''];
  return (
    [rpl, ...coap].filter(Boolean).join(', ') || (node.silent ? 'never heard' : node.role === 'leaf' ? 'leaf' : '')
  );
}
