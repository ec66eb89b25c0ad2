import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NetworkView, PlanView } from '../../ipc/gen/types';
import { LONGEST_NAME, Nodes, isNodeList } from './nodes.svelte';

const network = { nodes: [{ name: 'mote 1' }, { name: 'mote 12' }, { name: '10.0.0.1' }] } as NetworkView;
const plan = (nodes: PlanView['nodes']): PlanView => ({ file: 'p.csv', kind: 'rows', nodes, unknown: 0, notes: [] });

describe('names of nodes', () => {
  it('are those of the core until somebody gives another one, and again when it is taken back', () => {
    const nodes = new Nodes();
    expect(nodes.nameOf('mote 1')).toBe('mote 1');
    nodes.rename('mote 1', '  sink ');
    expect([nodes.nameOf('mote 1'), nodes.nameOf('mote 12')]).toEqual(['sink', 'mote 12']);
    nodes.rename('mote 1', '');
    expect([nodes.nameOf('mote 1'), nodes.all]).toEqual(['mote 1', []]);
    nodes.rename('mote 1', 'x'.repeat(99));
    expect(nodes.nameOf('mote 1')).toHaveLength(LONGEST_NAME);
  });
  it('are those of an end of messages too, with its port', () => {
    const nodes = new Nodes();
    nodes.rename('10.0.0.1', 'server');
    expect([nodes.nameOf('10.0.0.1'), nodes.nameOf('10.0.0.1:5683'), nodes.nameOf('10.0.0.10:5683')]).toEqual([
      'server',
      'server:5683',
      '10.0.0.10:5683',
    ]);
  });
  it('stand in sentences of the core, and no name within another one', () => {
    const nodes = new Nodes();
    nodes.rename('mote 1', 'sink');
    nodes.rename('fd00::1', 'door');
    expect(nodes.say('mote 1 asks mote 12 by mote 1. (mote 1)')).toBe('sink asks mote 12 by sink. (sink)');
    expect(nodes.say('fd00::1 and fd00::12, 2:fd00::1')).toBe('door and fd00::12, 2:fd00::1');
    nodes.restore([]);
    expect(nodes.say('mote 1')).toBe('mote 1');
  });
  it('and places come from a list, which leaves what it does not say', () => {
    const nodes = new Nodes();
    nodes.rename('mote 1', 'sink');
    nodes.take(
      plan([
        { node: 0, place: { x: 1, y: 2 }, name: null },
        { node: 1, place: null, name: 'hall' },
      ]),
      network,
    );
    expect([nodes.nameOf('mote 1'), nodes.placeOf('mote 1'), nodes.nameOf('mote 12')]).toEqual([
      'sink',
      { x: 1, y: 2 },
      'hall',
    ]);
    // A place stays where the name is taken back.
    nodes.rename('mote 1', 'mote 1');
    expect(nodes.all.find(({ node }) => node === 'mote 1')).toEqual({
      node: 'mote 1',
      name: null,
      place: { x: 1, y: 2 },
    });
  });
  it('do not depend on the order in which they were given', () => {
    const names = fc.uniqueArray(fc.record({ core: fc.string({ minLength: 1 }), name: fc.string({ minLength: 1 }) }), {
      selector: ({ core }) => core,
    });
    fc.assert(
      fc.property(names, (all) => {
        const [one, other] = [new Nodes(), new Nodes()];
        for (const { core, name } of all) one.rename(core, name);
        for (const { core, name } of [...all].reverse()) other.rename(core, name);
        expect(one.all).toEqual(other.all);
        expect(one.say('a plain sentence, 1:2')).toEqual(other.say('a plain sentence, 1:2'));
      }),
    );
  });
});

it('knows lists of nodes by their names', () => {
  const files = ['/a/sim.csc', 'nodes.csv', 'x.CSC.gz', 'radiolog.txt', 'capture.pcap.gz', 'a.csc.txt'];
  expect(files.map(isNodeList)).toEqual([true, true, true, false, false, false]);
});
