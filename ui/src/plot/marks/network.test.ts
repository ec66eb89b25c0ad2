// The marks of the network on the recording surface, kept beside and reviewed like pictures.
import { describe, expect, it } from 'vitest';
import { timeScale, valueScale } from '../scale';
import { Recorder, SVG_INK } from '../surface';
import {
  drawArc,
  drawCasing,
  drawChanges,
  drawDisc,
  drawLoad,
  drawLoss,
  drawParents,
  moving,
  period,
  type Arc,
} from './network';

function picture(draw: (recorder: Recorder) => void): string {
  const recorder = new Recorder();
  draw(recorder);
  return `${recorder.markup()}\n`;
}

const points: Arc['points'] = [
  [0, 0],
  [25, -6],
  [50, -8],
  [75, -6],
  [100, 0],
];
const arc = (changed: Partial<Arc>): Arc => ({
  points,
  width: 6,
  lost: 0,
  idle: false,
  faint: false,
  thin: false,
  away: false,
  ...changed,
});

describe('links', () => {
  it('are whole, gapped, hatched or thin: nothing lost, a share lost, not known, idle', async () => {
    const text = picture((ctx) => {
      drawParents(ctx, SVG_INK, [
        [
          [0, 0],
          [100, 0],
        ],
      ]);
      drawCasing(ctx, SVG_INK, arc({}), true);
      for (const changed of [{}, { lost: 0.25 }, { lost: null, width: 2, faint: true }, { idle: true }])
        drawArc(ctx, SVG_INK, arc(changed));
    });
    await expect(text).toMatchFileSnapshot('golden/arcs.svg.txt');
  });
  it('stand back where they carry little, and further where something else is looked at', () => {
    const tones = [{}, { faint: true }, { lost: null, thin: true }, { faint: true, away: true }].map((changed) =>
      [...picture((ctx) => drawArc(ctx, SVG_INK, arc(changed))).matchAll(/var\(--([\w-]+)\)/g)].map(([, tone]) => tone),
    );
    // The line and its head.
    expect(tones).toEqual([
      ['recorded', 'recorded'],
      ['ink-3', 'ink-3'],
      ['line-3', 'line-3'],
      ['line-2', 'line-2'],
    ]);
  });
  it('have gaps that are the lost share of their length, for any width', () => {
    for (const width of [1, 4, 10])
      for (const lost of [0.1, 0.5, 0.9]) {
        const dash = /stroke-dasharray="([\d.]+) ([\d.]+)"/.exec(
          picture((ctx) => drawArc(ctx, SVG_INK, arc({ width, lost }))),
        );
        const [on, off] = [Number(dash?.[1]), Number(dash?.[2])];
        expect(on + off).toBeCloseTo(period(width), 5);
        expect(off / (on + off)).toBeCloseTo(lost, 5);
      }
  });
  it('show the smallest loss, and a line where everything is lost', () => {
    expect(picture((ctx) => drawArc(ctx, SVG_INK, arc({ lost: 0.001 })))).toContain('stroke-dasharray="16.2 0.8"');
    expect(picture((ctx) => drawArc(ctx, SVG_INK, arc({ lost: 1 })))).toContain('0.8');
  });
});

it('nodes tell root, server, client and the unheard apart by shape', async () => {
  const disc = { x: 20, y: 20, r: 10, root: false, server: false, client: false, silent: false };
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
