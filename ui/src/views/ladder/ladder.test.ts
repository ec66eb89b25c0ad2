import { describe, expect, it } from 'vitest';
import type { LadderCopy, LadderFrame, LadderLeg, LadderSide, LadderView } from '../../ipc/gen/types';
import type { Rungs } from '../../plot/marks/ladder';
import { begin, extent } from './extent';
import { boxOf, fitting, itemAt } from './place';
import { isSame, sceneOf } from './scene';
import { summaryOf } from './text';

const MS = 1e6;
const frame = (number: number, ms: number, fields: Partial<LadderFrame> = {}): LadderFrame => ({
  ...{ frame: number, fragment: 0, attempt: 1, seq: 9, start: ms * MS, end: (ms + 3) * MS },
  ...{ delivery: 'yes', ack: number + 1, acked: (ms + 4) * MS, ...fields },
});
const leg = (from: number, to: number, frames: LadderFrame[], fields: Partial<LadderLeg> = {}): LadderLeg => ({
  ...{ from, to, sent: frames[0]!.start, arrived: frames.at(-1)!.end, delivery: 'yes', fragments: 1 },
  ...{ mac_delay: 4 * MS, duplicate: false, hop_limit: 64, frames, ...fields },
});
const lost = { delivery: 'unlikely', ack: null, acked: null } as const;
const copy: LadderCopy = {
  ...{
    sent: 1000 * MS,
    timer: { value: 2000 * MS, error: MS, known: 'log' as const },
    gap: 2100 * MS,
    wait: null,
    expired: true,
    fate: 'answered',
    evidence: 'proven',
    rtt: 2500 * MS,
  },
  ...{ needless: false, reply: 0, like: null },
  transit: {
    ...{ message: 3, drops: [], ending: 'arrived', evidence: 'proven', leg: null, at: 1503 * MS },
    waits: [{ node: 1, from: 1103 * MS, until: 1500 * MS, kind: 'queue' }],
    legs: [
      leg(0, 1, [frame(1, 1000, lost), frame(2, 1100, { attempt: 2 })], { mac_delay: 104 * MS }),
      leg(1, 2, [frame(4, 1500)]),
    ],
  },
};
const second: LadderCopy = {
  ...{
    ...copy,
    sent: 3000 * MS,
    timer: null,
    gap: 500 * MS,
    expired: false,
    fate: 'request_lost',
    rtt: null,
    needless: true,
  },
  reply: null,
  transit: {
    ...{ message: 4, drops: [], ending: 'not_acknowledged', evidence: 'inferred', leg: 0, at: null, waits: [] },
    legs: [leg(0, 1, [frame(6, 3000, lost)], { delivery: 'unlikely', mac_delay: null })],
  },
};
const side: LadderSide = {
  ...{ run: null, simulated: null, copies: [copy, second], end: 3500 * MS, outcome: 'acked' },
  replies: [
    {
      ...{ form: 'piggybacked', sent: 3400 * MS, arrived: 3500 * MS, answers: 0, evidence: 'proven', closing: true },
      transit: {
        ...{ message: 5, drops: [], ending: 'arrived', evidence: 'proven', leg: null, at: 3500 * MS },
        waits: [{ node: 2, from: 1503 * MS, until: 3400 * MS, kind: 'turnaround' }],
        legs: [leg(2, 1, [frame(8, 3400)]), leg(1, 0, [frame(10, 3497)])],
      },
    },
  ],
};
const node = (name: string, role: 'client' | 'router' | 'server') => ({ name, address: null, role, seen: true });
const view: LadderView = {
  ...{ exchange: 0, association: 0, mid: 7, token: '', code: '0.01', vantage: 'everywhere', place: 0, of: 1 },
  ...{ previous: null, next: null, sides: [side] },
  nodes: [node('mote 3', 'client'), node('mote 2', 'router'), node('mote 1', 'server')],
};
const INK = { colour: 'recorded' } as const;

describe('the scene of a ladder', () => {
  const scene = sceneOf(view, side, INK, MS);
  const titles = scene.items.map((item) => item.lines[0]);

  it('has every frame, wait and timer, each said in words', () => {
    expect(titles).toContain('copy 1, mote 3 → mote 2');
    expect(titles).toContain('copy 1, mote 3 → mote 2, retry 1');
    expect(titles).toContain('mote 2 kept copy 1 for 397\u00a0ms');
    expect(titles).toContain('mote 1 had the request for 1.90\u00a0s');
    expect(titles).toContain('timer of copy 1: 2.00\u00a0s ± 1.0\u00a0ms, by the client’s log');
    expect(titles).toContain('timer of copy 2: longer than 500\u00a0ms');
    expect(titles).toContain('reply to copy 1, mote 2 → mote 3');
    expect(titles).toContain('closed after 2.50\u00a0s');
    const died = scene.items.find((item) => item.lines[0] === 'copy 2, mote 3 → mote 2');
    expect(died?.lines.slice(1)).toEqual([
      'frame 7 at +2.000000 s, no link-layer ACK',
      'died on this hop, or in the next node unnoticed: no link-layer ACK came (inferred)',
    ]);
    expect(died?.marks).toEqual([
      { kind: 'lost', t0: 2000 * MS, from: 0, to: 1, colour: 'waste', reply: false, faint: false },
    ]);
    expect(died?.frames).toEqual([6]);
  });

  it('draws a gap on the air as one, and a timer from when it was armed', () => {
    const wait = { value: 400 * MS, error: 2 * MS };
    const waited: LadderSide = { ...side, copies: [{ ...copy, wait }, second] };
    const timer = sceneOf(view, waited, INK, MS).items.find(({ marks: [mark] }) => mark?.kind === 'timer')!;
    expect([timer.t0, timer.t1]).toEqual([-400 * MS, 1600 * MS]);
    expect(timer.lines[2]).toBe(
      'by the client’s log, armed 400\u00a0ms before its first frame on the air (± 2.0\u00a0ms)',
    );
    expect(begin([waited])).toBe(-400 * MS);
    expect(begin([side])).toBe(0);
    const unknown: LadderSide = { ...side, copies: [{ ...copy, timer: null, gap: 2000 * MS }, second] };
    const gap = sceneOf(view, unknown, INK, MS).items.find(({ marks: [mark] }) => mark?.kind === 'timer')!;
    expect(gap.lines[0]).toBe('gap on air after copy 1: 2.00\u00a0s');
    expect(gap.marks).toEqual([
      { kind: 'timer', t0: 0, t1: 2000 * MS, expired: true, known: false, colour: 'recorded' },
    ]);
  });

  it('takes frames that no pixel can tell apart as one, but not a lost one with one that got through', () => {
    const coarse = sceneOf(view, side, INK, 100 * MS);
    const first = coarse.items.filter((item) => item.row === 0 && item.from === 0 && item.to === 1);
    expect(first.map((item) => item.frames)).toEqual([[1], [2]]);
    const burst = leg(
      0,
      1,
      [0, 5, 10].map((ms, k) => frame(20 + k, 1000 + ms, { fragment: k })),
      { fragments: 3 },
    );
    const many = { ...side, copies: [{ ...copy, transit: { ...copy.transit!, legs: [burst] } }] };
    const [one] = sceneOf(view, many, INK, 100 * MS).items.filter((item) => item.frames.length > 1);
    expect(one?.lines[0]).toBe('copy 1, mote 3 → mote 2, 3\u00a0frames');
    expect(one?.lines[1]).toBe('frames 21 to 23 at +0.000000 s, got through');
    expect(sceneOf(view, many, INK, MS / 10).items.filter((item) => item.frames.length === 1)).toHaveLength(5);
  });

  it('knows a mark again at another scale', () => {
    const fine = scene.items.find((item) => item.frames.includes(2))!;
    const coarse = sceneOf(view, side, INK, 100 * MS).items;
    expect(coarse.filter((item) => isSame(item, fine)).map((item) => item.frames)).toEqual([[2]]);
    const wait = scene.items.find((item) => item.marks[0]?.kind === 'wait')!;
    expect(coarse.filter((item) => isSame(item, wait)).map((item) => item.lines[0])).toEqual([wait.lines[0]]);
  });

  it('invents no hops for a copy whose fate is modelled', () => {
    const modelled: LadderSide = {
      ...{ run: 4, simulated: null, end: 3500 * MS, outcome: 'acked', replies: [] },
      copies: [{ ...copy, evidence: 'unknown', transit: null, reply: null }],
    };
    const items = sceneOf(view, modelled, { colour: 's1' }, MS).items.filter((item) => item.to !== item.from);
    expect(items.map((item) => item.marks)).toEqual([
      [{ kind: 'modelled', t0: 0, t1: 2500 * MS, from: 0, to: 2, colour: 's1' }],
    ]);
    expect(items[0]?.lines[2]).toBe('only the times at the client are said, not the way');
    expect(summaryOf(modelled)).toBe('timer 2.00\u00a0s; 1 of 1\u00a0copy modelled');
  });

  it('says that simulated hops are simulated, and why a node dropped a copy', () => {
    const made = { frame: null, seq: null, ack: null } as const;
    const first = frame(0, 1000, { ...made, delivery: 'no', acked: null });
    const retry = frame(0, 1100, { ...made, attempt: 2 });
    const simulated: LadderSide = {
      ...{ run: 4, simulated: { replicate: 1, of: 200, seed: 1 }, end: null, outcome: 'abandoned', replies: [] },
      copies: [
        {
          ...{ ...copy, evidence: 'unknown', fate: 'request_lost', rtt: null, reply: null },
          transit: {
            ...{ message: null, ending: 'dropped', evidence: 'unknown', leg: 0, at: null, waits: [] },
            legs: [leg(0, 1, [first, retry], { hop_limit: null })],
            drops: [{ node: 1, at: 1200 * MS, reason: 'queue_full' }],
          },
        },
      ],
    };
    const { items, labels } = sceneOf(view, simulated, { colour: 's1' }, MS);
    const drop = items.find((item) => item.marks[0]?.kind === 'drop')!;
    expect(drop.marks).toEqual([{ kind: 'drop', t0: 200 * MS, node: 1, colour: 's1' }]);
    expect(drop.lines).toEqual(['copy 1, in mote 2', 'dropped: the queue was full', 'simulated, replicate 1 of 200']);
    expect(labels.some(({ node, text }) => node === 1 && text === 'dropped')).toBe(true);
    const frames = items.filter((item) => item.from !== item.to);
    expect(frames.map((item) => item.lines[1])).toEqual([
      'simulated frame at +0.000000 s, not received',
      'simulated frame at +0.100000 s, acknowledged',
    ]);
    expect(frames[1]?.lines[2]).toBe('died here: a node dropped it (simulated)');
    expect(frames.every((item) => item.frames.length === 0)).toBe(true);
    expect(summaryOf(simulated)).toBe('timer 2.00\u00a0s; simulated, replicate 1 of 200');
    expect(extent([simulated])).toBeGreaterThan(200 * MS);
  });

  it('counts frames, and those of needless copies', () => {
    expect(summaryOf(side)).toBe('6\u00a0frames seen, 1 of them for the needless copy');
    expect(extent([side])).toBe(Math.ceil(2500 * MS * 1.05));
  });

  it('shows timers that still run as far as 30 % beyond the latest event', () => {
    const until = (...timers: (number | null)[]) =>
      extent([
        {
          ...{ run: 4, simulated: null, end: null, outcome: 'open', replies: [] },
          copies: timers.map((gap) => ({
            ...copy,
            sent: 1000 * MS,
            rtt: null,
            timer: null,
            gap,
            transit: null,
            expired: false,
          })),
        },
      ]);
    // The first copy is the origin: the latest event is at 0, for which 1 ms stands.
    expect(until(null)).toBe(Math.ceil(MS * 1.05));
    expect(until(1.2 * MS)).toBe(Math.ceil(MS * 1.2));
    expect(until(1.1 * MS, 1.2 * MS)).toBe(Math.ceil(MS * 1.2));
    expect(until(9 * MS)).toBe(Math.ceil(MS * 1.3));
  });
});

describe('places in a ladder', () => {
  const scene = sceneOf(view, side, INK, MS);
  const rungs: Rungs = { at: (t, at) => [100 + 200 * at, t / (10 * MS)], down: true, lean: 2 };

  it('finds what is under the pointer, the smaller of two', () => {
    const wait = itemAt(scene.items, rungs, 298, 30);
    expect(wait?.lines[0]).toMatch(/^mote 2 kept copy 1/);
    expect(itemAt(scene.items, rungs, 200, 10)?.lines[0]).toBe('copy 1, mote 3 → mote 2, retry 1');
    expect(itemAt(scene.items, rungs, 200, 120)).toBeNull();
  });

  it('every mark has a box on its line', () => {
    for (const item of scene.items) {
      const box = boxOf(item, rungs);
      expect(box.width, item.lines[0]).toBeGreaterThan(0);
      expect(box.height, item.lines[0]).toBeGreaterThanOrEqual(0);
    }
  });

  it('leaves out labels that would overlap or stand for too little', () => {
    const y = (t: number) => t / (10 * MS);
    const label = (t: number, length?: number) => ({ t: t * MS, node: 1, text: 'x', side: 'left' as const, length });
    const kept = fitting([label(0), label(50), label(300), label(500, 10 * MS), label(700, 400 * MS)], y, 400);
    expect(kept.map(({ t }) => t / MS)).toEqual([0, 300, 700]);
  });
});
