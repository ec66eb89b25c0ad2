import { describe, expect, it } from 'vitest';
import type { AlgorithmSpec, KeptPrediction, MeasuredRun, PredictedRun, RunView } from '../../ipc/gen/types';
import { checkable, keptOffers } from './checkagain';
import type { Row } from './columns';
import type { Truth } from './truths';

const truth = (name: string, capture: number | null, same: boolean): Truth => ({
  ...{ same, name: 'CoCoA', timer: 'CoCoA' },
  run: { name, capture } as MeasuredRun,
});
const row = (name: string, run: number | null, truths: Truth[]): Row =>
  ({ item: { name, key: name }, run: run === null ? undefined : ({ run } as RunView), truths }) as unknown as Row;

describe('second captures', () => {
  it('are open real runs under a predicted timer, those that ran exactly it first', () => {
    const rows = [
      row('CoCoA, other', 4, [truth('alike', 7, false)]),
      row('CoCoA', 5, [truth('bundled', null, true), truth('after', 8, true)]),
      row('CoAP', 6, []),
      row('not yet', null, [truth('after', 8, true)]),
    ];
    expect(checkable(rows)).toEqual([
      { at: 'run', key: '5 8', run: 5, capture: 8, text: 'CoCoA in “after”' },
      { at: 'run', key: '4 7', run: 4, capture: 7, text: 'CoCoA, other in “alike”' },
    ]);
    expect(checkable([row('CoAP', 6, [])])).toEqual([]);
  });

  it('are the shown one for kept predictions, the latest first and first the timer that ran', () => {
    const kept = (name: string, timers: readonly string[]): KeptPrediction => ({
      capture: { name, sha256: name },
      runs: timers.map((algorithm) => ({ algorithm, params: {} }) as PredictedRun),
      conditions: null,
    });
    const spec = (id: string) =>
      id === 'a' ? ({ name: 'A', params: [] as AlgorithmSpec['params'] } as AlgorithmSpec) : undefined;
    const offers = keptOffers([kept('first', ['a']), kept('second', ['a', 'b'])], { spec });
    expect(offers.map(({ key, text, algorithm }) => [key, text, algorithm?.id ?? null])).toEqual([
      ['kept 1', 'The timer that ran, as predicted from “second”', null],
      ['kept 1 0', 'A, as predicted from “second”', 'a'],
      ['kept 1 1', 'b, as predicted from “second”', 'b'],
      ['kept 0 0', 'A, as predicted from “first”', 'a'],
    ]);
  });
});
