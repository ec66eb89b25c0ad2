import { describe, expect, it, vi } from 'vitest';
import { Failure, type Backend } from '../../ipc/backend';
import type { AlgorithmSpec, PresetsView } from '../../ipc/gen/types';
import { Catalogue, families } from './catalogue.svelte';

const spec = (id: string, heading: string, usual = true) =>
  ({
    id,
    name: id.toUpperCase(),
    family_name: heading,
    heading,
    citation: 'Betzler',
    summary: '',
    default: usual,
  }) as AlgorithmSpec;
const SPECS = [spec('coap', 'CoAP'), spec('cocoa', 'CoCoA'), spec('coap_b', 'CoAP', false)];

describe('families', () => {
  it('groups in the order of the registry and keeps places', () => {
    const groups = families(SPECS, '');
    expect(groups.map(({ name }) => name)).toEqual(['CoAP', 'CoCoA']);
    expect(groups[0]?.items.map(({ order }) => order)).toEqual([0, 2]);
  });
  it('wants every word, and what is kept', () => {
    expect(families(SPECS, 'betzler cocoa').flatMap(({ items }) => items.map((item) => item.spec.id))).toEqual([
      'cocoa',
    ]);
    expect(families(SPECS, '', ({ default: usual }) => usual)[0]?.items).toHaveLength(1);
    expect(families(SPECS, 'nothing like it')).toEqual([]);
  });
});

describe('Catalogue', () => {
  const view: PresetsView = { loaded: ['mine'], mine: [{ id: 'mine', base: 'cocoa' }], algorithms: [...SPECS] };
  function loading(answer: () => Promise<PresetsView>, paths = ['/x/plant.toml']) {
    const asked: unknown[] = [];
    const call = (name: string, request: unknown) => (asked.push([name, request]), answer());
    const backend = { call, pick: () => Promise.resolve(paths) } as unknown as Backend;
    const onload = vi.fn();
    return { catalogue: new Catalogue(backend, onload), asked, onload };
  }

  it('loads what was picked, and the same file again after it was edited', async () => {
    const { catalogue, asked, onload } = loading(() => Promise.resolve(view));
    expect(await catalogue.load()).toBe(true);
    expect(await catalogue.load()).toBe(true);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toEqual(['presets', { path: '/x/plant.toml', text: null }]);
    expect(catalogue.mine.has('mine')).toBe(true);
    expect(onload).toHaveBeenCalledWith(view);
  });
  it('keeps what is wrong with a file', async () => {
    const { catalogue, onload } = loading(() => Promise.reject(new Failure('request', 'mistakes')));
    expect(await catalogue.load()).toBe(false);
    expect(catalogue.presets.failure?.message).toBe('mistakes');
    expect(onload).not.toHaveBeenCalled();
  });
  it('does nothing when the dialog is dismissed', async () => {
    const { catalogue, asked } = loading(() => Promise.resolve(view), []);
    expect(await catalogue.load()).toBe(false);
    expect(asked).toEqual([]);
  });
});
