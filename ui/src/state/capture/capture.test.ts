import { expect, it } from 'vitest';
import type { AssociationView } from '../../ipc/gen/types';
import { arranged, byName, shortNames } from './capture.svelte';

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

it('arranges lanes by share of needless copies or by copies, equal ones by name', () => {
  const of = (name: string, needless: number, copies: number) => ({ ...association(name), needless, copies });
  const all = [of('d', 1, 10), of('c', 5, 100), of('b', 0, 0), of('a', 2, 20)];
  const names = (by: Parameters<typeof arranged>[1]) => arranged(all, by).map(({ client_name }) => client_name);
  expect(names('name')).toEqual(['a', 'b', 'c', 'd']);
  expect(names('needless')).toEqual(['a', 'd', 'c', 'b']);
  expect(names('copies')).toEqual(['c', 'a', 'd', 'b']);
});
