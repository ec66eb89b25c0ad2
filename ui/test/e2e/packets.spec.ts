// The packet list: filtered, completed, walked by keyboard; the open frame with its tree and octets, both themes.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SIZES, THEMES, axe, lastSent, open, shoot } from './window';

const ROW = '[aria-label=Packets] [role=row][aria-rowindex="2"] [role=gridcell] svg';
const shown = (page: Page) => page.locator('.tools .sub').innerText();

/** The second sample: IEEE 802.15.4, more than ten thousand frames. */
async function packets(options: Parameters<typeof open>[1] = {}): Promise<Page> {
  const page = await open('/packets', options);
  await page.getByRole('button', { name: /^Needless storm/ }).click();
  await page.waitForFunction(() =>
    /of\s\d+\s163 frames/.test(document.querySelector('.tools .sub')?.textContent ?? ''),
  );
  await page.waitForSelector(ROW);
  return page;
}

async function filter(page: Page, text: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Filter' }).fill(text);
  await page.keyboard.press('Enter');
}

test('a filter is applied by Enter and cleared by Esc', async () => {
  const page = await packets();
  const all = await shown(page);
  await page.keyboard.press('/');
  await page.keyboard.type('needless');
  await page.keyboard.press('Enter');
  await page.waitForFunction((then) => document.querySelector('.tools .sub')?.textContent?.trim() !== then, all.trim());
  await page.waitForSelector(ROW);
  expect(await page.locator('[aria-label=Packets]').getByText('needless').count()).toBeGreaterThan(3);
  expect(await lastSent(page, 'packet_count')).toMatchObject({ rows: 'frames', filter: 'needless', window: null });
  expect((await lastSent(page, 'packets'))?.list.filter).toBe('needless');
  await page.keyboard.press('Escape');
  await page.waitForFunction((then) => document.querySelector('.tools .sub')?.textContent?.trim() === then, all.trim());
});

test('the error of a filter is shown with its column', async () => {
  const page = await packets();
  await filter(page, 'coap.midd == 1');
  const alert = page.locator('.packets [role=alert]');
  await alert.waitFor();
  expect(await alert.innerText()).toBe('column 1: unknown field `coap.midd`; did you mean `coap.mid`?');
  expect(await page.getByRole('combobox', { name: 'Filter' }).getAttribute('aria-invalid')).toBe('true');
  expect(await axe(page)).toEqual([]);
});

test('fields and their values are completed', async () => {
  const page = await packets();
  const field = page.getByRole('combobox', { name: 'Filter' });
  await field.pressSequentially('coap.ty');
  await page.getByRole('option', { name: /coap\.type/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await field.pressSequentially(' == C');
  await page.getByRole('option', { name: /CON/ }).waitFor();
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  expect(await field.inputValue()).toBe('coap.type == CON');
});

test('an empty list says so and shows the way back', async () => {
  const page = await packets();
  await filter(page, 'note contains "no such note"');
  await page.getByText('Nothing passes this filter').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.waitForSelector(ROW);
});

test('tree and octets are linked both ways', async () => {
  const page = await packets();
  await filter(page, 'needless');
  await page.waitForSelector(ROW);
  await page.locator('#packet-row-0').click();
  await page.waitForSelector('[role=tree] [role=treeitem]');
  expect(await page.locator('#packet-row-0').getAttribute('aria-selected')).toBe('true');
  // A field of CoAP: its octets are in the decompressed datagram.
  await page.getByRole('treeitem', { name: /^Message ID/ }).click();
  expect(await page.locator('.octets .hex .sel').count()).toBe(2);
  const buffer = await page.locator('.octets').getAttribute('aria-label');
  expect(buffer).toMatch(/^(Decompressed|Reassembled), /);
  // An octet: the deepest node on it.
  await page.locator('.octets .hex [data-octet="7"]').click();
  expect(await page.locator('[role=treeitem][aria-selected=true]').innerText()).toMatch(/^Hop [Ll]imit/);
  await page.locator('.layers fieldset').getByText('Frame', { exact: true }).click();
  await page.locator('.octets .hex [data-octet="0"]').click();
  expect(await page.locator('.octets .hex .sel').count()).toBeGreaterThan(0);
});

test('by keyboard alone: rows, tree, and back', async () => {
  const page = await packets();
  await page.getByRole('grid', { name: 'Packets' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=treeitem][aria-selected=true]');
  await page.keyboard.press('ArrowDown');
  const label = await page.locator('[role=treeitem][aria-selected=true]').innerText();
  expect(await page.locator('[role=status]').first().innerText()).toContain(label.trim());
  await page.keyboard.press('Home');
  const before = await page.locator('[role=treeitem]').count();
  await page.keyboard.press('ArrowLeft');
  expect(await page.locator('[role=treeitem]').count()).toBeLessThan(before);
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=tree]', { state: 'detached' });
  await page.keyboard.press('End');
  await page.waitForFunction(() => {
    const active = document.querySelector('[aria-label=Packets]')?.getAttribute('aria-activedescendant');
    return Number(active?.split('-').at(-1)) > 1000;
  });
  await page.keyboard.press('Home');
  await page.waitForSelector('#packet-row-0.active');
});

test('a message is followed over its hops, an exchange shared with the other views', async () => {
  const page = await packets();
  await filter(page, 'exchange == 3');
  await page.waitForSelector(ROW);
  await page.locator('#packet-row-0').click();
  await page.getByRole('button', { name: /^Follow over/ }).waitFor();
  await page.keyboard.press('2');
  await page.waitForSelector('.drawer table');
  await page.keyboard.press('6');
  await page.waitForSelector('.row.exchange');
});

test('octets are copied', async () => {
  const page = await packets();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await filter(page, 'needless');
  await page.waitForSelector(ROW);
  await page.locator('#packet-row-0').click();
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('menuitem', { name: 'C array' }).click();
  await page.getByText('Copied').first().waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^static const unsigned char frame_\d+_/);
});

describe.each(THEMES)('in %s', (theme) => {
  test.each(SIZES)('the open frame is accessible at $width x $height', async (size) => {
    const page = await packets({ theme, size });
    await filter(page, 'needless');
    await page.waitForSelector(ROW);
    await page.locator('#packet-row-0').click();
    await page.waitForSelector('[role=treeitem]');
    await page
      .getByRole('treeitem', { name: /^Message ID/ })
      .or(page.getByRole('treeitem').nth(3))
      .first()
      .click();
    await page.waitForTimeout(200);
    await shoot(page, `packets-open-${theme}`);
    expect(await axe(page)).toEqual([]);
  });
});
