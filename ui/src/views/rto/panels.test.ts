import { describe, expect, it } from 'vitest';
import type { StateLine } from '../../ipc/gen/types';
import { RECORDED } from '../../plot/series';
import type { RtoRows } from '../../plot/marks/rtt';
import { describe as describeRow, linesOf, recordedState, replayedState } from './panels';

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

describe('recorded timers', () => {
  const f64 = (...values: number[]) => Float64Array.from(values);
  const rows: RtoRows = {
    length: 3,
    t: f64(0, 10e9, 20e9),
    exchange: Uint32Array.from([1, 2, 3]),
    first_timer: f64(2.053, NaN, NaN),
    first_error: f64(0.001, NaN, NaN),
    known: Uint8Array.from([2, 0, 0]),
    first_gap: f64(6.08, 4, NaN),
    wait: f64(0.4, NaN, NaN),
    rtt: f64(2.7, 3, 1),
    true_rtt: f64(2.7, 3, 1),
    class: Uint8Array.from([1, 1, 0]),
    needless: Uint8Array.from([1, 0, 0]),
    supported: Uint8Array.from([1, 1, 1]),
    rto: f64(NaN, NaN, NaN),
    strong: f64(NaN, NaN, NaN),
    weak: f64(NaN, NaN, NaN),
  };
  const panel = { key: 'recorded', name: 'Recorded', style: RECORDED, run: null, rows };
  const text = (row: number) => describeRow(rows, row)[1]?.replaceAll('\u00a0', ' ');

  it('are drawn where they are known, and gaps on the air, as such, where they are not', () => {
    const [gaps, timers] = linesOf(panel);
    expect([gaps?.label, timers?.label]).toEqual(['gap on air', 'first timer']);
    expect([...gaps!.values]).toEqual([NaN, 4, NaN]);
    expect([...timers!.values]).toEqual([2.053, NaN, NaN]);
    const known = { ...rows, first_timer: f64(2, 2, 2) };
    expect(linesOf({ ...panel, rows: known }).map(({ label }) => label)).toEqual(['first timer']);
    const unknown = { ...rows, first_timer: f64(NaN, NaN, NaN) };
    expect(linesOf({ ...panel, rows: unknown }).map(({ label }) => label)).toEqual(['gap on air']);
  });

  it('are said with their origin, their error, and the wait before the air', () => {
    expect(text(0)).toBe('first timer 2.05 s ± 1.0 ms (log), too short by 1.05 s, 400 ms before the air');
    expect(text(1)).toBe('gap on air 4.00 s');
    expect(text(2)).toBe('first timer not known');
    const labels = (at: number) => recordedState(rows, at).map(({ label }) => label);
    expect(labels(0)).toContain('first timer');
    expect(labels(10e9)).toContain('gap on air');
  });
});
