// Studies on recorded replies: the ways to one, a folder of runs, the grid, figures, a run that is stopped.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { drawing } from '../../../scripts/figure.mjs';
import { THEMES, axe, lastSent, open, sent, shoot } from './window';

const SIZES = [
  { width: 1000, height: 700 },
  { width: 1280, height: 800 },
  { width: 1600, height: 1000 },
];
const CELL = 'td[role=gridcell]';

/** The page with a study open, as after it was opened once. */
async function study(path: string, options: Parameters<typeof open>[1] = {}): Promise<Page> {
  const page = await open('/study', { ...options, prefs: { toured: true, studies: [path] } });
  await page.getByRole('button', { name: path.split('/').at(-1) ?? '' }).click();
  await page.waitForSelector(`${CELL} svg`);
  return page;
}

describe.each(THEMES)('in %s', (theme) => {
  test.each(SIZES)('the grid is drawn and accessible at $width x $height', async (size) => {
    const page = await study('/recorded/bundled.toml', { theme, size });
    await page.waitForTimeout(200);
    await shoot(page, `study-grid-${theme}`);
    expect(await axe(page)).toEqual([]);
    // A ring for each capture whose timer has a column.
    expect(await page.locator(`${CELL} .truth`).count()).toBeGreaterThan(10);
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(beyond, 'the window does not scroll').toBe(0);
    const names = page.locator('[role=grid] .who, [role=grid] .who span, [role=grid] .truth span');
    const cut = await names.evaluateAll((all) =>
      all
        .filter((one) => one.scrollHeight > one.clientHeight + 2 || one.scrollWidth > one.clientWidth + 1)
        .map((one) => one.textContent),
    );
    expect(cut, 'no name is cut').toEqual([]);
  });

  test.each(SIZES)('figures are drawn and accessible at $width x $height', async (size) => {
    const page = await study('/recorded/bundled.toml', { theme, size });
    for (const name of ['Winners', 'Bars', 'Factor']) {
      if (name === 'Factor') {
        await page.getByRole('radio', { name }).check({ force: true });
        await page.getByText('A factor plot needs').waitFor();
        await page.getByRole('button', { name: 'Other studies' }).click();
        await page.getByRole('button', { name: /^Open a study/ }).click();
      }
      await page.getByRole('radio', { name }).check({ force: true });
      await page.waitForSelector('.field .panel svg path', { state: 'attached' });
      await page.waitForTimeout(200);
      // The grid answers from captures under the baseline; figures do not, and say so.
      expect(await page.getByText('From all captures').count(), name).toBe(1);
      await shoot(page, `study-${name.toLowerCase()}-${theme}`);
      expect(await axe(page), name).toEqual([]);
    }
  });

  test('what is missing or refused says so', async () => {
    const page = await study('/recorded/half.toml', { theme });
    await page.getByText('Not finished').waitFor();
    expect(await page.locator(CELL, { hasText: 'waiting' }).count()).toBe(2);
    const refused = page.locator(CELL, { hasText: 'refused' }).first();
    expect(await refused.innerText()).toContain('exchange');
    await shoot(page, `study-half-${theme}`);
    expect(await axe(page)).toEqual([]);
  });

  test('a folder of runs is a table of tags', async () => {
    const page = await open('/study', { theme });
    await shoot(page, `study-start-${theme}`);
    await page.getByRole('button', { name: /^A folder of runs/ }).click();
    await page.waitForSelector('table[aria-label="Captures of the study"] tbody tr');
    await shoot(page, `study-folder-${theme}`);
    expect(await axe(page)).toEqual([]);
  });
});

test('the keyboard walks cells, and a cell opens its captures', async () => {
  const page = await study('/recorded/half.toml');
  const first = page.locator(`${CELL}[tabindex="0"]`);
  expect(await first.count()).toBe(1);
  await first.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-cell'))).toBe('1 0');
  const said = page.getByRole('note', { name: 'Cell' });
  expect(await said.innerText()).toMatch(/CoAP.*sleepy[\s\S]*90.%/);
  // The capture that answers is the real run under this timer: it stands alone, and opens at once.
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => (await lastSent(page, 'open'))?.path)
    .toBe('/recorded/runs/sleepy/default-seed1/radio.pcap.gz');
});

test('a cell with a real run beside its answer lists both', async () => {
  const page = await study('/recorded/bundled.toml');
  const cell = page.locator(`${CELL}[aria-label*="real run"]`).filter({ hasNotText: 'refused' });
  const names = await cell.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
  const cocoa = names.findIndex((name) => /CoCoA.*in tsch-slow-chain5/.test(name));
  expect(cocoa, names.join('\n')).toBeGreaterThanOrEqual(0);
  await cell.nth(cocoa).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  expect(await dialog.getByRole('button', { name: /^Compare in/ }).count()).toBe(2);
  expect(await dialog.innerText()).toContain('real run');
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'study-captures');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('gridcell');
});

test('a key and the palette lead to studies', async () => {
  const page = await open('/timeline');
  await page.waitForSelector('.field .end .count:not(:empty)');
  await page.keyboard.press('s');
  await page.getByText('Many captures, many timers').waitFor();
  await page.getByRole('tab', { name: 'Algorithms' }).click();
  await page.keyboard.press('Control+K');
  await page.keyboard.type('open a study');
  await page.keyboard.press('Enter');
  await page.waitForSelector(`${CELL} svg`);
  expect(await page.getByRole('tab', { name: 'Study' }).getAttribute('aria-selected')).toBe('true');
});

test('measure and captures that answer are chosen, numbers copied', async () => {
  const page = await study('/recorded/bundled.toml');
  expect(await page.locator('.inside').innerText()).toMatch(/\d+ of \d+/);
  await page.getByLabel('Measure').selectOption('spurious_all');
  await expect.poll(async () => (await lastSent(page, 'study_grid'))?.measure).toBe('spurious_all');
  await expect.poll(() => page.locator(`${CELL} .value`).first().innerText()).toMatch(/%/);
  await page.getByLabel('Measure').selectOption('duration_mean');
  await page.getByLabel('Answers from').selectOption('');
  await expect.poll(async () => (await lastSent(page, 'study_grid'))?.from).toBe('');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy as' }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/^scenario,timer,runs,mean,lo,hi/);
  await page.getByRole('button', { name: 'Show as table' }).click();
  await page.waitForSelector('caption');
  expect(await axe(page)).toEqual([]);
});

test('a figure is saved as those of Figures', async () => {
  const page = await study('/recorded/bundled.toml');
  await page.getByRole('radio', { name: 'Winners' }).check({ force: true });
  await page.waitForSelector('.field .panel svg path', { state: 'attached' });
  const save = async (name: string) => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await save('CSV');
  await expect.poll(async () => (await lastSent(page, 'export_study_figure'))?.path).toBe('/recorded/winners.csv');
  await save('SVG');
  await expect.poll(async () => (await lastSent(page, 'export_picture'))?.content.slice(0, 4)).toBe('<svg');
  // `npm run figure` draws the same octets from the same reply.
  const { figureFile } = await drawing();
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures', name), 'utf8'));
  const index = read('index.json') as Record<string, string>;
  const reply = index['study_figure {"kind":"winners","path":"/recorded/bundled.toml"}'] ?? '';
  expect((await lastSent(page, 'export_picture'))?.content).toBe(figureFile(read(reply), '180'));
});

test('the report is saved by its button and by the palette, over the chosen axis', async () => {
  const page = await study('/recorded/half.toml');
  const saved = (name: string) => page.getByTitle(`Report saved as ${name}`).waitFor();
  await page.getByRole('radio', { name: 'Factor' }).check({ force: true });
  await page.waitForSelector('.field .panel svg path', { state: 'attached' });
  const over = await page.getByLabel('Over').evaluate((list: HTMLSelectElement) => list.options[1]?.value ?? '');
  await page.getByLabel('Over').selectOption(over);
  await page.getByRole('button', { name: 'Report', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Markdown' }).click();
  await saved('half.md');
  const request = { study: '/recorded/half.toml', over, form: 'markdown', path: '/recorded/half.md' };
  expect(await sent(page, 'study_report')).toEqual([request]);
  await page.getByRole('tab', { name: 'Algorithms' }).click();
  await page.keyboard.press('Control+K');
  await page.keyboard.type('report of the study');
  await page.keyboard.press('Enter');
  await saved('half.html');
  expect((await lastSent(page, 'study_report'))?.form).toBe('html');
});

test('a report that takes long is shown with its progress and stopped', async () => {
  const page = await study('/recorded/half.toml', { query: { latency: '3000' } });
  await page.getByRole('button', { name: 'Report', exact: true }).click();
  await page.getByRole('menuitem', { name: 'HTML' }).click();
  const job = page.getByRole('region', { name: 'Under way' });
  await job.getByText(/Making the report of the study.*%/s).waitFor();
  await shoot(page, 'study-report');
  await job.getByRole('button', { name: 'Cancel: Making the report of the study' }).click();
  await job.waitFor({ state: 'detached' });
  expect(await page.getByTitle(/^Report saved/).count()).toBe(0);
});

test('a study runs with progress, goes on behind other views, and is stopped', async () => {
  const page = await open('/study', { query: { latency: '3000' } });
  await page.getByRole('button', { name: /^Open a study/ }).click();
  await page.waitForSelector(`${CELL} svg`, { timeout: 10_000 });
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('Running', { exact: true }).waitFor();
  await expect.poll(() => page.locator('.state .said').innerText(), { timeout: 3000 }).toMatch(/a second, .* left/);
  await shoot(page, 'study-running');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Algorithms' }).click();
  await page.getByRole('tab', { name: 'Study' }).click();
  await page.getByRole('button', { name: 'Stop', exact: true }).first().click();
  await page.getByText('Not finished').waitFor({ timeout: 5000 });
  expect(await sent(page, 'study_run')).toEqual([{ path: '/recorded/half.toml' }]);
});

test('a folder of runs is edited, written and run', async () => {
  const page = await open('/study');
  await page.getByRole('button', { name: /^A folder of runs/ }).click();
  await page.waitForSelector('table[aria-label="Captures of the study"] tbody tr');
  await page.getByLabel('scenario of sleepy/default-seed1/radio.pcap.gz').fill('cellar');
  await page.getByLabel('Take silent/default-seed1/radio.pcap.gz').uncheck();
  await page.getByRole('button', { name: /^Run \d+ tasks/ }).click();
  await expect.poll(async () => (await sent(page, 'study_write')).length).toBe(1);
  const request = await lastSent(page, 'study_write');
  expect(request?.path).toBe('/recorded/study.toml');
  expect(request?.left_out).toEqual(['silent/default-seed1/radio.pcap.gz']);
  expect(request?.captures.find(({ path }) => path.startsWith('sleepy/default'))?.tags.scenario).toBe('cellar');
  expect(request?.timers.map(({ id }) => id)).toContain('coap_default');
});
