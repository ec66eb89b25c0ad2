import { describe, expect, it } from 'vitest';
import type { AlgorithmSpec, MeasuredRun, SensitivityView } from '../../ipc/gen/types';
import { presetAnswers } from './presets';
import { truthsOf, truthTitle } from './truths';

const run = (name: string, same: number[], alike: number[]): MeasuredRun => ({
  ...{ name, capture: null, known: 'bundled', same, alike, metrics: { duration_mean: 2.37 } },
  algorithm: { id: 'cocoa', params: { rto_max: 32 } },
});
const spec = {
  id: 'cocoa',
  name: 'CoCoA',
  params: [{ name: 'rto_max', label: 'RTO max', unit: 'seconds', default: 60 }],
};
const specOf = (id: string) => (id === 'cocoa' ? (spec as unknown as AlgorithmSpec) : undefined);

describe('truth marks', () => {
  const runs = [run('seed 1', [0], [2]), run('seed 2', [0], [2]), run('other', [], [0, 1])];
  it('stand beside the timer that ran; beside others of its algorithm only where it did not', () => {
    expect(truthsOf(runs, 0, specOf).map(({ run, same }) => [run.name, same])).toEqual([
      ['seed 1', true],
      ['seed 2', true],
    ]);
    expect(truthsOf(runs, 1, specOf).map(({ run, same }) => [run.name, same])).toEqual([['other', false]]);
    expect(truthsOf(runs, 3, specOf)).toEqual([]);
    expect(truthsOf(undefined, 0, specOf)).toEqual([]);
  });
  it('say what ran, and that it is another timer where it is one', () => {
    const [same] = truthsOf(runs, 0, specOf);
    const [alike] = truthsOf(runs, 1, specOf);
    expect(truthTitle(same!, 2.37, 's', 2)).toBe('Measured 2.37\u00a0s: this timer really ran (seed 1)');
    expect(truthTitle(alike!, 2.37, 's', 2)).toBe(
      'Measured 2.37\u00a0s: CoCoA (RTO max 32 s) really ran, a timer of the same algorithm (other)',
    );
    const told = { ...same!, run: { ...same!.run, known: 'identified' as const } };
    expect(truthTitle(told, 3, '', 0)).toBe('Measured 3: this timer really ran, told by its timeouts (seed 1)');
  });
});

describe('presets', () => {
  const preset = (name: string, value: number, usual: number | null) => ({ name, value, usual, unit: '' });
  const metric = {
    name: 'duration_mean',
    label: 'Completion',
    rule: 'mean',
    unit: 's',
    smaller_is_better: true,
    headline: true,
  };
  const view: SensitivityView = {
    algorithms: ['coap_default', 'cocoa_plus'].map((id) => ({ id, params: {} })),
    ...{ replicates: 100, ranking: {} },
    variations: [
      { what: 'as asked', refused: null, means: [{ duration_mean: 18 }, { duration_mean: 3.2 }], modes: [] },
      {
        ...{ what: 'packets queued 16', refused: null, preset: preset('packets-queued', 16, null), modes: [] },
        means: [{ duration_mean: 17 }, { duration_mean: 3.3 }],
      },
      {
        ...{ what: 'max back-off exponent 4', refused: null, preset: preset('max-back-off-exponent', 4, 5), modes: [] },
        means: [{ duration_mean: 15 }, { duration_mean: 2.5 }],
      },
      {
        ...{ what: 'max back-off exponent 7', refused: null, preset: preset('max-back-off-exponent', 7, 5) },
        ...{ means: [{ duration_mean: 18 }, {}], modes: [{}, { duration_mean: [4, 12] as [number, number] }] },
      },
      { what: 'channel empirical', refused: null, means: [{ duration_mean: 16 }, { duration_mean: 22 }], modes: [] },
    ],
  };
  it('are sorted by their effect on the best timer, both modes counted, and other variations are none', () => {
    const found = presetAnswers(view, metric);
    expect(found).toMatchObject({ algorithm: 1, asked: 3.2 });
    expect(found?.rows.map(({ name, usual }) => [name, usual])).toEqual([
      ['Max back-off exponent', '5'],
      ['Packets queued', 'drawn'],
    ]);
    expect(found?.rows[0]?.effect).toBeCloseTo(8.8);
    expect(found?.rows[0]?.answers).toEqual([
      { value: '4', means: [2.5] },
      { value: '7', means: [4, 12] },
    ]);
    expect(presetAnswers(view, metric, 0)?.rows[0]?.effect).toBeCloseTo(3);
    expect(presetAnswers({ ...view, variations: view.variations.slice(0, 1) }, metric)).toBeUndefined();
  });
});
