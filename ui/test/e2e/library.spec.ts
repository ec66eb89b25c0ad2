// The library on recorded replies: a folder of runs is a group, its order is changed by hand and by keyboard, and
// undone.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { FOLDER, RUNS, withRuns } from './runs';
import { SIZES, THEMES, axe, open, shoot, type Theme } from './window';

const rail = (page: Page) => page.locator('[data-region=rail]');
const group = (page: Page) => rail(page).getByRole('button', { name: /^runs/ });
const names = (page: Page) => rail(page).getByRole('list', { name: 'Runs of runs' }).locator('.name').allInnerTexts();
/** Entries beside each other: groups and captures by themselves. */
const entries = (page: Page) =>
  rail(page).locator('[data-entry]:not(ul ul *) > :is(.group, .cap) .name').allInnerTexts();
const said = (page: Page) => page.locator('[aria-live=polite]').first().innerText();

/** A window with a bundled capture and the folder of runs. */
async function library(theme: Theme = 'light', size = SIZES[0]): Promise<Page> {
  const page = await open('/timeline', { theme, size }, withRuns);
  await page.waitForSelector('.field .end .count:not(:empty)');
  await rail(page).getByRole('button', { name: 'Open a folder of runs' }).click();
  await page.waitForFunction((all) => document.querySelectorAll('.cap').length === all, RUNS.length + 1);
  return page;
}

async function dragTo(page: Page, from: Locator, to: Locator, edge: 'top' | 'bottom'): Promise<void> {
  const [a, b] = [await from.boundingBox(), await to.boundingBox()];
  if (!a || !b) throw new Error('nothing to drag');
  await page.mouse.move(a.x + 40, a.y + a.height / 2);
  await page.mouse.down();
  await page.mouse.move(b.x + 40, edge === 'top' ? b.y + 2 : b.y + b.height - 2, { steps: 6 });
}

describe.each(THEMES)('in %s', (theme) => {
  test.each([...SIZES, { width: 1000, height: 700 }])('a folder is a group at $width x $height', async (size) => {
    const page = await open('/timeline', { theme, size }, withRuns);
    await page.waitForSelector('.field .end .count:not(:empty)');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Open a folder of runs');
    await page.keyboard.press('Enter');
    await page.waitForFunction((all) => document.querySelectorAll('.cap').length === all, RUNS.length + 1);
    await page.waitForTimeout(300);
    await shoot(page, `library-${theme}`);
    expect(await axe(page)).toEqual([]);
    await group(page).click();
    expect(await group(page).getAttribute('aria-expanded')).toBe('false');
    expect(await axe(page), 'folded').toEqual([]);
    await shoot(page, `library-folded-${theme}`);
  });
});

test('runs are named by what tells them apart, and show the tags that do', async () => {
  const page = await library();
  expect(await names(page)).toEqual(['cocoa-seed1', 'default-seed1', 'default-seed2']);
  // Tags come with the numbers of a run, after its name.
  await group(page).getByText('TSCH').waitFor();
  expect(await group(page).innerText()).toMatch(/^runs\s+3\sruns[\s,]+TSCH$/);
  const tags = rail(page).getByRole('list', { name: 'Runs of runs' }).locator('.tags');
  const words = (await tags.allInnerTexts()).map((text) => text.replace(/^[\s,]+/, ''));
  expect(words).toEqual(['cocoa', 'default', 'default']);
  expect(await rail(page).locator('.cap.on .name').innerText(), 'the first is shown').toBe('cocoa-seed1');
  expect(await page.locator('.summary h2').innerText()).toContain('cocoa-seed1');
});

test('a folder that is dropped opens without a question', async () => {
  const page = await open('/timeline', {}, withRuns);
  await page.waitForSelector('.field');
  await page.evaluate((path) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['x'], path));
    dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }));
  }, FOLDER);
  await page.waitForFunction((all) => document.querySelectorAll('.cap').length === all, RUNS.length + 1);
  expect(await page.locator('dialog[open]').count()).toBe(0);
  expect(await names(page)).toHaveLength(3);
});

test('the keyboard walks, folds and moves, and says where', async () => {
  const page = await library();
  const run = rail(page)
    .getByRole('button', { name: /^default-seed2/ })
    .first();
  await run.focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Alt+ArrowUp');
  expect(await names(page)).toEqual(['default-seed2', 'cocoa-seed1', 'default-seed1']);
  await expect.poll(() => said(page)).toBe('default-seed2: 1 of 3 in runs');
  await page.keyboard.press('Alt+ArrowUp');
  expect(await names(page), 'no farther').toEqual(['default-seed2', 'cocoa-seed1', 'default-seed1']);
  const focused = () => page.evaluate(() => document.activeElement?.querySelector('.name')?.textContent);
  expect(await focused()).toBe('default-seed2');
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toBe('cocoa-seed1');
  await page.keyboard.press('ArrowLeft');
  expect(await focused()).toBe('runs');
  await page.keyboard.press('ArrowLeft');
  expect(await group(page).getAttribute('aria-expanded')).toBe('false');
  await page.keyboard.press('ArrowRight');
  expect(await group(page).getAttribute('aria-expanded')).toBe('true');
  const before = await entries(page);
  await page.keyboard.press('Alt+ArrowUp');
  expect(await entries(page)).toEqual([...before].reverse());
  await expect.poll(() => said(page)).toBe('runs: 1 of 2 in the library');
  expect(await focused()).toBe('runs');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect.poll(() => entries(page)).toEqual(before);
  expect(await names(page)).toEqual(['cocoa-seed1', 'default-seed1', 'default-seed2']);
});

test('a run is dragged in its group, a group among captures; Escape leaves all as it was', async () => {
  const page = await library();
  const row = (name: string) =>
    rail(page)
      .locator('.pick')
      .filter({ has: page.locator('.name', { hasText: name }) });
  await dragTo(page, row('cocoa-seed1'), row('default-seed2'), 'bottom');
  expect(await rail(page).locator('.line').count(), 'a line shows the place').toBe(1);
  await shoot(page, 'library-dragged-light');
  await page.mouse.up();
  expect(await names(page)).toEqual(['default-seed1', 'default-seed2', 'cocoa-seed1']);
  expect(await rail(page).locator('.cap.on .name').innerText(), 'a drag is no click').toBe('cocoa-seed1');
  const before = await entries(page);
  await dragTo(page, group(page), rail(page).locator('.cap').first(), 'top');
  await page.keyboard.press('Escape');
  await page.mouse.up();
  expect(await entries(page)).toEqual(before);
  await dragTo(page, group(page), rail(page).locator('.cap').first(), 'top');
  await page.mouse.up();
  expect(await entries(page)).toEqual([...before].reverse());
  await page.keyboard.press('Control+z');
  await expect.poll(() => entries(page)).toEqual(before);
});

test('without a drag the palette moves captures and groups, and the session keeps their order', async () => {
  const page = await library();
  const command = async (text: string) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  await command('Move this capture down in the library');
  await expect.poll(() => names(page)).toEqual(['default-seed1', 'cocoa-seed1', 'default-seed2']);
  await command('Move the group of this capture up');
  await expect.poll(() => entries(page)).toEqual(['runs', 'Sleepy server']);
  await page.keyboard.press('Control+s');
  await page.locator('.toast').first().waitFor();
  const written = await page.evaluate(
    () => globalThis.sent?.filter(({ name }) => name === 'session_write').at(-1)?.request,
  );
  const { file } = written as { file: { captures: { folder?: string }[] } };
  expect(file.captures.map(({ folder }) => folder)).toEqual([FOLDER, FOLDER, FOLDER, undefined]);
});
