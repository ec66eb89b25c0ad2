// Small networks for tests.
import type { NetworkLink, NetworkNode, NetworkView } from '../../src/ipc/gen/types';
import type { Load } from '../../src/views/network/graph';
import type { Tree } from '../../src/views/network/tree';

/** A node called `name` below node `above`, with the fields of `changed`. */
export function node(name: string, above: number | null, changed: Partial<NetworkNode> = {}): NetworkNode {
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
/** A link between two nodes, with the fields of `changed`. */
export function link(from: number, to: number, changed: Partial<NetworkLink> = {}): NetworkLink {
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

/** Three motes: a root and server, a client, and one that changes its parent. */
export const view: NetworkView = {
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
/** Parent of each node: mote 3 is below mote 2, which is below mote 1. */
export const chain: Tree = [null, 0, 1];

/** Load of links 0 to 2, nodes 0 to 2, and the whole network, in this order. */
export const load: Load = {
  length: 7,
  frames: Uint32Array.from([6, 2, 0, 6, 2, 0, 9]),
  unique: Uint32Array.from([4, 2, 0, 0, 0, 0, 0]),
  lost: Uint32Array.from([3, 0, 0, 0, 0, 0, 0]),
  judged: Uint32Array.from([6, 2, 0, 0, 0, 0, 0]),
  airtime: Float64Array.from([0.4, 0.1, 0, 0.4, 0.1, 0, 0.6]),
  around: Float64Array.from([0, 0, 0, 0.5, 0.5, 0.1, 0.6]),
  delay: Float64Array.from([0.0123, 0.004, NaN, NaN, NaN, NaN, NaN]),
};
