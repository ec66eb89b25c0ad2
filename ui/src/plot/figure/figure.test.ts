// The marks of figures on the recording surface, and whole sheets: the SVG is the picture, kept beside and reviewed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AxisView, FigureSeries, FigureView, MarkView, PanelView } from '../../ipc/gen/types';
import { Recorder, SVG_INK } from '../surface';
import { keyed } from './legend';
import { drawBar, drawBox, drawDots, drawLine, drawPoint, lookOf } from './marks';
import { lines, peers, ticks } from './place';
import { scene } from './scene';
import { sheet, svgFile } from './sheet';

const axis = (kind: AxisView['kind'], more: Partial<AxisView> = {}): AxisView => ({
  label: 'Timeout',
  unit: 's',
  kind,
  categories: [],
  low: null,
  high: null,
  ...more,
});

const series: FigureSeries[] = [
  {
    name: 'Recorded',
    behaviour: 'Recorded',
    captures: 'A',
    algorithm: null,
    order: null,
    variant: 0,
    group: 0,
    reading: false,
  },
  {
    name: 'CoCoA+',
    behaviour: 'CoCoA+',
    captures: 'A',
    algorithm: 'cocoa_plus',
    order: 1,
    variant: 0,
    group: 0,
    reading: false,
  },
  {
    name: 'RCoAP, burst',
    behaviour: 'RCoAP',
    captures: 'burst',
    algorithm: 'rcoap',
    order: 2,
    variant: 1,
    group: 1,
    reading: true,
  },
];

const box = (of: Partial<Extract<MarkView, { mark: 'box' }>> = {}): Extract<MarkView, { mark: 'box' }> => ({
  mark: 'box',
  series: 1,
  x: 0,
  slot: 0,
  slots: 2,
  n: 9,
  five: [1, 2, 3, 4, 8],
  outliers: [16],
  label: 'ab',
  ...of,
});

const bar = (of: Partial<Extract<MarkView, { mark: 'bar' }>> = {}): Extract<MarkView, { mark: 'bar' }> => ({
  mark: 'bar',
  series: 1,
  x: 0,
  slot: 0,
  slots: 1,
  value: 40,
  interval: [30, 50],
  most: 70,
  label: null,
  ...of,
});

const at = { frame: { left: 0, right: 200, top: 0, bottom: 100 }, each: 100, y: (value: number) => 100 - value };
const x = (value: number) => value * 10;
const y = (value: number) => 100 - value;

function picture(draw: (ctx: Recorder) => void): string {
  const ctx = new Recorder();
  draw(ctx);
  return `${ctx.markup()}\n`;
}

describe('marks', () => {
  it('box: whiskers, hinges, median, outliers; a reading is hatched', async () => {
    const drawn = picture((ctx) => {
      expect(drawBox(ctx, SVG_INK, box(), lookOf(series[1]), at)).toEqual({ x: 30, y: 79 });
      drawBox(ctx, SVG_INK, box({ series: 2, slot: 1, outliers: [] }), lookOf(series[2]), at);
    });
    await expect(drawn).toMatchFileSnapshot('golden/box.svg.txt');
  });
  it('bar: from zero, interval, greatest as a hollow square; negative ones hang', async () => {
    const drawn = picture((ctx) => {
      drawBar(ctx, SVG_INK, bar(), lookOf(series[1]), at);
      expect(
        drawBar(ctx, SVG_INK, bar({ x: 1, value: -20, interval: null, most: null }), lookOf(series[0]), at),
      ).toEqual({
        x: 150,
        y: 132,
      });
    });
    await expect(drawn).toMatchFileSnapshot('golden/bar.svg.txt');
  });
  it('line: band below, dash and markers of the series, steps hold until the next', async () => {
    const drawn = picture((ctx) => {
      const line: Extract<MarkView, { mark: 'line' }> = {
        mark: 'line',
        series: 1,
        points: [
          [1, 10],
          [2, 20],
          [4, 15],
        ],
        band: [
          [8, 12],
          [20, 20],
          [10, 20],
        ],
        look: 'series',
        right: false,
        markers: true,
      };
      drawLine(ctx, SVG_INK, line, lookOf(series[1]), x, y);
      drawLine(ctx, SVG_INK, { ...line, band: [], look: 'step', markers: false }, lookOf(series[0]), x, y);
      drawLine(ctx, SVG_INK, { ...line, band: [], look: 'ink_dashed', markers: false }, lookOf(series[0]), x, y);
    });
    await expect(drawn).toMatchFileSnapshot('golden/line.svg.txt');
  });
  it('dots and points: told apart by shape', async () => {
    const drawn = picture((ctx) => {
      for (const shape of ['dot', 'cross', 'triangle', 'ring'] as const)
        drawDots(ctx, SVG_INK, { mark: 'dots', series: 1, points: [[1, 10], [2, 30]], shape }, lookOf(series[1]), x, y); // prettier-ignore
      drawPoint(ctx, SVG_INK, { mark: 'point', series: 1, at: [5, 50], across: [4, 6], along: null }, lookOf(series[1]), x, y); // prettier-ignore
      drawPoint(ctx, SVG_INK, { mark: 'point', series: 0, at: [7, 50], across: null, along: [40, 60] }, lookOf(series[0]), x, y); // prettier-ignore
    });
    await expect(drawn).toMatchFileSnapshot('golden/dots-points.svg.txt');
  });
});

describe('axes', () => {
  it('carry the unit on the last tick and reach every mark', () => {
    const made = ticks(axis('linear', { low: 0, unit: '%' }), [0, 87], 100, 0, 20);
    expect(made.ticks.map(made.label)).toEqual(['0', '20', '40', '60', '80', '100\u00a0%']);
    expect(made.scale(87)).toBeGreaterThan(0);
    const decades = ticks(axis('log'), [0.02, 30], 100, 0, 20);
    expect(decades.ticks.map(decades.label).at(-1)).toContain('s');
    const signed = ticks(axis('linear'), [-40, 10, 0], 100, 0, 20);
    expect(signed.base).toBeGreaterThan(0);
    expect(signed.base).toBeLessThan(100);
    expect(ticks(axis('linear'), [], 100, 0, 20).ticks.length).toBeGreaterThan(0);
    const clients = ticks(axis('linear', { unit: '' }), [1, 2, 4], 0, 900, 44);
    expect(clients.ticks.map(clients.label)).toEqual(['1', '2', '3', '4']);
  });
  it('break names into words, never inside them', () => {
    expect(lines('CoAP default, RFC 7252', 60)).toEqual(['CoAP', 'default', 'RFC 7252']);
    // At a comma first: what belongs together stays on a line.
    expect(lines('Sleepy server, strong', 75)).toEqual(['Sleepy server', 'strong']);
    expect(lines('Needless storm, strong', 75)).toEqual(['Needless', 'storm', 'strong']);
    expect(lines('Sleepy server, strong', 130)).toEqual(['Sleepy server, strong']);
    // Words without a line are left out, not drawn over the neighbours.
    expect(lines('one two three four five', 20)).toEqual(['one', 'two', 'thr…', 'four…']);
    expect(lines('Needless storm', 43)).toEqual(['Needle…', 'storm']);
    expect(lines('traces/live-sleepy/capture.pcap, weak', 66)).toEqual(['traces/', 'live-', 'sleepy/…', 'weak']);
    expect(lines('traces/live-sleepy/capture.pcap', 66)).toEqual(['traces/', 'live-', 'sleepy/', 'capture.pc…']);
    expect(lines('CoCoA, Demir & Abut, Largest RTO 32 s, VBF chosen by dithered', 60)).toEqual([
      'CoCoA,',
      'Demir &',
      'Abut,',
      'Largest…',
    ]);
    expect(lines('CoCoA, Demir & Abut, 2 values set', 60).join(' ')).toBe('CoCoA, Demir & Abut, 2 values set');
  });
});

const panel: PanelView = {
  title: 'First timeout & <more>',
  rule: 'whiskers: minimum and maximum',
  x: axis('category', { categories: ['Recorded', 'CoCoA+'] }),
  y: axis('log'),
  right: null,
  marks: [box(), box({ series: 2, x: 1, slot: 1, label: null })],
  key: [],
  axes: null,
};

const figure: FigureView = {
  recipe: 'rto_box',
  title: 'Timeouts',
  series,
  panels: [panel, { ...panel, y: axis('linear'), marks: [bar(), bar({ x: 1, series: 0, value: -3 })] }],
  caption: ['One capture.', 'Seed 1.'],
  missing: [],
  table: { columns: [], numeric: [], rows: [] },
};

describe('scenes and sheets', () => {
  it('say every mark in words', () => {
    const { stops } = scene(panel, series, 400, 250, SVG_INK);
    expect(stops.flat().map(({ label }) => label)).toEqual([
      'CoCoA+: Recorded, median 3.00\u00a0s, box 2.00\u00a0s to 4.00\u00a0s, whiskers 1.00\u00a0s to 8.00\u00a0s, 9 values, 1 outliers, ab',
      'RCoAP, burst: CoCoA+, median 3.00\u00a0s, box 2.00\u00a0s to 4.00\u00a0s, whiskers 1.00\u00a0s to 8.00\u00a0s, 9 values, 1 outliers',
    ]);
  });
  it('key only who is drawn', () => {
    const names = (of: FigureView) => keyed(of).behaviours.map(({ name }) => name);
    // Boxes and bars of whom the axis names need no key; the others are keyed as they are drawn.
    expect(names(figure)).toEqual(['RCoAP']);
    expect(keyed(figure).behaviours[0]?.filled).toBe(true);
    const by = { ...panel, x: axis('category', { categories: ['A', 'burst'] }) };
    expect(names({ ...figure, panels: [by] })).toEqual(['CoCoA+', 'RCoAP']);
    expect(names({ ...figure, panels: [{ ...by, title: 'CoCoA+' }] })).toEqual(['RCoAP']);
    // Lines are keyed, also where they are drawn beside bars; what is drawn in ink is somebody's of whom the title
    // tells.
    const line = (look: 'step' | 'ink'): MarkView => ({ mark: 'line', series: 0, points: [[0, 1]], band: [], look, right: false, markers: false }); // prettier-ignore
    expect(names({ ...figure, panels: [{ ...panel, marks: [line('ink'), box()] }] })).toEqual([]);
    const both = keyed({ ...figure, panels: [{ ...by, marks: [line('step'), box()] }] }).behaviours;
    expect(both.map(({ name, filled }) => [name, filled])).toEqual([
      ['Recorded', false],
      ['CoCoA+', true],
    ]);
    expect(keyed(figure).groups).toEqual([
      { name: 'A', fill: 0.72 },
      { name: 'burst', fill: 0.36 },
    ]);
    // Groups that stand along the axis need no key.
    const along = { ...panel, x: axis('category', { categories: ['A', 'burst'] }) };
    expect(keyed({ ...figure, panels: [along] }).groups).toEqual([]);
  });
  it('reach what panels reach that they are compared with', () => {
    const high = { ...panel, marks: [box({ five: [1, 2, 3, 4, 900], outliers: [] })] };
    const [one, other] = [
      { ...panel, axes: 1 },
      { ...high, axes: 1 },
    ];
    const top = (of: PanelView, all: PanelView[]) => {
      const { labels } = scene(of, series, 400, 250, SVG_INK, peers(of, all));
      return labels.filter(({ anchor }) => anchor === 'end').map(({ text }) => text);
    };
    expect(top(one, [one, other])).toEqual(top(other, [one, other]));
    expect(top(panel, [panel, high])).not.toEqual(top(high, [panel, high]));
  });
  it('say what an axis is that neither title nor rule names', () => {
    const words = (of: PanelView) => scene(of, series, 400, 250, SVG_INK).labels.map(({ text }) => text);
    const y = axis('log', { label: 'Round trip' });
    expect(words({ ...panel, y })).toContain('Round trip');
    expect(words({ ...panel, y, rule: 'raw round trips' })).not.toContain('Round trip');
  });
  it('tell lines from each other without colour', () => {
    const points = Array.from({ length: 12 }, (_, at): [number, number] => [at + 1, at + 1]);
    const of = (index: number): MarkView => ({ mark: 'line', series: index, points, band: [], look: 'step', right: false, markers: false }); // prettier-ignore
    const shapes = (...marks: MarkView[]) =>
      scene({ ...panel, x: axis('linear'), y: axis('linear'), marks }, series, 400, 250, SVG_INK).shapes;
    // Three markers, each filled and outlined, on one of two lines; what was recorded needs none, and neither does one
    // alone.
    expect(shapes(of(0), of(1)).length - shapes(of(0)).length - 1).toBe(6);
    expect(shapes(of(1)).length).toBe(shapes(of(0)).length);
  });
  it('become one well-formed file', async () => {
    const ink = { ...SVG_INK, paint: (token: string) => `#${token}` };
    const file = svgFile(sheet(figure, '180', ink), ink, figure.title);
    const parsed = new DOMParser().parseFromString(file, 'image/svg+xml');
    expect(parsed.querySelector('parsererror')).toBeNull();
    expect(parsed.querySelectorAll('text').length).toBeGreaterThan(10);
    expect(file).not.toContain('var(--');
    await expect(file).toMatchFileSnapshot('golden/sheet.svg');
    expect(sheet(figure, '88', ink).width).toBe(333);
  });
});

/**
 * Every recipe as the core answered once, kept: `rtoscope figure RECIPE --format json` of the two bundled runs of the
 * sleepy server (tagged `load=0.5` and `load=1`), with coap_default, cocoa_plus and lee2016; every few points of long
 * lines, and no tables. Their picture changes only when the drawing does.
 */
const RECIPES = JSON.parse(readFileSync(join(import.meta.dirname, 'golden/recipes.json'), 'utf8')) as Record<
  string,
  FigureView
>;

describe('recipes', () => {
  it('are all there', () => {
    const marks = Object.values(RECIPES).flatMap(({ panels }) =>
      panels.flatMap((one) => one.marks.map(({ mark }) => mark)),
    );
    expect(Object.keys(RECIPES)).toHaveLength(12);
    expect([...new Set(marks)].sort()).toEqual(['bar', 'box', 'dots', 'line', 'point', 'rule']);
  });
  it.each(Object.entries(RECIPES))('%s', async (recipe, view) => {
    const ink = { ...SVG_INK, paint: (token: string) => `#${token}` };
    const file = svgFile(sheet(view, '180', ink), ink, view.title);
    await expect(file).toMatchFileSnapshot(`golden/recipe-${recipe}.svg`);
  });
});

describe('names of points', () => {
  it.each([50, 0])('cover neither each other nor an interval, nor leave the panel, from %f', (foot) => {
    const point = (series: number, at: [number, number]): MarkView => ({
      mark: 'point',
      series,
      at,
      across: [1, 9],
      along: null,
    });
    const drawn = scene(
      {
        ...{
          title: '',
          rule: '',
          key: [],
          right: null,
          axes: null,
          x: axis('linear', { low: 0 }),
          y: axis('linear', { low: 0 }),
        },
        marks: [point(0, [4, foot + 1]), point(1, [4.1, foot]), point(2, [4.2, foot + 0.5]), point(0, [5, 60])],
      },
      series,
      300,
      230,
      SVG_INK,
    );
    const names = drawn.labels.filter(({ text }) => series.some(({ behaviour }) => behaviour === text));
    expect(names).toHaveLength(4);
    const bars = drawn.stops.map(([stop]) => stop?.y ?? NaN);
    const wide = ({ text }: { text: string }) => text.length * 5.8;
    for (const [index, name] of names.entries()) {
      const { x, y } = name;
      expect(y).toBeLessThanOrEqual(230 - 32);
      expect(x).toBeGreaterThan(44);
      expect(x + wide(name)).toBeLessThan(300);
      for (const bar of bars)
        expect(bar <= y - 9 || bar >= y + 2, `name ${index} on the interval at ${bar}`).toBe(true);
      for (const other of names.slice(index + 1)) {
        const beside = other.x >= x + wide(name) || x >= other.x + wide(other);
        expect(beside || Math.abs(other.y - y) >= 10, `${name.text} on ${other.text}`).toBe(true);
      }
    }
  });
  it('cover no vertical interval and no other marker either, and are led to where they stand far off', () => {
    const point = (at: [number, number], along: [number, number]): MarkView => ({
      mark: 'point',
      series: 1,
      at,
      across: null,
      along,
    });
    const at: [number, number][] = [[4, 30], [4.2, 31], [4.4, 30], [4.6, 29]]; // prettier-ignore
    const marks = at.map((one) => point(one, [20, 40]));
    const none = { title: '', rule: '', key: [], right: null, axes: null };
    const axes = {
      x: axis('linear', { low: 0, high: 10, label: '' }),
      y: axis('linear', { low: 0, high: 100, label: '' }),
    };
    const drawn = scene({ ...none, ...axes, marks }, series, 300, 230, SVG_INK);
    const names = drawn.labels.filter(({ text }) => text === 'CoCoA+');
    expect(names).toHaveLength(4);
    const overlap = (a: readonly number[], b: readonly number[]) =>
      (a[0] ?? 0) < (b[1] ?? 0) && (b[0] ?? 0) < (a[1] ?? 0) && (a[2] ?? 0) < (b[3] ?? 0) && (b[2] ?? 0) < (a[3] ?? 0);
    // One of a hundred is this many pixels; intervals reach nine or more both ways.
    const one = (drawn.stops[0]?.[0]?.y ?? 0) - (drawn.stops[1]?.[0]?.y ?? 0);
    for (const { x, y } of drawn.stops.flat())
      for (const name of names) {
        const words = [name.x, name.x + 6 * 5.8, name.y - 8, name.y + 2];
        expect(overlap(words, [x - 1, x + 1, y - 9 * one, y + 9 * one])).toBe(false);
        expect(overlap(words, [x - 5, x + 5, y - 5, y + 5])).toBe(false);
      }
    const led = drawn.shapes.filter(({ stroke }) => stroke === SVG_INK.paint('ink-3'));
    expect(led.length).toBeGreaterThan(0);
  });
});
