import fc from 'fast-check';
import { expect, it } from 'vitest';
import { along, boxOf, logLimits, paretoFront, placeLabels, planePoints } from './plane';

const point = fc.record({
  w: fc.double({ min: 0.1, max: 50, noNaN: true }),
  b: fc.double({ min: 0, max: 1, noNaN: true }),
});

it('keeps exactly the settings that nothing beats', () => {
  fc.assert(
    fc.property(fc.array(point, { maxLength: 40 }), (points) => {
      const front = paretoFront(points);
      const beaten = (p: { w: number; b: number }) =>
        points.some((q) => q.w <= p.w && q.b <= p.b && (q.w < p.w || q.b < p.b));
      for (const p of front) expect(beaten(p)).toBe(false);
      for (const p of points) if (!beaten(p)) expect(front.some((q) => q.w === p.w && q.b === p.b)).toBe(true);
      for (let k = 1; k < front.length; k += 1) expect(front[k]!.w).toBeGreaterThanOrEqual(front[k - 1]!.w);
    }),
  );
});

it('reads sweeps and leaves out what has no measure', () => {
  const metric = (mean: number | null) => ({
    recorded: null,
    worst: null,
    best: null,
    mean,
    lo90: null,
    hi90: null,
    another: null,
    support: null,
  });
  const sweep = [
    { value: 1, across: null, metrics: { w: metric(2), b: metric(0.1) } },
    { value: 2, across: null, metrics: { w: metric(null), b: metric(0.1) } },
  ];
  expect(planePoints(sweep)).toEqual([{ w: 2, b: 0.1, value: 1 }]);
  expect(logLimits([0, 2, 8], 2)).toEqual([1, 16]);
});

it('puts labels where they cover nothing', () => {
  const inside = { left: 0, right: 400, top: 0, bottom: 300 };
  const labels = ['a', 'b', 'c'].map((key) => ({ key, text: 'CoCoA, K 1', x: 200, y: 150 }));
  const placed = placeLabels(labels, inside, []);
  for (const [at, a] of placed.entries()) {
    for (const b of placed.slice(at + 1)) {
      expect(Math.abs(a.y - b.y) >= 12 || Math.abs(a.x - b.x) >= 59, `${a.key} and ${b.key}`).toBe(true);
    }
  }
});

it('puts labels beside lines, not on them, and where all is full on what covers the least', () => {
  const inside = { left: 0, right: 400, top: 0, bottom: 300 };
  const label = { key: 'a', text: 'RFC 6298, K 0.5', x: 200, y: 150 };
  // A line that comes from the left and leaves upwards to the right.
  const line = along([
    { x: 60, y: 152 },
    { x: 200, y: 150 },
    { x: 330, y: 90 },
  ]);
  expect(line.length).toBeGreaterThan(30);
  const [placed] = placeLabels([label], inside, line);
  const box = boxOf(placed!);
  for (const part of line)
    expect(box.right <= part.left || box.left >= part.right || box.bottom <= part.top || box.top >= part.bottom).toBe(
      true,
    );
  // Everything is taken twice but one corner.
  const corner = { left: 208, right: 400, top: 150, bottom: 172 };
  const crowded = [inside, { ...inside, bottom: corner.top }, { ...inside, right: corner.left }];
  const [least] = placeLabels([label], inside, crowded);
  expect(boxOf(least!)).toMatchObject({ left: corner.left, top: 154 });
});
