// Decode as: what was found, what may be asked, and the capture read again; by keyboard, both themes.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { THEMES, axe, lastSent, open, sent, shoot } from './window';

async function dialog(options: Parameters<typeof open>[1] = {}): Promise<Page> {
  const page = await open('/packets', options);
  await page.getByRole('button', { name: 'Decode as…' }).click();
  await page.getByRole('dialog', { name: 'Decode as' }).waitFor();
  return page;
}

test('a wrong entry is named and not sent; a right one reads the capture again', async () => {
  const page = await dialog();
  const again = page.getByRole('button', { name: 'Read again' });
  await page.getByLabel('CoAP ports').fill('5683, 70000');
  expect(await page.getByRole('dialog').getByRole('alert').innerText()).toMatch(/^Ports are/);
  expect(await page.getByLabel('CoAP ports').getAttribute('aria-invalid')).toBe('true');
  expect(await again.isDisabled()).toBe(true);
  const before = (await sent(page, 'open')).length;
  await page.getByLabel('CoAP ports').fill('5683, 61616');
  await page.getByLabel('802.15.4 keys').fill('00000000000000000000000000000000');
  await page.getByLabel('CoAP ports').press('Enter');
  await page.getByText('In use: 5683, 61616').waitFor();
  expect((await sent(page, 'open')).length, 'once').toBe(before + 1);
  expect((await lastSent(page, 'open'))?.decode).toMatchObject({
    ports: [5683, 61616],
    keys: ['00000000000000000000000000000000'],
    fcs: 'auto',
  });
  expect(await page.getByRole('dialog', { name: 'Decode as' }).isVisible()).toBe(false);
  expect(await page.locator('body').innerText()).not.toContain('0000000000000000');
});

test('the palette opens it, Esc closes it', async () => {
  const page = await open('/timeline');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Decode as');
  // There is nothing to decode before the capture is open.
  await page.getByRole('option', { name: 'Decode as…', disabled: false }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Decode as' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Decode as' }).waitFor({ state: 'hidden' });
});

describe.each(THEMES)('in %s', (theme) => {
  test('it is accessible', async () => {
    const page = await dialog({ theme });
    await shoot(page, `decode-as-${theme}`);
    expect(await axe(page)).toEqual([]);
  });
});
