// The marks of the network on the recording surface, kept beside and reviewed like pictures.
import { describe, expect, it } from 'vitest';
import { timeScale, valueScale } from '../scale';
import { Recorder, SVG_INK } from '../surface';
import {
  LOSS_CLASSES,
  drawChanges,
  drawDisc,
  drawHalo,
  drawLine,
  drawLoad,
  drawLoss,
  moving,
  type Line,
} from './network';

function picture(draw: (recorder: Recorder) => void): string {
  const recorder = new Recorder();
  draw(recorder);
  return `${recorder.markup()}\n`;
}

const line = (changed: Partial<Line>): Line => ({
  points: [
    [0, 0],
    [100, 0],
  ],
  tree: true,
  width: 6,
  lost: 0,
  idle: false,
  away: false,
  ...changed,
});
const tones = (changed: Partial<Line>) =>
  [...picture((ctx) => drawLine(ctx, SVG_INK, line(changed))).matchAll(/stroke="(?:var\(--|url\(#)([\w-]+)\)/g)].map(
    ([, tone]) => tone,
  );

describe('links', () => {
  it('are coloured by loss, hatched where it is not known, thin where idle, dotted beside the tree', async () => {
    const text = picture((ctx) => {
      drawHalo(ctx, SVG_INK, line({}), true);
      for (const changed of [{}, { lost: 0.25 }, { lost: null }, { idle: true }, { tree: false }, { away: true }])
        drawLine(ctx, SVG_INK, line(changed));
    });
    await expect(text).toMatchFileSnapshot('golden/lines.svg.txt');
  });
  it('have the colour of the class of their loss, and their head has it too', () => {
    LOSS_CLASSES.forEach((below, at) => {
      const lost = ((LOSS_CLASSES[at - 1] ?? 0) + Math.min(1, below)) / 2;
      expect(tones({ lost })).toEqual([`loss-${at + 1}`, `loss-${at + 1}`]);
    });
    expect([tones({ lost: null }), tones({ lost: null, width: 3 })]).toEqual([
      ['hatch-ink-2', 'line-3'],
      ['line-3', 'line-3'],
    ]);
  });
  it('stand back where something else is looked at', () => {
    expect([tones({ away: true, lost: 1 }), tones({ tree: false }), tones({ tree: false, away: true })]).toEqual([
      ['line-2', 'line-2'],
      ['line-3'],
      ['line-1'],
    ]);
  });
  it('point to the parent with a head that stays small, and with none where there is no room', () => {
    const head = (changed: Partial<Line>) =>
      /M([\d.]+),([-\d.]+)L([\d.]+),([-\d.]+)L([\d.]+),([-\d.]+)Z/.exec(
        picture((ctx) => drawLine(ctx, SVG_INK, line(changed))),
      );
    for (const width of [1, 4, 10]) {
      const [tip = 0, , base = 0, low = 0, , high = 0] = (head({ width }) ?? []).slice(1).map(Number);
      expect(tip).toBeGreaterThan(50);
      expect(base).toBeLessThan(50);
      expect(Math.abs(low - high)).toBeLessThan(8);
    }
    expect(head({ points: [[0, 0], [10, 0]] })).toBe(null); // prettier-ignore
  });
});

it('nodes tell root, server, client and the unheard apart by shape', async () => {
  const disc = { x: 20, y: 20, r: 10, root: false, server: false, client: false, silent: false, away: false };
  const text = picture((ctx) => {
    for (const changed of [{}, { root: true, server: true }, { client: true }, { silent: true }])
      drawDisc(ctx, SVG_INK, { ...disc, ...changed });
  });
  await expect(text).toMatchFileSnapshot('golden/discs.svg.txt');
});

describe('over time', () => {
  const x = timeScale(0, 100, 0, 200);
  const y = valueScale([0, 1], [50, 0], false);
  const series = {
    length: 5,
    t0: Float64Array.from([0, 25, 50, 75, 100]),
    airtime: Float64Array.from([0.2, 0.4, 0, 0.1, 0.9]),
    frames: Uint32Array.from([2, 4, 0, 1, 9]),
    retries: Uint32Array.from([0, 1, 0, 0, 0]),
    lost: Uint32Array.from([0, 2, 0, 1, 9]),
    judged: Uint32Array.from([2, 4, 0, 1, 9]),
  };
  it('load is an area, loss an outline with gaps where nothing is known, changes are diamonds', async () => {
    const text = picture((ctx) => {
      drawLoad(ctx, SVG_INK, x, y, series, series.airtime);
      drawLoss(ctx, SVG_INK, x, y, series);
      drawChanges(ctx, SVG_INK, x, 8, [10, 60, 140]);
    });
    await expect(text).toMatchFileSnapshot('golden/network-series.svg.txt');
  });
  it('a moving mean is of the intervals around each, fewer at the ends, and keeps shares of losses', () => {
    expect(moving(series, 1)).toBe(series);
    const three = moving(series, 3);
    // 2, 4, 0, 1, 9: (2 + 4)/2, (2 + 4 + 0)/3, (4 + 0 + 1)/3, (0 + 1 + 9)/3, (1 + 9)/2.
    [3, 2, 5 / 3, 10 / 3, 5].forEach((mean, at) => expect(three.frames[at]).toBeCloseTo(mean, 12));
    [0.3, 0.2, 0.5 / 3, 1 / 3, 0.5].forEach((mean, at) => expect(three.airtime[at]).toBeCloseTo(mean, 12));
    // In the middle 0 + 1 + 9 lost of 0 + 1 + 9 judged.
    expect((three.lost[3] ?? 0) / (three.judged[3] ?? 1)).toBeCloseTo(1, 12);
    expect(moving(series, 51).frames[2]).toBeCloseTo(16 / 5, 12);
    expect(three.t0).toBe(series.t0);
  });
  it('many changes are ticks', () => {
    const many = Array.from({ length: 30 }, (_, k) => k);
    const text = picture((ctx) => drawChanges(ctx, SVG_INK, x, 8, many));
    expect(text).toMatch(/^<path d="M0,4L0,12M2,4L2,12/);
  });
});
