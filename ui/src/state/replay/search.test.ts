import { describe, expect, it, vi } from 'vitest';
import type { Backend } from '../../ipc/backend';
import type { ParamSpec } from '../../ipc/gen/types';
import { Search } from './search.svelte';
import { Experiment, mapValues, WhatIf } from './whatif.svelte';

const SETTINGS = { channel: 'empirical', workload: 'auto', seed: 4, replicates: 200 } as const;
const param = (name: string, unit: string, value: number, max = 100): ParamSpec =>
  ({
    name,
    label: name,
    unit,
    default: value,
    min: unit === 'count' ? 1 : 0.01,
    max,
    choices: [],
  }) as unknown as ParamSpec;

describe('a search', () => {
  it('asks for what is wanted, with fewer replicates than Compare', async () => {
    const call = vi.fn<(name: string, request: unknown) => Promise<unknown>>(() => Promise.resolve({ algorithm: 'a' }));
    const search = new Search({ call } as unknown as Backend);
    search.want({ over: ['k', 'alpha'], holdOut: 7, evaluations: 30 });
    search.show(true, 'gilbert_elliott');
    await search.run(2, { id: 'a', params: { k: 3 } }, SETTINGS);
    expect(call.mock.calls[0]?.slice(0, 2)).toEqual([
      'optimise',
      {
        ...{ capture: 2, hold_out: 7, algorithm: { id: 'a', params: { k: 3 } }, over: ['k', 'alpha'] },
        ...{
          objective: 'completion',
          method: 'nelder_mead',
          evaluations: 30,
          channel: 'gilbert_elliott',
          workload: 'auto',
          seed: 4,
          replicates: 50,
        },
      },
    ]);
    expect(search.found.value).toEqual({ algorithm: 'a' });
    // Each capture has its own part; the rules are the window's.
    const part = { as_recorded: [1] };
    const checked = { start: { at: 5, warm: false } };
    await search.run(2, { id: 'a', params: {} }, { ...SETTINGS, part, policy: { nstart: 2 } }, checked);
    expect(call.mock.calls.at(-1)?.[1]).toMatchObject({ part, hold_out_part: checked, policy: { nstart: 2 } });
    // A capture is not its own check.
    await search.run(7, { id: 'a', params: {} }, SETTINGS, checked);
    expect(call.mock.calls.at(-1)?.[1]).toMatchObject({ capture: 7, hold_out: null });
    expect(call.mock.calls.at(-1)?.[1]).not.toHaveProperty('hold_out_part');
  });

  it('has a model of the channel where the window has none', () => {
    const search = new Search({} as Backend);
    search.show(true, 'recorded');
    expect(search.wanted.channel).toBe('auto');
    search.show(false);
    search.show(true, 'twin');
    expect(search.wanted.channel).toBe('twin');
  });

  it('stops when its dialog closes', async () => {
    const call = vi.fn(
      (_name: string, _request: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))),
    );
    const search = new Search({ call } as unknown as Backend);
    search.show(true);
    const asked = search.run(1, { id: 'a', params: {} }, SETTINGS);
    expect(search.found.pending).toBe(true);
    search.show(false);
    await asked;
    expect([search.open, search.found.pending, search.found.failure]).toEqual([false, false, undefined]);
  });
});

describe('a map', () => {
  const spec = { id: 'a', params: [param('k', 'factor', 4), param('start', 'seconds', 2)] } as never;

  it('takes another parameter than the curve', () => {
    const whatIf = new WhatIf();
    whatIf.choose('a');
    expect([whatIf.swept(spec)?.name, whatIf.across(spec)?.name]).toEqual(['k', 'start']);
    whatIf.sweep('start');
    expect(whatIf.across(spec)?.name).toBe('k');
    whatIf.sweepAcross('start');
    expect(whatIf.across(spec)?.name, 'not the same twice').toBe('k');
  });

  it('has the default among its values, and few enough of them', () => {
    for (const one of [
      param('k', 'factor', 4),
      param('start', 'seconds', 2),
      param('n', 'count', 3),
      param('top', 'factor', 90),
    ]) {
      const values = mapValues(one);
      expect(values, one.name).toContain(one.default);
      expect(values.length).toBeLessThanOrEqual(7);
      expect(values.every((value) => value >= 0.01 && value <= 100)).toBe(true);
    }
  });

  it('asks for every value with every other', async () => {
    const call = vi.fn<(name: string, request: unknown) => Promise<unknown>>(() => Promise.resolve([]));
    const experiment = new Experiment({ call } as unknown as Backend, 3);
    experiment.wantMap({ id: 'a', params: {} }, param('k', 'factor', 4), param('start', 'seconds', 2), SETTINGS);
    await Promise.resolve();
    expect(call.mock.calls[0]?.[1]).toMatchObject({
      ...{ capture: 3, parameter: 'k', values: mapValues(param('k', 'factor', 4)), replicates: 20 },
      across: { parameter: 'start', values: mapValues(param('start', 'seconds', 2)) },
    });
  });
});
