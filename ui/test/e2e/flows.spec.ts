// Tasks of a reader: brush, zoom, play, step, select, ask "what if", undo, compare; by hand and by keyboard alone.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axe, lastSent, open, sent, shoot } from './window';

/** Words follow a moving window within a tenth of a second. */
async function windowText(page: Page): Promise<string> {
  await page.waitForTimeout(200);
  return page.locator('[data-region=navigator] .label .b').innerText();
}
const clock = (page: Page) => page.locator('footer .now').innerText();
const ready = (page: Page) => page.waitForSelector('.field .end .count:not(:empty)');

async function timeline(): Promise<Page> {
  const page = await open('/timeline');
  await ready(page);
  return page;
}

test('the brush is drawn, moved and resized by hand, and reset by a double click', async () => {
  const page = await timeline();
  const whole = await windowText(page);
  await page.mouse.move(500, 80);
  await page.mouse.down();
  await page.mouse.move(700, 80, { steps: 8 });
  await page.mouse.up();
  const brushed = await windowText(page);
  expect(brushed).not.toBe(whole);
  await page.mouse.move(600, 80);
  await page.mouse.down();
  await page.mouse.move(650, 80, { steps: 5 });
  await page.mouse.up();
  const moved = await windowText(page);
  expect(moved).not.toBe(brushed);
  await page.mouse.move(750, 76);
  await page.mouse.down();
  await page.mouse.move(850, 76, { steps: 5 });
  await page.mouse.up();
  expect((await windowText(page)).split(' – ')[0]).toBe(moved.split(' – ')[0]);
  expect(await windowText(page)).not.toBe(moved);
  await page.mouse.dblclick(900, 90);
  expect(await windowText(page)).toBe(whole);
});

test('all views share the window', async () => {
  const page = await timeline();
  await page.getByRole('slider', { name: 'Window start' }).focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  const brushed = await windowText(page);
  for (const key of ['2', '3', '4', '5', '1']) {
    await page.keyboard.press(key);
    expect(await windowText(page)).toBe(brushed);
  }
});

test('by keyboard alone: from the bar through the lanes to an exchange and its counterpart, and back', async () => {
  const page = await timeline();
  for (let k = 0; k < 6; k += 1) {
    const region = await page.evaluate(() =>
      document.activeElement?.closest('[data-region]')?.getAttribute('data-region'),
    );
    if (region === 'view') break;
    await page.keyboard.press('F6');
  }
  await page.locator('[aria-roledescription=plot]').focus();
  for (let k = 0; k < 7; k += 1) await page.keyboard.press('+');
  await page.waitForTimeout(500);
  await page.keyboard.press('Enter');
  const first = await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label'));
  await page.keyboard.press('ArrowRight');
  await page.waitForTimeout(100);
  const label = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(label).not.toBe(await first.jsonValue());
  expect(await page.locator('[role=status]').innerText()).toContain(label ?? '');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.drawer table');
  expect(await page.locator('.drawer tbody tr').count()).toBeGreaterThan(0);
  await page.keyboard.press('ArrowDown');
  await page.waitForTimeout(100);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).not.toBe(label);
  await page.keyboard.press('Escape');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-roledescription'))).toBe('plot');
  await page.keyboard.press('Escape');
  await page.waitForSelector('.drawer', { state: 'detached' });
});

test('the palette finds and runs commands', async () => {
  const page = await timeline();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('dark');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('compare');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.compare');
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open][aria-label=Keys]');
  await page.keyboard.press('Escape');
});

test('it plays, pauses, steps and scrubs', async () => {
  const page = await timeline();
  const start = await clock(page);
  await page.keyboard.press('.');
  await page.waitForFunction((then) => document.querySelector('footer .now')?.textContent !== then, start);
  const stepped = await clock(page);
  await page.keyboard.press('Space');
  await page.waitForTimeout(300);
  await page.keyboard.press('Space');
  const played = await clock(page);
  expect(played).not.toBe(stepped);
  await page.waitForTimeout(150);
  expect(await clock(page)).toBe(played);
  await page.getByRole('slider', { name: 'Playhead' }).focus();
  await page.keyboard.press('End');
  expect(await clock(page)).not.toBe(played);
});

test('the table sorts, filters and selects', async () => {
  const page = await open('/exchanges');
  await page.waitForSelector('[role=row][aria-rowindex="2"] svg');
  await page.getByRole('columnheader', { name: 'true RTT' }).getByRole('button').click();
  expect(await page.getByRole('columnheader', { name: 'true RTT' }).getAttribute('aria-sort')).toBe('descending');
  const all = await page.locator('.tools .sub').innerText();
  await page.getByRole('button', { name: 'Retransmitted' }).click();
  await page.waitForFunction((then) => document.querySelector('.tools .sub')?.textContent?.trim() !== then, all.trim());
  await expect
    .poll(() => lastSent(page, 'exchanges'))
    .toMatchObject({ sort: 'rtt', descending: true, retransmitted: true, association: null, offset: 0 });
  expect(await lastSent(page, 'exchange_count')).toMatchObject({ retransmitted: true });
  await page.getByRole('grid').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.drawer table');
  expect(await page.locator('[role=row][aria-selected=true]').count()).toBe(1);
  await page.keyboard.press('1');
  await page.waitForSelector('.field');
  expect(await page.locator('.drawer').count()).toBe(1);
});

test('a parameter changes the numbers, is undone, kept and added to every view', async () => {
  const page = await open('/whatif');
  await page.waitForSelector('.versus td.now');
  // A multiplier: three is a legal value of every one.
  const factor = page.locator('.param', { has: page.locator('.unit', { hasText: '×' }) }).first();
  const field = factor.locator('input[type=text]');
  const before = await field.inputValue();
  const shown = await page.locator('section[aria-label="Algorithms shown"] li').count();
  await field.fill('3');
  await page.waitForSelector('.param.changed');
  const changed = async () => {
    const asked = (await lastSent(page, 'replay'))?.algorithms ?? [];
    return asked.flatMap(({ params }) => Object.values(params));
  };
  await expect.poll(changed).toEqual([3]);
  await page.waitForFunction(
    (n) => document.querySelectorAll('section[aria-label="Algorithms shown"] li').length === n + 1,
    shown,
  );
  await field.blur();
  await page.keyboard.press('Control+z');
  expect(await field.inputValue()).toBe(before);
  await page.keyboard.press('Control+Shift+z');
  await page.waitForSelector('.param.changed');
  await page.getByRole('button', { name: 'Keep as C' }).click();
  await page.waitForSelector('button[aria-label="Drop C"]');
  await page.getByRole('button', { name: 'Add to compare' }).click();
  await page.getByRole('button', { name: 'In compare' }).waitFor();
  expect(await page.locator('section[aria-label="Algorithms shown"] li .note').count()).toBe(0);
  await field.fill('9999');
  expect(await page.locator('.param [role=alert]').first().innerText()).toMatch(/ to /);
});

test('Compare sorts, takes another baseline and copies', async () => {
  const page = await open('/compare');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.waitForSelector('table .cell .range');
  const names = () => page.locator('table[aria-label=Measures] tbody th .names').allInnerTexts();
  const before = await names();
  const head = page.locator('table[aria-label=Measures] thead button').first();
  await head.click();
  await head.click();
  expect((await names()).sort()).toEqual([...before].sort());
  const rows = page.locator('table[aria-label="Paired differences"] tbody tr');
  const pairs = await rows.count();
  await page.getByLabel('Baseline').selectOption({ index: 1 });
  await page.waitForFunction(
    (n) => document.querySelectorAll('table[aria-label="Paired differences"] tbody tr').length === n - 1,
    pairs,
  );
  // The whole answer is asked for once the first one is there.
  const whole = async () => (await sent(page, 'replay')).filter(({ replicates }) => replicates === 200);
  await expect.poll(async () => (await whole()).at(-1)?.baseline).toBe(0);
  const requests = await sent(page, 'replay');
  const [first, ...later] = await whole();
  expect(requests[0], 'a first answer of few replicates').toEqual({ ...first, replicates: 20 });
  expect(first).toMatchObject({
    baseline: null,
    bounds: true,
    channel: 'auto',
    workload: 'auto',
    seed: 1,
    replicates: 200,
  });
  expect(later.at(-1)).toEqual({ ...first, baseline: 0 });
  await page.getByRole('button', { name: 'Copy as' }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  await page.getByText('Table copied').first().waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^algorithm,preset,support/);
});

test('a file that cannot be read shows the reason, and the window goes on', async () => {
  const page = await timeline();
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['x'], 'missing.pcap'));
    dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }));
  });
  await page.waitForSelector('.imports [role=alert]');
  expect(await lastSent(page, 'open')).toEqual({ path: 'missing.pcap', sample: null, merge: null, decode: null });
  await page.getByRole('button', { name: 'Dismiss missing.pcap' }).click();
  await page.waitForSelector('.imports', { state: 'detached' });
  expect(await page.locator('.field').count()).toBe(1);
});

test('reading shows progress and can be cancelled', async () => {
  const page = await open('/timeline', { query: { latency: '4000' } });
  const cancel = page.locator('.imports').getByRole('button', { name: 'Cancel' });
  await cancel.waitFor({ timeout: 20_000 });
  await page.waitForFunction(
    () => Number(document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow')) > 5,
  );
  await cancel.click();
  await page.waitForSelector('.imports', { state: 'detached' });
  await page.waitForSelector('.empty');
});

test('algorithms are added, moved and removed by keyboard', async () => {
  const page = await timeline();
  const list = page.locator('section[aria-label="Algorithms shown"] li');
  const before = await list.count();
  await page.getByRole('button', { name: 'Add algorithm' }).click();
  const options = page.getByRole('listbox', { name: 'Algorithms' }).getByRole('option');
  const free = await options.evaluateAll((all) =>
    all.findIndex((option) => option.getAttribute('aria-selected') === 'false'),
  );
  for (let k = 0; k < free; k += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  expect(await list.count()).toBe(before + 1);
  const names = () => list.locator('.name').allInnerTexts();
  const order = await names();
  await list.last().locator('.edit').focus();
  await page.keyboard.press('Alt+ArrowUp');
  expect(await names()).toEqual([...order.slice(0, -2), order.at(-1), order.at(-2)]);
  await list
    .nth(before - 1)
    .locator('.edit')
    .focus();
  await page.keyboard.press('Delete');
  expect(await list.count()).toBe(before);
  await expect.poll(async () => (await lastSent(page, 'replay'))?.algorithms.length).toBe(before);
});

test('an algorithm is found, read, tried on a path and compared', async () => {
  const page = await open('/algorithms');
  await page.waitForSelector('.detail svg[aria-label^=Timeouts]');
  const search = page.getByRole('textbox', { name: 'Search algorithms' });
  await search.fill('californium 2 cocoa');
  const items = page.locator('[data-item]');
  expect(await items.count()).toBeLessThan(8);
  await items.first().click();
  const name = await items.first().locator('.name').innerText();
  expect(await page.locator('.detail h3').innerText()).toBe(name);
  await search.fill('');
  await page.locator('[data-item=fasor]').click();
  await page.locator('[data-item=fasor]').press('ArrowDown');
  expect(await page.locator('[data-item=fasor]').getAttribute('aria-current')).toBeNull();
  await page.locator('[data-item=fasor]').click();
  expect(await page.locator('.detail ol li').count()).toBe(6);
  const completion = page.locator('.detail dl div', { hasText: 'completion' }).locator('dd').first();
  const before = await completion.innerText();
  await page.getByRole('slider', { name: 'Loss' }).focus();
  await page.keyboard.press('End');
  await page.waitForFunction(
    (then) => [...document.querySelectorAll('.detail dl div')].every((div) => !div.textContent?.includes(then)),
    before,
  );
  const shown = page.locator('section[aria-label="Algorithms shown"] li');
  const count = await shown.count();
  await page.getByRole('button', { name: 'Compare with this' }).click();
  expect(await shown.count()).toBe(count + 1);
  await page.getByRole('button', { name: 'In comparison' }).click();
  expect(await shown.count()).toBe(count);
});

test('the picker holds the usual ones until more are asked for, and searches all', async () => {
  const page = await timeline();
  await page.getByRole('button', { name: 'Add algorithm' }).click();
  const options = page.getByRole('listbox', { name: 'Algorithms' }).getByRole('option');
  const usual = await options.count();
  expect(usual).toBeLessThanOrEqual(16);
  await page.getByRole('combobox', { name: 'Search algorithms' }).fill('reading');
  expect(await options.locator('.mark').count()).toBeGreaterThan(4);
  await page.getByRole('combobox', { name: 'Search algorithms' }).fill('');
  await page.getByRole('checkbox', { name: /More variants/ }).check();
  expect(await options.count()).toBeGreaterThan(50);
});

test('a map of two parameters, and a click that takes its values', async () => {
  const page = await open('/whatif');
  await page.waitForSelector('.versus td.now');
  await page.getByRole('radio', { name: 'Map' }).check();
  const map = page.getByRole('group', { name: /Tab enters the cells/ });
  await map.waitFor();
  await page.waitForTimeout(300);
  await shoot(page, 'whatif-map-light');
  expect(await axe(page)).toEqual([]);
  await map.focus();
  await page.keyboard.press('Tab');
  const cell = map.locator('button');
  const heard = await cell.getAttribute('aria-label');
  await page.keyboard.press('ArrowRight');
  expect(await cell.getAttribute('aria-label')).not.toBe(heard);
  await page.keyboard.press('Enter');
  await page.locator('.form .changed').first().waitFor();
  const swept = (await sent(page, 'sweep')).find(({ across }) => across !== null);
  expect(swept?.replicates, 'a map is quick').toBe(20);
  expect(swept?.across?.parameter).not.toBe(swept?.parameter);
});

test('good parameters are searched, shown with their check, and taken', async () => {
  const page = await open('/whatif');
  await page.waitForSelector('.versus td.now');
  await page.getByRole('button', { name: 'Preset' }).click();
  await page.getByRole('menuitemradio', { name: /coap_default/ }).click();
  await page.getByRole('button', { name: 'Find…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Find good parameters' });
  expect(await dialog.getByRole('button', { name: 'Search', exact: true }).isDisabled(), 'over nothing').toBe(true);
  const boxes = dialog.getByRole('checkbox');
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await dialog.getByRole('button', { name: 'Search', exact: true }).click();
  await dialog.getByText('Not checked on another capture').waitFor();
  const search = await lastSent(page, 'optimise');
  expect(search).toMatchObject({ algorithm: { id: 'coap_default', params: {} }, hold_out: null, channel: 'auto' });
  expect(search?.over.length).toBe(2);
  // Timers of milliseconds: quicker, because it gives up more often.
  await dialog.getByText(/Paid for with worse[\s\S]*failed/).waitFor();
  await shoot(page, 'dialog-find-light');
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Take these values' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.locator('.form .changed').first().waitFor();
});

test('a row that is pinned stays at the top however the rows are sorted', async () => {
  const page = await open('/compare');
  await page.waitForSelector('table .cell .range');
  const rows = page.locator('table[aria-label=Measures] tbody tr:not(.recorded) .names');
  const last = (await rows.last().innerText()).split('\n')[0] ?? '';
  await page.getByRole('button', { name: `Pin ${last}` }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => rows.first().innerText()).toContain(last);
  for (const times of [1, 2]) {
    await page.locator('table[aria-label=Measures] thead button').first().click();
    expect(await rows.first().innerText(), `sorted ${times} times`).toContain(last);
  }
  await page.getByRole('button', { name: `Pin ${last}` }).click();
  await page.reload();
  await page.waitForSelector('table .cell .range');
  await expect.poll(() => rows.last().innerText()).toContain(last);
});
