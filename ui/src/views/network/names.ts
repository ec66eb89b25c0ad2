// Names beside the nodes of a crowd, with their places: as many as have room, what matters most first.
import type { NetworkView } from '../../ipc/gen/types';
import type { Disc } from '../../plot/marks/network';
import { numberOf, shortName } from './graph';

export interface Name {
  id: number;
  text: string;
  x: number;
  y: number;
  anchor: 'start' | 'middle' | 'end';
}

/** Widest digit or letter of a name, px: the fallback of the interface's fonts is a wide one. */
const LETTER = 7.2;
const LINE = 13;
/** Between a disc and its name, and around names. */
const GAP = 5;
/** Names to the side of a node from here on, as the cosine of its direction; above or below it otherwise. */
const SIDEWAYS = 0.35;

/** Nodes by importance: servers and roots, then by number of neighbours, then by traffic. */
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

/** The end of a name, which is where addresses of one network differ, in at most `room` px. */
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

/** Place of a node's name: on the outer side of its disc, inside a graph of this size. */
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

/** Other places of a name, should the outer side be taken: right, left, below and above of its disc. */
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
 * Names beside `discs`, what matters most first, and those of them that cover neither nodes nor names before them. Nodes with something
 * `inside` have their name there. Motes are called by their number, which is what has room.
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

/** The names that have room, and those of `wanted` in the place of what they would cover. */
export function withWanted({ all, free }: ReturnType<typeof namesAround>, wanted: ReadonlySet<number>): Name[] {
  const asked = all.filter(({ id }) => wanted.has(id));
  const over = asked.map(box);
  return [...free.filter((name) => !wanted.has(name.id) && !over.some((other) => meet(other, box(name)))), ...asked];
}
