import { describe, expect, it } from 'vitest';
import type { StudyCellView, StudyGridView, StudyScenarioView } from '../../ipc/gen/types';
import { bestText, cellText, gridTable, leftText, rateText, rowAxis, valueText, withoutValue } from './cells';

const plain = (text: string) => text.replace(/\s/g, ' ');
const plainCell = (...asked: Parameters<typeof cellText>) => plain(cellText(...asked));

const cell = (of: Partial<StudyCellView> = {}): StudyCellView => ({
  runs: 1,
  mean: 0.5,
  interval: [0.4, 0.8],
  kind: 'another run',
  letters: null,
  two_modes: 0,
  real: [],
  waiting: 0,
  failed: 0,
  state: '',
  reason: '',
  ...of,
});
const scenario = (cells: StudyCellView[], of: Partial<StudyScenarioView> = {}): StudyScenarioView => ({
  name: 'chain',
  captures: [],
  used: [],
  recorded: 1,
  cells,
  best: [],
  wins: false,
  truth: null,
  ...of,
});

describe('the axis of a row', () => {
  it('holds every mark of the row inside its cells, in their order', () => {
    const axis = rowAxis(
      scenario([cell(), cell({ mean: 4, interval: [3, 9], real: [{ value: 20, capture: 0 }] })]),
      100,
    );
    const px = [0.4, 0.5, 0.8, 1, 3, 4, 9, 20].map((value) => axis?.x(value) ?? NaN);
    expect(px).toEqual([...px].sort((a, b) => a - b));
    expect(px[0]).toBeGreaterThanOrEqual(6);
    expect(px.at(-1)).toBeLessThanOrEqual(94);
    // Equal ratios are equally long.
    const [a, b, c] = [axis?.x(1) ?? NaN, axis?.x(3) ?? NaN, axis?.x(9) ?? NaN];
    expect(b - a).toBeCloseTo(c - b, 6);
  });

  it('stays logarithmic where an interval reaches below zero, which ends at the edge', () => {
    const axis = rowAxis(scenario([cell({ mean: 0.5, interval: [-0.4, 2] })]), 100);
    expect(axis?.logarithmic).toBe(true);
    expect(axis?.x(-0.4)).toBe(6);
    expect(axis?.x(0.5)).toBeGreaterThan(30);
  });

  it('is linear where a value is zero, and there is none without values', () => {
    const axis = rowAxis(scenario([cell({ mean: 0, interval: [0, 0] })], { recorded: 0.2 }), 100);
    expect(axis?.logarithmic).toBe(false);
    expect([axis?.x(0), axis?.high]).toEqual([6, expect.closeTo(0.21, 6)]);
    expect(rowAxis(scenario([cell({ mean: null, interval: null })], { recorded: null }), 100)).toBe(null);
  });
});

describe('a cell in words', () => {
  it('says its value, interval, real runs', () => {
    const of = cell({
      real: [
        { value: 0.41, capture: 1 },
        { value: 0.9, capture: 2 },
      ],
    });
    expect(plainCell(of, 's')).toBe('500 ms; 90 % 400 ms – 800 ms (another run); real runs 410 ms, 900 ms');
    expect(plainCell(cell({ kind: 'student', runs: 3 }), 'fraction')).toBe(
      '50.0 %; 90 % 40.0 % – 80.0 % (Student over 3 runs)',
    );
  });

  it('says why there is no value', () => {
    const refused = cell({ mean: null, interval: null, failed: 2, state: 'refused', reason: 'too few copies' });
    expect(withoutValue(refused)).toBe('refused');
    expect(plainCell(refused, 's')).toBe('refused; 2 rows refused: too few copies');
    expect(withoutValue(cell({ mean: null, interval: null, waiting: 3 }))).toBe('waiting');
    expect(withoutValue(cell({ mean: null, interval: null }))).toBe('no value');
    expect(valueText(null, 's')).toBe('–');
  });
});

it('the best of a row is named, with those that are not told from it', () => {
  const names = ['A', 'B', 'C'];
  expect(bestText(scenario([], { best: [1], wins: true }), names)).toBe('B');
  expect(bestText(scenario([], { best: [1, 0, 2] }), names)).toBe('B or 2 more');
  expect(bestText(scenario([]), names)).toBe('–');
});

it('numbers are copied with every digit, in shown units', () => {
  const grid = {
    name: 'S',
    channel: 'auto',
    from: 'coap_default',
    measure: { label: 'Needless', rule: 'share', unit: 'fraction' },
    timers: [{ label: 'cocoa_plus' }],
    scenarios: [scenario([cell({ mean: 0.123456789, real: [{ value: 0.25, capture: 0 }] })], { recorded: 0.5 })],
  } as unknown as StudyGridView;
  const { columns, rows, note } = gridTable(grid);
  const row = Object.fromEntries(columns.map((name, at) => [name, rows[0]?.[at]]));
  expect(row).toMatchObject({ scenario: 'chain', timer: 'cocoa_plus', mean: '12.3456789', real: '25', recorded: '50' });
  expect(note).toBe('S: Needless, share, %; channel auto; captures recorded under coap_default answer.');
});

it('times left and rates are short', () => {
  expect([leftText(null), leftText(0.2), leftText(37.4), leftText(130)].map(plain)).toEqual([
    '',
    '1 s left',
    '37 s left',
    '2 min 10 s left',
  ]);
  expect([rateText(0), rateText(3.14), rateText(22)]).toEqual(['', '3.1 a second', '22 a second']);
});
