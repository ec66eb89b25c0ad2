// Each mark on the recording surface: the SVG is the picture, kept beside and reviewed like one.
import { describe, expect, it } from 'vitest';
import { FATE, LEVEL, MARK, SAMPLE } from '../../state/replies/kinds';
import { timeScale, valueScale } from '../scale';
import { Recorder, SVG_INK, type Surface } from '../surface';
import { drawDensity } from './density';
import { countIn, drawBins, drawLane, tallest } from './lanes';
import { rowsOf, type Lanes } from './rows';
import { drawSamples, drawShortfalls, drawSteps, extentOf, shortfallOf, type RtoRows } from './rtt';

type Row = Partial<Record<Exclude<keyof Lanes, 'length'>, number>>;

/** Sorted as the core does: see the columns' declaration. */
function lanes(given: Row[]): Lanes {
  const kinds = [MARK.span, MARK.copy, MARK.closing, MARK.late, MARK.bin];
  const order = ({ lane = 0, kind = 0, supported = 1, needless = 0, t0 = 0 }: Row) =>
    [lane, kinds.indexOf(kind), kind === MARK.span ? -supported : needless, t0] as const;
  const compare = (a: readonly number[], b: readonly number[]) =>
    a.map((value, place) => value - (b[place] ?? 0)).find((apart) => apart !== 0) ?? 0;
  const rows = given.toSorted((a, b) => compare(order(a), order(b)));
  const of = (key: keyof Row, standard = 0) => rows.map((row) => row[key] ?? standard);
  return {
    length: rows.length,
    run: Uint32Array.from(of('run', 0xffffffff)),
    lane: Uint16Array.from(of('lane')),
    kind: Uint8Array.from(of('kind')),
    t0: Float64Array.from(of('t0')),
    t1: Float64Array.from(rows.map((row) => row.t1 ?? row.t0 ?? 0)),
    exchange: Uint32Array.from(of('exchange')),
    fate: Uint8Array.from(of('fate')),
    needless: Uint8Array.from(of('needless')),
    supported: Uint8Array.from(of('supported', 1)),
    up: Float32Array.from(of('up')),
    up_lost: Float32Array.from(of('up_lost')),
    up_unknown: Float32Array.from(of('up_unknown')),
    down: Float32Array.from(of('down')),
    down_lost: Float32Array.from(of('down_lost')),
    down_unknown: Float32Array.from(of('down_unknown')),
    level: Uint8Array.from(of('level', LEVEL.single)),
  };
}

const LOOK = { y: 30, height: 14, colour: 'recorded', tint: 0.17 } as const;
const x = timeScale(0, 100, 0, 200);

function picture(draw: (recorder: Recorder) => void): string {
  const recorder = new Recorder();
  draw(recorder);
  return `${recorder.markup()}\n`;
}

describe('lanes', () => {
  const every = lanes([
    { kind: MARK.span, t0: 10, t1: 40 },
    { kind: MARK.span, t0: 60, t1: 90, supported: 0 },
    { kind: MARK.copy, t0: 10, fate: FATE.answered },
    { kind: MARK.copy, t0: 20, fate: FATE.request_lost, needless: 1 },
    { kind: MARK.copy, t0: 30, fate: FATE.reply_lost, needless: 1 },
    { kind: MARK.copy, t0: 60, fate: FATE.unknown },
    { kind: MARK.copy, t0: 70, fate: FATE.lost },
    { kind: MARK.closing, t0: 40 },
    { kind: MARK.late, t0: 50 },
    { kind: MARK.copy, t0: 150, fate: FATE.answered },
    { lane: 1, kind: MARK.copy, t0: 50 },
  ]);

  it('draw every kind and fate, and nothing outside the window or the lane', async () => {
    await expect(picture((ctx) => drawLane(ctx, SVG_INK, x, every, 0, LOOK))).toMatchFileSnapshot(
      'golden/lane.svg.txt',
    );
  });
  it('count needless copies and copies of the window', () => {
    expect(countIn(every, 0, 0, 100)).toEqual({ needless: 2, copies: 5 });
    expect(countIn(every, 0, 25, 200)).toEqual({ needless: 1, copies: 4 });
    expect(rowsOf(every, 1).marks).toEqual({ from: 10, end: 11 });
  });
  it('have flags only where single copies have the room', () => {
    const flags = (level: number) => {
      const picture_ = { ...every, level: every.level.map(() => level) };
      return picture((ctx) => drawLane(ctx, SVG_INK, x, picture_, 0, LOOK)).split('Z').length;
    };
    expect(flags(LEVEL.single) - flags(LEVEL.spans)).toBe(2);
  });
  it('keep fates in columns: nothing unknown or lost is filled solid, however thin the columns', () => {
    const dense = lanes([
      { kind: MARK.bin, t0: 0, t1: 4, up: 900, up_lost: 300, up_unknown: 600, down: 90, down_unknown: 90 },
    ]);
    for (const unit of [0.05, 0.5, 3, 6]) {
      const solid = picture((ctx) => drawBins(ctx, SVG_INK, x, dense, 0, LOOK, unit));
      expect(solid).not.toMatch(/fill="var\(/);
      expect(solid).toContain('url(#hatch-waste)');
    }
  });
  it('end at the edges of the window, also where a column of an earlier window reaches out of it', () => {
    const bins = lanes([
      { kind: MARK.bin, t0: -30, t1: 4, up: 2, down: 1 },
      { kind: MARK.bin, t0: 95, t1: 140, up: 2, up_lost: 2 },
    ]);
    const [left, right] = [x(x.t0), x(x.t1)];
    const places: number[] = [];
    const canvas = new Proxy({} as Record<string, unknown>, {
      get: (_, name) =>
        name === 'fillRect' || name === 'rect'
          ? (from: number, _top: number, width: number) => places.push(from, from + width)
          : () => {},
      set: () => true,
    });
    drawBins(canvas as unknown as Surface, SVG_INK, x, bins, 0, LOOK, 5);
    expect(places.length).toBeGreaterThan(4);
    expect(Math.min(...places)).toBeGreaterThanOrEqual(left);
    expect(Math.max(...places)).toBeLessThanOrEqual(right);
  });
  it('become columns when dense: up not needless, down needless', async () => {
    const bins = lanes([
      { kind: MARK.bin, t0: 0, t1: 4, up: 2, up_lost: 1, down: 1 },
      { kind: MARK.bin, t0: 4, t1: 8, up: 0, down: 3, down_lost: 1, down_unknown: 1 },
      { kind: MARK.bin, t0: 96, t1: 100, up: 1, down: 0 },
    ]);
    expect(countIn(bins, 0, 0, 50)).toEqual({ needless: 4, copies: 6 });
    expect(tallest(bins, 0, 0, 100)).toBe(3);
    await expect(picture((ctx) => drawBins(ctx, SVG_INK, x, bins, 0, LOOK, 5))).toMatchFileSnapshot(
      'golden/bins.svg.txt',
    );
  });
});

describe('density', () => {
  it('draws an area, bars up and ticks down', async () => {
    const density = {
      length: 4,
      t0: Float64Array.from([0, 25, 50, 75]),
      frames: Float32Array.from([1, 4, 2, 0]),
      copies: Float32Array.from([1, 2, 1, 0]),
      needless: Float32Array.from([0, 2, 1, 0]),
      lost: Float32Array.from([0, 1, 0, 0]),
    };
    const look = {
      frames: { y: 30, height: 20 },
      needless: { y: 45, height: 10 },
      lost: { y: 47, height: 8 },
      column: 50,
    };
    await expect(picture((ctx) => drawDensity(ctx, SVG_INK, x, density, look))).toMatchFileSnapshot(
      'golden/density.svg.txt',
    );
  });
});

describe('timers and round-trip times', () => {
  const rows: RtoRows = {
    length: 5,
    t: Float64Array.from([0, 20, 40, 60, 80]),
    exchange: Uint32Array.from([1, 2, 3, 4, 5]),
    first_timer: Float64Array.from([2, 2, 3, NaN, 2]),
    first_error: Float64Array.from([0, 0.5, 0, NaN, 0]),
    known: Uint8Array.from([1, 3, 1, 0, 1]),
    first_gap: Float64Array.from([NaN, 2, NaN, 6, NaN]),
    wait: Float64Array.from([NaN, NaN, NaN, NaN, NaN]),
    rtt: Float64Array.from([1, 8, 2, 3, NaN]),
    true_rtt: Float64Array.from([1, 8, NaN, 3, NaN]),
    class: Uint8Array.from([SAMPLE.strong, SAMPLE.weak, SAMPLE.not_sampled, SAMPLE.unknown, SAMPLE.exact]),
    needless: Uint8Array.from([0, 1, 0, 0, 0]),
    supported: Uint8Array.from([1, 1, 1, 1, 1]),
    rto: Float64Array.from([2, 3, 4, 4, 4]),
    strong: Float64Array.from([NaN, 2, 2, 2, 2]),
    weak: Float64Array.from([NaN, NaN, NaN, NaN, NaN]),
  };
  const y = valueScale([1, 16], [100, 0], true);

  it('step, gap where there is no value, and end at the window', async () => {
    const look = { colour: 's1', width: 2, dash: [7, 3] } as const;
    await expect(picture((ctx) => drawSteps(ctx, SVG_INK, x, y, rows, rows.first_timer, look))).toMatchFileSnapshot(
      'golden/steps.svg.txt',
    );
  });
  it('show how much too short a timer was', async () => {
    await expect(picture((ctx) => drawShortfalls(ctx, SVG_INK, x, y, rows, 8))).toMatchFileSnapshot(
      'golden/shortfalls.svg.txt',
    );
  });
  it('tell samples apart by shape alone', async () => {
    await expect(picture((ctx) => drawSamples(ctx, SVG_INK, x, y, rows))).toMatchFileSnapshot('golden/samples.svg.txt');
  });
  it('know their extent', () => {
    expect(extentOf(rows, 0, 100)).toEqual([1, 8]);
  });
  it('say how much too short a timer was only where it is known, beyond its error, and with the wait before the air', () => {
    expect(shortfallOf(rows, 1)).toBe(6);
    expect(shortfallOf(rows, 0)).toBe(0);
    const waited = { ...rows, wait: Float64Array.from([NaN, 1.5, NaN, NaN, NaN]) };
    expect(shortfallOf(waited, 1)).toBe(7.5);
    expect(shortfallOf({ ...rows, first_error: Float64Array.from([0, 7, 0, NaN, 0]) }, 1)).toBeNaN();
    const gap = { ...rows, first_timer: Float64Array.from([2, NaN, 3, NaN, 2]) };
    expect(shortfallOf(gap, 1)).toBeNaN();
  });
});
