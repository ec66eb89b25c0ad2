// The marks of the ladder on the recording surface: the SVG is the picture, kept beside and reviewed like one.
import { describe, expect, it } from 'vitest';
import { Recorder, SVG_INK } from '../surface';
import { drawLadder, type LadderMark, type Rungs } from './ladder';

const hop = { t0: 10, from: 0, to: 1, colour: 'recorded', reply: false, faint: false } as const;
const EVERY: LadderMark[] = [
  { kind: 'timer', t0: 10, t1: 60, expired: true, known: true, colour: 'recorded' },
  { kind: 'wait', t0: 12, t1: 40, node: 1, reply: false, colour: 'recorded' },
  { kind: 'wait', t0: 44, t1: 52, node: 1, reply: true, colour: 'waste' },
  { kind: 'copy', t0: 10, needless: false, colour: 'recorded' },
  { ...hop, kind: 'arrow', t1: 12 },
  { ...hop, kind: 'arrow', t0: 20, t1: 22, faint: true },
  { ...hop, kind: 'lost', t0: 30 },
  { ...hop, kind: 'unsure', t0: 36 },
  { ...hop, kind: 'arrow', t0: 52, t1: 54, from: 1, to: 0, reply: true },
  { ...hop, kind: 'lost', t0: 56, from: 1, to: 0, reply: true },
  { kind: 'closing', t0: 54, colour: 'recorded' },
  { kind: 'copy', t0: 60, needless: true, colour: 'waste' },
  { kind: 'modelled', t0: 60, t1: 90, from: 0, to: 1, colour: 's1' },
  { kind: 'modelled', t0: 70, t1: null, from: 0, to: 1, colour: 's1' },
  { kind: 'drop', t0: 80, node: 1, colour: 's1' },
];

function picture(rungs: Rungs): string {
  const recorder = new Recorder();
  drawLadder(recorder, SVG_INK, rungs, EVERY);
  return `${recorder.markup()}\n`;
}

describe('a ladder', () => {
  it('stands: time downwards', async () => {
    const rungs: Rungs = { at: (t, node) => [40 + 120 * node, t * 2], down: true, lean: 2 };
    await expect(picture(rungs)).toMatchFileSnapshot('golden/ladder.svg.txt');
  });
  it('lies: time to the right', async () => {
    const rungs: Rungs = { at: (t, node) => [t * 3, 10 + 25 * node], down: false, lean: 9 };
    await expect(picture(rungs)).toMatchFileSnapshot('golden/ladder-lying.svg.txt');
  });
  it('draws nothing twice: an arrow’s head is at the node it leads to', () => {
    const recorder = new Recorder();
    const rungs: Rungs = { at: (t, node) => [100 * node, t], down: true, lean: 2 };
    drawLadder(recorder, SVG_INK, rungs, [{ ...hop, kind: 'arrow', t1: 10 }]);
    expect(recorder.shapes).toHaveLength(2);
    expect(recorder.shapes[1]?.d).toMatch(/^M98,10L/);
  });
});
