import { describe, expect, it } from 'vitest';
import { layout, parse } from './diagram';

const FASOR = [
  'FAST -> FAST: acknowledged without a retransmission',
  'FAST -> FAST_SLOW_FAST: acknowledged after a retransmission',
  'FAST_SLOW_FAST -> FAST: acknowledged without a retransmission',
  'FAST_SLOW_FAST -> SLOW_FAST: acknowledged after a retransmission',
  'SLOW_FAST -> FAST: acknowledged without a retransmission',
  'SLOW_FAST -> SLOW_FAST: acknowledged: again',
].join('\n');

describe('parse', () => {
  it('reads states in the order they are named, and conditions with colons', () => {
    const machine = parse(`${FASOR}\nnot a transition`);
    expect(machine.states).toEqual(['FAST', 'FAST_SLOW_FAST', 'SLOW_FAST']);
    expect(machine.transitions).toHaveLength(6);
    expect(machine.transitions[5]).toEqual({
      number: 6,
      from: 'SLOW_FAST',
      to: 'SLOW_FAST',
      when: 'acknowledged: again',
    });
  });
});

describe('layout', () => {
  const drawn = layout(parse(FASOR));

  it('puts every state and every arrow inside the picture', () => {
    expect(drawn.boxes).toHaveLength(3);
    for (const box of drawn.boxes) expect(box.x + box.width).toBeLessThanOrEqual(drawn.width);
    const numbers = drawn.arrows.flatMap((arrow) => arrow.numbers).sort();
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6]);
    for (const { path, at } of drawn.arrows) {
      const ordinates = [...path.matchAll(/,(-?[\d.]+)/g)].map(([, y]) => Number(y));
      // A control point may lie outside; the curve reaches three quarters of the way to it.
      expect(at.y).toBeGreaterThanOrEqual(8);
      expect(at.y).toBeLessThanOrEqual(drawn.height - 8);
      expect(ordinates.every(Number.isFinite)).toBe(true);
    }
  });

  it('boxes do not overlap, and no two badges either', () => {
    drawn.boxes.slice(1).forEach((box, n) => {
      const before = drawn.boxes[n]!;
      expect(box.x).toBeGreaterThan(before.x + before.width);
    });
    const places = drawn.arrows.map(({ at }) => at);
    places.forEach((a, n) =>
      places.slice(n + 1).forEach((b) => expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(16)),
    );
  });

  it('lets transitions between the same states share an arrow', () => {
    const { arrows } = layout(parse('a -> b: one\na -> b: two\nb -> a: three'));
    expect(arrows.map(({ numbers }) => numbers)).toEqual([[1, 2], [3]]);
  });
});
