import { describe, expect, it } from 'vitest';
import type { NetworkLink, NetworkNode, NetworkView } from '../../ipc/gen/types';
import {
  arcs,
  bend,
  busy,
  ground,
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
} from './picture';
import { columns, copyLinks, sorted } from './table';

function node(name: string, layer: number, slot: number, changed: Partial<NetworkNode> = {}): NetworkNode {
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
    layer,
    slot,
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
    node('mote 1', 0, 0.5, { role: 'root', server_of: [0] }),
    node('mote 2', 1, 0, { client_of: [0], parents: [{ at: 10, node: 0 }] }),
    node('mote 3', 1, 1, {
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
    const floor = ground(view.nodes, 3, 500, 300);
    expect(floor.places.map(([x]) => x)).toEqual([62, 438, 438]);
    expect(floor.places[0]?.[1]).toBeCloseTo(((floor.places[1]?.[1] ?? 0) + (floor.places[2]?.[1] ?? 0)) / 2);
    for (const [x, y] of floor.places) expect(x > 0 && x < 500 && y > 0 && y < 300).toBe(true);
    expect(ground([node('a', 0, 0)], 0, 500, 300).places).toEqual([[250, 148]]);
    expect(ground([], 0, 500, 300).places).toEqual([]);
  });
  it('shrinks nodes and leaves names out where there is no room', () => {
    const many = Array.from({ length: 60 }, (_, k) => node(`mote ${k}`, 1 + (k % 3), k));
    const floor = ground(many, 118, 600, 400);
    expect(floor.r).toBe(3.5);
    expect(floor.named).toBe('no');
    expect(ground(view.nodes, 3, 500, 300)).toMatchObject({ r: 11, named: 'two lines' });
    expect(ground(view.nodes, 30, 500, 300)).toMatchObject({ r: 11, named: 'one line' });
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
    const [first, second, third] = arcs(view, load, ground(view.nodes, 3, 500, 300));
    expect([first?.lost, second?.lost, third?.lost]).toEqual([0.5, 0, null]);
    expect([first?.idle, second?.idle, third?.idle]).toEqual([false, false, true]);
    expect(arcs(view, undefined, ground(view.nodes, 3, 500, 300)).every(({ idle }) => idle)).toBe(true);
  });
  it('finds what is under the pointer, nodes by their disc and links by their curve', () => {
    const floor = ground(view.nodes, 3, 500, 300);
    const [lines, dots] = [arcs(view, load, floor), discs(view.nodes, floor)];
    const [x = 0, y = 0] = floor.places[2] ?? [];
    expect(nearestDisc(dots, x + 9, y)).toBe(2);
    expect(nearestDisc(dots, x + 60, y)).toBe(null);
    const [cx = 0, cy = 0] = lines[1]?.points[7] ?? [];
    expect(nearestArc(lines, cx, cy + 1)).toBe(1);
    expect(nearestArc(lines, 5, 5)).toBe(null);
  });
  it('shows the parents of a time', () => {
    const floor = ground(view.nodes, 3, 500, 300);
    expect([0, 30, 60].map((at) => parentBands(view.nodes, floor, at).length)).toEqual([0, 2, 2]);
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
    expect(roleOf(node('x', 0, 0, { silent: true }))).toBe('never heard');
  });
});

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
    const [head, , second] = copyLinks(view, 'csv').split('\n');
    expect(head?.split(',').length).toBe(second?.split(',').length);
    expect(second).toBe('mote 2,mote 1,10,8,,2,8,0.07,0.59,log,1.5,,,0.01,0,0,0');
    expect(copyLinks(view, 'markdown').split('\n')[2]).toMatch(/^\| mote 1 \| mote 2 \| 10 \|/);
  });
});
