// The first screen of Compare: the verdict, the channel that the capture chose, and the panel that says why it may be
// trusted.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { canonical } from '../../src/ipc/canonical';
import type { AnswerView, ReplayView, TrustView } from '../../src/ipc/gen/types';
import { SIZES, THEMES, axe, lastSent, open, shoot, type Theme } from './window';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const WIDTHS = [{ width: 1000, height: 700 }, ...SIZES];
/** The bundled capture with hops, in which a storm of the clients' own making rages. */
const STORM = 'Needless storm';

/** A reply as it was recorded from the core. */
function recorded<T>(key: string): T {
  const index = JSON.parse(readFileSync(join(FIXTURES, 'index.json'), 'utf8')) as Record<string, string>;
  const file = index[key];
  if (file === undefined || !existsSync(join(FIXTURES, file))) throw new Error(`not recorded: ${key}`);
  return JSON.parse(readFileSync(join(FIXTURES, file), 'utf8')) as T;
}

async function storm(theme: Theme = 'light', size = SIZES[0], before?: (page: Page) => Promise<void>): Promise<Page> {
  const page = await open('/compare', { theme }, before);
  await page.waitForSelector('table .cell .range');
  await page.getByRole('button', { name: STORM }).first().click();
  // Not from the start: a narrow window has no list of samples.
  if (size) await page.setViewportSize(size);
  await page.waitForFunction(
    () => document.querySelector('[aria-label=Verdict] .chosen')?.textContent?.startsWith('Network twin') === true,
  );
  await page.waitForFunction(() => document.querySelector('.pending') === null);
  return page;
}

async function trust(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Trust', exact: true }).click();
  await page.getByRole('region', { name: 'Trust' }).waitFor();
}

test('the storm ends: the verdict names a timer, its numbers and 90 % interval, and the channel that the capture chose', async () => {
  const page = await storm();
  const verdict = page.getByRole('region', { name: 'Verdict' });
  const said = (await verdict.getByRole('heading', { level: 3 }).innerText()).replace(/\s/g, ' ');
  const numbers =
    /^(.+) completes an exchange in ([\d.]+) s \(90 %: ([\d.]+) – ([\d.]+) s\) instead of 17\.1 s\.$/.exec(said);
  expect(numbers, said).not.toBeNull();
  const [mean, low, high] = (numbers ?? []).slice(2).map(Number);
  expect(low).toBeLessThan(mean!);
  expect(mean).toBeLessThan(high!);
  // The real run of the same network under CoCoA+ took 2.4 s, the recorded one 17.1 s.
  expect(high).toBeLessThan(6);
  expect(await verdict.innerText()).toMatch(/Cannot tell it from .*: the intervals overlap\./);
  expect(await verdict.innerText()).toMatch(/the storm ends under .*CoCoA\+/);
  expect(await verdict.locator('.chosen').innerText()).toMatch(
    /^Network twin: asked about its own capture it is right \(/,
  );
  // Every measure is inside: that is said in a word, too.
  expect(await verdict.getByRole('heading', { level: 4 }).innerText()).toBe('Trust: high');
  // The twin samples no copies, so nothing is hatched or warned of for low support.
  const measures = page.getByRole('table', { name: 'Measures' });
  expect(await measures.getByText('simulated').count()).toBe(await measures.locator('tbody tr:not(.recorded)').count());
  expect(await measures.locator(`tbody tr:not(.recorded) [fill^="url(#hatch"]`).count()).toBe(0);
  expect(await page.getByText('mostly on what the channel assumes').count()).toBe(0);
  expect(await lastSent(page, 'replay')).toMatchObject({ channel: 'auto' });
  await verdict.getByRole('button', { name: 'Copy the verdict' }).click();
  await page.getByText('Verdict copied').first().waitFor();
});

test('every sentence is the core’s: of the verdict in Compare, of its timer in What-if, of the twin in a self-replay', async () => {
  const replays: ReplayView[] = [];
  const verdicts: AnswerView[] = [];
  const page = await storm('light', SIZES[0], (page) => {
    page.on('response', async (response) => {
      const name = /\/(replay|verdict)-\d+\.json$/.exec(response.url())?.[1];
      if (name === 'replay') replays.push((await response.json()) as ReplayView);
      if (name === 'verdict') verdicts.push((await response.json()) as AnswerView);
    });
    return Promise.resolve();
  });
  const said = (name: string) => page.getByRole('region', { name }).locator('h3, h3 ~ p, .line ~ p').allTextContents();
  const words = (answer: AnswerView | undefined) => answer && [answer.headline, ...answer.details];
  const told = (answer: () => AnswerView | undefined) =>
    expect.poll(async () => canonical(await said('Verdict')) === canonical(words(answer()))).toBe(true);
  await told(() => verdicts.at(-1));
  // The times of real runs stand in the core's second reply; all else in the first.
  const first = words(replays.at(-1)!.verdict)!;
  expect(words(verdicts.at(-1))!.filter((sentence) => !first.includes(sentence))).toEqual([
    expect.stringMatching(/^A real run of this network under .* took 2\.\d\ss\.$/),
  ]);
  await page.getByRole('button', { name: 'Self-replay' }).click();
  await told(() => replays.at(-1)!.runs[0]!.self_replay);
  await page.getByRole('button', { name: 'Back to the comparison' }).click();
  await told(() => verdicts.at(-1));
  await page.evaluate(() => (location.hash = '#/whatif'));
  const answer = page.getByRole('region', { name: 'Answer' }).locator('h3');
  await answer.waitFor();
  const shown = await answer.textContent();
  const found = () =>
    replays.flatMap(({ runs }) => runs.map(({ verdict }) => verdict)).find(({ headline }) => headline === shown);
  await expect.poll(found).toBeDefined();
  const below = await page.getByRole('region', { name: 'Answer' }).locator('p').textContent();
  expect(below).toBe(found()!.details.join(' '));
});

test('the menu of channels begins with the one that the capture chooses and the twin; another one is asked for', async () => {
  const page = await storm();
  await page.getByRole('button', { name: /^Channel:/ }).click();
  const items = page.getByRole('menuitemradio');
  expect((await items.allInnerTexts()).map((text) => text.trim())).toEqual([
    'Chosen by the capture',
    'Network twin',
    'Bottleneck',
    'Loaded',
    'Gilbert–Elliott, loaded',
    'Gilbert–Elliott',
    'Empirical',
    'Recorded',
  ]);
  expect(await items.first().getAttribute('aria-checked')).toBe('true');
  // Keys walk the menu from when it has the focus.
  await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'menuitemradio');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page
    .getByRole('heading', { name: /^Cannot tell which timer is best: this channel gives bounds only/ })
    .waitFor();
  expect(await lastSent(page, 'replay')).toMatchObject({ channel: 'recorded' });
  // The same capture where copies are sampled and a storm answers to the timers.
  await page.getByRole('button', { name: /^Channel:/ }).click();
  await page.getByRole('menuitemradio', { name: 'Empirical' }).click();
  await page
    .getByRole('heading', { name: /^Cannot tell which timer is best: only 1\d\s% of the copies of / })
    .waitFor();
});

test('Trust shows what the core says: each check and parameter, by keyboard, and Esc leads back', async () => {
  const view = recorded<TrustView>('trust {"capture":1}');
  const page = await storm();
  const button = page.getByRole('button', { name: 'Trust', exact: true });
  await button.focus();
  await page.keyboard.press('Enter');
  const checks = page.getByRole('table', { name: 'Self-replay' });
  await checks.waitFor();
  expect(view.checks.length).toBeGreaterThanOrEqual(6);
  expect(await checks.locator('tbody .verdict').allInnerTexts()).toEqual(view.checks.map(({ agreement }) => agreement));
  const parameters = page.getByRole('table', { name: 'Parameters' });
  expect(await parameters.locator('.known').allInnerTexts()).toEqual(view.parameters.map(({ known }) => known));
  await page.getByRole('heading', { name: view.why.slice(1) }).waitFor();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Self-replay');
  await page.keyboard.press('Escape');
  await page.getByRole('table', { name: 'Measures' }).waitFor();
  expect(await button.evaluate((element) => element === document.activeElement), 'focus comes back').toBe(true);
  // A menu of the panel takes Esc for itself.
  await page.keyboard.press('Enter');
  await checks.waitFor();
  await page.getByRole('button', { name: 'Copy as' }).click();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('menuitem', { name: 'CSV' }).isVisible()).toBe(false);
  expect(await checks.isVisible()).toBe(true);
});

test('truth marks: what CoCoA measured in this network stands beside CoCoA+, inside the interval of another run', async () => {
  const page = await storm();
  const row = page.getByRole('table', { name: 'Measures' }).locator('tbody tr', { hasText: 'cocoa_plus' });
  const marks = row.locator('.truth circle');
  await marks.first().waitFor();
  // Another timer of the algorithm ran: a ring without a dot, in each of the columns.
  expect(await row.locator('g.truth').count()).toBe(await row.locator('.cell').count());
  expect(await row.locator('.truth .dot').count()).toBe(0);
  expect(await row.locator('g.truth title').first().textContent()).toMatch(
    /^Measured .*CoCoA.* really ran, a timer of the same algorithm \(Storm avoided by CoCoA\)$/,
  );
  expect(await row.innerText()).toContain('real 2.4');
  // After retransmissions and needless copies.
  const completion = row.locator('.cell').nth(2);
  const said = (await completion.locator('.number').getAttribute('title')) ?? '';
  const [low, high] = (/another run: ([\d.]+) – ([\d.]+)/.exec(said) ?? []).slice(1).map(Number);
  expect(low, said).toBeLessThan(2.37);
  expect(high, said).toBeGreaterThan(2.37);
  await page.getByText('measured: another timer of the same algorithm ran').waitFor();
});

test('Self-replay is one click away: the timer that was running, through the twin, and back', async () => {
  const { timer } = recorded<TrustView>('trust {"capture":1}');
  const page = await storm();
  const rows = page.getByRole('table', { name: 'Measures' }).locator('tbody tr:not(.recorded)');
  const before = await rows.allInnerTexts();
  await page.getByRole('button', { name: 'Self-replay' }).click();
  const verdict = page.getByRole('region', { name: 'Verdict' });
  await verdict.getByRole('heading', { name: /^The twin under .* recorded: 17\ss, inside\.$/ }).waitFor();
  const asked = await lastSent(page, 'replay');
  expect(asked).toMatchObject({ channel: 'twin', baseline: null, algorithms: [timer] });
  expect(await rows.count()).toBe(1);
  await shoot(page, 'self-replay-light');
  expect(await axe(page)).toEqual([]);
  await verdict.getByRole('button', { name: 'Back to the comparison' }).click();
  await page.waitForFunction(
    (n) => document.querySelectorAll('table[aria-label=Measures] tbody tr:not(.recorded)').length === n,
    before.length,
  );
  expect(await lastSent(page, 'replay')).toMatchObject({ channel: 'auto' });
});

test('what no capture shows is drawn by its effect on the best timer', async () => {
  const page = await storm();
  await page.getByText('What the answer depends on').click();
  const picture = page.getByRole('figure', { name: 'Presets' });
  await picture.waitFor();
  expect(await picture.getByRole('rowheader').allInnerTexts()).toContain('Max back-off exponent');
  expect(await picture.locator('tbody rect').count()).toBeGreaterThan(1);
  await picture.scrollIntoViewIfNeeded();
  await shoot(page, 'presets-light');
  expect(await axe(page)).toEqual([]);
});

test('a refusal says its reason in place of the tables, and which channel answers', async () => {
  const page = await open('/compare');
  await page.waitForSelector('table .cell .range');
  expect(await page.locator('[aria-label=Verdict] .chosen').innerText()).toMatch(
    /^Empirical, without a network twin: the capture has no IEEE 802\.15\.4 frames/,
  );
  expect(await page.getByRole('region', { name: 'Verdict' }).getByRole('heading', { level: 3 }).innerText()).toMatch(
    /^No timer is shown to complete exchanges faster than the recorded 4\.69\ss: the nearest, /,
  );
  await trust(page);
  await page.getByRole('heading', { name: 'No network twin of this capture' }).waitFor();
  expect(await page.getByRole('region', { name: 'Trust' }).innerText()).toContain(
    'a twin needs a capture of the hops themselves',
  );
  expect(await page.locator('#view table').count()).toBe(0);
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'trust-refused-light');
});

describe.each(THEMES)('in %s', (theme) => {
  test.each(WIDTHS)('verdict and Trust are accessible and fit at $width x $height', async (size) => {
    const page = await storm(theme, size);
    await page.waitForTimeout(300);
    await shoot(page, `compare-storm-${theme}`);
    expect(await axe(page), 'Compare').toEqual([]);
    await trust(page);
    await page.getByRole('table', { name: 'Self-replay' }).waitFor();
    await page.waitForTimeout(300);
    await shoot(page, `trust-${theme}`);
    expect(await axe(page), 'Trust').toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide, 'nothing is beyond the window').toBeLessThanOrEqual(0);
  });
});
