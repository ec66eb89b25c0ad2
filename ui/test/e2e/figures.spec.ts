// The figures of the studies on recorded replies: every recipe in both themes, switches, tags, table, files.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { refuse } from './runs';
import { SIZES, THEMES, axe, lastSent, open, sent, shoot } from './window';

const DRAWN = '.field .panels .panel svg path';

/** All three samples that replies were recorded for. */
async function figures(options: Parameters<typeof open>[1] = {}, samples = 3): Promise<Page> {
  const page = await open('/figures', { prefs: { toured: true, recipe: 'rto_box' }, ...options });
  await page.waitForSelector(DRAWN);
  for (const sample of [/^Needless storm/, /^Event bursts/].slice(0, samples - 1)) {
    await page.getByRole('button', { name: sample }).click();
    await page.waitForTimeout(250);
  }
  await page.waitForFunction((all) => document.querySelectorAll('.chip').length === all, samples);
  await page.waitForTimeout(500);
  return page;
}

describe.each(THEMES)('in %s', (theme) => {
  test.each(SIZES)(
    'every recipe is drawn and accessible at $width x $height',
    async (size) => {
      const page = await figures({ theme, size });
      const recipes = page.getByRole('navigation', { name: 'Figures' }).getByRole('button');
      expect(await recipes.count()).toBe(12);
      const wrong: string[] = [];
      for (let index = 0; index < 12; index += 1) {
        await recipes.nth(index).click();
        await page.waitForTimeout(450);
        await shoot(page, `figure-${String(index).padStart(2, '0')}-${theme}`);
        expect(await page.locator(`${DRAWN}, .missing`).count(), `recipe ${index}`).toBeGreaterThan(0);
        for (const rule of await axe(page)) wrong.push(`recipe ${index}: ${rule}`);
      }
      expect(wrong).toEqual([]);
    },
    240_000,
  );

  test('the table, the menu and the tags are accessible', async () => {
    const page = await figures({ theme }, 1);
    await page.getByRole('button', { name: 'Show as table' }).click();
    await page.waitForSelector('caption');
    expect(await axe(page), 'table').toEqual([]);
    await page.getByRole('button', { name: 'Show as table' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await axe(page), 'menu').toEqual([]);
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', { name: /^Tags of / })
      .first()
      .focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[open]');
    await page.waitForTimeout(200);
    expect(await axe(page), 'tags').toEqual([]);
    await shoot(page, `dialog-tags-${theme}`);
  });
});

test('the box rule is a switch, and the subtitle says it', async () => {
  const page = await figures({}, 1);
  const rule = page.locator('.panels .panel p').first();
  expect(await rule.innerText()).toContain('minimum and maximum');
  await page.getByLabel('Box', { exact: true }).selectOption('iqr15');
  await expect.poll(() => rule.innerText()).toContain('1.5 IQR');
  expect((await lastSent(page, 'figure'))?.params).toMatchObject({ box: 'iqr15' });
});

test('the line that makes a figure again follows the figure, and is copied', async () => {
  const page = await figures({}, 2);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByText('Make it again on the command line').click();
  const line = page.locator('.line code');
  await expect.poll(() => line.innerText()).toMatch(/^rtoscope figure rto_box sample:\S+ sample:\S+ --name '1:/);
  const recipes = page.getByRole('navigation', { name: 'Figures' }).getByRole('button');
  await recipes.nth(1).click();
  await expect.poll(() => line.innerText()).toMatch(/^rtoscope figure completion_ecdf .* --out completion_ecdf\.csv$/);
  await page.getByRole('button', { name: 'Copy the line' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await line.innerText());
  expect(await axe(page)).toEqual([]);
});

test('clients that stay as recorded do so in the search and in figures, which name them', async () => {
  const page = await open('/whatif');
  await page.getByText('Who, and from when on').click();
  await page.locator('.clients input').first().uncheck();
  await page.getByRole('button', { name: 'Find…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Find good parameters' });
  await dialog.getByText('1 of 1 clients as recorded').waitFor();
  expect(await axe(page), 'search').toEqual([]);
  await page.keyboard.press('Escape');
  await page.locator('#tab-figures').click();
  await page.getByRole('radio', { name: 'One figure' }).check({ force: true });
  await page.waitForSelector(DRAWN);
  const caption = page.locator('.figures .caption');
  await expect.poll(() => caption.innerText()).toContain('1 of 1 clients as recorded (10.77.');
  expect((await lastSent(page, 'figure'))?.captures[0]?.part).toEqual({ as_recorded: [0] });
  expect(await axe(page), 'figure').toEqual([]);
});

test('a tag of the reader stays and a proposal can be taken back', async () => {
  const page = await figures({}, 1);
  await page
    .getByRole('button', { name: /^Tags of / })
    .first()
    .focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Key of a new tag').fill('room');
  await page.getByLabel('Value of the new tag').fill('cellar');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  expect(await page.getByLabel('room', { exact: true }).inputValue()).toBe('cellar');
  const by = page.getByLabel('Captures by', { exact: true }).locator('option');
  expect(await by.allInnerTexts(), 'figures group by it').toContain('room');
  await page.getByLabel('room', { exact: true }).fill('');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.getByLabel('room', { exact: true }).count()).toBe(0);
});

test('the keyboard walks the marks and hears their numbers', async () => {
  const page = await figures({}, 1);
  const plot = page.locator('.panels .plot').first();
  await plot.focus();
  await page.keyboard.press('Tab');
  const walker = plot.locator('button');
  expect(await walker.getAttribute('aria-label')).toContain('median');
  const before = await walker.getAttribute('aria-label');
  await page.keyboard.press('ArrowDown');
  expect(await walker.getAttribute('aria-label')).not.toBe(before);
});

test('pictures and numbers are saved', async () => {
  const page = await figures({}, 1);
  for (const [item, file] of [
    ['SVG', 'rto_box.svg'],
    ['PNG', 'rto_box.png'],
    ['CSV', 'rto_box.csv'],
    ['Parquet', 'rto_box.parquet'],
    ['LaTeX', 'rto_box.tex'],
  ] as const) {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('menuitem', { name: new RegExp(`^${item}`) }).click();
    await page.getByText(`Saved ${file}`).first().waitFor();
  }
});

test('a capture can be left out', async () => {
  const page = await figures({}, 2);
  await expect.poll(() => page.locator('.caption').innerText()).toContain('Needless storm');
  await page.locator('.chip', { hasText: 'Needless storm' }).click();
  await expect.poll(() => page.locator('.caption').innerText()).not.toContain('Needless storm');
  // Each recipe remembers its own.
  const storm = page.locator('.chip', { hasText: 'Needless storm' });
  await page.locator('.recipe', { hasText: 'Early retransmissions' }).click();
  await expect.poll(() => storm.getAttribute('aria-pressed')).toBe('true');
  await page.locator('.recipe', { hasText: 'Retransmission timeouts' }).click();
  await expect.poll(() => storm.getAttribute('aria-pressed')).toBe('false');
});

test('a figure goes into the report and out of it', async () => {
  const page = await figures({}, 1);
  await page.getByRole('button', { name: 'Add to report' }).click();
  await page.getByRole('button', { name: 'Take out of report' }).waitFor();
  await page.getByRole('button', { name: 'Take out of report' }).click();
  await page.getByRole('button', { name: 'Add to report' }).waitFor();
});

/** The overview of all figures on three bundled captures, once no figure waits any more. */
async function overview({ size = SIZES[0], ...options }: NonNullable<Parameters<typeof open>[1]> = {}): Promise<Page> {
  const page = await open('/figures', options);
  await page.waitForSelector('.thumbnail .picture path');
  for (const sample of [/^Needless storm/, /^Event bursts/]) {
    await page.getByRole('button', { name: sample }).first().click();
    await page.waitForTimeout(250);
  }
  // A narrow window has no list of samples.
  if (size) await page.setViewportSize(size);
  await page.waitForTimeout(200);
  await settledOverview(page);
  return page;
}
const settledOverview = (page: Page) =>
  page.waitForFunction(
    () =>
      document.querySelectorAll('.thumbnail .picture :is(svg, .why)').length >= 12 &&
      document.querySelector('.thumbnail.waits') === null,
  );
const thumbnail = (page: Page, recipe: string) => page.locator(`[data-recipe=${recipe}]`);

describe.each(THEMES)('in %s', (theme) => {
  test.each([...SIZES, { width: 1000, height: 700 }, { width: 1600, height: 1000 }])(
    'all figures stand beside each other at $width x $height',
    async (size) => {
      const page = await overview({ theme, size });
      expect(await page.getByRole('list', { name: 'All figures' }).getByRole('listitem').count()).toBe(12);
      await shoot(page, `figures-overview-${theme}`);
      expect(await axe(page)).toEqual([]);
      const cut = await page
        .locator('.thumbnail')
        .evaluateAll((all) =>
          all.filter((one) => one.scrollHeight > one.clientHeight + 1).map((one) => one.textContent),
        );
      expect(cut, 'no thumbnail is cut').toEqual([]);
      const row = await page.locator('.thumbnail').evaluateAll((all) => {
        const region = document.querySelector('.overview')?.getBoundingClientRect();
        return all.filter((one) => one.getBoundingClientRect().bottom <= (region?.bottom ?? 0) + 1).length;
      });
      expect(row, 'six are in sight at least').toBeGreaterThanOrEqual(6);
    },
  );
});

test('a figure opens from the overview by a click or Enter, and undo leads back', async () => {
  const page = await overview();
  await thumbnail(page, 'early_bars').click();
  await page.waitForSelector(DRAWN);
  expect(await page.locator('.recipe[aria-current=true]').innerText()).toBe('Early retransmissions');
  await page.keyboard.press('Control+z');
  await thumbnail(page, 'early_bars').waitFor();
  await thumbnail(page, 'rto_box').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  const at = await page.evaluate(() => document.activeElement?.getAttribute('data-recipe'));
  expect(at).not.toBe('rto_box');
  await page.keyboard.press('Home');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-recipe'))).toBe('rto_box');
  await page.keyboard.press('Enter');
  await page.waitForSelector(DRAWN);
  await page.getByRole('radio', { name: 'Overview' }).check({ force: true });
  await thumbnail(page, 'rto_box').waitFor();
  await page.getByRole('radio', { name: 'One figure' }).check({ force: true });
  await expect.poll(() => page.locator('.recipe[aria-current=true]').innerText()).toBe('Retransmission timeouts');
});

test('a refused figure says why in its place, and blocks no other', async () => {
  const page = await open('/figures', {}, (empty) =>
    refuse(empty, 'early_bars', 'Bars need two clients; this capture has one.'),
  );
  await settledOverview(page);
  const refused = thumbnail(page, 'early_bars');
  expect(await refused.locator('.why').innerText()).toBe('Bars need two clients; this capture has one.');
  expect(await refused.locator('.picture path:not(.why path)').count(), 'no figure of before').toBe(0);
  expect(await page.locator('.thumbnail .picture > svg').count()).toBeGreaterThan(6);
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'figures-refused-light');
  await refused.click();
  await page.getByText('The figure was not drawn').waitFor();
  expect(await page.getByRole('button', { name: 'Save' }).count(), 'nothing to save').toBe(0);
});

test('figures that nobody looks at are not asked for', async () => {
  const page = await open('/figures', { query: { latency: '400' } });
  await page.waitForSelector('.thumbnail.waits');
  await page.locator('#tab-packets').click();
  await page.waitForTimeout(300);
  const asked = (await sent(page, 'figure')).length;
  expect(asked, 'one after the other').toBeLessThan(12);
  await page.waitForTimeout(1500);
  expect((await sent(page, 'figure')).length).toBe(asked);
  await page.locator('#tab-figures').click();
  await expect.poll(async () => (await sent(page, 'figure')).length).toBeGreaterThan(asked);
});
