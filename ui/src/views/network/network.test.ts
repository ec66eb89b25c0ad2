import { describe, expect, it } from 'vitest';
import type { NetworkLink, NetworkNode, NetworkView } from '../../ipc/gen/types';
import type { Point } from '../../plot/marks/network';
import type { Place } from '../../state/capture/network.svelte';
import { fitted, namesAround, withWanted } from './names';
import {
  arcs,
  bend,
  busy,
  nearestArc,
  nearestDisc,
  discs,
  numberOf,
  parentAt,
  parentBands,
  roleOf,
  shortName,
  widths,
  type Load,
} from './graph';
import { layoutOf } from './layout';
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
};

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
    expect(layoutOf(twelve, 22, 500, 320)).toMatchObject({ named: 'no' });
  });
  it('keeps the two directions of a pair apart, and both outside of the nodes', () => {
    const [there, back] = [bend([0, 0], [100, 0], 10), bend([100, 0], [0, 0], 10)];
    expect(Math.max(...there.map(([, y]) => y))).toBeLessThanOrEqual(0);
    expect(Math.min(...back.map(([, y]) => y))).toBeGreaterThanOrEqual(0);
    for (const [x, y] of [...there, ...back]) {
      expect(Math.hypot(x, y)).toBeGreaterThan(10);
      expect(Math.hypot(100 - x, y)).toBeGreaterThan(10);
    }
  });
  it('makes the busiest link the widest and says which are idle or unknown', () => {
    const wide = widths(view.links, load);
    expect(wide[0]).toBe(10);
    // A quarter of the air time: half of the way, as areas go.
    expect(wide[1]).toBeCloseTo(1.4 + 8.6 / 2);
    const [first, second, third] = arcs(view, load, layoutOf(view.nodes, 3, 500, 300));
    expect([first?.lost, second?.lost, third?.lost]).toEqual([0.5, 0, null]);
    expect([first?.idle, second?.idle, third?.idle]).toEqual([false, false, true]);
    expect(arcs(view, undefined, layoutOf(view.nodes, 3, 500, 300)).every(({ idle }) => idle)).toBe(true);
  });
  it('lets links stand back that carry little beside the parents of a time, until one of their nodes is looked at', () => {
    const layout = layoutOf(view.nodes, 3, 500, 300);
    const away = (of: NetworkView, focus: Place[] = [], at = 60) =>
      arcs(of, load, layout, focus, at).map((arc) => arc.away);
    const without = (ids: readonly number[]) => ({
      ...view,
      nodes: view.nodes.map((node, id) => (ids.includes(id) ? { ...node, parents: [] } : node)),
    });
    expect(away(view), 'mote 2 is the parent of mote 3').toEqual([false, false, false]);
    expect(away(view, [], 30), 'it was not yet').toEqual([false, false, true]);
    expect(away(without([2]))).toEqual([false, false, true]);
    expect(away(without([2]), [{ kind: 'node', id: 2 }])).toEqual([false, false, false]);
    expect(away(without([0, 1, 2])), 'no tree to stand back from').toEqual([false, false, false]);
  });
  it('finds what is under the pointer, nodes by their disc and links by their curve', () => {
    const layout = layoutOf(view.nodes, 3, 500, 300);
    const [lines, dots] = [arcs(view, load, layout), discs(view.nodes, layout)];
    const [x = 0, y = 0] = layout.places[2] ?? [];
    expect(nearestDisc(dots, x + 9, y)).toBe(2);
    expect(nearestDisc(dots, x + 60, y)).toBe(null);
    const [cx = 0, cy = 0] = lines[1]?.points[7] ?? [];
    expect(nearestArc(lines, cx, cy + 1)).toBe(1);
    expect(nearestArc(lines, 5, 5)).toBe(null);
  });
  it('shows the parents of a time', () => {
    const layout = layoutOf(view.nodes, 3, 500, 300);
    expect([0, 30, 60].map((at) => parentBands(view.nodes, layout, at).length)).toEqual([0, 2, 2]);
    const third = view.nodes[2];
    expect(third && [parentAt(third, 19), parentAt(third, 20), parentAt(third, 99)]).toEqual([null, 0, 1]);
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
    expect(view.nodes.map(roleOf)).toEqual(['root, server', 'client', 'leaf']);
    expect(roleOf(node('x', null, { silent: true }))).toBe('never heard');
  });
});

/** A server, and `count` clients that ask it alone. */
function star(count: number): NetworkView {
  const clients = Array.from({ length: count }, (_, k) => node(`10.0.1.${k + 1}`, 0, { client_of: [k] }));
  const nodes = [node('10.0.0.1', null, { server_of: clients.map((_, k) => k) }), ...clients];
  const links = clients.flatMap((_, k) => [link(k + 1, 0), link(0, k + 1)]);
  return { nodes, links, channels: [], mode_of_operation: null };
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
    const lines = arcs(crowd, undefined, layout).map(({ points }) => points);
    const crossings = lines.flatMap((one, a) =>
      lines.slice(a + 1).flatMap((other) =>
        one.slice(1).flatMap((end, k) =>
          other.slice(1).flatMap((tail, n) => {
            const at = crossing(one[k] ?? end, end, other[n] ?? tail, tail);
            return at ? [Math.hypot(at[0] - width / 2, at[1] - height / 2)] : [];
          }),
        ),
      ),
    );
    // Where 128 lines come together, they touch; half of the way out, none does.
    expect(Math.max(0, ...crossings)).toBeLessThan(height / 4);
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
    expect(layoutOf(star(8).nodes, 16, width, height).named).not.toBe('around');
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
  it('stands back beside what is looked at', () => {
    const away = (focus: Place[]) => arcs(crowd, undefined, layout, focus).filter((arc) => !arc.away).length;
    expect(away([])).toBe(128);
    expect(away([{ kind: 'node', id: 7 }])).toBe(2);
    expect(away([{ kind: 'link', id: 3 }])).toBe(1);
    // Where there is room, nothing does.
    expect(arcs(view, load, layoutOf(view.nodes, 3, 500, 300), [{ kind: 'node', id: 2 }]).some((arc) => arc.away)).toBe(
      false,
    );
  });
});

it('cuts names at their front, where addresses of one network are alike', () => {
  expect(fitted('fd00::212:4b00:60d:9b51', 80)).toBe('…0:60d:9b51');
  expect(fitted('10.0.1.7', 80)).toBe('10.0.1.7');
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
