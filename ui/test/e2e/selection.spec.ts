// One selection in all views: an exchange that is selected in one is shown by every view of the registry that shows
// single exchanges.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { VIEWS, type ViewId } from '../../src/state/window/views';
import { lastSent, open } from './window';

interface Chosen {
  mid: string;
  client: string;
}

/** Whether the middle of an element lies in the middle third of its scroller, or its list ends before. */
const inTheMiddle = (page: Page, row: string, scroller: string) =>
  page.evaluate(
    ([rowSelector = '', scrollerSelector = '']) => {
      const [line, box] = [document.querySelector(rowSelector), document.querySelector(scrollerSelector)];
      if (!line || !box) return false;
      const [at, view] = [line.getBoundingClientRect(), box.getBoundingClientRect()];
      const share = ((at.top + at.bottom) / 2 - view.top) / view.height;
      const ends = box.scrollTop <= 0 || box.scrollTop >= box.scrollHeight - box.clientHeight - 1;
      return share > 1 / 3 && share < 2 / 3 ? true : ends && share > 0 && share < 1;
    },
    [row, scroller],
  );

/**
 * Marks of a selected exchange in each view; a text says why it shows none. A view of the registry without an entry
 * does not compile.
 */
const SHOWS: Record<ViewId, ((page: Page, chosen: Chosen) => Promise<unknown>) | string> = {
  timeline: (page, { mid }) => page.locator('.drawer', { hasText: `MID ${mid}` }).waitFor(),
  exchanges: async (page, { mid }) => {
    const row = '[role=row][aria-selected=true]';
    await page.locator(row, { hasText: mid }).waitFor();
    await expect.poll(() => inTheMiddle(page, row, '[role=grid]')).toBe(true);
  },
  rto: (page, { client }) => page.locator('.tools').getByRole('button', { name: new RegExp(`^${client} →|Association`) }).filter({ hasText: `${client} →` }).waitFor(), // prettier-ignore
  compare: 'measures are of all exchanges',
  whatif: 'measures are of all exchanges',
  packets: async (page) => {
    // The recorded core answers with the nearest exchange that was recorded: asked is for the selected one.
    await expect.poll(async () => (await lastSent(page, 'packet_row'))?.exchange ?? null).not.toBe(null);
    await page.locator('[role=row].active').waitFor();
    await expect.poll(() => inTheMiddle(page, '[role=row].active', '[role=grid]')).toBe(true);
  },
  ladder: (page, { mid }) => page.getByText(`MID ${mid}`).first().waitFor(),
  network: async (page) => {
    await page.locator('.graph rect.end').first().waitFor();
    expect(await page.locator('.graph rect.end').count(), 'client and server').toBe(2);
  },
  algorithms: 'shows no capture',
  figures: 'figures are of all exchanges',
  study: 'shows no capture',
  report: 'sections are of all exchanges',
};

test('an exchange that is selected in the table is what all other views show', async () => {
  const page = await open('/exchanges');
  await page.getByRole('button', { name: /^Needless storm/ }).click();
  await page.locator('[role=row][aria-rowindex="22"]').waitFor({ state: 'attached' });
  const row = page.locator('[role=row][aria-rowindex="22"]');
  await row.scrollIntoViewIfNeeded();
  const cells = await row.locator('[role=gridcell]').allInnerTexts();
  const client = cells.find((text) => /^mote \d+$/.test(text)) ?? '';
  const mid = cells.find((text) => /^\d{3,5}$/.test(text)) ?? '';
  expect(client, 'its client').not.toBe('');
  expect(mid, 'its Message ID').not.toBe('');
  await row.click();
  for (const view of VIEWS) {
    const shows = SHOWS[view.id];
    if (typeof shows === 'string') continue;
    await page.getByRole('tab', { name: view.title, exact: true }).click();
    await shows(page, { mid, client });
  }
});

/** Texts in the view that say `what`: of elements, of their titles and of their accessible names. */
const saying = (page: Page, what: RegExp) =>
  page.evaluate((source) => {
    const pattern = new RegExp(source);
    const said = (element: Element) => [
      ...[...element.childNodes]
        .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
        .map((text) => text.textContent ?? ''),
      ...['title', 'aria-label', 'placeholder'].map((name) => `${name}: ${element.getAttribute(name) ?? ''}`),
    ];
    const all = [...document.querySelectorAll('#view *')].flatMap(said);
    return [...new Set(all.filter((text) => pattern.test(text)))];
  }, what.source);

test('a name given in Network is the name everywhere, until it is undone', async () => {
  const page = await open('/network');
  await page.getByRole('button', { name: /^Needless storm/ }).click();
  await page.locator('.graph text.name', { hasText: 'mote 3' }).waitFor();
  await page.locator('.graph').focus();
  await page.keyboard.press('Tab');
  for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('Name of mote 3').fill('boiler');
  await page.keyboard.press('Enter');
  await page.locator('.graph text.name', { hasText: 'boiler' }).waitFor();
  await page.getByRole('button', { name: 'boiler → mote 2' }).waitFor();
  for (const [tab, where] of [
    ['Timeline', '.field'],
    ['Exchanges', '[role=grid]'],
  ] as const) {
    await page.getByRole('tab', { name: tab, exact: true }).click();
    await page.locator(where).getByText('boiler').first().waitFor();
    expect(await page.locator(where).getByText('mote 3', { exact: true }).count(), tab).toBe(0);
  }
  // No view says the old name, in text or in words for a pointer or a screen reader.
  for (const { id, title } of VIEWS) {
    await page.getByRole('tab', { name: title, exact: true }).click();
    if (id === 'figures') {
      // A figure that names a client.
      await page.getByRole('button', { name: 'What one estimator did' }).click();
      // The renamed node is the third client.
      await page.getByLabel('Client', { exact: true }).fill('2');
      await page.keyboard.press('Tab');
      await page
        .locator('.figures')
        .getByText(/\bboiler\b/)
        .first()
        .waitFor();
    }
    await page.waitForFunction(() => document.querySelector('#view .pending, #view [aria-busy=true]') === null);
    await page.waitForTimeout(400);
    // The tooltip of the renamed node, which is selected, has the name in the capture.
    const kept = id === 'network' ? ['title: mote 3'] : [];
    expect(await saying(page, /\bmote 3\b/), title).toEqual(kept);
  }
  await page.getByRole('tab', { name: 'Compare', exact: true }).click();
  await page.getByRole('list', { name: 'Clients' }).getByText('boiler').waitFor();
  await page.getByText('What the answer depends on').click();
  await page.getByText('without boiler').first().waitFor();
  expect(await saying(page, /\bmote 3\b/), 'clients and what the answer depends on').toEqual([]);
  await page.getByRole('button', { name: 'Trust', exact: true }).click();
  await page.getByRole('region', { name: 'Trust' }).getByText('boiler').first().waitFor();
  expect(await saying(page, /\bmote 3\b/), 'Trust').toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Network', exact: true }).click();
  // For the node that was selected since, for the figure and its client, and for the name.
  const core = page.locator('.graph text.name', { hasText: 'mote 3' });
  for (let step = 0; step < 6 && (await core.count()) === 0; step += 1) {
    await page.keyboard.press('Control+z');
    await page.waitForTimeout(200);
  }
  await core.waitFor();
});
