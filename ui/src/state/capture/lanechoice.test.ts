import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssociationView } from '../../ipc/gen/types';
import {
  ALL_LANES,
  MANY_OF_A_HOST,
  bare,
  hostAddress,
  hostsOf,
  laneOfHost,
  lanesOf,
  type LaneChoice,
} from './lanechoice';

/** An association of a host with a port; numbers that are not said are those of one exchange. */
function one(id: number, host: string, port: number, numbers: Partial<AssociationView> = {}): AssociationView {
  const names = {
    client_name: `${host}:${port}`,
    server_name: 'mote 1',
    client: `${host}:${port}`,
    server: '10.0.0.9:5683',
  };
  const counts = { exchanges: 1, copies: 1, needless: 0, lost: 0, hops: null, completion: 100, completion_p95: 100 };
  return { id, ...names, ...counts, ...numbers } as AssociationView;
}
const many = [
  one(0, '10.0.0.2', 1000, { copies: 4, needless: 3, exchanges: 3, completion: 300 }),
  one(1, '10.0.0.3', 5683, { copies: 2, needless: 1 }),
  ...[2, 3, 4, 5].map((id) => one(id, '10.0.0.2', 1000 + id)),
  one(6, '10.0.0.4', 7, { completion: null }),
];
const names = (choice: Partial<LaneChoice> = {}) =>
  lanesOf(many, { ...ALL_LANES, ...choice }).map(({ client_name }) => client_name);

describe('lanes of hosts', () => {
  it('are one for each host with many associations, which stand for themselves where there are few', () => {
    expect(names()).toEqual(['10.0.0.2', '10.0.0.3:5683', '10.0.0.4:7']);
    expect(hostsOf(many)).toEqual([{ address: '10.0.0.2', members: [0, 2, 3, 4, 5] }]);
    expect(hostsOf(many.slice(0, MANY_OF_A_HOST))).toEqual([]);
    const few = lanesOf(many.slice(0, MANY_OF_A_HOST), ALL_LANES);
    expect(few.map(({ id }) => id).sort()).toEqual([0, 1, 2, 3]);
  });
  it('sum up their associations', () => {
    const [host] = lanesOf(many, ALL_LANES);
    expect(host).toMatchObject({ copies: 8, needless: 3, exchanges: 7, completion: (3 * 300 + 4 * 100) / 7 });
    expect(host).toMatchObject({ id: laneOfHost(0), server_name: 'mote 1', host: { folded: true, left: 5, place: 0 } });
  });
  it('are unfolded into those of their associations, by port, below them', () => {
    const unfolded = names({ unfolded: ['10.0.0.2'] });
    expect(unfolded.slice(0, 4)).toEqual(['10.0.0.2', '10.0.0.2:1000', '10.0.0.2:1002', '10.0.0.2:1003']);
    expect(names({ unfolded: ['10.0.0.9'] })).toEqual(names());
  });
  it('stand in the order of all lanes, pinned ones first', () => {
    expect(names({ order: 'needless' })).toEqual(['10.0.0.3:5683', '10.0.0.2', '10.0.0.4:7']);
    expect(names({ order: 'copies' })[0]).toBe('10.0.0.2');
    expect(names({ order: 'completion' })).toEqual(['10.0.0.2', '10.0.0.3:5683', '10.0.0.4:7']);
    expect(names({ order: 'needless', pinned: [4] })[0]).toBe('10.0.0.2');
    expect(names({ unfolded: ['10.0.0.2'], pinned: [4] }).slice(0, 2)).toEqual(['10.0.0.2', '10.0.0.2:1004']);
  });
  it('are left by a filter with any of their associations, of which they say the number', () => {
    const [host, ...others] = lanesOf(many, { ...ALL_LANES, filter: ':1003' });
    expect([host?.host?.left, others]).toEqual([1, []]);
    expect(names({ filter: ':1003', unfolded: ['10.0.0.2'] })).toEqual(['10.0.0.2', '10.0.0.2:1003']);
    expect(names({ filter: 'nobody' })).toEqual([]);
  });
  it('have every association once, whatever is unfolded, filtered, pinned and ordered', () => {
    const choice = fc.record({
      order: fc.constantFrom('name', 'needless', 'lost', 'copies', 'completion'),
      filter: fc.constantFrom('', '10.0.0.2', ':5683', '3'),
      pinned: fc.subarray([0, 1, 2, 6]),
      unfolded: fc.subarray(['10.0.0.2', '10.0.0.3']),
    });
    const hosts = fc.array(fc.constantFrom('10.0.0.2', '10.0.0.3', '[fd00::2]'), { maxLength: 14 });
    fc.assert(
      fc.property(choice, hosts, (chosen, of) => {
        const all = of.map((host, id) => one(id, host, 1000 + id));
        const lanes = lanesOf(all, chosen as LaneChoice);
        const shown = lanes.flatMap(({ id, host }) => (host ? (host.folded ? host.members : []) : [id]));
        expect(new Set(shown).size).toBe(shown.length);
        if (chosen.filter === '') expect([...shown].sort((a, b) => a - b)).toEqual(all.map(({ id }) => id));
        expect(new Set(lanes.map(({ id }) => id)).size).toBe(lanes.length);
      }),
    );
  });
  it('know addresses without ports', () => {
    expect(['[fd00::1]:5683', '10.0.0.1:7', 'fd00::12', 'mote 3'].map(bare)).toEqual([
      '[fd00::1]',
      '10.0.0.1',
      'fd00::12',
      'mote 3',
    ]);
    expect(hostAddress(one(0, '[fd00::2]', 5683))).toBe('[fd00::2]');
  });
});
