import { describe, expect, it } from 'vitest';
import { valueScale } from '../scale';
import { RECORDED, seriesStyle } from '../series';
import { Recorder, SVG_INK } from '../surface';
import { drawEcdf, ecdfLabels, type EcdfCurve } from './ecdf';

const times = [0.5, 1, 2, 4, 8, 16];
const curve = (name: string, share: number[], order: number | null): EcdfCurve => ({
  ...{ name, times, share, style: order === null ? RECORDED : seriesStyle(order) },
  low: order === null ? [] : share.map((value) => value * 0.9),
  high: order === null ? [] : share.map((value) => Math.min(1, value * 1.1)),
});
const CURVES = [
  curve('recorded', [0, 0.05, 0.1, 0.3, 0.6, 0.9], null),
  curve('CoCoA', [0.1, 0.5, 0.8, 0.95, 1, 1], 0),
  curve('CoCoA+', [0.1, 0.48, 0.78, 0.94, 1, 1], 1),
];
const place = { x: valueScale([0.5, 16], [0, 480], true), y: valueScale([0, 1], [200, 0], false) };

describe('distributions', () => {
  it('are a band, a line and markers each; what was recorded is ink alone', async () => {
    const recorder = new Recorder();
    drawEcdf(recorder, SVG_INK, CURVES, place);
    await expect(`${recorder.markup()}\n`).toMatchFileSnapshot('golden/ecdf.svg.txt');
  });

  it('are labelled, with no label over another and none beyond the plot', () => {
    const labels = ecdfLabels(CURVES, place, 480, 200);
    expect(labels.map(({ name }) => name)).toEqual(['recorded', 'CoCoA', 'CoCoA+']);
    const boxes = labels.map(({ name, x, y, anchor }) => {
      const wide = name.length * 6.6;
      const left = anchor === 'end' ? x - wide : x;
      return [left, y - 10, left + wide, y] as const;
    });
    for (const [left, top, right, bottom] of boxes) {
      expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(480);
      expect(bottom).toBeLessThanOrEqual(200);
    }
    boxes.forEach((a, at) =>
      boxes.slice(at + 1).forEach((b) => {
        expect(a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]).toBe(false);
      }),
    );
  });

  it('have no label where there is no room', () => {
    expect(ecdfLabels(CURVES, place, 20, 200)).toEqual([]);
  });
});
