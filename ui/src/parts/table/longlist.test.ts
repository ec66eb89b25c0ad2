import { expect, it } from 'vitest';
import { contentHeight, listTop, rowTop, scrollTo, scrollToMiddle, shown, step, TALLEST } from './longlist';

const short = { rows: 1000, row: 24, view: 240 };
const long = { rows: 5_000_000, row: 24, view: 240 };

it('a short list is as tall as its rows', () => {
  expect(contentHeight(short)).toBe(24_000);
  expect(shown(short, 0, 2)).toEqual([0, 12]);
  expect(shown(short, 24_000 - 240, 0)).toEqual([990, 999]);
  expect(rowTop(short, 480, 30)).toBe(720);
});

it('a long list ends at the end of its scroller', () => {
  expect(contentHeight(long)).toBe(TALLEST);
  const end = TALLEST - long.view;
  expect(shown(long, end, 0)[1]).toBe(long.rows - 1);
  expect(rowTop(long, end, long.rows - 1)).toBeCloseTo(TALLEST - long.row, 3);
  expect(rowTop(long, 0, 3)).toBe(72);
});

it('scrolls no further than needed', () => {
  expect(scrollTo(short, 0, 5)).toBe(0);
  expect(scrollTo(short, 0, 10)).toBe(24);
  expect(scrollTo(short, 480, 3)).toBe(72);
  for (const index of [0, 1, 2_499_999, 4_999_999]) {
    const at = scrollTo(long, 8_000_000, index);
    const [first, last] = shown(long, at, 1);
    expect(first <= index && index <= last).toBe(true);
    expect(rowTop(long, at, index)).toBeGreaterThanOrEqual(at - 1);
    expect(rowTop(long, at, index) + long.row).toBeLessThanOrEqual(at + long.view + 1);
  }
});

it('steps by rows and pages and stays inside', () => {
  expect(step(short, 'ArrowDown', 4)).toBe(5);
  expect(step(short, 'ArrowUp', 0)).toBe(0);
  expect(step(short, 'PageDown', 4)).toBe(13);
  expect(step(short, 'PageUp', 4)).toBe(0);
  expect(step(short, 'End', 4)).toBe(999);
  expect(step({ ...short, rows: 0 }, 'End', 0)).toBe(0);
  expect(step(short, 'Enter', 4)).toBeNull();
});

it('a row comes to the middle of the view, as far as the list reaches', () => {
  for (const list of [short, long]) {
    for (const index of [0, 3, Math.floor(list.rows / 2), list.rows - 1]) {
      const at = scrollToMiddle(list, index);
      const middle = index * list.row + list.row / 2 - listTop(list, at);
      const most = contentHeight(list) - list.view;
      expect(at).toBeGreaterThanOrEqual(0);
      expect(at).toBeLessThanOrEqual(most + 1e-6);
      // In the middle, unless the list ends before.
      if (at > 0 && at < most - 1e-6) expect(middle).toBeCloseTo(list.view / 2, 3);
      else expect(middle > 0 && middle < list.view).toBe(true);
    }
  }
  expect(scrollToMiddle({ rows: 3, row: 24, view: 400 }, 2)).toBe(0);
});
