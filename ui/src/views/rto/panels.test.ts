import { describe, expect, it } from 'vitest';
import type { StateLine } from '../../ipc/gen/types';
import { replayedState } from './panels';

const line = (label: string, value: number | null, unit = 's'): StateLine => ({
  label,
  value,
  unit,
  text: null,
});

describe('the state of an estimator', () => {
  it('has a mean and its deviation in one line, in one unit', () => {
    const rows = replayedState([
      line('next RTO', 2),
      line('Strong RTO', 1.5),
      line('Strong RTT', 0.5),
      line('Strong RTTVAR', 0.25),
      line('SRTT', 3),
      line('RTTVAR', 1),
    ]);
    expect(rows).toEqual([
      { label: 'next RTO', digits: '2.00', unit: 's' },
      { label: 'strong RTO', digits: '1.50', unit: 's' },
      { label: 'strong RTT ± VAR', digits: '0.50 ± 0.25', unit: 's' },
      { label: 'SRTT ± VAR', digits: '3.00 ± 1.00', unit: 's' },
    ]);
  });
  it('says once that both are not set, and keeps apart what is not of one kind', () => {
    expect(replayedState([line('Weak RTT', null), line('Weak RTTVAR', null)])).toEqual([
      { label: 'weak RTT ± VAR', digits: 'not set', unit: '' },
    ]);
    // One is known and one is not; a mean of another kind.
    expect(replayedState([line('SRTT', 1), line('RTTVAR', null)]).map(({ label }) => label)).toEqual([
      'SRTT',
      'RTTVAR',
    ]);
    expect(replayedState([line('Weak RTT', 1), line('Strong RTTVAR', 2)]).map(({ label }) => label)).toEqual([
      'weak RTT',
      'strong RTTVAR',
    ]);
    expect(replayedState([{ ...line('mode', null, ''), text: 'initial' }])).toEqual([
      { label: 'mode', digits: 'initial', unit: '' },
    ]);
  });
});
