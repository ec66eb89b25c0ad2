// The network of a simulated chain: selection, keyboard, the way to the packets, the empty states.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SIZES, THEMES, axe, open, shoot } from './window';

const ROWS = '[aria-label=Links] tbody tr';

/** The second sample: five TSCH motes in a chain. */
async function network(options: Parameters<typeof open>[1] = {}): Promise<Page> {
  const page = await open('/network', options);
  await page.getByRole('button', { name: /^Needless storm/ }).click();
  await page.waitForFunction((rows) => document.querySelectorAll(rows).length === 8, ROWS);
  return page;
}

describe.each(THEMES)('in %s', (theme) => {
  test.each(SIZES)('a chain at $width x $height', async (size) => {
    const page = await network({ theme, size });
    await page.waitForTimeout(400);
    await shoot(page, `network-chain-${theme}`);
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'mote 3 → mote 2' }).click();
    await page.getByRole('heading', { name: 'mote 3 → mote 2' }).waitFor();
    await page.waitForTimeout(300);
    await shoot(page, `network-link-${theme}`);
    expect(await axe(page), 'a selected link').toEqual([]);
  });

  test.each(SIZES)('a grid whose routes change at $width x $height', async (size) => {
    const page = await open('/network', { theme, size });
    await page.getByRole('button', { name: /^Event bursts/ }).click();
    await page.waitForFunction((rows) => document.querySelectorAll(rows).length > 12, ROWS);
    await page.getByText('parent changes').waitFor();
    await page.getByRole('radio', { name: '5 min' }).check({ force: true });
    const charts = await page.locator('.charts').boundingBox();
    if (!charts) throw new Error('not drawn');
    await page.mouse.click(charts.x + 700, charts.y + 80);
    await page.mouse.move(charts.x + 300, charts.y - 200);
    await page.waitForTimeout(400);
    await shoot(page, `network-grid-${theme}`);
    expect(await axe(page)).toEqual([]);
  });
});

test('numbers of a link are those of the core', async () => {
  const page = await network();
  const row = page.locator(ROWS, { hasText: 'mote 4 → mote 3' });
  // 989 frames, 427 of them unique (rtoscope network): 58 % without an acknowledgement; then the mean delay of the
  // window. The load comes after the links.
  const cells = async () => (await row.locator('td').allInnerTexts()).slice(0, 5).map((cell) => cell.trim());
  await expect.poll(cells).toEqual(['989', '58', '894', '58.2', '2.64']);
  await row.getByRole('button').click();
  expect(await page.getByLabel('Selected in the network').innerText()).toContain('989, 427 of them unique');
});

test.each(THEMES)(
  'sums up the simulated frames of a timer instead of the recorded ones, and says so, in %s',
  async (theme) => {
    const page = await network({ theme });
    const row = page.locator(ROWS, { hasText: 'mote 4 → mote 3' });
    const frames = async () => (await row.locator('td').first().innerText()).trim();
    // A dash stands there until the answer has come.
    await expect.poll(frames).toMatch(/^\d/);
    const recorded = await frames();
    const panel = page.getByLabel('Selected in the network');
    const facts = () => panel.innerText();
    // Recorded frames first.
    const before = await facts();
    expect(before).toMatch(/Whole network\n[\s\S]*in all\nchannels/);
    const choice = page.locator('.tools select').first();
    await choice.selectOption({ label: 'simulated: CoCoA+' });
    await page.getByText('in the window, simulated, replicate 1 of 200').waitFor();
    await expect.poll(frames).not.toBe(recorded);
    // The window is the whole capture, so that the link has the same sums in the table and in the panel.
    await expect.poll(facts).toMatch(/Whole network\s+simulated, replicate 1 of 200[\s\S]*in all, [\d,\s]+frames/);
    expect(await facts()).not.toContain('channels');
    const air = (text: string) => /on the air\n(\S+)/.exec(text)?.[1];
    expect(air(await facts())).not.toBe(air(before));
    await page.getByText('whole capture, recorded').waitFor();
    await row.getByRole('button').click();
    await expect.poll(facts).toContain(`${await frames()}, `);
    expect(await facts()).toContain('of them unique');
    expect(await facts()).not.toContain('at the sniffer');
    await row.getByRole('button').click();
    await page.waitForTimeout(300);
    await shoot(page, `network-simulated-${theme}`);
    expect(await axe(page)).toEqual([]);
    await choice.selectOption({ label: 'recorded' });
    await expect.poll(frames).toBe(recorded);
  },
);

test('columns sort, and sort back', async () => {
  const page = await network();
  const first = () => page.locator(`${ROWS} th`).first().innerText();
  const tries = page.getByRole('columnheader', { name: 'tries' });
  const before = await first();
  await tries.getByRole('button').click();
  expect(await tries.getAttribute('aria-sort')).toBe('descending');
  expect(await first()).toBe('mote 4 → mote 3');
  await tries.getByRole('button').click();
  expect(await first()).toBe('mote 4 → mote 5');
  await tries.getByRole('button').click();
  expect([await first(), await tries.getAttribute('aria-sort')]).toEqual([before, 'none']);
});

test('the keyboard walks nodes and links, selects, and lets go', async () => {
  const page = await network();
  const plot = page.locator('.graph');
  await plot.focus();
  await page.keyboard.press('Tab');
  const walker = page.locator('.graph > button');
  expect(await walker.getAttribute('aria-label')).toContain('mote 1, root, server');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const title = page.getByLabel('Selected in the network').getByRole('heading');
  expect(await title.innerText()).toContain('mote 3');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await title.innerText()).toMatch(/mote \d → mote \d/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  expect(await title.innerText()).toContain('Whole network');
});

test('load and loss are counted in intervals of choice, and smoothed', async () => {
  const page = await network();
  const said = async (): Promise<string> => {
    const box = await page.locator('.charts').boundingBox();
    if (!box) throw new Error('not drawn');
    await page.mouse.move(box.x + 400, box.y + 60);
    await page.mouse.move(box.x + 402, box.y + 60);
    return page.locator('.charts .tip').innerText();
  };
  await page.getByLabel('Interval of load and loss').selectOption('1 min');
  await expect.poll(said, { timeout: 10_000 }).toMatch(/per 60\.0\ss$/);
  await page.getByLabel('Moving mean of load and loss').selectOption('mean of 5');
  await expect.poll(said, { timeout: 10_000 }).toContain('mean of 5');
  await shoot(page, 'network-smooth-light');
  expect(await axe(page)).toEqual([]);
});

test('a node of the picture is selected by a click and shows its neighbourhood', async () => {
  const page = await network();
  const box = await page.locator('.graph').boundingBox();
  const chart = () => page.locator('.charts canvas').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  await page.locator('.charts canvas').waitFor();
  const before = await chart();
  const label = await page.locator('.graph text.name', { hasText: 'mote 3' }).boundingBox();
  if (!box || !label) throw new Error('not drawn');
  await page.mouse.click(label.x + label.width / 2, label.y - 18);
  expect(await page.getByLabel('Selected in the network').innerText()).toMatch(/mote 3[\s\S]*parent mote 2/);
  expect(await page.locator('.charts').getAttribute('aria-label')).toContain('around mote 3');
  expect(await page.locator(`${ROWS}.touches`).count()).toBe(4);
  await expect.poll(chart, { message: 'the chart is of that node' }).not.toBe(before);
});

test('a selected client is marked among the lanes of the Timeline', async () => {
  const page = await network();
  await page.locator('.graph').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.waitForSelector('.field .group.marked');
  expect(await page.locator('.field .group.marked').count()).toBe(1);
});

test('the time before the playhead can be summed up instead of the window', async () => {
  const page = await network();
  await page.getByRole('radio', { name: '1 min' }).check({ force: true });
  await page.getByText(/^until /).waitFor();
  // The playhead stands at the start: nothing was sent before.
  expect(await page.locator('.charts .brush.soft').count()).toBe(1);
});

test('a link leads to its packets', async () => {
  const page = await network();
  await page.getByRole('button', { name: 'mote 4 → mote 3' }).click();
  await page.getByRole('button', { name: 'Show packets' }).click();
  const filter = page.getByRole('combobox', { name: 'Filter' });
  await filter.waitFor();
  expect(await filter.inputValue()).toBe(
    'wpan.src64 == 00:04:00:04:00:04:00:04 && wpan.dst64 == 00:03:00:03:00:03:00:03',
  );
});

test('a capture off 802.15.4 says what is not known', async () => {
  const page = await open('/network');
  await page.waitForSelector(ROWS);
  await page.getByText('loss and delay between the ends are not known').waitFor();
  expect(await page.getByRole('columnheader').allInnerTexts()).toContain('messages');
  await shoot(page, 'network-wired-light');
});
