// Timeline: where a capture opens, one level of detail for all lanes, and lanes that a channel refuses.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { THEMES, axe, lastSent, open, shoot } from './window';

/** The sample that is long enough to open on a part of it. */
async function storm(options: Parameters<typeof open>[1] = {}, before?: (page: Page) => Promise<void>): Promise<Page> {
  const page = await open('/timeline', options, before);
  await page.getByRole('button', { name: /^Needless storm/ }).click();
  await page.waitForSelector('.field .end .count:not(:empty)');
  return page;
}

/** Length of the window that the lanes were last asked for, seconds. */
async function asked(page: Page): Promise<number> {
  await page.waitForTimeout(400);
  const request = await lastSent(page, 'lanes');
  return ((request?.t1 ?? 0) - (request?.t0 ?? 0)) / 1e9;
}
const legend = (page: Page) => page.locator('.key.lanes').innerText();

describe.each(THEMES)('in %s', (theme) => {
  test.each([
    { width: 1000, height: 700 },
    { width: 1280, height: 800 },
    { width: 1600, height: 1000 },
  ])('a part, the whole and lanes without marks are drawn and accessible at %o', async (size) => {
    // A narrow window has no list of samples.
    const page = await storm({ theme });
    await page.setViewportSize(size);
    await page.waitForTimeout(600);
    await shoot(page, `timeline-part-${theme}`);
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press('0');
    await page.waitForTimeout(600);
    await shoot(page, `timeline-whole-${theme}`);
    expect(await axe(page)).toEqual([]);
  });
});

test('a long capture opens on two minutes, and the whole of it is one key or one button away', async () => {
  const page = await storm();
  expect(await asked(page)).toBeLessThan(300);
  expect(await legend(page)).toContain('closing reply');
  const button = page.getByRole('button', { name: 'Whole capture', exact: true });
  await button.click();
  expect(await asked(page)).toBeGreaterThan(1_700);
  expect(await button.count(), 'there is nothing more to show').toBe(0);
  expect(await legend(page)).toContain('one column');
  await page.keyboard.press('+');
  await page.keyboard.press('0');
  expect(await button.count()).toBe(0);
});

test('the marks fade in where their level of detail changes, and nowhere else', async () => {
  const page = await storm();
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.evaluate(() => {
    const fade = HTMLElement.prototype.animate;
    HTMLElement.prototype.animate = function (...told) {
      const lanes = this.closest<HTMLElement>('.plot.field');
      if (lanes) lanes.dataset.fades = String(Number(lanes.dataset.fades ?? 0) + 1);
      return fade.apply(this, told);
    };
  });
  const field = page.locator('.plot.field');
  const before = await asked(page);
  await field.focus();
  for (const key of ['ArrowRight', 'ArrowRight', '+']) {
    await page.keyboard.press(key);
    await page.waitForTimeout(400);
  }
  expect(await asked(page), 'the window has moved, and replies have come').toBeLessThan(before);
  expect(await field.getAttribute('data-fades')).toBeNull();
  await page.keyboard.press('0');
  await expect.poll(() => field.getAttribute('data-fades')).not.toBeNull();
  await page.waitForTimeout(400);
  expect(await field.getAttribute('data-fades'), 'once').toBe('1');
});

test('a short capture opens whole', async () => {
  const page = await open('/timeline');
  await page.waitForSelector('.field .end .count:not(:empty)');
  expect(await page.getByRole('button', { name: 'Whole capture', exact: true }).count()).toBe(0);
});

test('the legend has one level of detail, whatever the zoom', async () => {
  const page = await storm();
  await page.keyboard.press('0');
  for (let step = 0; step < 14; step += 1) {
    await page.waitForTimeout(250);
    const text = await legend(page);
    expect(text.includes('one column'), text).toBe(!text.includes('closing reply'));
    await page.keyboard.press('+');
  }
  expect(await legend(page)).toContain('closing reply');
});

test('a lane whose channel refuses says so, and offers a channel that answers', async () => {
  const message = 'Loaded cannot be estimated here: one client.';
  const page = await storm({}, async (page) => {
    // All replays but those of the channel Empirical refuse.
    await page.route('**/fixtures/index.json', async (route) => {
      const index = (await (await route.fetch()).json()) as Record<string, string>;
      const refuses = (key: string) => key.startsWith('replay {') && !key.includes('"channel":"empirical"');
      const entries = Object.entries(index).map(([key, file]) => [key, refuses(key) ? 'refusal.error.json' : file]);
      await route.fulfill({ json: Object.fromEntries(entries) });
    });
    await page.route('**/fixtures/refusal.error.json', (route) =>
      route.fulfill({ json: { code: 'replay', message, detail: null, at: null } }),
    );
  });
  const refused = page.locator('.field .refused');
  await refused.first().waitFor();
  const lanes = await page.locator('.field .lane:not(.recorded)').count();
  expect(await refused.count(), 'no lane is empty without a reason').toBe(lanes);
  expect(await refused.first().innerText()).toContain(message);
  await shoot(page, 'timeline-refused');
  expect(await axe(page)).toEqual([]);

  const remedy = page.getByRole('button', { name: 'Use Empirical' }).first();
  await remedy.focus();
  await page.keyboard.press('Enter');
  await refused.first().waitFor({ state: 'detached' });
  expect(await lastSent(page, 'replay')).toMatchObject({ channel: 'empirical' });
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.field .end .count')].every((count) => count.textContent !== ''),
  );
});

test('lanes are arranged by name or by needless copies, by keyboard, and each keeps its own marks', async () => {
  const page = await storm();
  const lanes = async () => {
    await page.waitForTimeout(500);
    const texts = (part: string) => page.locator(`.field ${part}`).allTextContents();
    const [names, counts, times] = await Promise.all([
      texts('.lane.recorded .name'),
      texts('.end.recorded .count'),
      texts('.end.recorded .p95'),
    ]);
    expect(times.filter((time) => !/^[\d.]+\ss$/.test(time))).toEqual([]);
    return names.map((name, place) => `${name} ${counts[place] ?? ''}`);
  };
  await page.keyboard.press('0');
  const named = await lanes();
  expect(named.map((text) => text.slice(0, 6))).toEqual(['mote 2', 'mote 3', 'mote 4', 'mote 5']);
  await page.getByRole('button', { name: 'Order of lanes' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('[role=menuitemradio]:focus').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Order of lanes' }).getByText('needless').waitFor();
  const needless = await lanes();
  const share = (text: string) => {
    const [some = 0, all = 1] = text.slice(6).split('/').map(Number);
    return some / all;
  };
  expect(needless).toEqual([...named].sort((a, b) => share(b) - share(a)));
  expect(needless).not.toEqual(named);
  expect(await axe(page)).toEqual([]);
});

test('the lanes of the selected exchange are pinned by key and released by mouse; undo takes it back', async () => {
  const page = await storm();
  const names = () => page.locator('.field .lane.recorded .name').allTextContents();
  const before = await names();
  await page.locator('.plot.field').focus();
  await page.keyboard.press('Enter');
  await page.locator('.field .proxy:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('Selected exchange').waitFor();
  await page.keyboard.press('Shift+P');
  const pin = page.locator('.field .pin[aria-pressed=true]');
  await pin.waitFor();
  const pinned = (await names())[0] ?? '';
  expect(await pin.getAttribute('aria-label')).toBe(`Pin ${pinned}`);
  for (const order of ['By number of copies', 'By mean completion', 'By name']) {
    await page.getByRole('button', { name: 'Order of lanes' }).click();
    await page.getByRole('menuitemradio', { name: order }).click();
    await page
      .getByRole('button', { name: 'Order of lanes' })
      .getByText(order.split(' ').at(-1) ?? '')
      .waitFor();
    expect((await names())[0]).toBe(pinned);
  }
  expect(await axe(page)).toEqual([]);
  await pin.click();
  await pin.waitFor({ state: 'detached' });
  // The drawer of the selected exchange leaves less room.
  const after = await names();
  expect(after).toEqual(before.slice(0, after.length));
  await page.keyboard.press('Control+z');
  await pin.waitFor();
  await page.keyboard.press('Control+Shift+Z');
  await pin.waitFor({ state: 'detached' });
});

test.each(THEMES)('many lanes are filtered by name, and none left is said with a way back, in %s', async (theme) => {
  const page = await open('/timeline', { theme });
  await page.getByRole('button', { name: /^Event bursts/ }).click();
  await page.waitForSelector('.field .end .count:not(:empty)');
  const names = () => page.locator('.field .lane.recorded .name').allTextContents();
  const all = await names();
  const filter = page.getByLabel('Filter lanes by name or address');
  // Its lanes are recorded by themselves (crates/fixtures/src/others.rs).
  await filter.fill('mote 3');
  await page.getByText('1 of 8').waitFor();
  expect(await names()).toEqual(['mote 3']);
  expect(await page.locator('.field .end.recorded .count').innerText()).not.toMatch(/ 0$/);
  expect((await lastSent(page, 'lanes'))?.lanes).toHaveLength(1);
  await shoot(page, `timeline-filtered-${theme}`);
  expect(await axe(page)).toEqual([]);
  await filter.fill('nobody');
  await page.getByRole('button', { name: 'Show all lanes' }).click();
  expect(await names()).toEqual(all);
});
