import { describe, expect, it } from 'vitest';
import type { NetworkLink, NetworkNode, NetworkView } from '../../ipc/gen/types';
import { LOSS_CLASSES, lossToken, type Point } from '../../plot/marks/network';
import { fitted, namesAround, withWanted } from './names';
import {
  NOTHING,
  busy,
  discs,
  edges,
  linkOf,
  nearestDisc,
  nearestEdge,
  numberOf,
  roleOf,
  shortName,
  type Edge,
  type Load,
} from './graph';
import { layoutOf } from './layout';
import { planOf, scaleBar } from './plan';
import { depthOf, parentAt, parentWithin, pathBetween, treeOf, wayUp, type Tree } from './tree';
import { tableText } from '../../parts/table/tabletext';
import { columns, linkTable, sorted } from './table';

function node(name: string, above: number | null, changed: Partial<NetworkNode> = {}): NetworkNode {
  return {
    name,
    role: 'leaf',
    silent: false,
    macs: [],
    addresses: [],
    client_of: [],
    server_of: [],
    frames: 0,
    broadcasts: 0,
    airtime: 0,
    rank: null,
    parents: [],
    parents_by: null,
    above,
    filter: '',
    ...changed,
  };
}

const nothing = { hits: 0, trials: 0, value: null, lo95: null, hi95: null };
function link(from: number, to: number, changed: Partial<NetworkLink> = {}): NetworkLink {
  return {
    from,
    to,
    frames: 10,
    unique: 8,
    acked: nothing,
    lost: nothing,
    evidence: 'unknown',
    delivered: nothing,
    attempts: null,
    delay_p50: null,
    delay_p95: null,
    airtime: 0.01,
    messages: 0,
    copies: 0,
    needless: 0,
    rssi: null,
    lqi: null,
    filter: '',
    ...changed,
  };
}

const view: NetworkView = {
  nodes: [
    node('mote 1', null, { role: 'root', server_of: [0] }),
    node('mote 2', 0, { client_of: [0], parents: [{ at: 10, node: 0 }] }),
    node('mote 3', 0, {
      parents: [
        { at: 20, node: 0 },
        { at: 50, node: 1 },
      ],
    }),
  ],
  links: [
    link(0, 1, { attempts: 2, copies: 3, needless: 1 }),
    link(1, 0, { lost: { hits: 2, trials: 8, value: 0.25, lo95: 0.07, hi95: 0.59 }, evidence: 'log', attempts: 1.5 }),
    link(2, 1),
  ],
  channels: [{ number: 26, frames: 30, airtime: 0.03 }],
  mode_of_operation: 1,
  plan: null,
};
/** Mote 3 below mote 2 below mote 1. */
const chain: Tree = [null, 0, 1];

/** Links 0 to 2, nodes 0 to 2, everything. */
const load: Load = {
  length: 7,
  frames: Uint32Array.from([6, 2, 0, 6, 2, 0, 9]),
  unique: Uint32Array.from([4, 2, 0, 0, 0, 0, 0]),
  lost: Uint32Array.from([3, 0, 0, 0, 0, 0, 0]),
  judged: Uint32Array.from([6, 2, 0, 0, 0, 0, 0]),
  airtime: Float64Array.from([0.4, 0.1, 0, 0.4, 0.1, 0, 0.6]),
  around: Float64Array.from([0, 0, 0, 0.5, 0.5, 0.1, 0.6]),
  delay: Float64Array.from([0.0123, 0.004, NaN, NaN, NaN, NaN, NaN]),
};

describe('the picture', () => {
  it('has places that depend on the size alone, inside of it', () => {
    const layout = layoutOf(view.nodes, 3, 500, 300);
    expect(layout.places.map(([x]) => x)).toEqual([62, 438, 438]);
    expect(layout.places[0]?.[1]).toBeCloseTo(((layout.places[1]?.[1] ?? 0) + (layout.places[2]?.[1] ?? 0)) / 2);
    for (const [x, y] of layout.places) expect(x > 0 && x < 500 && y > 0 && y < 300).toBe(true);
    expect(layoutOf([node('a', null)], 0, 500, 300).places).toEqual([[250, 148]]);
    expect(layoutOf([], 0, 500, 300).places).toEqual([]);
  });
  it('is a tidy tree: layers are columns, parents beside the middle of their children, lone nodes below', () => {
    const tree = [null, null, 1, 1, 2, 2, 3].map((above, id) => node(`mote ${id}`, above));
    const { places } = layoutOf(tree, 10, 500, 300);
    const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
    expect(xs).toEqual([62, 62, 250, 250, 438, 438, 438]);
    const y = (id: number) => ys[id] ?? NaN;
    expect(y(2)).toBeCloseTo((y(4) + y(5)) / 2);
    expect(y(1)).toBeCloseTo((y(2) + y(3)) / 2);
    expect(y(3)).toBeCloseTo(y(6));
    // The branch of mote 3 comes as near as mote 6 may to mote 5.
    expect(y(6) - y(5)).toBeCloseTo(y(5) - y(4));
    expect(y(0)).toBeGreaterThan(y(1));
  });
  it('shrinks nodes and leaves names out where there is no room', () => {
    expect(layoutOf(view.nodes, 3, 500, 300)).toMatchObject({ r: 11, named: 'two lines' });
    expect(layoutOf(view.nodes, 30, 500, 300)).toMatchObject({ r: 11, named: 'one line' });
    const twelve = [node('root', null), ...Array.from({ length: 12 }, (_, k) => node(`mote ${k}`, 0))];
    expect(layoutOf(twelve, 22, 500, 320)).toMatchObject({ named: 'around' });
  });
  it('joins both directions of a pair in one line, from the child to its parent, outside of both nodes', () => {
    const layout = layoutOf(view.nodes, 3, 500, 300);
    const all = edges(view, load, layout, chain);
    expect(all.map(({ from, to, links, tree }) => [from, to, links, tree])).toEqual([
      [1, 0, [1, 0], true],
      [2, 1, [2, null], true],
    ]);
    expect(all.map(linkOf)).toEqual([1, 2]);
    for (const { points, from, to } of all) {
      const [a, b] = [layout.places[from] ?? [0, 0], layout.places[to] ?? [0, 0]];
      expect(Math.hypot(points[0][0] - a[0], points[0][1] - a[1])).toBeGreaterThan(layout.r);
      expect(Math.hypot(points[1][0] - b[0], points[1][1] - b[1])).toBeGreaterThan(layout.r);
    }
  });
  it('has the load and the loss of both directions, and says what is idle or unknown', () => {
    const layout = layoutOf(view.nodes, 3, 500, 300);
    const [first, second] = edges(view, load, layout, chain);
    // 3 of 8 lost; the busiest line is the widest.
    expect([first?.width, first?.lost, first?.idle]).toEqual([10, 3 / 8, false]);
    expect([second?.lost, second?.idle]).toEqual([null, true]);
    expect(edges(view, undefined, layout, chain).every(({ idle }) => idle)).toBe(true);
    // A quarter of the load: half of the way from the thinnest, as areas go.
    const quarter = { ...load, airtime: Float64Array.from([0.4, 0, 0.1, 0, 0, 0, 0]), frames: load.frames };
    expect(edges(view, quarter, layout, chain)[1]?.width).toBeCloseTo(1.2 + 8.8 / 2, 1);
  });
  it('draws other links where they are asked for: by frames, or of what is looked at', () => {
    const layout = layoutOf(view.nodes, 3, 500, 300);
    // Mote 3 has mote 1 as its parent: its link to mote 2 is another one.
    const tree: Tree = [null, 0, 0];
    const others = (focus: Partial<typeof NOTHING>) =>
      edges(view, { ...load, frames: Uint32Array.from([6, 2, 3]) }, layout, tree, { ...NOTHING, ...focus })
        .filter((edge) => !edge.tree)
        .map(({ from, to }) => [from, to]);
    expect(others({})).toEqual([]);
    expect(others({ others: 'none' })).toEqual([]);
    expect([others({ others: 3 }), others({ others: 4 })]).toEqual([[[1, 2]], []]);
    expect(others({ places: [{ kind: 'node', id: 2 }] })).toEqual([[1, 2]]);
    expect(others({ places: [{ kind: 'link', id: 2 }] })).toEqual([[1, 2]]);
    expect(others({ places: [{ kind: 'node', id: 0 }] })).toEqual([]);
  });
  it('isolates a path: what is not on it stands back', () => {
    const layout = layoutOf(view.nodes, 3, 500, 300);
    const away = (path: number[]) => edges(view, load, layout, chain, { ...NOTHING, path }).map((edge) => edge.away);
    expect([away([]), away([1, 0]), away([2, 1, 0])]).toEqual([
      [false, false],
      [false, true],
      [false, false],
    ]);
    expect(discs(view.nodes, layout, [1, 0]).map((disc) => disc.away)).toEqual([false, false, true]);
    expect(discs(view.nodes, layout).some((disc) => disc.away)).toBe(false);
  });
  it('finds what is under the pointer: nodes, then lines of the tree, then others', () => {
    const layout = layoutOf(view.nodes, 3, 500, 300);
    const dots = discs(view.nodes, layout);
    const [x = 0, y = 0] = layout.places[2] ?? [];
    expect(nearestDisc(dots, x + 9, y)).toBe(2);
    expect(nearestDisc(dots, x + 60, y)).toBe(null);
    const lines = edges(view, load, layout, chain);
    const [a, b] = lines[0]?.points ?? [[0, 0], [0, 0]]; // prettier-ignore
    expect(nearestEdge(lines, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2 + 1)).toBe(0);
    expect(nearestEdge(lines, 5, 5)).toBe(null);
    const other: Edge = { ...(lines[0] as Edge), tree: false };
    expect(nearestEdge([other, lines[0] as Edge], (a[0] + b[0]) / 2, (a[1] + b[1]) / 2)).toBe(1);
  });
  it('has a colour for each class of loss, in order', () => {
    const tokens = [0, 0.049, 0.05, 0.1, 0.2, 0.39, 0.4, 1].map(lossToken);
    expect(tokens).toEqual(['loss-1', 'loss-1', 'loss-2', 'loss-3', 'loss-4', 'loss-4', 'loss-5', 'loss-5']);
    expect(LOSS_CLASSES.at(-1)).toBe(Infinity);
  });
  it('knows the parents of a time and the one held longest in a window', () => {
    const third = view.nodes[2] as NetworkNode;
    expect([parentAt(third, 19), parentAt(third, 20), parentAt(third, 99)]).toEqual([null, 0, 1]);
    expect([parentWithin(third, 0, 10), parentWithin(third, 0, 70), parentWithin(third, 0, 100)]).toEqual([null, 0, 1]);
    expect(parentWithin(third, 60, 61)).toBe(1);
    // The first of two that were held as long.
    expect(parentWithin(third, 0, 80)).toBe(0);
    const at = (time: number) => treeOf(view.nodes, (node) => parentAt(node, time));
    expect([at(0), at(30), at(60)]).toEqual([
      [null, null, null],
      [null, 0, 0],
      [null, 0, 1],
    ]);
    // Without any parent the core's tree stands.
    expect(treeOf([node('a', null), node('b', 0)], () => null)).toEqual([null, 0]);
  });
  it('finds ways through the tree, which ends where parents go round in a circle', () => {
    const tree: Tree = [null, 0, 1, 1, null, 6, 5];
    expect([wayUp(tree, 2), wayUp(tree, 0), wayUp(tree, 5)]).toEqual([[2, 1, 0], [0], [5, 6]]);
    expect([pathBetween(tree, 2, 3), pathBetween(tree, 2, 0), pathBetween(tree, 0, 2)]).toEqual([
      [2, 1, 3],
      [2, 1, 0],
      [0, 1, 2],
    ]);
    expect([pathBetween(tree, 2, 4), pathBetween(tree, 2, 2)]).toEqual([[], [2]]);
    expect([depthOf(tree), depthOf([])]).toEqual([2, 0]);
  });
  it('says how busy the channel around a node is', () => {
    expect(busy(load, 3, 1, 10)).toBeCloseTo(0.05);
    expect(busy(load, 3, 9, 10)).toBe(null);
    expect(busy(load, 3, 1, 0)).toBe(null);
  });
  it('names nodes', () => {
    expect([numberOf('mote 12'), numberOf('mote 1234'), numberOf('pump')]).toEqual(['12', '', '']);
    expect(shortName('00:12:4b:00:06:0d:9b:51')).toBe('…0d:9b:51');
    expect(shortName('fd00::1')).toBe('fd00::1');
    expect(shortName('fd00::212:4b00:60d:9b51')).toBe('…60d:9b51');
    expect(view.nodes.map(roleOf)).toEqual(['root, server', 'client', 'leaf']);
    expect(roleOf(node('x', null, { silent: true }))).toBe('never heard');
  });
});

/** The tree that the core says. */
const coreTree = (of: NetworkView): Tree => treeOf(of.nodes, () => null);

/** A server, and `count` clients that ask it alone. */
function star(count: number): NetworkView {
  const clients = Array.from({ length: count }, (_, k) => node(`10.0.1.${k + 1}`, 0, { client_of: [k] }));
  const nodes = [node('10.0.0.1', null, { server_of: clients.map((_, k) => k) }), ...clients];
  const links = clients.flatMap((_, k) => [link(k + 1, 0), link(0, k + 1)]);
  return { nodes, links, channels: [], mode_of_operation: null, plan: null };
}

const sizes: [number, number][] = [
  [504, 400],
  [1064, 690],
];

describe.each(sizes)('a crowd at %i x %i', (width, height) => {
  const crowd = star(64);
  const layout = layoutOf(crowd.nodes, crowd.links.length, width, height);
  const dots = discs(crowd.nodes, layout);
  const distances = dots.flatMap((one, a) =>
    dots.slice(a + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y)),
  );

  it('stands around its server, and no two nodes touch', () => {
    expect(layout.named).toBe('around');
    expect(layout.places[0]).toEqual([width / 2, height / 2]);
    expect(Math.min(...distances)).toBeGreaterThan(3 * layout.r);
    for (const { x, y, r } of dots) expect(x > r && x < width - r && y > r && y < height - r).toBe(true);
    expect(layoutOf(crowd.nodes, crowd.links.length, width, height)).toEqual(layout);
  });
  it('has links that meet at the server alone', () => {
    const lines = edges(crowd, undefined, layout, coreTree(crowd)).map(({ points }) => points);
    expect(lines).toHaveLength(64);
    lines.forEach(([a, b], at) => {
      for (const [c, d] of lines.slice(at + 1)) expect(crossing(a, b, c, d)).toBe(null);
    });
  });
  it('keeps a tree together: no way to a parent crosses another, children are outside of their parents', () => {
    // 8 routers with 8 leaves each, in the order of the tree.
    const nodes = [node('root', null)];
    const above: number[] = [-1];
    for (let router = 0; router < 8; router += 1) {
      const parent = nodes.push(node(`router ${router}`, 0)) - 1;
      above.push(0);
      for (let leaf = 0; leaf < 8; leaf += 1) {
        nodes.push(node(`leaf ${router}.${leaf}`, parent));
        above.push(parent);
      }
    }
    const { places, named } = layoutOf(nodes, 144, width, height);
    expect(named).toBe('around');
    const place = (id: number) => places[id] ?? [0, 0];
    const from = (id: number) => Math.hypot((place(id)[0] - width / 2) / width, (place(id)[1] - height / 2) / height);
    const ways = above.flatMap((parent, id) => (parent < 0 ? [] : [[id, parent] as const]));
    for (const [child, parent] of ways) expect(from(child)).toBeGreaterThan(from(parent));
    for (const [a, up] of ways)
      for (const [b, over] of ways)
        if (a < b && up !== over && up !== b && over !== a)
          expect(crossing(place(a), place(up), place(b), place(over)), `${a}-${up} and ${b}-${over}`).toBe(null);
  });
  it('takes several rows where one ring has no room, and columns where those have more', () => {
    const many = star(400);
    const rows = layoutOf(many.nodes, 800, width, height);
    const away = rows.places
      .slice(1)
      .map(([x, y]) => Math.hypot((x - width / 2) / (width / 2 - 104), (y - height / 2) / (height / 2 - 34)));
    expect(new Set(away.map((share) => share.toFixed(3))).size).toBeGreaterThan(1);
    expect(Math.min(...away)).toBeGreaterThanOrEqual(0.5);
    expect(layoutOf(star(8).nodes, 16, width, height).hub).toBe(-1);
  });
  it('names as many as have room, the server first, none over another or over a node', () => {
    const { all, free } = namesAround(crowd, dots, width, height);
    expect(all[0]?.text).toBe('10.0.0.1');
    expect(free[0]).toEqual(all[0]);
    expect(free.length).toBeGreaterThan(height > 500 ? 45 : 20);
    const boxes = free.map(({ text, x, y, anchor }) => {
      const wide = 7 * text.length;
      const left = anchor === 'start' ? x : anchor === 'end' ? x - wide : x - wide / 2;
      expect(left >= 0 && left + wide <= width && y >= 10 && y <= height - 2, text).toBe(true);
      return [left, left + wide, y] as const;
    });
    boxes.forEach(([left, right, y], a) => {
      for (const [from, to, at] of boxes.slice(a + 1))
        expect(right <= from || to <= left || Math.abs(y - at) >= 11).toBe(true);
    });
  });
  it('names who is asked for, in the place of what would be covered', () => {
    const placed = namesAround(crowd, dots, width, height);
    const hidden = placed.all.find((name) => !placed.free.includes(name));
    if (!hidden) return expect(height).toBeGreaterThan(500);
    const shown = withWanted(placed, new Set([hidden.id]));
    expect(shown).toContain(hidden);
    expect(shown.length).toBeLessThanOrEqual(placed.free.length);
    expect(withWanted(placed, new Set())).toEqual(placed.free);
  });
});

it('cuts names at their front, where addresses of one network are alike', () => {
  expect(fitted('fd00::212:4b00:60d:9b51', 80)).toBe('…0:60d:9b51');
  expect(fitted('10.0.1.7', 80)).toBe('10.0.1.7');
});

/** Motes in a grid, `side` by `side`, 30 m apart; the parent of each is nearer to the first, as draws from a fixed sequence have it. */
function grid(side: number): { network: NetworkView; places: Point[] } {
  const at = (row: number, column: number) => row * side + column;
  const nodes: NetworkNode[] = [];
  const links: NetworkLink[] = [];
  const places: Point[] = [];
  for (let row = 0; row < side; row += 1)
    for (let column = 0; column < side; column += 1) {
      const id = at(row, column);
      const nearer = [at(row - 1, column), at(row, column - 1), at(row - 1, column - 1)].filter(
        (_, which) => [row > 0, column > 0, row > 0 && column > 0][which],
      );
      const above = nearer[(id * 7) % Math.max(1, nearer.length)] ?? null;
      nodes.push(node(`mote ${id + 1}`, above, { role: id === 0 ? 'root' : 'router', client_of: id > 0 ? [id] : [] }));
      if (above !== null) links.push(link(id, above), link(above, id));
      places.push([30 * column, 30 * row]);
    }
  return { network: { ...view, nodes, links }, places };
}

/** A network of `count` nodes whose parents are drawn from a fixed sequence: at most five children each. */
function forest(count: number): NetworkView {
  const children = new Map<number, number>();
  const nodes = [node('mote 1', null, { role: 'root' })];
  for (let id = 1; id < count; id += 1) {
    let above = Math.floor((((id * 2654435761) >>> 0) / 2 ** 32) * id);
    while ((children.get(above) ?? 0) >= 5) above = (above + 1) % id;
    children.set(above, (children.get(above) ?? 0) + 1);
    nodes.push(node(`mote ${id + 1}`, above));
  }
  return { ...view, nodes, links: nodes.slice(1).flatMap(({ above }, k) => [link(k + 1, above ?? 0)]) };
}

/** No two nodes touch, none leaves the picture, no name covers a name or another node's disc; returns the share of nodes named. */
function readable(network: NetworkView, layout: ReturnType<typeof layoutOf>, width: number, height: number): number {
  const dots = discs(network.nodes, layout);
  dots.forEach(({ x, y, r }, a) => {
    expect(x >= r && x <= width - r && y >= r && y <= height - r, network.nodes[a]?.name).toBe(true);
    for (const other of dots.slice(a + 1)) expect(Math.hypot(other.x - x, other.y - y)).toBeGreaterThan(r + other.r);
  });
  const inside = dots.map(({ r }, id) => (r >= 8 ? numberOf(network.nodes[id]?.name ?? '') : ''));
  const { free } = namesAround(network, dots, width, height, inside);
  const boxes = free.map(({ id, text, x, y, anchor }) => {
    // The widest digits of the fonts in use are below 7.2 px.
    const wide = 7 * text.length;
    const left = anchor === 'start' ? x : anchor === 'end' ? x - wide : x - wide / 2;
    for (const [at, dot] of dots.entries())
      if (at !== id)
        expect(left < dot.x + dot.r && left + wide > dot.x - dot.r && y - 9 < dot.y + dot.r && y > dot.y - dot.r).toBe(
          false,
        );
    return [left, left + wide, y] as const;
  });
  boxes.forEach(([left, right, y], a) => {
    for (const [from, to, at] of boxes.slice(a + 1))
      expect(right <= from || to <= left || Math.abs(y - at) >= 11).toBe(true);
  });
  return (inside.filter((text) => text !== '').length + free.length) / network.nodes.length;
}

/** Number of pairs of tree lines that cross. */
function crossings(network: NetworkView, layout: ReturnType<typeof layoutOf>): number {
  const lines = edges(network, undefined, layout, coreTree(network)).map(({ points }) => points);
  return lines.reduce(
    (sum, [a, b], at) => sum + lines.slice(at + 1).filter(([c, d]) => crossing(a, b, c, d) !== null).length,
    0,
  );
}

describe.each([
  [488, 360],
  [768, 440],
] as [number, number][])('a picture of %i x %i', (width, height) => {
  it('shows a grid of 7 x 7 as one: rows and columns straight, equally far apart, every node numbered inside', () => {
    const { network, places } = grid(7);
    const layout = planOf(places, width, height, false);
    expect(readable(network, layout, width, height)).toBe(1);
    expect(layout.r).toBeGreaterThanOrEqual(8);
    const step = 30 * layout.scale;
    layout.places.forEach(([x, y], id) => {
      expect(x - (layout.places[0]?.[0] ?? 0)).toBeCloseTo((id % 7) * step);
      expect(y - (layout.places[0]?.[1] ?? 0)).toBeCloseTo(Math.floor(id / 7) * step);
    });
    // Parents are neighbours: only two diagonals could cross, and they point the same way.
    expect(crossings(network, layout)).toBe(0);
  });
  it('shows the tree of the same network without a crossing', () => {
    const { network } = grid(7);
    const layout = layoutOf(network.nodes, network.links.length, width, height);
    expect(crossings(network, layout)).toBe(0);
    expect(readable(network, layout, width, height)).toBe(1);
  });
  it('stays readable at 150 nodes: no crossing, nothing covered, a name wherever there is room', () => {
    const network = forest(150);
    const layout = layoutOf(network.nodes, network.links.length, width, height);
    expect(crossings(network, layout)).toBe(0);
    expect(readable(network, layout, width, height)).toBeGreaterThan(width > 600 ? 0.7 : 0.3);
  });
  it('keeps places of a plan apart that are one, and gives those without one a row of their own', () => {
    const places = [...Array.from({ length: 60 }, (_, id): Point => [(id % 10) * 10, id < 30 ? 0 : 0.01]), null, null];
    const network = { ...view, nodes: places.map((_, id) => node(`mote ${id + 1}`, null)), links: [] };
    const layout = planOf(places, width, height, false);
    readable(network, layout, width, height);
    expect(planOf(places, width, height, false)).toEqual(layout);
    const rows = layout.places.slice(60).map(([, y]) => y);
    expect(Math.min(...rows)).toBeGreaterThan(Math.max(...layout.places.slice(0, 60).map(([, y]) => y)));
  });
  it('has a scale bar of a round length', () => {
    for (const scale of [0.0031, 0.7, 2.39, 44, 9_000]) {
      const { units, px } = scaleBar(scale, 120);
      expect(px).toBeLessThanOrEqual(120);
      expect(px).toBeGreaterThan(120 / 2.6);
      expect(px / units).toBeCloseTo(scale);
      expect(['1', '2', '5']).toContain(units.toExponential(3)[0]);
    }
  });
});

/** Where two lines cross, their ends apart. */
function crossing(a: Point, b: Point, c: Point, d: Point): Point | null {
  const [ux, uy, vx, vy] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]];
  const cross = ux * vy - uy * vx;
  if (Math.abs(cross) < 1e-9) return null;
  const t = ((c[0] - a[0]) * vy - (c[1] - a[1]) * vx) / cross;
  const s = ((c[0] - a[0]) * uy - (c[1] - a[1]) * ux) / cross;
  return t > 1e-9 && t < 1 - 1e-9 && s > 1e-9 && s < 1 - 1e-9 ? [a[0] + t * ux, a[1] + t * uy] : null;
}

describe('the table', () => {
  const all = columns(view, load);
  const order = (key: string, descending: boolean) =>
    sorted(
      view,
      all.find((column) => column.key === key),
      descending,
    );

  it('sorts, the unknown last in both directions', () => {
    expect(order('attempts', true)).toEqual([0, 1, 2]);
    expect(order('attempts', false)).toEqual([1, 0, 2]);
    expect(order('loss', true)).toEqual([1, 0, 2]);
    expect(order('nothing', true)).toEqual([0, 1, 2]);
  });
  it('has the window and the whole capture side by side', () => {
    expect(all.map((column) => column.text(0))).toEqual(['6', '50', '12', '–', '2.00', '–', '–', '1 / 3']);
    expect(all.map((column) => column.text(1))).toEqual(['2', '0', '4.0', '25.0', '1.50', '–', '–', '–']);
  });
  it('leaves out what cannot be known off 802.15.4', () => {
    const wired = columns({ ...view, channels: [] }, load);
    expect(wired.map(({ label }) => label)).toEqual(['messages', 'needless']);
  });
  it('copies every digit', () => {
    const [head, , second] = tableText(linkTable(view), 'csv').split('\n');
    expect(head?.split(',').length).toBe(second?.split(',').length);
    expect(second).toBe('mote 2,mote 1,10,8,,2,8,0.07,0.59,log,1.5,,,0.01,0,0,0');
    expect(tableText(linkTable(view), 'markdown').split('\n')[2]).toMatch(/^\| mote 1 \| mote 2 \| 10 \|/);
  });
});
