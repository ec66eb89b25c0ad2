import { describe, expect, it } from 'vitest';
import type { MetricSpec, ModeView, ReplayView, RunView } from '../../ipc/gen/types';
import { column, differenceColumn, differenceOf, sorted } from './columns';
import { tableText } from '../../parts/table/tabletext';
import { comparisonTable } from './copy';

const spec: MetricSpec = {
  name: 'early_b',
  label: 'Early timeouts',
  rule: 'first timer < RTT',
  unit: 'fraction',
  smaller_is_better: true,
  headline: true,
};
const WORDS = { headline: '', details: [] };
const run = (mean: number, id: string): RunView => ({
  ...{ run: 1, algorithm: { id, params: {} }, name: id, verdict: WORDS },
  metrics: {
    early_b: {
      recorded: 0.833,
      worst: mean * 3,
      best: mean / 2,
      mean,
      lo90: mean * 0.9,
      hi90: mean * 1.1,
      another: null,
      support: 0.5,
    },
  },
  differences: { early_b: { mean: mean - 0.833, lo90: mean - 0.9, hi90: mean - 0.8, another: null } },
  support: 0.5,
  copies: [],
  needless: [],
  completion_p95: [],
});
const replay: ReplayView = {
  capture: 1,
  runs: [run(0.041, 'lee2016'), run(0.655, 'coap_b')],
  verdict: WORDS,
  metrics: [spec],
};

describe('columns', () => {
  it('are in shown units, logarithmic when they span a decade', () => {
    const made = column(spec, replay, 100);
    expect(made.recorded).toBeCloseTo(83.3);
    expect(made.logarithmic).toBe(true);
    expect(made.x(83.3)).toBeGreaterThan(made.x(4.1));
    expect(made.ticks).toContain(10);
  });
  it('keep zero inside differences', () => {
    const made = differenceColumn(spec, replay, 100);
    expect(made.x(0)).toBeGreaterThan(4);
    expect(made.x(0)).toBeLessThan(96);
  });
  it('number every tick of a linear axis, however narrow, and show no difference that no digit shows', () => {
    const one = {
      ...run(0.5, 'x'),
      differences: { early_b: { mean: 1e-17, lo90: -1e-17, hi90: 1e-17, another: null } },
    };
    for (const width of [60, 100, 240])
      for (const made of [
        column(spec, { ...replay, runs: [one] }, width),
        differenceColumn(spec, { ...replay, runs: [one] }, width),
      ]) {
        const texts = made.ticks.map(made.tickText);
        expect(new Set(texts).size, texts.join(' ')).toBe(texts.length);
        made.ticks.slice(1).forEach((tick, at) => {
          const room = made.x(tick) - made.x(made.ticks[at] ?? tick);
          expect(room).toBeGreaterThan(3 * ((texts[at]?.length ?? 0) + (texts[at + 1]?.length ?? 0)));
        });
      }
    expect(differenceColumn(spec, { ...replay, runs: [one] }, 100).ticks).toContain(0);
  });
  it('number two ticks of a linear axis where the next rounder step is beyond its end', () => {
    const seconds = { ...spec, unit: 's' };
    const metrics = run(0, 'x').metrics;
    const one = {
      ...run(0, 'x'),
      metrics: { early_b: { ...metrics.early_b!, recorded: 40.3, mean: 13, lo90: 7.6, hi90: 20.5 } },
    };
    const made = column(seconds, { ...replay, runs: [one] }, 56);
    expect(made.ticks).toEqual([0, 40]);
  });
  it('take differences to the recorded value where none are given', () => {
    const bare = { ...run(0.5, 'x'), differences: {} };
    expect(differenceOf(bare, 'early_b')?.mean).toBeCloseTo(0.5 - 0.833);
    expect(differenceOf(run(0.5, 'x'), 'b')).toBeUndefined();
  });
  it('sort with missing values last, both ways', () => {
    expect(sorted([3, null, 1], (value) => value, false)).toEqual([1, 3, null]);
    expect(sorted([3, null, 1], (value) => value, true)).toEqual([3, 1, null]);
  });
});

describe('copy', () => {
  const rows = replay.runs.map((item) => ({ name: 'A, b', id: item.algorithm.id, run: item }));
  it('writes CSV with quotes and full precision', () => {
    const [head, recorded, first] = tableText(comparisonTable([spec], rows, replay, ''), 'csv').split('\n');
    expect(head).toContain('"Early timeouts, first timer < RTT [%]"');
    expect(recorded).toBe('Recorded,,100,83.3,,,,');
    expect(first).toBe('"A, b",lee2016,50,4.1,3.69,4.51,2.05,12.3');
  });
  it('says in every row what is not as usual, where no note does', () => {
    const unusual = { ...replay, settings: 'Rules: nstart 2.' };
    const lines = tableText(comparisonTable([spec], rows, unusual, 'note'), 'csv')
      .trimEnd()
      .split('\n');
    expect(lines[0]?.endsWith(',settings')).toBe(true);
    expect(lines.slice(1).every((line) => line.endsWith(',Rules: nstart 2.'))).toBe(true);
  });
  it('escapes for LaTeX and Markdown', () => {
    expect(tableText(comparisonTable([spec], rows, replay, 'note'), 'latex')).toContain('coap\\_b');
    expect(tableText(comparisonTable([spec], rows, replay, 'note'), 'markdown')).toMatch(/^\| algorithm \| preset \|/);
  });
});

describe('two modes', () => {
  const mode = (mean: number) => ({ mean, lo90: mean * 0.9, hi90: mean * 1.1, another: null });
  const both = run(0.4, 'rfc6298_coap');
  const metric = { ...both.metrics.early_b!, mean: null, modes: [mode(0.05), mode(0.9)] as [ModeView, ModeView] };
  const split: RunView = {
    ...both,
    metrics: { early_b: metric },
    differences: {},
    modes: { slow: 0.25, lo90: 0.2, hi90: 0.31, boundary: 9 },
  };
  it('have room on the axis, in shown units, and no mean in differences', () => {
    const made = column(spec, { ...replay, runs: [split] }, 100);
    expect(made.domain[0]).toBeLessThan(5);
    expect(made.domain[1]).toBeGreaterThan(90);
    const [calm, collapsed] = differenceOf(split, 'early_b')?.modes ?? [];
    expect(calm?.mean).toBeCloseTo(0.05 - 0.833);
    expect(collapsed?.hi90).toBeCloseTo(0.99 - 0.833);
    expect(differenceOf(split, 'early_b')?.mean).toBeNaN();
  });
  it('are two rows of a copied table, each with its share', () => {
    const table = comparisonTable([spec], [{ name: 'RFC 6298', id: 'rfc6298_coap', run: split }], replay, '');
    expect(table.rows.slice(1).map((row) => row.slice(0, 5))).toEqual([
      ['RFC 6298, 75 % of replicates', 'rfc6298_coap', '50', '5', '4.5'],
      ['RFC 6298, 25 % of replicates (collapse)', 'rfc6298_coap', '50', '90', '81'],
    ]);
  });
});
