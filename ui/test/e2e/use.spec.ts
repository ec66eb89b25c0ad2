// *Use this*: from a timer to the setting of a stack, from every place that offers it, by mouse and by keyboard.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SIZES, THEMES, axe, lastSent, open, sent, shoot } from './window';

const NARROW = { width: 1000, height: 700 };
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Use this timer' });

/** Opens the dialog for an algorithm from the Algorithms page. */
async function use(page: Page, algorithm: string): Promise<Locator> {
  await page.locator(`[data-item=${algorithm}]`).click();
  await page.getByRole('button', { name: 'Use this…' }).click();
  const dialog = dialogOf(page);
  await dialog.getByRole('radio', { name: /^Zephyr/ }).waitFor();
  return dialog;
}

/** Places inside the dialog where something else is drawn on top; a whole grid of them is looked at. */
async function covered(dialog: Locator): Promise<string[]> {
  return dialog.evaluate((element) => {
    const box = element.getBoundingClientRect();
    const found: string[] = [];
    for (let x = box.left + 3; x < box.right; x += 24)
      for (let y = box.top + 3; y < box.bottom; y += 24) {
        const top = document.elementFromPoint(x, y);
        if (!top || !element.contains(top)) found.push(`${x},${y}: ${top?.outerHTML.slice(0, 80) ?? 'nothing'}`);
      }
    const outside = box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight;
    return outside ? [...found, 'outside the window'] : found;
  });
}

test('lines for a stack are shown with their documentation, copied, saved, and the stack is remembered', async () => {
  const page = await open('/algorithms');
  const dialog = await use(page, 'coap_default');
  await dialog.getByRole('radio', { name: /^Zephyr/ }).check();
  const lines = dialog.getByRole('region', { name: 'Lines', exact: true });
  expect(await lines.innerText()).toContain('CONFIG_COAP_INIT_ACK_TIMEOUT_MS=2000');
  const said = await dialog.innerText();
  expect(said).toMatch(/Goes into\s+prj\.conf of the application/);
  expect(said).toMatch(/Documented in\s+\S/);
  expect(said).toMatch(/Read in\s+the sources of Zephyr, main, commit 00d738f26c3f/);
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Lines copied').first().waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText().catch(() => null))).toSatisfy(
    (text: string | null) => text === null || text.includes('CONFIG_COAP_INIT_ACK_TIMEOUT_MS=2000'),
  );
  await dialog.getByRole('button', { name: 'Save as…' }).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  expect(await lastSent(page, 'export_applied')).toMatchObject({
    file: 'lines',
    path: '/recorded/zephyr-coap_default.txt',
    timer: { stack: 'zephyr', algorithm: { id: 'coap_default', params: {} } },
  });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  // Another timer begins with this stack, and says why it cannot run it.
  await use(page, 'cocoa_plus');
  expect(await dialog.getByRole('radio', { name: /^Zephyr/ }).isChecked()).toBe(true);
  const program = dialog.getByRole('region', { name: 'Header', exact: true });
  await program.waitFor();
  expect(await program.innerText()).toContain('#define COCOA_PLUS_TICKS_PER_SECOND 1000');
  await dialog.getByRole('radio', { name: 'cocoa_plus.c' }).check({ force: true });
  expect(await dialog.getByRole('region', { name: 'C file' }).innerText()).toContain('#include "cocoa_plus.h"');
  await dialog.getByRole('button', { name: 'Save as…' }).click();
  await expect.poll(async () => (await lastSent(page, 'export_applied'))?.path).toBe('/recorded/cocoa_plus.c');
  await dialog.getByRole('radio', { name: 'Lines' }).check({ force: true });
  const refusal = dialog.getByRole('note', { name: 'No lines' });
  expect(await refusal.innerText()).toMatch(
    /Zephyr has no CoCoA\+: it runs default CoAP.*\.\s+It has a place for CoCoA\+ as a C program\./s,
  );
  await refusal.getByRole('button', { name: 'Show the C program' }).click();
  await program.or(dialog.getByRole('region', { name: 'C file' })).waitFor();
});

test('a value that a stack would clamp in silence is refused with a remedy, from What-if', async () => {
  const page = await open('/algorithms');
  await page.locator('[data-item=coap_default]').click();
  await page.getByRole('button', { name: 'What if…' }).click();
  await page.waitForSelector('.versus td.now');
  await page
    .getByRole('region', { name: 'Parameters' })
    .getByLabel(/ACK timeout/)
    .last()
    .fill('0.5');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Use this…' }).click();
  const dialog = dialogOf(page);
  await dialog.getByRole('radio', { name: /^libcoap/ }).check();
  const refusal = dialog.getByRole('note', { name: 'No lines' });
  expect(await refusal.innerText()).toMatch(
    /not 0\.5: the setter ignores values below 1 s without a word.*\.\s+Choose a value that it takes, or a stack that takes this one: Contiki-NG/s,
  );
  expect(await lastSent(page, 'coap_stacks')).toMatchObject({ algorithm: { params: { ack_timeout: 0.5 } } });
});

test('what Find found goes to a device, and its dialog gives way', async () => {
  const page = await open('/whatif');
  await page.waitForSelector('.versus td.now');
  await page.getByRole('button', { name: 'Find…' }).click();
  const find = page.getByRole('dialog', { name: 'Find good parameters' });
  await find.getByRole('checkbox').first().check();
  await find.getByRole('button', { name: 'Search', exact: true }).click();
  await find.getByRole('button', { name: 'Use this…' }).click();
  await dialogOf(page)
    .getByRole('radio', { name: /^Zephyr/ })
    .waitFor();
  expect(await find.isVisible()).toBe(false);
  const asked = await lastSent(page, 'coap_stacks');
  expect(asked?.algorithm.id).toBe('cocoa_plus');
  expect(Object.keys(asked?.algorithm.params ?? {})).toEqual(['alpha', 'rto_initial']);
});

test('keys lead through it: from the palette, along the stacks, to the text, and back to where they came from', async () => {
  const page = await open('/compare');
  await page.waitForSelector('table .cell .range');
  await page.getByRole('button', { name: 'Use this', exact: true }).press('Enter');
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'menuitem');
  await page.keyboard.press('Enter');
  const dialog = dialogOf(page);
  await dialog.getByRole('radio', { name: /^Zephyr/ }).waitFor();
  await dialog.getByRole('radio', { checked: true }).first().focus();
  const before = (await sent(page, 'c_program')).length;
  await page.keyboard.press('ArrowDown');
  await expect.poll(async () => (await sent(page, 'c_program')).length).toBeGreaterThan(before);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('use cocoa+ on a device');
  await page.keyboard.press('Enter');
  await dialog.getByRole('region', { name: 'Header', exact: true }).or(dialog.getByRole('note')).waitFor();
  expect(await lastSent(page, 'coap_stacks')).toMatchObject({ algorithm: { id: 'cocoa_plus' } });
});

describe.each(THEMES)('%s', (theme) => {
  test.each([NARROW, SIZES[0]!])('it is whole in $width x $height, and nothing covers it', async (size) => {
    const page = await open('/algorithms', { theme, size });
    for (const [algorithm, stack] of [
      ['coap_default', 'libcoap'],
      ['cocoa_plus', 'Contiki-NG'],
      ['cocoa_plus', 'aiocoap'],
    ] as const) {
      const dialog = await use(page, algorithm);
      await dialog.getByRole('radio', { name: new RegExp(`^${stack}`) }).check();
      await dialog
        .getByRole('region', { name: /^(Lines|Header)$/ })
        .or(dialog.getByRole('note'))
        .first()
        .waitFor();
      expect(await covered(dialog), `${algorithm} for ${stack}`).toEqual([]);
      expect(await axe(page)).toEqual([]);
      await shoot(page, `use-${algorithm}-${stack.toLowerCase()}-${theme}`);
      await page.keyboard.press('Escape');
    }
  });
});
