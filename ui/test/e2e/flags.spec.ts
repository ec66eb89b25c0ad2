// Flags of the reader: planted, noted, found again and taken back, by keyboard.
import { describe, expect, test } from 'vitest';
import { THEMES, axe, open, shoot } from './window';

describe.each(THEMES)('in %s', (theme) => {
  test('a flag is planted, noted and drawn, and its list is accessible', async () => {
    const page = await open('/timeline', { theme });
    await page.waitForSelector('.field .end .count:not(:empty)');
    await page.keyboard.press('.');
    await page.keyboard.press('f');
    await page.keyboard.press('Shift+F');
    await page.getByRole('dialog', { name: 'Flags' }).waitFor();
    await page.getByRole('textbox', { name: /^Note of the flag at/ }).fill('where it begins');
    expect(await axe(page)).toEqual([]);
    await shoot(page, `flags-list-${theme}`);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.locator('svg.axis', { hasText: 'where it begins' }).waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, `flags-${theme}`);
  });
});

test('flags are walked, and undone', async () => {
  const page = await open('/timeline');
  await page.waitForSelector('.field .end .count:not(:empty)');
  const now = () => page.locator('.clock .now').innerText();
  await page.keyboard.press('f');
  const first = await now();
  await page.keyboard.press('.');
  await page.waitForFunction((then) => document.querySelector('.clock .now')?.textContent !== then, first);
  const second = await now();
  await page.keyboard.press('f');
  await page.keyboard.press('Alt+,');
  await page.waitForFunction((then) => document.querySelector('.clock .now')?.textContent === then, first);
  await page.keyboard.press('Alt+.');
  await page.waitForFunction((then) => document.querySelector('.clock .now')?.textContent === then, second);
  const count = () => page.locator('.field svg path[d*="v-9h8"], svg.axis path[d*="v-9h8"]').count();
  expect(await count()).toBe(2);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => document.querySelectorAll('svg.axis path[d*="v-9h8"]').length === 1);
});
