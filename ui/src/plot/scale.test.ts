import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { drawMarker, markerPath } from './glyphs';
import { timeScale, valueScale } from './scale';
import { roundDomain, spaced, tickFormat, timeTicks, valueTicks } from './ticks';
import { DASHES, seriesStyle } from './series';
import { Recorder, SVG_INK } from './surface';

const S = 1e9;

describe('time', () => {
  it('goes there and back', () => {
    const x = timeScale(296 * S, 436 * S, 168, 1040);
    expect(x(296 * S)).toBe(168);
    expect(x.invert(x(391.204 * S))).toBeCloseTo(391.204 * S, 0);
  });
  it('puts the unit on one tick only', () => {
    const { ticks } = timeTicks(0, 1800 * S, 872);
    expect(ticks.map((tick) => tick.label)).toEqual(['0\u00a0min', '5', '10', '15', '20', '25', '30']);
  });
  it('uses the clock below a minute', () => {
    expect(timeTicks(296 * S, 436 * S, 872).ticks.map((tick) => tick.label)).toEqual([
      '5:00',
      '5:15',
      '5:30',
      '5:45',
      '6:00',
      '6:15',
      '6:30',
      '6:45',
      '7:00',
      '7:15',
    ]);
    expect(timeTicks(300.1 * S, 300.4 * S, 872, 100).ticks.map((tick) => tick.label)[0]).toBe('5:00.10');
  });
});

describe('values', () => {
  it('keep as many labels as fit, decades first, each with the room that it needs', () => {
    const x = (tick: number) => 20 * Math.log10(tick * 1000);
    const ticks = [0.001, 0.01, 0.1, 0.2, 1];
    expect(spaced(ticks, x, 18)).toEqual([0.001, 0.01, 0.1, 1]);
    expect(spaced(ticks, x, 21)).toEqual([0.001, 0.1]);
    expect(spaced(ticks, x, (tick, larger) => (tick < 0.01 ? 45 : larger > 0.5 ? 15 : 30))).toEqual([0.001, 1]);
  });

  it('ticks by decades, halves of decades and round steps', () => {
    expect(valueTicks(0.5, 64, true, 8)).toEqual([0.5, 1, 2, 5, 10, 20, 50]);
    expect(valueTicks(0.5, 64, true, 3)).toEqual([1, 10]);
    expect(valueTicks(0, 45, false, 5)).toEqual([0, 10, 20, 30, 40]);
  });
  it('scales and rounds', () => {
    expect(valueScale([1, 100], [0, 100], true)(10)).toBeCloseTo(50);
    expect(valueScale([1, 100], [0, 100], true)(0)).toBe(0);
    expect(roundDomain(0.3, 40, true)).toEqual([0.25, 64]);
    expect(roundDomain(0.3, 40, false)).toEqual([0, 45]);
  });
});

describe('series', () => {
  it('has the dashes of the tokens', () => {
    const css = readFileSync(join(import.meta.dirname, '../tokens.css'), 'utf8');
    const tokens = DASHES.map((_, index) => new RegExp(`--d${index + 1}: ([\\d. ]+);`).exec(css)?.[1]);
    expect(tokens).toEqual(DASHES.map((dash) => dash.join(' ')));
  });
  it('repeats colour and dash together only after 24 algorithms', () => {
    const looks = Array.from({ length: 24 }, (_, order) => JSON.stringify(seriesStyle(order)));
    expect(new Set(looks).size).toBe(24);
    expect(seriesStyle(1, 1)).toMatchObject({ colour: 's2', hollow: true });
  });
  it('draws every marker', () => {
    for (let order = 0; order < 8; order += 1) expect(markerPath(seriesStyle(order).marker, 3)).toMatch(/^M.+Z$/);
  });
});

describe('labels of ticks', () => {
  it('say each value in full, with no trailing zeros', () => {
    const labels = (values: number[]) => values.map(tickFormat(values));
    expect(labels([0, 0.5, 1, 1.5, 2])).toEqual(['0', '0.5', '1', '1.5', '2']);
    expect(labels([10, 12.5, 15])).toEqual(['10', '12.5', '15']);
    expect(labels([0.001, 0.01, 10, 1000])).toEqual(['0.001', '0.01', '10', '1\u202f000']);
    expect(labels([0.0625, 0.125, 0.25])).toEqual(['0.0625', '0.125', '0.25']);
    expect(labels([-20, 0])).toEqual(['\u221220', '0']);
  });
  it('are all different, on any axis', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-4, max: 1e4, noNaN: true }),
        fc.double({ min: 1.01, max: 1e4, noNaN: true }),
        fc.boolean(),
        fc.integer({ min: 2, max: 12 }),
        (low, ratio, logarithmic, most) => {
          const values = valueTicks(low, low * ratio, logarithmic, most);
          expect(new Set(values.map(tickFormat(values))).size).toBe(values.length);
          if (!logarithmic) expect(values.length).toBeLessThanOrEqual(most + 1);
        },
      ),
    );
  });
});

describe('glyphs', () => {
  const MARKERS = ['circle', 'diamond', 'triangle', 'square', 'triangle-down', 'plus', 'cross', 'star'] as const;
  it.each(MARKERS)('%s has the same outline in legend and plot', (marker) => {
    const recorder = new Recorder();
    drawMarker(recorder, SVG_INK, { colour: 's1', dash: [], marker, hollow: false }, 0, 0, 3.4);
    expect(recorder.shapes.map(({ d }) => d)).toEqual([markerPath(marker, 3.4), markerPath(marker, 3.4)]);
  });
  it('has an outline of its own for each marker', () => {
    expect(new Set(MARKERS.map((marker) => markerPath(marker, 3))).size).toBe(MARKERS.length);
    expect(markerPath('none', 3)).toBe('');
  });
});
