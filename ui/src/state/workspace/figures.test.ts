import { describe, expect, it, vi } from 'vitest';
import type { Backend } from '../../ipc/backend';
import type { CaptureView } from '../../ipc/gen/types';
import { Figures } from './figures.svelte';
import { Prefs } from '../window/prefs.svelte';
import { Tags } from '../library/tags.svelte';

const RECIPES = [{ id: 'rto_box' }, { id: 'early_bars' }];
const SETTINGS = { channel: 'empirical', workload: 'auto', seed: 1, replicates: 200 } as const;

function backend(replies: Record<string, unknown>) {
  const call = vi.fn<(name: string, request?: unknown) => Promise<unknown>>((name) => Promise.resolve(replies[name]));
  const save = vi.fn((name: string): Promise<string | null> => Promise.resolve(`/tmp/${name}`));
  return { call, save, as: { call, save } as unknown as Backend };
}

const settled = () => new Promise((done) => setTimeout(done));

describe('figures', () => {
  it('ask for the chosen recipe with its switches and the captures that are in', async () => {
    const { call, save, as } = backend({ recipes: RECIPES, figure: { recipe: 'early_bars' } });
    const figures = new Figures(as, new Prefs());
    figures.load();
    await settled();
    expect(figures.recipe?.id).toBe('rto_box');
    figures.choose('early_bars');
    figures.set('early_bars', 'level', 0.9);
    figures.set('rto_box', 'box', 'iqr15');
    const sources = [{ id: 3, title: 'A', tags: { mac: 'TSCH' } }];
    figures.want(sources, [{ id: 'cocoa_plus', params: {} }], SETTINGS);
    figures.want(sources, [{ id: 'cocoa_plus', params: {} }], SETTINGS);
    await settled();
    const asked = call.mock.calls.filter(([name]) => name === 'figure');
    expect(asked).toHaveLength(1);
    expect(asked[0]?.[1]).toEqual({
      recipe: 'early_bars',
      captures: [{ capture: 3, name: 'A', tags: { mac: 'TSCH' } }],
      algorithms: [{ id: 'cocoa_plus', params: {} }],
      params: { level: 0.9 },
      ...SETTINGS,
    });
    const part = { as_recorded: [1], start: { at: 5, warm: true } };
    figures.want([{ ...sources[0]!, part }], [], { ...SETTINGS, policy: { nstart: 2 } });
    await settled();
    expect(call.mock.calls.at(-1)?.[1]).toMatchObject({ captures: [{ capture: 3, part }], policy: { nstart: 2 } });
    expect(figures.figure.value?.recipe).toBe('early_bars');
    expect(await figures.saveTable('latex')).toBe('/tmp/early_bars.tex');
    expect(call.mock.calls.at(-1)?.[1]).toMatchObject({ format: 'latex', path: '/tmp/early_bars.tex' });
    figures.wantLine();
    figures.wantLine();
    expect(call.mock.calls.filter(([name]) => name === 'figure_line')).toEqual([
      [
        'figure_line',
        expect.objectContaining({ captures: [{ capture: 3, name: 'A', tags: { mac: 'TSCH' }, part }] }),
        expect.anything(),
      ],
    ]);
    save.mockResolvedValueOnce(null);
    expect(await figures.savePicture('svg', '<svg/>')).toBeNull();
    figures.reset('early_bars', 'level');
    expect(figures.switches('early_bars')).toEqual({});
    expect(figures.takes(3)).toBe(true);
    figures.toggle(3);
    expect(figures.takes(3)).toBe(false);
  });
});

describe('tags', () => {
  const view = { id: 1, sha256: 'ab' } as CaptureView;
  it('are proposals until the reader says otherwise, and are kept by content', async () => {
    const { as } = backend({ proposed_tags: [{ key: 'mac', value: 'TSCH', why: 'name' }] });
    const prefs = new Prefs();
    const tags = new Tags(as, prefs);
    tags.want(1);
    expect(tags.known(1)).toBe(false);
    await settled();
    expect(tags.known(1)).toBe(true);
    expect(tags.of(view)).toEqual({ mac: 'TSCH' });
    tags.set(view, 'room', ' cellar ');
    tags.set(view, 'mac', '');
    expect(tags.of(view)).toEqual({ room: 'cellar' });
    expect(tags.of({ ...view, sha256: 'cd' })).toEqual({ mac: 'TSCH' });
    tags.set(view, 'mac', 'TSCH');
    expect(prefs.get('tags')).toEqual({ ab: { room: 'cellar' } });
  });
});
