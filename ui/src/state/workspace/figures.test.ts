import { describe, expect, it, vi } from 'vitest';
import { Failure, type Backend } from '../../ipc/backend';
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
    expect([figures.together, figures.recipe]).toEqual([true, undefined]);
    figures.chooseLast();
    expect([figures.together, figures.recipe?.id]).toEqual([false, 'rto_box']);
    figures.choose('early_bars');
    figures.set('early_bars', 'level', 0.9);
    figures.set('rto_box', 'box', 'iqr15');
    const sources = [{ id: 3, title: 'A', tags: { mac: 'TSCH' } }];
    figures.want({ sources, algorithms: [{ id: 'cocoa_plus', params: {} }], settings: SETTINGS });
    figures.want({ sources, algorithms: [{ id: 'cocoa_plus', params: {} }], settings: SETTINGS });
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
    figures.want({
      sources: [{ ...sources[0]!, part }],
      algorithms: [],
      settings: { ...SETTINGS, policy: { nstart: 2 } },
    });
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
    figures.choose(null);
    expect(figures.together).toBe(true);
    figures.chooseLast();
    expect(figures.recipe?.id, 'the one of before').toBe('early_bars');
    save.mockResolvedValueOnce(null);
    expect(await figures.savePicture('svg', '<svg/>')).toBeNull();
    figures.reset('early_bars', 'level');
    expect(figures.switches('early_bars')).toEqual({});
    expect(figures.takes(3)).toBe(true);
    figures.take([3], false);
    expect(figures.takes(3)).toBe(false);
    expect(figures.takes(3, 'rto_box'), 'another recipe').toBe(true);
    figures.choose('rto_box');
    expect(figures.takes(3)).toBe(true);
    figures.choose('early_bars');
    figures.want({ sources: [...sources, { id: 4, title: 'B', tags: {} }], algorithms: [], settings: SETTINGS });
    await settled();
    expect(call.mock.calls.at(-1)?.[1]).toMatchObject({ recipe: 'early_bars', captures: [{ capture: 4 }] });
    figures.choose(null);
    figures.take([3], false);
    expect([figures.takes(3, 'rto_box'), figures.takes(3, 'early_bars')], 'of all').toEqual([false, false]);
    figures.take([3], true);
    expect([figures.takes(3, 'rto_box'), figures.takes(3, 'early_bars')], 'of all').toEqual([true, true]);
  });
});

describe('figures of all recipes', () => {
  const ask = { sources: [{ id: 3, title: 'A', tags: {} }], algorithms: [], settings: SETTINGS };
  /** A core that answers a figure when it is told to; calls of figures by recipe, with their signals. */
  function held() {
    const calls: { recipe: string; seed: number; signal: AbortSignal; answer: (value: unknown) => void }[] = [];
    const call = vi.fn((name: string, request: unknown, options?: { signal: AbortSignal }) => {
      if (name !== 'figure') return Promise.resolve(RECIPES);
      const { recipe, seed } = request as { recipe: string; seed: number };
      const signal = options?.signal ?? new AbortController().signal;
      return new Promise((resolve, reject) => {
        const answer = (value: unknown) => (value instanceof Failure ? reject(value) : resolve(value));
        signal.addEventListener('abort', () => reject(new Failure('cancelled', 'Cancelled')));
        calls.push({ recipe, seed, signal, answer });
      });
    });
    return { calls, figures: new Figures({ call } as unknown as Backend, new Prefs()) };
  }
  async function begun() {
    const { calls, figures } = held();
    figures.load();
    await settled();
    figures.wantAll(ask);
    await settled();
    return { calls, figures };
  }

  it('are asked for one after the other, and a refused one leaves the next', async () => {
    const { calls, figures } = await begun();
    expect(calls.map(({ recipe }) => recipe)).toEqual(['rto_box']);
    calls[0]?.answer(new Failure('request', 'One client: nothing to compare.'));
    await settled();
    expect(calls.map(({ recipe }) => recipe)).toEqual(['rto_box', 'early_bars']);
    calls[1]?.answer({ recipe: 'early_bars' });
    await settled();
    expect(figures.overview.of('rto_box')?.failure?.message).toBe('One client: nothing to compare.');
    expect(figures.overview.of('early_bars')?.value?.recipe).toBe('early_bars');
  });

  it('are stopped when the view is left, and only what is missing is asked for again', async () => {
    const { calls, figures } = await begun();
    calls[0]?.answer({ recipe: 'rto_box' });
    await settled();
    figures.leave();
    await settled();
    expect(calls[1]?.signal.aborted).toBe(true);
    expect(calls).toHaveLength(2);
    expect(figures.overview.of('early_bars')?.failure).toBeUndefined();
    figures.wantAll(ask);
    await settled();
    expect(calls.map(({ recipe }) => recipe)).toEqual(['rto_box', 'early_bars', 'early_bars']);
  });

  it('of another question replace those under way', async () => {
    const { calls, figures } = await begun();
    figures.wantAll({ ...ask, settings: { ...SETTINGS, seed: 2 } });
    await settled();
    expect(calls.map(({ seed, signal }) => [seed, signal.aborted])).toEqual([
      [1, true],
      [2, false],
    ]);
    calls[1]?.answer({ recipe: 'rto_box' });
    await settled();
    expect(calls.map(({ recipe, seed }) => [recipe, seed]).at(-1)).toEqual(['early_bars', 2]);
    expect(calls).toHaveLength(3);
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
