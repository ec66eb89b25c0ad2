// Timeline of a capture in which one host has 40 clients, each with a port of its own: a lane for the host, folded and
// unfolded (crates/fixtures/src/ports.rs).
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { THEMES, axe, lastSent, open, shoot } from './window';

const HOST = '10.0.0.2';

/** The capture, in the place of a bundled one. */
async function hosts(options: Parameters<typeof open>[1] = {}): Promise<Page> {
  const page = await open('/timeline', options, async (page) => {
    await page.route('**/fixtures/index.json', async (route) => {
      const index = (await (await route.fetch()).json()) as Record<string, string>;
      const bursts = (key: string) => key.startsWith('open {') && key.includes('grid3x3-burst');
      const entries = Object.entries(index).map(([key, file]) => [key, bursts(key) ? 'ports.json' : file]);
      await route.fulfill({ json: Object.fromEntries(entries) });
    });
  });
  await page.getByRole('button', { name: /^Event bursts/ }).click();
  await page.locator('.field .fold').waitFor();
  await page.keyboard.press('0');
  await page.waitForSelector('.field .end .count:not(:empty)');
  return page;
}
const names = (page: Page) => page.locator('.field .lane.recorded .name').allTextContents();

test('a host with many clients has one lane, with their number, needless share and p95', async () => {
  const page = await hosts();
  expect(await names(page)).toEqual([HOST, '10.0.0.3:5683']);
  expect(await page.locator('.field .lane.recorded .hops').first().innerText()).toBe('×40');
  const end = page.locator('.field .end.recorded').first();
  // 14 of the 40 exchanges are repeated once, needlessly; 5 are sent three times in vain.
  await expect.poll(async () => (await end.locator('.count').innerText()).replaceAll(/\s/g, '')).toBe('14/64');
  expect(await end.locator('.p95').innerText()).toMatch(/^[\d.]+\s*s$/);
  const request = await lastSent(page, 'lanes');
  expect(request).toMatchObject({ hosts: [0] });
  expect(request?.lanes, 'clients of a folded host are not asked for one by one').toHaveLength(1);
});

test('it is unfolded and folded by click and by keyboard, and undo takes it back', async () => {
  const page = await hosts();
  const fold = page.getByRole('button', { name: `Lanes of ${HOST}` });
  expect(await fold.getAttribute('aria-expanded')).toBe('false');
  await fold.click();
  await page.locator('.field .lane.inner').first().waitFor();
  expect(await fold.getAttribute('aria-expanded')).toBe('true');
  expect((await names(page)).slice(0, 3)).toEqual([HOST, `${HOST}:49152`, `${HOST}:49153`]);
  await expect.poll(async () => ((await lastSent(page, 'lanes'))?.lanes ?? []).length).toBeGreaterThan(1);
  expect(await axe(page)).toEqual([]);
  await fold.focus();
  await page.keyboard.press('ArrowLeft');
  await page.locator('.field .lane.inner').first().waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowRight');
  await page.locator('.field .lane.inner').first().waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.field .lane.inner').first().waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await page.locator('.field .lane.inner').first().waitFor();
});

test('an exchange of a folded host is framed in its lane, and pins it', async () => {
  const page = await hosts();
  await page.getByRole('button', { name: 'Order of lanes' }).click();
  await page.getByRole('menuitemradio', { name: 'By mean completion' }).click();
  await page.locator('.plot.field').focus();
  // Close enough for single copies.
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('+');
  await page.waitForTimeout(400);
  await page.keyboard.press('Enter');
  await page.locator('.field .proxy:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.drawer').waitFor();
  await page.keyboard.press('Shift+P');
  await page.locator('.field .pin[aria-pressed=true]').waitFor();
  expect(await page.locator('.field .pin[aria-pressed=true]').getAttribute('aria-label')).toBe(`Pin ${HOST}`);
  await page.keyboard.press('Shift+H');
  await page.locator('.field .lane.inner').first().waitFor();
});

test('a filter by port leaves the host with the clients that it names', async () => {
  const page = await hosts();
  await page.getByLabel('Filter lanes by name or address').fill(':49155');
  await page.getByText('1 of 41').waitFor();
  expect(await names(page)).toEqual([HOST]);
  expect(await page.locator('.field .lane.recorded .hops').first().innerText()).toBe('×1');
});

describe.each(THEMES)('in %s', (theme) => {
  test.each([
    { width: 1000, height: 700 },
    { width: 1280, height: 800 },
    { width: 1600, height: 1000 },
  ])('it is drawn and accessible at %o', async (size) => {
    const page = await hosts({ theme });
    await page.setViewportSize(size);
    await page.waitForTimeout(600);
    await shoot(page, `timeline-hosts-${theme}`);
    expect(await axe(page)).toEqual([]);
    await page.locator('.field .fold').click();
    await page.waitForTimeout(600);
    await shoot(page, `timeline-hosts-unfolded-${theme}`);
    expect(await axe(page)).toEqual([]);
  });
});
