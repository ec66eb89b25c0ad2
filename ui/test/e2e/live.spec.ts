// Live capture, in the rail: what can be typed, what is refused and said; both themes. Recording itself is tested in
// the app.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { THEMES, axe, lastSent, open, shoot } from './window';

/** The panel, unfolded. */
async function panel(page: Page) {
  const live = page.getByRole('region', { name: 'Live capture' });
  await live.getByRole('button', { name: 'Live' }).click();
  return live;
}

test('the panel is folded until it is opened', async () => {
  const page = await open('/timeline');
  const live = page.getByRole('region', { name: 'Live capture' });
  const fold = live.getByRole('button', { name: 'Live' });
  expect([await fold.getAttribute('aria-expanded'), await live.getByLabel('Device').isVisible()]).toEqual([
    'false',
    false,
  ]);
  await fold.click();
  expect([await fold.getAttribute('aria-expanded'), await live.getByLabel('Device').isVisible()]).toEqual([
    'true',
    true,
  ]);
  await fold.click();
  expect(await live.getByLabel('Record to').isVisible()).toBe(false);
});

test('several sniffers, each with its channel; where to record is asked for', async () => {
  const page = await open('/timeline');
  const live = await panel(page);
  const exact = { exact: true };
  await live.getByLabel('Device', exact).fill('/dev/ttyACM0');
  await live.getByLabel('Channel', exact).selectOption('15');
  await live.getByRole('button', { name: 'Another sniffer' }).click();
  await live.getByLabel('Device 2', exact).fill('cc2531');
  expect(await live.getByLabel('Channel 2', exact).inputValue()).toBe('16');
  await live.getByRole('button', { name: 'Choose a file' }).click();
  await expect.poll(() => live.getByLabel('Record to').inputValue()).toBe('/recorded/live.pcapng');
  expect(await live.getByRole('button', { name: 'Record', exact: true }).isDisabled()).toBe(false);
  await shoot(page, 'live-several');
  await live.getByRole('button', { name: 'Remove /dev/ttyACM0' }).click();
  expect(await live.getByLabel('Device', exact).inputValue()).toBe('cc2531');
  expect(await live.getByLabel('Device 2', exact).count()).toBe(0);
});

test('a recording needs a device and a file; why it does not begin is said in place', async () => {
  const page = await open('/timeline');
  const live = await panel(page);
  const record = live.getByRole('button', { name: 'Record', exact: true });
  expect(await record.isDisabled()).toBe(true);
  await live.getByLabel('Device').fill('zep');
  expect(await record.isDisabled()).toBe(true);
  await live.getByLabel('Record to').fill('/nowhere/live.pcapng');
  await record.click();
  const why = await live.getByRole('alert').innerText();
  expect(why).toContain('/nowhere/live.pcapng cannot be written');
  expect(await lastSent(page, 'live_start')).toEqual({
    devices: [{ device: 'zep', channel: 11 }],
    path: '/nowhere/live.pcapng',
  });
  // The typed text stays, to be corrected.
  expect(await live.getByLabel('Record to').inputValue()).toBe('/nowhere/live.pcapng');
  expect(await record.isDisabled()).toBe(false);
});

describe.each(THEMES)('in %s', (theme) => {
  test('it is accessible', async () => {
    const page = await open('/timeline', { theme });
    await panel(page);
    await page.getByLabel('Device').fill('zep');
    await page.getByLabel('Record to').fill('/nowhere/live.pcapng');
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await page.getByRole('region', { name: 'Live capture' }).getByRole('alert').waitFor();
    await shoot(page, `live-${theme}`);
    expect(await axe(page)).toEqual([]);
  });
});

test('in a narrow window, where the rail has no room for it, a recording is begun by its command', async () => {
  const page = await open('/timeline');
  const live = await panel(page);
  await live.getByLabel('Device').fill('zep');
  await live.getByLabel('Record to').fill('/nowhere/live.pcapng');
  await page.setViewportSize({ width: 1000, height: 700 });
  await page.waitForFunction(() => document.querySelector('#live-path')?.checkVisibility() !== true);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('record from');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Messages' }).getByText('/nowhere/live.pcapng cannot be written').waitFor();
});
