// The packet list: filtered, completed, walked by keyboard; the open frame with its tree and octets, both themes.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SIZES, THEMES, axe, lastSent, open, shoot } from './window';

/** Sizes of the window, px, from the smallest layout on. */
const LAYOUTS = [
  { width: 1000, height: 700 },
  { width: 1280, height: 800 },
  { width: 1600, height: 1000 },
];
const ROW = '[aria-label=Packets] [role=row][aria-rowindex="2"] [role=gridcell] svg';
const shown = (page: Page) => page.locator('.tools .sub').innerText();

/** The second sample: IEEE 802.15.4, more than ten thousand frames. */
async function packets(options: Parameters<typeof open>[1] = {}): Promise<Page> {
  const page = await open('/packets', options);
  await page.getByRole('button', { name: /^Needless storm/ }).click();
  await page.waitForFunction(() =>
    /of\s\d+\s163 frames/.test(document.querySelector('.tools .sub')?.textContent ?? ''),
  );
  await page.waitForSelector(ROW);
  return page;
}

async function filter(page: Page, text: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Filter' }).fill(text);
  await page.keyboard.press('Enter');
}

test('a filter is applied by Enter and cleared by Esc', async () => {
  const page = await packets();
  const all = await shown(page);
  await page.keyboard.press('/');
  await page.keyboard.type('needless');
  await page.keyboard.press('Enter');
  await page.waitForFunction((then) => document.querySelector('.tools .sub')?.textContent?.trim() !== then, all.trim());
  await page.waitForSelector(ROW);
  expect(await page.locator('[aria-label=Packets]').getByText('needless').count()).toBeGreaterThan(3);
  expect(await lastSent(page, 'packet_count')).toMatchObject({ rows: 'frames', filter: 'needless', window: null });
  expect((await lastSent(page, 'packets'))?.list.filter).toBe('needless');
  await page.keyboard.press('Escape');
  await page.waitForFunction((then) => document.querySelector('.tools .sub')?.textContent?.trim() === then, all.trim());
});

test('the error of a filter is shown with its column', async () => {
  const page = await packets();
  await filter(page, 'coap.midd == 1');
  const alert = page.locator('.packets [role=alert]');
  await alert.waitFor();
  expect(await alert.innerText()).toBe('column 1: unknown field `coap.midd`; did you mean `coap.mid`?');
  expect(await page.getByRole('combobox', { name: 'Filter' }).getAttribute('aria-invalid')).toBe('true');
  expect(await axe(page)).toEqual([]);
});

test('fields and their values are completed', async () => {
  const page = await packets();
  const field = page.getByRole('combobox', { name: 'Filter' });
  await field.pressSequentially('coap.ty');
  await page.getByRole('option', { name: /coap\.type/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await field.pressSequentially(' == C');
  await page.getByRole('option', { name: /CON/ }).waitFor();
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  expect(await field.inputValue()).toBe('coap.type == CON');
});

test('an empty list says so and shows the way back', async () => {
  const page = await packets();
  await filter(page, 'note contains "no such note"');
  await page.getByText('Nothing passes this filter').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.waitForSelector(ROW);
});

test('tree and octets are linked both ways', async () => {
  const page = await packets();
  await filter(page, 'needless');
  await page.waitForSelector(ROW);
  await page.locator('#packet-row-0').click();
  await page.waitForSelector('[role=tree] [role=treeitem]');
  expect(await page.locator('#packet-row-0').getAttribute('aria-selected')).toBe('true');
  // A field of CoAP: its octets are in the decompressed datagram.
  await page.getByRole('treeitem', { name: /^Message ID/ }).click();
  expect(await page.locator('.octets .hex .sel').count()).toBe(2);
  const buffer = await page.locator('.octets').getAttribute('aria-label');
  expect(buffer).toMatch(/^(Decompressed|Reassembled), /);
  // An octet: the deepest node on it.
  await page.locator('.octets .hex [data-octet="7"]').click();
  expect(await page.locator('[role=treeitem][aria-selected=true]').innerText()).toMatch(/^Hop [Ll]imit/);
  await page.locator('.layers fieldset').getByText('Frame', { exact: true }).click();
  await page.locator('.octets .hex [data-octet="0"]').click();
  expect(await page.locator('.octets .hex .sel').count()).toBeGreaterThan(0);
});

test('by keyboard alone: rows, tree, and back', async () => {
  const page = await packets();
  await page.getByRole('grid', { name: 'Packets' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=treeitem][aria-selected=true]');
  await page.keyboard.press('ArrowDown');
  const label = await page.locator('[role=treeitem][aria-selected=true]').innerText();
  expect(await page.locator('[role=status]').first().innerText()).toContain(label.trim());
  await page.keyboard.press('Home');
  const before = await page.locator('[role=treeitem]').count();
  await page.keyboard.press('ArrowLeft');
  expect(await page.locator('[role=treeitem]').count()).toBeLessThan(before);
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=tree]', { state: 'detached' });
  await page.keyboard.press('End');
  await page.waitForFunction(() => {
    const active = document.querySelector('[aria-label=Packets]')?.getAttribute('aria-activedescendant');
    return Number(active?.split('-').at(-1)) > 1000;
  });
  await page.keyboard.press('Home');
  await page.waitForSelector('#packet-row-0.active');
});

test('a message is followed over its hops, an exchange shared with the other views', async () => {
  const page = await packets();
  await filter(page, 'exchange == 3');
  await page.waitForSelector(ROW);
  await page.locator('#packet-row-0').click();
  await page.getByRole('button', { name: /^Follow over/ }).waitFor();
  await page.keyboard.press('2');
  await page.waitForSelector('.drawer table');
  await page.keyboard.press('6');
  await page.waitForSelector('.row.exchange');
});

test('octets are copied', async () => {
  const page = await packets();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await filter(page, 'needless');
  await page.waitForSelector(ROW);
  await page.locator('#packet-row-0').click();
  await page.locator('.layers').getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('menuitem', { name: 'C array' }).click();
  await page.getByText('Copied').first().waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^static const unsigned char frame_\d+_/);
});

test('the value of a field is applied as filter, alone or with the one in force, by menu and by key', async () => {
  const page = await packets();
  await filter(page, 'needless');
  await page.waitForSelector(ROW);
  await page.locator('#packet-row-0').click();
  await page.getByRole('treeitem', { name: /^Message ID/ }).click();
  const field = page.getByRole('button', { name: /^Field:/ });
  const value = await page.locator('.layers .apply').innerText();
  expect(value).toMatch(/^coap\.mid == \d+$/);
  const pick = async (name: string) => {
    await field.click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  const applied = page.getByRole('combobox', { name: 'Filter' });
  const asked = async (filter: string) => {
    await expect.poll(() => applied.inputValue()).toBe(filter);
    await expect.poll(async () => (await lastSent(page, 'packet_count'))?.filter).toBe(filter);
  };
  await pick('… and this');
  await asked(`(needless) && ${value}`);
  await filter(page, 'needless');
  await pick('… and not this');
  await asked(`(needless) && !(${value})`);
  await filter(page, 'needless');
  await page.getByRole('tree').focus();
  await page.keyboard.press('f');
  await asked(value);
});

test('the exchange of a frame is followed: only its frames are left', async () => {
  const page = await packets();
  await filter(page, 'needless');
  await page.waitForSelector(ROW);
  await page.locator('#packet-row-0').click();
  const follow = page.getByRole('button', { name: /^Exchange \d+$/ });
  const number = /\d+/.exec(await follow.innerText())?.[0] ?? '';
  await follow.click();
  await expect.poll(async () => (await lastSent(page, 'packet_count'))?.filter).toBe(`exchange == ${number}`);
  expect(await page.getByRole('combobox', { name: 'Filter' }).inputValue()).toBe(`exchange == ${number}`);
});

const headings = (page: Page) => page.locator('[role=columnheader]').allInnerTexts();

test('a field of the tree becomes a column, is asked of the core, and is there after a new start', async () => {
  const page = await packets();
  await filter(page, 'needless');
  await page.waitForSelector(ROW);
  await page.locator('#packet-row-0').click();
  await page.getByRole('treeitem', { name: /^Message ID/ }).click();
  const mid = /\d+/.exec(await page.locator('.layers .apply').innerText())?.[0] ?? '';
  await page.getByRole('button', { name: /^Field:/ }).click();
  await page.getByRole('menuitem', { name: /^Show as column/ }).click();
  expect((await headings(page)).map((text) => text.trim())).toContain('coap.mid');
  expect((await lastSent(page, 'packets'))?.fields).toEqual(['coap.mid']);
  await page.locator('#packet-row-0').getByRole('gridcell', { name: mid, exact: true }).waitFor();
  // The key takes it back, and undo brings it again.
  await page.getByRole('tree').focus();
  await page.keyboard.press('c');
  expect(await headings(page)).not.toContain('coap.mid');
  await page.keyboard.press('Control+z');
  await page.getByRole('columnheader', { name: 'coap.mid' }).waitFor();
  const kept = await page.evaluate(() => localStorage.getItem('rtoscope') ?? '{}');
  const again = await packets({ prefs: JSON.parse(kept) as Record<string, unknown> });
  expect((await headings(again)).map((text) => text.trim())).toContain('coap.mid');
});

test('columns are added, moved, removed and made wider in their dialog, by keyboard too', async () => {
  const page = await packets();
  const before = await headings(page);
  await page.getByRole('button', { name: 'Columns…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Columns of packets' });
  await dialog.getByLabel('Search columns and fields').fill('coap.mid');
  await dialog.getByRole('button', { name: /^Add coap\.mid / }).click();
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Move coap.mid to the left' }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Remove hop' }).click();
  await dialog.getByLabel('Width of source, px').fill('222');
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Done' }).click();
  const now = await headings(page);
  expect(now).not.toContain('hop');
  expect(now.indexOf('coap.mid')).toBe(now.indexOf('info') - 2);
  const width = page.getByRole('separator', { name: 'Width of source' });
  expect(await width.getAttribute('aria-valuenow')).toBe('222');
  await width.focus();
  await page.keyboard.press('ArrowRight');
  expect(await width.getAttribute('aria-valuenow')).toBe('230');
  await page.keyboard.press('Enter');
  await expect.poll(async () => Number(await width.getAttribute('aria-valuenow'))).toBeLessThan(200);
  const edge = await width.boundingBox();
  await page.mouse.move((edge?.x ?? 0) + 3, (edge?.y ?? 0) + 8);
  await page.mouse.down();
  await page.mouse.move((edge?.x ?? 0) + 63, (edge?.y ?? 0) + 8, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => Number(await width.getAttribute('aria-valuenow'))).toBeGreaterThan(170);
  await page.getByRole('button', { name: 'Columns…' }).click();
  await dialog.getByRole('button', { name: 'As in a new window' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(await headings(page)).toEqual(before);
});

test('copies and files have the columns that are shown', async () => {
  const page = await packets();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await filter(page, 'needless');
  await page.waitForSelector(ROW);
  await page.getByRole('button', { name: 'Columns…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Columns of packets' });
  for (const name of ['hop', 'length', 'protocol', 'destination'])
    await dialog.getByRole('button', { name: `Remove ${name}` }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Copy as' }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  await page.getByText('Rows copied').first().waitFor();
  const [head, first] = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
  expect(head).toBe('frame,time,kind,src,info');
  expect(first).toMatch(/^\d+,[\d:.]+,needless,mote \d+,/);
  await page.getByRole('button', { name: 'Save as…' }).click();
  await page.getByRole('menuitem', { name: /^CSV/ }).click();
  await page
    .getByText(/rows saved/)
    .first()
    .waitFor();
  expect(await lastSent(page, 'export_packet_table')).toMatchObject({
    columns: ['frame', 'time', 'kind', 'src', 'info'],
    list: { filter: 'needless' },
    path: '/recorded/Needless-storm.csv',
  });
});

test('rows have the colour of the first rule that they pass, by the core, and say its name', async () => {
  const page = await packets();
  await filter(page, 'needless');
  await page.waitForSelector(ROW);
  const row = page.locator('#packet-row-0');
  expect((await lastSent(page, 'packets'))?.rules).toContain('needless');
  await expect.poll(() => row.getAttribute('style')).toContain('--row-orange');
  await row.getByText('Needless copy', { exact: true }).waitFor({ state: 'attached' });
  const ground = () => row.evaluate((element) => getComputedStyle(element).backgroundColor);
  const plain = await page.getByRole('grid').evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await ground()).not.toBe(plain);
  await row.click();
  await page.locator('.layers .rule', { hasText: 'Needless copy' }).waitFor();
  await page.keyboard.press('Escape');
  // The key of the colours filters by a rule.
  const key = page.getByRole('list', { name: 'Colours of rows' });
  expect(await key.getByRole('button').allInnerTexts()).toEqual([
    ...['Malformed', 'Needless copy', 'Lost copy', 'Error', 'ACK', 'Reply'],
  ]);
  await key.getByRole('button', { name: 'Lost copy' }).click();
  await expect.poll(async () => (await lastSent(page, 'packet_count'))?.filter).toBe('lost');
});

test('rules are edited, put in order and switched off; a mistake is said and colours nothing', async () => {
  const page = await packets();
  await page.getByRole('button', { name: 'Colours…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Colour rules' });
  await dialog.getByRole('button', { name: 'Add a rule' }).click();
  await dialog.getByLabel('Name of rule 1').fill('Confirmable');
  await dialog.getByLabel('Filter of rule 1').or(dialog.getByLabel('Filter of Confirmable')).fill('coap.midd == 1');
  await page.keyboard.press('Tab');
  await dialog.getByText('column 1: unknown field `coap.midd`; did you mean `coap.mid`?').waitFor();
  expect(await axe(page)).toEqual([]);
  expect((await lastSent(page, 'packets'))?.rules).not.toContain('coap.midd == 1');
  await dialog.getByLabel('Filter of Confirmable').fill('coap.type == CON');
  await page.keyboard.press('Tab');
  await expect.poll(async () => (await lastSent(page, 'packets'))?.rules[0]).toBe('coap.type == CON');
  await dialog.getByLabel('Colour of Confirmable').selectOption('purple');
  await dialog.getByRole('button', { name: 'Move Confirmable down' }).click();
  await expect.poll(async () => (await lastSent(page, 'packets'))?.rules[1]).toBe('coap.type == CON');
  await dialog.getByRole('checkbox', { name: 'Confirmable is in force' }).uncheck();
  await expect.poll(async () => (await lastSent(page, 'packets'))?.rules).not.toContain('coap.type == CON');
  await dialog.getByRole('checkbox', { name: 'Colour rows' }).uncheck();
  await expect.poll(async () => (await lastSent(page, 'packets'))?.rules).toEqual([]);
  await dialog.getByRole('checkbox', { name: 'Colour rows' }).check();
  await dialog.getByRole('button', { name: 'As in a new window' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect.poll(async () => (await lastSent(page, 'packets'))?.rules[0]).toContain('malformed');
});

describe.each(THEMES)('the dialogs in %s', (theme) => {
  test.each(LAYOUTS)('are accessible at $width x $height', async (size) => {
    const page = await packets({ theme });
    await page.setViewportSize(size);
    await page.waitForTimeout(300);
    await shoot(page, `packets-colours-${theme}`);
    expect(await axe(page), 'rows').toEqual([]);
    for (const [button, name] of [
      ['Columns…', 'columns'],
      ['Colours…', 'rules'],
    ] as const) {
      await page.getByRole('button', { name: button }).click();
      await page.waitForSelector('dialog[open]');
      await page.waitForTimeout(200);
      await shoot(page, `packets-${name}-${theme}`);
      expect(await axe(page), name).toEqual([]);
      await page.getByRole('button', { name: 'Done' }).click();
    }
  });
});

describe.each(THEMES)('in %s', (theme) => {
  test.each([...LAYOUTS, ...SIZES])('the open frame is accessible at $width x $height', async (size) => {
    // A narrow window has no list of samples.
    const page = await packets({ theme });
    await page.setViewportSize(size);
    await filter(page, 'needless');
    await page.waitForSelector(ROW);
    await page.locator('#packet-row-0').click();
    await page.waitForSelector('[role=treeitem]');
    await page
      .getByRole('treeitem', { name: /^Message ID/ })
      .or(page.getByRole('treeitem').nth(3))
      .first()
      .click();
    await page.waitForTimeout(200);
    await shoot(page, `packets-open-${theme}`);
    expect(await axe(page)).toEqual([]);
  });
});
