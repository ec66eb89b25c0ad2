// Packets as files: what a list shows, what a run would have sent, one frame for Wireshark; several files at once.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { THEMES, axe, lastSent, open, shoot } from './window';

const toast = (page: Page) => page.locator('.toast');
/** Text with spaces that break. */
const plain = async (page: Page) => (await toast(page).first().innerText()).replaceAll(/\s/g, ' ');

test('the frames that are shown are saved', async () => {
  const page = await open('/packets');
  await page.getByRole('button', { name: 'Save as…' }).click();
  await page.getByRole('menuitem', { name: /^pcapng/ }).click();
  await toast(page).waitFor();
  expect(await plain(page)).toMatch(/^[\d ]+ frames saved$/);
  const { list, path } = (await lastSent(page, 'export_packets')) ?? {};
  expect(list).toMatchObject({ rows: 'frames', filter: '', window: null });
  expect(path).toMatch(/^\/recorded\/.+\.pcapng$/);
});

test('Compare and What-if save the frames that a timer would have sent', async () => {
  const page = await open('/compare');
  await page.getByRole('button', { name: 'Save run' }).click();
  await shoot(page, 'compare-save-light');
  await page.getByRole('menuitem').first().click();
  await toast(page).waitFor();
  expect(await plain(page)).toMatch(/^[\d ]+ frames as recorded, .* of this timer saved; [\d ]+ frames left out$/);
  const other = await open('/whatif');
  await other.getByRole('button', { name: 'Save packets…' }).click();
  await toast(other).waitFor();
  await shoot(other, 'whatif-save-light');
  expect(await plain(other)).toMatch(/of this timer saved/);
  expect((await lastSent(other, 'export_run'))?.path).toMatch(/^\/recorded\/.+\.pcapng$/);
});

test('runs of one name are named by their folders, and opened by themselves unless the reader says otherwise', async () => {
  const runs = ['C:\\lab\\default-1\\radio.pcap', 'C:\\lab\\cocoa-1\\radio.pcap'];
  const page = await open('/timeline');
  await page.waitForSelector('.field');
  await page.evaluate((names) => {
    const transfer = new DataTransfer();
    for (const name of names) transfer.items.add(new File(['x'], name));
    dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }));
  }, runs);
  const dialog = page.getByRole('dialog', { name: 'Open several files' });
  expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual(['default-1/radio.pcap', 'cocoa-1/radio.pcap']);
  expect(await dialog.locator('.pri').allInnerTexts()).toEqual(['Open separately']);
});

test('Compare saves every frame of a simulation', async () => {
  const page = await open('/compare');
  await page.getByRole('button', { name: /^Needless storm/ }).click();
  await page.getByRole('button', { name: 'Save run' }).click();
  await page.getByText('Every simulated frame').waitFor();
  await shoot(page, 'compare-save-frames-light');
  await page.getByRole('menuitem').last().click();
  await toast(page).waitFor();
  await shoot(page, 'compare-saved-frames-light');
  expect(await plain(page)).toMatch(/^[\d ]+ simulated frames of .* and of other traffic saved; /);
  expect(await lastSent(page, 'export_run')).toMatchObject({ kind: 'frames' });
  expect((await lastSent(page, 'export_run'))?.path).toMatch(/^\/recorded\/.+-simulated\.pcapng$/);
});

test('without Wireshark the command is offered', async () => {
  const page = await open('/packets');
  await page.waitForSelector('[aria-label=Packets] [role=row][aria-rowindex="2"] [role=gridcell]');
  await page.locator('[aria-label=Packets]').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Open in Wireshark' }).click();
  await toast(page).waitFor();
  expect(await plain(page)).toContain('Wireshark was not found on this machine. Save as…');
  expect(await axe(page)).toEqual([]);
});

test.each(THEMES)('several files raise the question whether they record one network, in %s', async (theme) => {
  const page = await open('/timeline', { theme });
  const drop = () =>
    page.evaluate(() => {
      const transfer = new DataTransfer();
      for (const name of ['roof.pcap', 'cellar.pcapng']) transfer.items.add(new File(['x'], name));
      dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }));
    });
  await page.waitForSelector('.field');
  await drop();
  const dialog = page.getByRole('dialog', { name: 'Open several files' });
  await dialog.waitFor();
  expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual(['roof.pcap', 'cellar.pcapng']);
  expect(await axe(page)).toEqual([]);
  await shoot(page, `dialog-together-${theme}`);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(await page.locator('.imports').count()).toBe(0);
  await drop();
  await dialog.getByRole('button', { name: 'Join: one network' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const merge = ['roof.pcap', 'cellar.pcapng'];
  await expect.poll(() => lastSent(page, 'open')).toEqual({ path: null, sample: null, merge, decode: null });
});
