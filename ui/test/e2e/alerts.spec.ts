// Alerts in the rail and in their dialog: rules and their state, what was said, and the way to it. The core's replies
// are those of a storm that was followed to its middle, and then to its end.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { AlertsView } from '../../src/ipc/gen/types';
import { THEMES, axe, lastSent, open, sent, shoot, type Opening } from './window';

/** Rules that the replies are about (`src-tauri/crates/fixtures/src/others.rs`). */
const RULES = [
  'needless > 20% for 5min',
  'lost per client > 5% for 2min with 5',
  'parent-changed then storm within 10min',
];
const STORM = 'Needless storm';

/** The page with these rules and the storm, which is followed. */
async function followed(opening: Opening = {}, alerts: readonly string[] = RULES): Promise<Page> {
  const prefs = { toured: true, live: true, alerts };
  const page = await open('/timeline', { prefs, ...opening }, async (page) => {
    await page.route('**/fixtures/index.json', async (route) => {
      const index = (await (await route.fetch()).json()) as Record<string, string>;
      const follow = { 'follow_state null': 'followed.json', 'follow_refresh null': 'nothing-new.json' };
      await route.fulfill({ json: { ...index, ...follow } });
    });
    await page.route('**/fixtures/followed.json', (route) =>
      route.fulfill({ json: { path: '/recorded/growing.pcapng', capture: null } }),
    );
    // Nothing is new in the capture itself.
    await page.route('**/fixtures/nothing-new.json', (route) => route.fulfill({ json: null }));
  });
  // Under 1100 px samples are opened by their command.
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search commands' }).fill(STORM);
  await page.getByRole('option', { name: STORM }).first().click();
  await page.locator('.lane', { hasText: 'mote 5' }).first().waitFor();
  return page;
}

const card = (page: Page) => page.getByRole('region', { name: 'Live capture' });
/** The recorded reply to a look. */
const recorded = (page: Page) =>
  page.evaluate(async () => {
    const index = (await (await fetch('fixtures/index.json')).json()) as Record<string, string>;
    return (await (await fetch(`fixtures/${index['alerts_look {"after":0}']}`)).json()) as AlertsView;
  });

test('rules have their state, alerts their place, and a badge says what goes on', async () => {
  const page = await followed();
  const list = card(page).getByRole('list', { name: 'Alerts, newest first' });
  await list.waitFor();
  expect(await lastSent(page, 'alerts_start')).toEqual({ rules: RULES, source: 'followed' });
  const reply = await recorded(page);
  const open = reply.rules.reduce((sum, rule) => sum + rule.open.length, 0);
  expect(open).toBeGreaterThan(0);
  expect(await card(page).getByRole('button', { name: 'Live' }).innerText()).toContain(String(open));
  expect(await list.getByRole('listitem').count()).toBe(reply.alerts.length);
  // Newest first, and what it says is what the core said.
  expect(await list.getByRole('listitem').first().innerText()).toContain(reply.alerts.at(-1)?.text);
  const states = await card(page).getByRole('list', { name: 'Rules' }).getByRole('listitem').allInnerTexts();
  reply.rules.forEach((rule, at) => expect(states[at]).toMatch(rule.open.length > 0 ? /Goes on since \d/ : /Quiet/));
  expect(await card(page).innerText()).toMatch(/Judged to \d+:\d\d of \d+:\d\d\.\s+Alerts come 5 to 7 minutes/);
});

test('an alert goes to its time and to the lane of its client', async () => {
  const page = await followed();
  const reply = await recorded(page);
  const alert = reply.alerts.findLast(({ client }) => client !== null);
  if (!alert?.client || alert.time === null) throw new Error('no alert of a client was recorded');
  await page.locator('#tab-exchanges').click();
  const button = card(page)
    .getByRole('list', { name: 'Alerts, newest first' })
    .getByRole('button', { name: alert.client });
  await button.first().focus();
  await page.keyboard.press('Enter');
  expect(await page.locator('#tab-timeline').getAttribute('aria-selected')).toBe('true');
  const scrub = page.getByRole('slider', { name: 'Playhead' });
  const whole = await page.evaluate(() => document.querySelector('.clock')?.textContent ?? '');
  const minutes = Math.floor(alert.time / 60e9);
  expect(`${await scrub.getAttribute('aria-valuetext')} ${whole}`).toContain(`${minutes}:`);
  await expect.poll(() => page.locator('.group.marked').count()).toBe(1);
});

test('rules are added, changed and removed; what is wrong is said below its rule', async () => {
  const page = await followed();
  await card(page).getByRole('button', { name: 'Examples' }).click();
  await page.getByRole('menuitem', { name: 'storm', exact: true }).click();
  await expect.poll(async () => (await lastSent(page, 'alerts_start'))?.rules).toEqual([...RULES, 'storm']);
  await card(page).getByRole('textbox', { name: 'Rule 4' }).fill('needles > 20% for 5min');
  await page.keyboard.press('Enter');
  const rule = card(page).getByRole('list', { name: 'Rules' }).getByRole('listitem').last();
  await rule.getByText('`needles` is no measure').waitFor();
  expect(await card(page).getByRole('textbox', { name: 'Rule 4' }).getAttribute('aria-invalid')).toBe('true');
  // The others are watched on.
  await expect.poll(async () => (await lastSent(page, 'alerts_start'))?.rules).toEqual(RULES);
  await card(page).getByRole('button', { name: 'Remove rule 4' }).click();
  expect(await card(page).getByRole('textbox', { name: 'Rule 4' }).count()).toBe(0);
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('rtoscope') ?? '{}') as { alerts: string[] });
  expect(kept.alerts).toEqual(RULES);
  await card(page).getByLabel('Watch', { exact: true }).uncheck();
  await expect.poll(async () => (await sent(page, 'alerts_stop')).length).toBe(1);
  await card(page).getByText('Nothing is watched.').waitFor();
});

test('they are copied as a table', async () => {
  const page = await followed();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await card(page).getByRole('button', { name: 'Copy as' }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  await page.getByText('Alerts copied', { exact: true }).first().waitFor();
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).trim().split('\n');
  expect(lines[0]).toBe('number,time,UTC,stage,rule,client,value,threshold,exchanges,copies,text');
  expect(lines.length).toBe(1 + (await recorded(page)).alerts.length);
});

const SIZES = [
  { width: 1280, height: 800 },
  { width: 1600, height: 1000 },
];
describe.each(THEMES)('in %s', (theme) => {
  test.each(SIZES)('it is accessible, and nothing is cut, at $width px', async (size) => {
    const page = await followed({ theme, size }, [...RULES, 'needles > 20% for 5min']);
    await card(page).getByText('`needles` is no measure').waitFor();
    await card(page).getByRole('list', { name: 'Alerts, newest first' }).waitFor();
    await shoot(page, `alerts-${theme}`);
    await card(page).getByRole('button', { name: 'Copy as' }).scrollIntoViewIfNeeded();
    await shoot(page, `alerts-end-${theme}`);
    const rail = page.locator('aside[data-region=rail] .scroll');
    expect(await rail.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    expect(await axe(page)).toEqual([]);
  });

  test('a narrow window has a badge for them, and shows them in a dialog', async () => {
    const page = await followed({ theme, size: { width: 1000, height: 700 } });
    const badge = page.getByRole('button', { name: /alerts? go(es)? on/ });
    await badge.waitFor();
    await shoot(page, `alerts-badge-${theme}`);
    await badge.click();
    const dialog = page.getByRole('dialog', { name: 'Alerts of what is recorded or followed' });
    await dialog.getByRole('list', { name: 'Alerts, newest first' }).waitFor();
    await shoot(page, `alerts-dialog-${theme}`);
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.isVisible()).toBe(false);
  });
});
