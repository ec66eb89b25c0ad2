import { describe, expect, it } from 'vitest';
import type { AlgorithmSpec, ParamSpec } from '../../ipc/gen/types';
import { Algorithms, choiceKey, describe as say, overrides, toNumber } from './algorithms.svelte';
import { Prefs } from '../window/prefs.svelte';
import { sweepable, sweepValues, WhatIf } from './whatif.svelte';

const param = (name: string, value: number | string, change: Partial<ParamSpec> = {}): ParamSpec => ({
  name,
  label: name.toUpperCase(),
  group: '',
  doc: '',
  unit: 'factor',
  default: value,
  min: 0,
  max: 16,
  scale: 'linear',
  choices: [],
  citation: '',
  reading: false,
  ...change,
});
const spec = (id: string, params: ParamSpec[] = []): AlgorithmSpec => ({
  id,
  name: id.toUpperCase(),
  family: id,
  family_name: id,
  heading: id,
  summary: '',
  rank: 'A',
  reading: false,
  citation: '',
  marks_attempts: false,
  dithers: true,
  default: true,
  waits_after_last: true,
  monotone: true,
  params,
  state: [],
  paced: false,
  warnings: [],
  assumptions: [],
  diagram: null,
});
const cocoa = spec('cocoa', [
  param('k', 4),
  param('alpha', '1/4', { unit: 'ratio', max: 1 }),
  param('mode', 'both', {
    unit: 'choice',
    choices: [
      { name: 'both', label: 'both' },
      { name: 'rtt_first', label: 'RTT first' },
    ],
  }),
]);
const SPECS = [spec('coap'), cocoa, spec('lee')];

function loaded(prefs = new Prefs()) {
  const algorithms = new Algorithms(prefs);
  algorithms.load(SPECS, ['cocoa', 'lee', 'gone']);
  return algorithms;
}

describe('Algorithms', () => {
  it('starts with the defaults that exist, and remembers what was chosen', () => {
    const prefs = new Prefs();
    const algorithms = loaded(prefs);
    expect(algorithms.shown.map(({ key }) => key)).toEqual(['cocoa', 'lee']);
    algorithms.add({ id: 'coap', params: {} });
    algorithms.remove('lee');
    expect(loaded(prefs).shown.map(({ key }) => key)).toEqual(['cocoa', 'coap']);
  });

  it('orders by hand, looks by registry order', () => {
    const algorithms = loaded();
    algorithms.move('lee', -1);
    expect(algorithms.shown.map(({ key, order }) => [key, order])).toEqual([
      ['lee', 2],
      ['cocoa', 1],
    ]);
    algorithms.place('lee', 1);
    expect(algorithms.shown.map(({ key }) => key)).toEqual(['cocoa', 'lee']);
    algorithms.move('lee', 1);
    expect(algorithms.shown.map(({ key }) => key)).toEqual(['cocoa', 'lee']);
  });

  it('numbers variants of a preset, the draft last', () => {
    const algorithms = loaded();
    algorithms.sketch({ id: 'cocoa', params: { k: 3 } });
    const draft = algorithms.shown.at(-1);
    expect([draft?.draft, draft?.variant, draft?.name]).toEqual([true, 1, 'COCOA, K 3']);
    algorithms.add({ id: 'cocoa', params: { k: 3 } });
    expect(algorithms.shown.map((item) => item.draft)).toEqual([false, false, false]);
  });

  it('shows what the reader loads, and keeps the rest as chosen', () => {
    const algorithms = loaded();
    algorithms.learn([...SPECS, spec('mine')], ['mine']);
    expect(algorithms.shown.map(({ key, order }) => [key, order])).toEqual([
      ['cocoa', 1],
      ['lee', 2],
      ['mine', 3],
    ]);
  });

  it('keeps only what differs from the preset', () => {
    expect(overrides(cocoa, { k: 4, alpha: 0.25, mode: 'none', other: 1 })).toEqual({ mode: 'none' });
    expect(choiceKey({ id: 'cocoa', params: { b: 1, a: 2 } })).toBe('cocoa {"a":2,"b":1}');
    expect(say(cocoa, { k: 3 })).toBe('K 3');
    expect(say(cocoa, { mode: 'rtt_first', alpha: '1/8' })).toBe('MODE RTT first, ALPHA 1/8');
    expect(toNumber('1/4')).toBe(0.25);
  });
});

describe('WhatIf', () => {
  it('changes, keeps and starts over', () => {
    const whatIf = new WhatIf();
    whatIf.choose('cocoa');
    whatIf.set(cocoa, 'k', 3);
    expect(whatIf.now).toEqual({ id: 'cocoa', params: { k: 3 } });
    expect(whatIf.keep()).toBe('C');
    whatIf.set(cocoa, 'k', 4);
    expect(whatIf.changed).toBe(false);
    whatIf.choose('lee');
    expect(whatIf.snapshots).toEqual([]);
  });

  it('sweeps numbers around their default, within range', () => {
    expect(sweepable(cocoa).map(({ name }) => name)).toEqual(['k', 'alpha']);
    const values = sweepValues(cocoa.params[0]!);
    expect(values).toContain(4);
    expect(Math.max(...values)).toBeLessThanOrEqual(16);
    expect(sweepValues(param('n', 2, { unit: 'count', min: 1, max: 4 }))).toEqual([1, 2, 3, 4]);
  });
});
