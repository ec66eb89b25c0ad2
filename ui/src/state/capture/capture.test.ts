import { expect, it } from 'vitest';
import type { AssociationView } from '../../ipc/gen/types';
import { shortNames } from './capture.svelte';
import { ALL_LANES, arranged, byName, hasLane, stacked } from './lanechoice';

const association = (client_name: string, server_name = '10.0.0.1:5683') =>
  ({ client_name, server_name }) as AssociationView;

it('leaves ports out where addresses tell the ends apart', () => {
  const names = shortNames([association('10.0.0.2:40001'), association('10.0.0.3:40001')]);
  expect(names.map((one) => [one.client_name, one.server_name])).toEqual([
    ['10.0.0.2', '10.0.0.1'],
    ['10.0.0.3', '10.0.0.1'],
  ]);
});

it('keeps them where they do not, and does not touch other names', () => {
  expect(shortNames([association('10.0.0.2:1'), association('10.0.0.2:2')])[0]?.client_name).toBe('10.0.0.2:1');
  expect(shortNames([association('mote 2', 'mote 1')])[0]).toMatchObject({
    client_name: 'mote 2',
    server_name: 'mote 1',
  });
  expect(shortNames([association('[fd00::2]:5683')])[0]?.client_name).toBe('[fd00::2]');
});

it('orders associations by name, numbers by their value', () => {
  const names = ['mote 10', 'mote 2', '10.77.0.12', '10.77.0.9', 'mote 2'];
  const all = names.map((name, id) => ({ ...association(name, id === 1 ? 'b' : 'a'), id }));
  expect(byName(all).map(({ id }) => id)).toEqual([3, 2, 4, 1, 0]);
  expect(all.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
});

it('arranges lanes by shares of needless or lost copies, by copies or by completion, equal ones by name', () => {
  const of = (name: string, needless: number, copies: number, lost: number, completion: number | null) => ({
    ...association(name),
    ...{ needless, copies, lost, completion },
  });
  const all = [of('d', 1, 10, 0, 7), of('c', 5, 100, 30, 9), of('b', 0, 0, 0, null), of('a', 2, 20, 2, 8)];
  const names = (by: Parameters<typeof arranged>[1]) => arranged(all, by).map(({ client_name }) => client_name);
  expect(names('name')).toEqual(['a', 'b', 'c', 'd']);
  expect(names('needless')).toEqual(['a', 'd', 'c', 'b']);
  expect(names('copies')).toEqual(['c', 'a', 'd', 'b']);
  expect(names('lost')).toEqual(['c', 'a', 'b', 'd']);
  expect(names('completion')).toEqual(['c', 'a', 'd', 'b']);
});

it('puts pinned lanes first and shows them whatever the filter; lanes of a capture that grew keep their places', () => {
  const names = ['pump', 'mote 2', 'mote 10', 'mote 1'];
  const all = names.map((name, id) => ({
    ...association(name),
    id,
    client: `[fd00::${id}]:5683`,
    server: '[fd00::9]:5683',
  }));
  const order = (choice: Partial<typeof ALL_LANES>, before: readonly number[] = []) => {
    const whole = { ...ALL_LANES, ...choice };
    return stacked(all, whole, before)
      .filter((one) => hasLane(one, whole))
      .map(({ client_name }) => client_name);
  };
  expect(order({})).toEqual(['mote 1', 'mote 2', 'mote 10', 'pump']);
  expect(order({ pinned: [0] })).toEqual(['pump', 'mote 1', 'mote 2', 'mote 10']);
  expect(order({ pinned: [0], filter: ' MOTE 1 ' })).toEqual(['pump', 'mote 1', 'mote 10']);
  expect(order({ filter: 'fd00::2' })).toEqual(['mote 10']);
  expect(order({ filter: 'fd00::9' })).toHaveLength(4);
  expect(order({ filter: 'nobody' })).toEqual([]);
  expect(order({}, [2, 0])).toEqual(['mote 10', 'pump', 'mote 1', 'mote 2']);
});
