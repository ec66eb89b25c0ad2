// The ladder: an exchange hop by hop, walked by hand and by keyboard, beside another timer, both themes.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SIZES, THEMES, axe, open, shoot } from './window';

const PLOT = '.ladder [aria-roledescription=plot]';
const chosen = (page: Page) => page.locator('[aria-label="Chosen mark"]').innerText();
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');

/** The second sample: IEEE 802.15.4, five nodes in a chain; its first retransmitted exchange. */
async function ladder(options: Parameters<typeof open>[1] = {}): Promise<Page> {
  const page = await open('/ladder', options);
  await page.getByRole('button', { name: /^Needless storm/ }).click();
  await page.getByRole('button', { name: 'Show the first retransmitted exchange' }).click();
  await page.waitForSelector(`${PLOT} >> nth=1`);
  return page;
}

describe.each(THEMES)('in %s', (theme) => {
  test.each(SIZES)('the ladder is drawn and accessible at $width x $height', async (size) => {
    const page = await ladder({ theme, size });
    await page.waitForTimeout(400);
    await shoot(page, `ladder-${theme}`);
    expect(await axe(page)).toEqual([]);
    await page.locator(PLOT).first().focus();
    await page.keyboard.press('Enter');
    for (let k = 0; k < 3; k += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForTimeout(100);
    expect(await axe(page), 'a chosen mark').toEqual([]);
    await shoot(page, `ladder-chosen-${theme}`);
  });

  test('without an exchange it teaches; a capture of two ends says what it cannot see', async () => {
    const page = await open('/ladder', { theme });
    await page.getByRole('button', { name: 'Show the first retransmitted exchange' }).waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, `ladder-empty-${theme}`);
    await page.getByRole('button', { name: 'Show the first retransmitted exchange' }).click();
    await page.waitForSelector(PLOT);
    await page.waitForTimeout(300);
    await shoot(page, `ladder-wired-${theme}`);
    expect(await axe(page)).toEqual([]);
  });
});

test('nodes stand in the order of the path, and every frame can be reached by keyboard', async () => {
  const page = await ladder();
  const nodes = await page.locator(`.side >> nth=0 >> .node`).allInnerTexts();
  expect(nodes.length).toBeGreaterThanOrEqual(2);
  expect(nodes[0]).toMatch(/^mote \d+\s+client$/);
  expect(nodes.at(-1)).toMatch(/^mote 1\s+server$/);
  await page.locator(PLOT).first().focus();
  await page.keyboard.press('Enter');
  const seen = new Set<string>();
  for (let k = 0; k < 60; k += 1) {
    seen.add(await focused(page));
    await page.keyboard.press('ArrowDown');
  }
  const all = [...seen].join('\n');
  expect(all).toMatch(/copy 1, mote \d → mote \d/);
  expect(all).toMatch(/frame [\d\s]+ at \+/);
  expect(all).toMatch(/acknowledged by frame/);
  expect(all).toMatch(/timer of copy 1: .*, it ran out/);
  // Another row: copy 2, or the reply.
  const before = await focused(page);
  await page.keyboard.press('ArrowRight');
  expect(await focused(page)).not.toBe(before);
  await page.keyboard.press('Escape');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-roledescription'))).toBe('plot');
});

test('a chosen frame is read, copied and shown in Packets', async () => {
  const page = await ladder();
  await page.locator(PLOT).first().focus();
  await page.keyboard.press('Enter');
  for (let k = 0; k < 20 && !/frame [\d\s]+ at/.test(await focused(page)); k += 1) {
    await page.keyboard.press('ArrowDown');
  }
  const number = /frame ([\d\s]+) at/.exec(await focused(page))?.[1]?.replace(/\s/g, '') ?? '';
  await page.keyboard.press('Enter');
  expect(await chosen(page)).toMatch(/MAC sequence number/);
  await page.keyboard.press('p');
  await page.waitForSelector('[aria-label=Packets]');
  await page.waitForFunction(
    (frame) =>
      [...document.querySelectorAll('[aria-label=Packets] [role=row]')].some(
        (row) => row.querySelector('[role=gridcell]')?.textContent?.replace(/\s/g, '') === frame,
      ),
    number,
  );
});

test('zoom, pan, fit; next and previous; the playhead is sought', async () => {
  const page = await ladder();
  const title = async () => (await page.locator('.tools .btn').first().textContent()) ?? '';
  const [first, ticks] = [await title(), () => page.locator('.side >> nth=0 >> .tick text').allTextContents()];
  const whole = await ticks();
  await page.locator(PLOT).first().focus();
  for (let k = 0; k < 14; k += 1) await page.keyboard.press('+');
  expect((await ticks())[0]).toMatch(/ms$/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Home');
  expect(await ticks()).toEqual(whole);
  await page.keyboard.press('PageDown');
  await page.waitForFunction((then) => !document.querySelector('.tools .btn')?.textContent?.includes(then), first);
  await page.keyboard.press('PageUp');
  await page.waitForFunction((then) => document.querySelector('.tools .btn')?.textContent?.includes(then), first);
  const before = await page.locator('footer .now').innerText();
  const box = (await page.locator(PLOT).first().boundingBox())!;
  await page.mouse.click(box.x + 60, box.y + box.height - 60);
  expect(await page.locator('footer .now').innerText()).not.toBe(before);
});

test('from the drawer and by key', async () => {
  const page = await ladder();
  await page.keyboard.press('2');
  await page.getByRole('button', { name: 'Hop by hop' }).click();
  await page.waitForSelector(PLOT);
  await page.keyboard.press('1');
  await page.waitForSelector('.drawer');
  await page.keyboard.press('h');
  await page.waitForSelector(PLOT);
  expect(await page.locator('[role=tab][aria-selected=true]').getAttribute('id')).toBe('tab-ladder');
});

test('another timer stands beside it, or nothing', async () => {
  const page = await ladder();
  expect(await page.locator('.side').count()).toBe(2);
  await page.getByRole('button', { name: /^Beside it/ }).click();
  await page.getByRole('menuitemradio', { name: 'Nothing' }).click();
  expect(await page.locator('.side').count()).toBe(1);
  await page.getByRole('button', { name: 'Compare with' }).click();
  await page.getByRole('menuitem').nth(1).click();
  await page.waitForSelector('.side >> nth=1');
});

test('hops of a timer through the network twin are simulated, which is said, with the reason for each drop', async () => {
  const page = await ladder();
  expect(await page.locator('.ladder .names .name').nth(1).innerText()).toMatch(/simulated, replicate 1 of 200/);
  expect(await page.locator('.ladder .foot').innerText()).toMatch(/simulated by the network twin/);
  await page.locator(PLOT).nth(1).focus();
  await page.keyboard.press('Enter');
  const seen = new Set<string>();
  for (let row = 0; row < 4; row += 1) {
    for (let k = 0; k < 14; k += 1) {
      seen.add(await focused(page));
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('ArrowRight');
  }
  const all = [...seen].join('\n');
  expect(all).toMatch(/simulated frame at \+[\d.]+ s, acknowledged/);
  expect(all).toMatch(/simulated frame at \+[\d.]+ s, not received/);
  expect(all).toMatch(/copy \d, in mote \d, dropped after the last attempt: none was acknowledged/);
  await page.keyboard.press('Enter');
  // No capture has these frames.
  expect(await page.getByRole('button', { name: 'Show in Packets' }).count()).toBe(0);
});
