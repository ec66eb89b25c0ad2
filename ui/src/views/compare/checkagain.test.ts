import { describe, expect, it } from 'vitest';
import type { MeasuredRun, RunView } from '../../ipc/gen/types';
import { checkable } from './checkagain';
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
      { key: '5 8', run: 5, capture: 8, text: 'CoCoA in “after”' },
      { key: '4 7', run: 4, capture: 7, text: 'CoCoA, other in “alike”' },
    ]);
    expect(checkable([row('CoAP', 6, [])])).toEqual([]);
  });
});
