// Claims about a capture: of an exchange and its client in the inspector, where the reader may assume otherwise; and
// which algorithm was running. By hand and by keyboard, both themes.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { THEMES, axe, lastSent, open, shoot } from './window';

const VANTAGE = 'select[aria-label^="Where the capture of"]';

/** The first retransmitted exchange of the second sample (IEEE 802.15.4, a slow TSCH chain) in the inspector. */
async function claims(options: Parameters<typeof open>[1] = {}): Promise<Page> {
  const page = await open('/ladder', options);
  await page.getByRole('button', { name: /^Needless storm/ }).click();
  await page.getByRole('button', { name: 'Show the first retransmitted exchange' }).click();
  await page.locator('#tab-timeline').click();
  await page.waitForSelector(VANTAGE);
  return page;
}

/** Opens the identification of the sample of this name; by default the one that is shown first. */
async function identity(options: Parameters<typeof open>[1] = {}, sample?: RegExp): Promise<Page> {
  const page = await open('/algorithms', options);
  if (sample) await page.getByRole('button', { name: sample }).click();
  const asks = page.getByRole('button', { name: 'What was running?' });
  await asks.focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.identify .said');
  return page;
}

describe.each(THEMES)('in %s', (theme) => {
  test('claims are drawn and accessible', async () => {
    const page = await claims({ theme });
    await page.locator(VANTAGE).scrollIntoViewIfNeeded();
    await page.waitForTimeout(300);
    await shoot(page, `claims-${theme}`);
    expect(await axe(page)).toEqual([]);
  });

  test('the identification of the running algorithm is drawn and accessible', async () => {
    const page = await identity({ theme });
    await page.waitForTimeout(300);
    await shoot(page, `identify-${theme}`);
    expect(await axe(page)).toEqual([]);
    await page.locator('.identify figure').scrollIntoViewIfNeeded();
    await shoot(page, `identify-gaps-${theme}`);
  });

  test('many clients are distinguished by name', async () => {
    const page = await identity({ theme }, /^Needless storm/);
    const client = page.getByRole('combobox', { name: 'Client' });
    expect(await client.locator('option').count()).toBe(5);
    await client.selectOption({ index: 1 });
    expect(await client.locator('option >> nth=1').innerText()).toMatch(/^mote \d+: /);
    await shoot(page, `identify-clients-${theme}`);
    expect(await axe(page)).toEqual([]);
  });
});

test('each claim has its error', async () => {
  const page = await claims();
  const said = await page.locator(`dl:has(${VANTAGE})`).innerText();
  expect(said).toMatch(/every hop \(estimated\)/);
  expect(said).toMatch(/Timer to air\s+[\d.,\s]+m?s \(nine in ten [\d.,\s]+m?s to [\d.,\s]+m?s\)/);
});

test('an assumption of the reader counts, is undone and redone, by keyboard', async () => {
  const page = await claims();
  await page.locator(VANTAGE).selectOption('between');
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await undo.waitFor();
  expect((await lastSent(page, 'assume'))?.said).toMatchObject([{ vantage: 'between', workload: null }]);
  expect(await page.locator(VANTAGE).inputValue()).toBe('between');
  expect(await page.locator(`${VANTAGE} option >> nth=0`).innerText()).toBe('as estimated');
  await undo.focus();
  await page.keyboard.press('Enter');
  const redo = page.getByRole('button', { name: 'Redo', exact: true });
  await redo.waitFor();
  expect((await lastSent(page, 'assume'))?.said).toEqual([]);
  expect(await page.locator(VANTAGE).inputValue()).toBe('');
  await redo.focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction((where) => document.querySelector<HTMLSelectElement>(where)?.value === 'between', VANTAGE);
  expect(await axe(page)).toEqual([]);
});

test('the likeliest algorithm is compared, or taken as the baseline, by keyboard', async () => {
  const page = await identity();
  const said = await page.locator('.identify .said').innerText();
  expect(said.length).toBeGreaterThan(20);
  const rows = page.locator('.identify tbody tr');
  expect(await rows.count()).toBeGreaterThanOrEqual(3);
  const button = rows.first().getByRole('button');
  await button.focus();
  await page.keyboard.press('Enter');
  await page
    .getByText(/in the comparison now|Differences are taken to it now/i)
    .first()
    .waitFor();
  const gaps = await page.locator('.identify figure svg').getAttribute('aria-label');
  expect(gaps).toMatch(/^\d+ gaps? over the timeouts expected; \d+ are off by more than a tenth$/);
});
