// *Check again*: the storm's prediction held against a real run of its network, which is open too.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { CheckAgainView, KeptPrediction, MeasuredRun } from '../../src/ipc/gen/types';
import { THEMES, axe, lastSent, open, shoot, type Theme } from './window';

const FIXTURES = join(import.meta.dirname, '../fixtures');

/** The comparison that was recorded, and the number of its second capture. */
function recorded(): { second: number; view: CheckAgainView } {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(FIXTURES, file), 'utf8'));
  const index = Object.entries(read('index.json') as Record<string, string>);
  const found = index.find(([key]) => key.startsWith('check_again '));
  if (!found) throw new Error('no check_again was recorded');
  const { capture } = JSON.parse(found[0].slice('check_again '.length)) as { capture: number };
  return { second: capture, view: read(found[1]) as CheckAgainView };
}

/** The first reply to a command that was recorded. */
function reply<T>(name: string): T {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(FIXTURES, file), 'utf8'));
  const found = Object.entries(read('index.json') as Record<string, string>).find(([key]) =>
    key.startsWith(`${name} `),
  );
  if (!found) throw new Error(`no ${name} was recorded`);
  return read(found[1]) as T;
}

/** Compare of the storm; the run under CoCoA counts as open. */
async function storm(theme: Theme, second: number): Promise<Page> {
  const size = { width: 1280, height: 800 };
  const page = await open('/compare', { theme, size }, async (page) => {
    await page.route('**/fixtures/measured-*.json', async (route) => {
      const runs = (await (await route.fetch()).json()) as MeasuredRun[];
      await route.fulfill({ json: runs.map((run) => ({ ...run, capture: second })) });
    });
  });
  await page.getByRole('button', { name: 'Needless storm' }).first().click();
  // The capture that opened first has such a card too, until the storm is there.
  const card = page.getByRole('region', { name: 'Check again' }).filter({ hasText: 'Storm avoided' });
  await card.getByText('measures fell inside').waitFor();
  return page;
}

test.each(THEMES)('a prediction is held against the second capture, %s', async (theme) => {
  const { second, view } = recorded();
  const page = await storm(theme, second);
  const card = page.getByRole('region', { name: 'Check again' });
  expect(await lastSent(page, 'check_again')).toMatchObject({ capture: second });
  const said = await card.innerText();
  for (const sentence of [view.verdict, view.timer, ...view.reservations, ...view.changes.map((change) => change.said)])
    expect(said).toContain(sentence);
  expect(view.changes.filter(({ changed }) => changed).map(({ kind }) => kind)).toContain('losses');
  await card.locator('summary').focus();
  await page.keyboard.press('Enter');
  const table = card.getByRole('table', { name: 'Predicted and measured' });
  expect(await table.locator('tbody tr').count()).toBe(view.compared);
  expect(await table.getByRole('cell', { name: 'no', exact: true }).count()).toBe(view.compared - view.held);
  expect(await axe(page)).toEqual([]);
  await card.scrollIntoViewIfNeeded();
  await shoot(page, `check-again-${theme}`);
  await page.setViewportSize({ width: 1000, height: 700 });
  await card.getByRole('heading', { name: 'Check again' }).scrollIntoViewIfNeeded();
  await shoot(page, `check-again-${theme}`);
});

test.each(THEMES)('predictions are kept, and held against a later capture, %s', async (theme) => {
  const page = await open('/compare', { theme, size: { width: 1280, height: 800 } });
  await page.getByRole('button', { name: 'Needless storm' }).first().click();
  const card = page.getByRole('region', { name: 'Check again' });
  const keep = card.getByRole('button', { name: 'Keep these predictions' });
  await keep.waitFor();
  await keep.click();
  const prediction = reply<KeptPrediction>('keep_prediction');
  await card.getByText('Kept: CoCoA').waitFor();
  await page.getByRole('status').getByText('Kept: save the session').waitFor();
  // The session has them.
  await page.keyboard.press('Control+s');
  await expect
    .poll(async () => (await lastSent(page, 'session_write'))?.file.predictions, { timeout: 5_000 })
    .toEqual([prediction]);
  // Another capture: the kept prediction is held against it.
  await page.getByRole('button', { name: 'Sleepy server' }).first().click();
  await card.getByText('measures fell inside').waitFor();
  expect(await lastSent(page, 'check_kept')).toMatchObject({ prediction });
  const view = reply<CheckAgainView>('check_kept');
  expect(await card.innerText()).toContain(view.verdict);
  expect(await card.getByRole('img').or(card.locator('svg')).count()).toBeGreaterThan(1);
  expect(await axe(page)).toEqual([]);
  await card.getByRole('heading', { name: 'Check again' }).scrollIntoViewIfNeeded();
  await shoot(page, `check-kept-${theme}`);
  // The check is collected in a table of the reader's own.
  await card.getByRole('button', { name: 'Add to my calibration table' }).click();
  await page.getByRole('status').getByText('1 check in this table').waitFor();
  expect(await lastSent(page, 'calibration_add')).toMatchObject({ path: '/recorded/my-calibration.csv' });
  await card.getByText('/recorded/my-calibration.csv').waitFor();
  // Undo brings back a prediction that was forgotten.
  await page.getByRole('button', { name: 'Needless storm' }).first().click();
  await card.getByRole('button', { name: /Forget the predictions/ }).click();
  await expect.poll(() => card.getByText('Kept:').count()).toBe(0);
  await page.keyboard.press('Control+z');
  await card.getByText('Kept: CoCoA').waitFor();
});
