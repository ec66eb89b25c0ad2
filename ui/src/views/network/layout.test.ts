import { describe, expect, it } from 'vitest';
import type { NetworkLink, NetworkNode, NetworkView } from '../../ipc/gen/types';
import { type Point } from '../../plot/marks/network';
import { fitted, namesAround, withWanted } from './names';
import { discs, edges, numberOf } from './graph';
import { layoutOf } from './layout';
import { planOf, scaleBar } from './plan';
import { treeOf, type Tree } from './tree';
import { link, node, view } from '../../../test/unit/networks';

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

/**
 * Motes in a grid, `side` by `side`, 30 m apart; the parent of each is nearer to the first, as draws from a fixed
 * sequence have it.
 */
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

/**
 * No two nodes touch, none leaves the picture, no name covers a name or another node's disc; returns the share of nodes
 * named.
 */
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

/** Point where two lines cross, their ends apart. */
function crossing(a: Point, b: Point, c: Point, d: Point): Point | null {
  const [ux, uy, vx, vy] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]];
  const cross = ux * vy - uy * vx;
  if (Math.abs(cross) < 1e-9) return null;
  const t = ((c[0] - a[0]) * vy - (c[1] - a[1]) * vx) / cross;
  const s = ((c[0] - a[0]) * uy - (c[1] - a[1]) * ux) / cross;
  return t > 1e-9 && t < 1 - 1e-9 && s > 1e-9 && s < 1 - 1e-9 ? [a[0] + t * ux, a[1] + t * uy] : null;
}
