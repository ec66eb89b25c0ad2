// Names beside the nodes of a crowded graph, placed where there is room; the most important nodes come first.
import type { NetworkView } from '../../ipc/gen/types';
import type { Disc } from '../../plot/marks/network';
import { numberOf, shortName } from './graph';

/** Name of the node at position `id`, with the place of its text, px. */
export interface Name {
  id: number;
  text: string;
  x: number;
  y: number;
  /** Part of the text that stands at `x`. */
  anchor: 'start' | 'middle' | 'end';
}

/** Width of the widest letter of a name, px, also in the fallback of the fonts, which is wide. */
const LETTER = 7.2;
/** Height of a line, px. */
const LINE = 13;
/** Space between a disc and its name, px. */
const GAP = 5;
/**
 * Cosine of a node's direction from the centre above which its name stands to the side; else above or below it.
 * Chosen here by judgement: names stand above or below within 20° of the vertical only, for they are wider than high.
 */
const SIDEWAYS = 0.35;

/** Positions of nodes by importance: servers and roots first, then by number of links, then by frames. */
function importance(view: NetworkView): number[] {
  const met = view.nodes.map(() => 0);
  const carried = view.nodes.map(() => 0);
  for (const { from, to, frames } of view.links)
    for (const id of [from, to]) {
      met[id] = (met[id] ?? 0) + 1;
      carried[id] = (carried[id] ?? 0) + frames;
    }
  const first = (id: number) =>
    Number(view.nodes[id]?.role === 'root') + Number((view.nodes[id]?.server_of.length ?? 0) > 0);
  return view.nodes
    .map((_, id) => id)
    .sort(
      (a, b) => first(b) - first(a) || (met[b] ?? 0) - (met[a] ?? 0) || (carried[b] ?? 0) - (carried[a] ?? 0) || a - b,
    );
}

/** A name cut to at most `room` px: its end stays, where addresses of one network differ. */
export function fitted(name: string, room: number): string {
  const most = Math.max(2, Math.floor(room / LETTER));
  return name.length <= most ? name : `…${name.slice(1 - most)}`;
}

type Box = readonly [left: number, top: number, right: number, bottom: number];
const meet = (a: Box, b: Box) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

function box({ text, x, y, anchor }: Name): Box {
  const wide = text.length * LETTER;
  const left = anchor === 'start' ? x : anchor === 'end' ? x - wide : x - wide / 2;
  return [left - 2, y - LINE + 3, left + wide + 2, y + 3];
}

/** Places the name of a node on the outer side of its disc, cut so that it stays inside the graph (px). */
function beside(id: number, name: string, disc: Disc, width: number, height: number): Name {
  const [dx, dy] = [(disc.x - width / 2) / width, (disc.y - height / 2) / height];
  const away = Math.hypot(dx, dy);
  const side = away < 1e-9 ? 0 : dx / away;
  const at = disc.r + GAP;
  if (Math.abs(side) > SIDEWAYS) {
    const [x, room] = side > 0 ? [disc.x + at, width - disc.x - at] : [disc.x - at, disc.x - at];
    return { id, text: fitted(name, room - 4), x, y: disc.y + 4, anchor: side > 0 ? 'start' : 'end' };
  }
  const room = 2 * Math.min(disc.x, width - disc.x) - 8;
  return {
    id,
    text: fitted(name, room),
    x: disc.x,
    y: dy < -1e-9 ? disc.y - at - 1 : disc.y + at + 9,
    anchor: 'middle',
  };
}

/** Other places of a name, tried where the outer side is taken: right, left, below and above its disc. */
function elsewhere({ id, text }: Name, { x, y, r }: Disc): Name[] {
  const at = r + GAP;
  return [
    { id, text, x: x + at, y: y + 4, anchor: 'start' },
    { id, text, x: x - at, y: y + 4, anchor: 'end' },
    { id, text, x, y: y + at + 9, anchor: 'middle' },
    { id, text, x, y: y - at - 1, anchor: 'middle' },
  ];
}

/**
 * Places names beside `discs`, the most important first, in a graph of `width` by `height` px. Nodes with a text in
 * `inside` get none; motes are named by their number. `free`: those of `all` that cover no node and no name before
 * them.
 */
export function namesAround(
  view: NetworkView,
  discs: readonly Disc[],
  width: number,
  height: number,
  inside: readonly string[] = [],
) {
  const all: Name[] = [];
  const free: Name[] = [];
  const nodes = discs.map(({ x, y, r }): Box => [x - r, y - r, x + r, y + r]);
  const taken: Box[] = [];
  const fits = (name: Name) => {
    const here = box(name);
    if (here[0] < 0 || here[1] < 0 || here[2] > width || here[3] > height) return false;
    return !taken.some((other) => meet(here, other)) && !nodes.some((node, at) => at !== name.id && meet(here, node));
  };
  for (const id of importance(view)) {
    const [node, disc] = [view.nodes[id], discs[id]];
    if (!node || !disc || inside[id]) continue;
    const first = beside(id, numberOf(node.name) || shortName(node.name), disc, width, height);
    const place = [first, ...elsewhere(first, disc)].find(fits);
    all.push(place ?? first);
    if (!place) continue;
    free.push(place);
    taken.push(box(place));
  }
  return { all, free };
}

/** Names that have room, and those of the nodes `wanted`, which replace names that they cover. */
export function withWanted({ all, free }: ReturnType<typeof namesAround>, wanted: ReadonlySet<number>): Name[] {
  const asked = all.filter(({ id }) => wanted.has(id));
  const over = asked.map(box);
  return [...free.filter((name) => !wanted.has(name.id) && !over.some((other) => meet(other, box(name)))), ...asked];
}
