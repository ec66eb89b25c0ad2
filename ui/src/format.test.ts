import { describe, expect, it } from 'vitest';
import * as format from './format';
import { timeMode } from './format.mode.svelte';

const S = 1e9;

describe('numbers', () => {
  it('groups from four digits on with a narrow no-break space', () => {
    expect(format.count(999)).toBe('999');
    expect(format.count(12163)).toBe('12\u202f163');
    expect(format.count(1234567)).toBe('1\u202f234\u202f567');
  });
  it('uses the real minus sign, but never for a zero', () => {
    expect(format.fixed(-2.184, 2)).toBe('−2.18');
    expect(format.fixed(-0.001, 2)).toBe('0.00');
    expect(format.signed(2.9, 1)).toBe('+2.9');
    expect(format.signed(0.001, 1)).toBe('0.0');
  });
  it('names methods, and leaves other codes as they are', () => {
    expect(['0.01', '0.03', '0.05', '0.31', '2.05'].map(format.method)).toEqual([
      'GET',
      'PUT',
      'FETCH',
      '0.31',
      '2.05',
    ]);
  });
  it('says – where nothing applies', () => {
    expect(format.fixed(null, 2)).toBe('–');
    expect(format.fixed(NaN, 2)).toBe('–');
    expect(format.span(undefined)).toBe('–');
  });
  it('shows two digits of the interval’s width', () => {
    expect(format.decimalsFor([[2.24, 2.63]])).toBe(2);
    expect(format.decimalsFor([[13.84, 16.24]])).toBe(1);
    expect(format.decimalsFor([[100, 190]])).toBe(0);
    expect(format.decimalsFor([])).toBe(2);
    expect(format.range(2.244, 2.631, 2)).toBe('2.24 – 2.63');
  });
});

describe('times', () => {
  it.each([
    [426e3, '426 µs'],
    [571e6, '571 ms'],
    [7.22 * S, '7.22 s'],
    [9.999 * S, '10.0 s'],
    [23.2 * S, '23.2 s'],
    [140 * S, '2 min 20 s'],
    [1800 * S, '30 min'],
    [3599.9 * S, '1 h'],
    [11100 * S, '3 h 5 min'],
    [90000 * S, '1 d 1 h'],
    [0, '0 s'],
  ])('%d ns is %s', (ns, text) => {
    expect(format.span(ns).replaceAll('\u00a0', ' ')).toBe(text);
  });
  it('reads the trace clock', () => {
    expect(format.clock(391.204 * S)).toBe('6:31.204');
    expect(format.clock(3991.2 * S, 1)).toBe('1:06:31.2');
    expect(format.clock(59.9996 * S)).toBe('1:00.000');
    expect(format.clock(300 * S, 0)).toBe('5:00');
    expect(format.timeWindow(296 * S, 436 * S)).toBe('4:56 – 7:16');
    expect(format.timeWindow(296.2 * S, 296.4 * S)).toBe('4:56.20 – 4:56.40');
  });
  it.each([
    [436 * S, 391.204 * S, '6:31.204 of 7:16'],
    [21 * S, 20.96 * S, '0:20.960 of 0:21'],
    [1.4 * S, 1.4 * S, '0:01.400 of 0:01.40'],
    [0.82 * S, 0.412 * S, '0:00.412 of 0:00.820'],
    [312e3, 104e3, '0:00.000104 of 0:00.000312'],
    [0, 0, '0:00.000 of 0:00.000'],
  ])('says where in a capture of %d ns the playhead is', (length, at, text) => {
    const { now, end } = format.playheadDecimals(length);
    expect(`${format.clock(at, now)} of ${format.clock(length, end)}`).toBe(text);
  });
});

describe('others', () => {
  it('writes sizes, plurals, hashes and speeds', () => {
    expect(format.octets(1_234_567)).toBe('1.23\u00a0MB');
    expect(format.plural(1, 'hop')).toBe('1\u00a0hop');
    expect(format.plural(0, 'hop')).toBe('0\u00a0hops');
    expect(format.shortHash('c17b000000000c6e')).toBe('c17b … 0c6e');
    expect([0.1, 0.25, 1, 2.5, 10, 1000].map(format.speed)).toEqual([
      '0.1×',
      '0.25×',
      '1×',
      '2.5×',
      '10×',
      '1\u202f000×',
    ]);
  });
});

it('writes times of a capture as the reader wants them', () => {
  const at = 391_204_000_000;
  expect(format.clock(at)).toBe('6:31.204');
  timeMode.form = 'seconds';
  expect(format.clock(at)).toBe('391.204\u00a0s');
  timeMode.form = 'day';
  expect(format.clock(at), 'a simulation has no time of day').toBe('6:31.204');
  timeMode.epoch = Date.parse('2026-11-21T23:58:00Z') * 1e6;
  expect(format.clock(at, 0)).toBe('0:04:31');
  timeMode.form = 'clock';
  timeMode.epoch = null;
});
