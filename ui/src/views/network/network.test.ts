import { describe, expect, it } from 'vitest';
import type { NetworkNode } from '../../ipc/gen/types';
import { LOSS_CLASSES, lossToken } from '../../plot/marks/network';
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
} from './graph';
import { layoutOf } from './layout';
import { simulatedFacts } from './facts';
import { depthOf, parentAt, parentWithin, pathBetween, treeOf, wayUp, type Tree } from './tree';
import { chain, load, node, view } from '../../../test/unit/networks';

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

describe('facts of simulated frames', () => {
  const said = (place: Parameters<typeof simulatedFacts>[2]) =>
    simulatedFacts(view, load, place).map(([term, fact]) => `${term}: ${fact}`.replaceAll(/[\u00a0\u202f]/g, ' '));
  it('are those of the load, of the whole, of a link and of a node', () => {
    expect(said(null)).toEqual(['on the air: 600 ms in all, 9 frames']);
    expect(said({ kind: 'link', id: 0 })).toEqual([
      'frames: 6, 4 of them unique, 400 ms on the air',
      'lost: 50.0 %: 3 of 6',
    ]);
    expect(said({ kind: 'node', id: 1 })).toEqual(['sent: 2 frames, 100 ms on the air']);
  });
  it('claim nothing where nothing was judged, and before the load is known', () => {
    expect(said({ kind: 'link', id: 2 })[1]).toBe('lost: not known: 0 of 0');
    expect(simulatedFacts(view, undefined, null)).toEqual([]);
  });
});
