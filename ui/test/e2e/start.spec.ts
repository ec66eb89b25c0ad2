// The first window: without a capture, and the summary of one that was just opened. Neither is mostly empty, all of it
// is in sight or scrolls by itself, and the keyboard reaches it.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { colours, decode } from '../app/png';
import { THEMES, axe, open, shoot } from './window';

const SIZES = [
  { width: 1000, height: 700 },
  { width: 1280, height: 800 },
  { width: 1600, height: 1000 },
];
/** Largest share of a window that has one colour. */
const MOST_EMPTY = 0.6;

/** Closes the bundled capture that a new window opens. */
async function start(page: Page): Promise<void> {
  await page.waitForSelector('.field .end .count:not(:empty)');
  await page.keyboard.press('Control+w');
  await page.waitForSelector('.empty .samples');
}

async function summary(page: Page): Promise<void> {
  await page.waitForSelector('.field .end .count:not(:empty)');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Show import summary');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.summary table[aria-label=Clients]');
}

/** Elements of the view that reach beyond its right edge. */
const beyond = (page: Page) =>
  page.evaluate(() => {
    const view = document.querySelector('#view')?.getBoundingClientRect();
    return [...document.querySelectorAll('#view :is(p, td, th, dd, h2, h3, button, svg)')]
      .filter((element) => element.getBoundingClientRect().right > (view?.right ?? 0) + 1)
      .map((element) => element.textContent);
  });

describe.each(THEMES)('in %s', (theme) => {
  describe.each(SIZES)('at $width x $height', (size) => {
    test.each([
      ['start', start],
      ['summary', summary],
    ] as const)('the %s is not mostly empty', async (name, act) => {
      const page = await open('/timeline', { theme, size });
      await act(page);
      await page.waitForTimeout(400);
      await shoot(page, `first-${name}-${theme}`);
      expect(colours(decode(await page.screenshot())).largest).toBeLessThan(MOST_EMPTY);
      expect(await beyond(page)).toEqual([]);
      expect(await axe(page)).toEqual([]);
    });
  });
});

test('without a capture the keyboard opens a sample, and everything that opens something is in sight', async () => {
  const page = await open('/timeline', { size: SIZES[0] });
  await start(page);
  for (const name of ['Open file…', 'Open folder…', 'Listen live'])
    expect(await page.getByRole('button', { name }).isVisible(), name).toBe(true);
  const last = page.locator('.empty .sample').last();
  const box = await last.boundingBox();
  expect((box?.y ?? 999) + (box?.height ?? 0), 'the last sample').toBeLessThanOrEqual(700 - 44);
  await page.locator('.empty .sample').first().focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.field .end .count:not(:empty)');
});

test('the summary lists clients with the needless copies first', async () => {
  const page = await open('/timeline');
  await page.getByRole('button', { name: /^Needless storm/ }).click();
  await page.waitForFunction(() => document.querySelector('.cap.on .name')?.textContent?.includes('Needless storm'));
  await summary(page);
  const needless = await page
    .locator('.summary table[aria-label=Clients] tbody tr td:nth-of-type(3)')
    .evaluateAll((cells) => cells.map((cell) => Number(cell.textContent?.split('/')[0]?.replace(/\D/g, ''))));
  expect(needless).toHaveLength(4);
  expect(needless).toEqual(needless.toSorted((a, b) => b - a));
  expect(needless[0]).toBeGreaterThan(50);
  // In the smallest window, too, nothing of its column reaches into the next one.
  await page.setViewportSize({ width: 1000, height: 700 });
  const over = await page.locator('.summary').evaluate((summary) => {
    const left = summary.querySelector('aside')?.getBoundingClientRect().left ?? 0;
    return [...summary.querySelectorAll('.acts > *')].filter((part) => part.getBoundingClientRect().right > left);
  });
  expect(over).toHaveLength(0);
  // And leads on to the question that a capture is opened for.
  await page.getByRole('button', { name: 'Which timer should I use?' }).click();
  await page
    .getByRole('region', { name: 'Verdict' })
    .getByRole('heading', { name: /instead of 17\.1\ss\.$/ })
    .waitFor();
});
