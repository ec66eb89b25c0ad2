// Matrices, and letters beside the points of a line.
import { describe, expect, it } from 'vitest';
import type { AxisView, FigureSeries, FigureView, MarkView, PanelView } from '../../ipc/gen/types';
import { SVG_INK } from '../surface';
import { frameOf, heightOf } from './place';
import { scene } from './scene';
import { sheet } from './sheet';

const axis = (kind: AxisView['kind'], categories: string[] = []): AxisView => ({
  ...{ label: 'Completion', unit: 's', kind, categories, low: null, high: null },
});

const series = ['CoAP default', 'CoCoA+'].map((name, order): FigureSeries => ({
  ...{ name, behaviour: name, captures: '', algorithm: 'a', order, variant: 0, group: 0, reading: false },
}));

describe('a matrix', () => {
  const names = ['short', 'a-scenario-with-a-name-that-is-too-long-for-the-axis'];
  const panel: PanelView = {
    ...{ title: 'Completion', rule: '', key: [], right: null, axes: null },
    x: axis('category', ['CoAP default', 'CoCoA+']),
    y: axis('category', names),
    marks: [0, 1].map((row) => ({ mark: 'cell', series: 1, x: 1, y: row, fill: row / 2, label: `+${row}` })),
  };
  it('has a row a name, cells in them, and as much height as it needs', () => {
    const high = heightOf(panel, 100);
    expect(heightOf({ ...panel, y: axis('linear') }, 100)).toBe(100);
    expect(heightOf({ ...panel, y: axis('category', [...names, 'third']) }, 100)).toBe(high + 28);
    const { labels, shapes, stops } = scene(panel, series, 400, high, SVG_INK);
    const frame = frameOf(panel, 400, high);
    const label = (text: string) => labels.find((one) => one.text === text);
    for (const row of [0, 1]) {
      const middle = frame.top + ((frame.bottom - frame.top) / 2) * (row + 0.5);
      expect(label(`+${row}`)).toMatchObject({ x: frame.left + ((frame.right - frame.left) * 3) / 4, bold: row > 0 });
      expect(label(`+${row}`)?.y).toBeCloseTo(middle + 3.5, 5);
    }
    expect(label('short')?.x).toBe(frame.left - 6);
    // A long name keeps its end.
    const long = labels.find(({ text }) => text.startsWith('…'));
    expect(long?.text.endsWith('for-the-axis')).toBe(true);
    expect(frame.left - 6 - (long?.text.length ?? 99) * 5.8).toBeGreaterThanOrEqual(0);
    expect(shapes.filter(({ fill, opacity }) => fill === SVG_INK.paint('s2') && opacity === 0.5)).toHaveLength(1);
    expect(stops.flat().map((stop) => stop.label)).toEqual(names.map((name, row) => `CoCoA+: ${name}, +${row}`));
  });
  it('stands whole on a sheet', () => {
    const tall = axis(
      'category',
      Array.from({ length: 19 }, (_, row) => `scenario ${row}`),
    );
    const table = { columns: [], numeric: [], rows: [] };
    const view: FigureView = {
      ...{ recipe: 'winners', title: '', series, caption: [], missing: [], table },
      panels: [{ ...panel, y: tall }],
    };
    expect(sheet(view, '180', SVG_INK).height).toBeGreaterThan(19 * 28);
  });
});

describe('letters of a line', () => {
  it('stand beside its points and not on each other', () => {
    const line = (index: number, letters: string[]): MarkView => ({
      ...{ mark: 'line', series: index, band: [], look: 'series', right: false, markers: true },
      points: [[1, 10 + index / 10], [2, 20 + index / 10]], // prettier-ignore
      labels: letters,
    });
    const panel = { title: '', rule: '', key: [], right: null, axes: null, x: axis('linear'), y: axis('linear') };
    const drawn = scene({ ...panel, marks: [line(0, ['a', '']), line(1, ['b', 'ab'])] }, series, 300, 230, SVG_INK);
    const letters = drawn.labels.filter(({ text }) => ['a', 'b', 'ab'].includes(text));
    expect(letters.map(({ text }) => text).sort()).toEqual(['a', 'ab', 'b']);
    const [one, other] = [letters.find(({ text }) => text === 'a')!, letters.find(({ text }) => text === 'b')!];
    expect(Math.abs(one.y - other.y) >= 10 || Math.abs(one.x - other.x) >= 5.8).toBe(true);
  });
});
