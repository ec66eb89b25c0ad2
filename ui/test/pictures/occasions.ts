// Scenes that a reader meets seldom: unfolded results, damaged files, a recording.
import { execFileSync } from 'node:child_process';
import { copyFileSync, createWriteStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { ROOT, SHARED } from '../../../scripts/env.mjs';
import { crowd, ports } from './crowd';
import { forest } from './forest';
import { allLanes, sample, seen, type Scene } from './scene';

const unpacked = (trace: string) => gunzipSync(readFileSync(join(ROOT, 'traces', trace, 'capture.pcap.gz')));

/** Leaves two of five clients as they were recorded, in What-if. */
async function deploy(page: Page) {
  await sample(page, 'Lossy chain');
  await seen(page, '.versus td.now');
  await page.getByText('Who, and from when on').click();
  for (const name of ['mote 2', 'mote 4']) await page.getByRole('checkbox', { name }).click();
}

/** A file name longer than most places of the page. */
const LONG = 'a-capture-with-a-rather-long-name-of-its-own.pcap';

/** A scene of a capture that is made for it, in `view`, once `drawn` (a CSS selector) is there. */
const made = (name: string, file: string, octets: () => Buffer, view: string, drawn: string): Scene => ({
  name,
  view,
  files: (_, folder) => {
    const path = join(folder, file);
    writeFileSync(path, octets());
    return Promise.resolve([path]);
  },
  act: async (page) => {
    await seen(page, '.summary');
    await page.locator(`#tab-${view}`).click();
    await seen(page, drawn);
  },
});
const DRAWN = {
  timeline: '.field .end .count:not(:empty)',
  compare: 'table .cell .range',
  whatif: '.versus td.now',
  rto: '.panels path, .panels canvas',
  network: '[aria-label=Links] tbody td',
  report: '.report table[aria-label=Measures] .range',
};

/**
 * Folder of a simulated hour of 49 motes in a grid, which is not part of the repository, with the places of the motes.
 */
const GRID = join(SHARED, 'cooja', 'perf-grid7x7');

function grid(folder: string): string[] {
  const path = join(folder, 'grid7x7.pcap.gz');
  copyFileSync(join(GRID, 'cocoa-seed1', 'radio.pcap.gz'), path);
  const rows = [...readFileSync(join(GRID, 'README.md'), 'utf8').matchAll(/^\| (\d+) \| (\S+) \| (\S+) \|/gm)];
  writeFileSync(join(folder, 'nodes.csv'), rows.map(([, id, x, y]) => `${id},${x},${y}\n`).join(''));
  return [path];
}

const grids: Scene[] = (['plan', 'tree', 'path'] as const).map((name) => ({
  name: `grid49-${name}`,
  view: 'network',
  files: (_, folder) => Promise.resolve(grid(folder)),
  act: async (page) => {
    await seen(page, '.summary');
    await page.locator('#tab-network').click();
    await seen(page, DRAWN.network);
    if (name === 'tree') await page.getByRole('radio', { name: 'Tree' }).check({ force: true });
    if (name !== 'path') return;
    await page.getByLabel('Time of the parents').fill('1800000000000');
    await page.locator('.graph').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
  },
}));

/** The checks of a capture with more frames than they go over. */
const beginning: Scene = {
  name: 'trust-beginning',
  view: 'compare',
  files: (_, folder) => Promise.resolve(grid(folder)),
  act: async (page) => {
    await seen(page, '.summary');
    await page.locator('#tab-compare').click();
    await page.getByRole('button', { name: 'Trust', exact: true }).click();
    await page.getByText('The checks are about the beginning of the capture').waitFor({ timeout: 240_000 });
  },
};

export const OCCASIONS: readonly Scene[] = [
  ...(existsSync(GRID) ? grids : []),
  ...(existsSync(GRID) ? [beginning] : []),
  made('ports', 'ports.pcap', () => ports(10_696), 'timeline', DRAWN.timeline),
  made('forest150', 'forest.txt', () => Buffer.from(forest(150)), 'network', DRAWN.network),
  ...(['timeline', 'compare', 'network', 'rto', 'report'] as const).map((view) =>
    made(`crowd-${view}`, LONG, () => crowd(64, 12), view, DRAWN[view]),
  ),
  ...(['timeline', 'compare', 'whatif', 'rto'] as const).map((view) =>
    made(`one-${view}`, 'one.pcap', () => crowd(1, 1), view, DRAWN[view]),
  ),
  {
    name: 'whatif-part',
    view: 'whatif',
    act: async (page) => {
      await deploy(page);
      const begin = page.getByRole('button', { name: 'Begin at the playhead' });
      await begin.click();
      await begin.scrollIntoViewIfNeeded();
      await seen(page, '.plane');
    },
  },
  {
    name: 'figure-part',
    view: 'whatif',
    act: async (page) => {
      await deploy(page);
      await page.locator('#tab-figures').click();
      await page.getByRole('button', { name: 'Early retransmissions' }).click();
      await page.getByText('2 of 5 clients as recorded').waitFor();
    },
  },
  {
    name: 'whatif-rules',
    view: 'whatif',
    prefs: { toured: true, channel: 'queued' },
    act: async (page) => {
      await sample(page, 'Bottleneck');
      await seen(page, '.versus td.now');
      await page.locator('.form summary', { hasText: 'Rules' }).click();
      const room = page.getByLabel('Room', { exact: true });
      await page.waitForFunction(() =>
        [...document.querySelectorAll('.cite')].some((c) => /± .* ms/.test(c.textContent)),
      );
      await room.fill('4');
      await room.blur();
      await room.scrollIntoViewIfNeeded();
      await seen(page, '.plane');
    },
  },
  {
    name: 'compare-depends',
    view: 'compare',
    act: async (page) => {
      await sample(page, 'Needless storm');
      await seen(page, 'table .cell .range');
      await page.locator('summary', { hasText: 'What the answer depends on' }).click();
      await page.waitForTimeout(1_500);
      await page.waitForFunction(() => document.querySelector('.busy-bar.slow, .pending') === null, undefined, {
        timeout: 120_000,
      });
      await page.mouse.move(700, 500);
      await page.mouse.wheel(0, 2_000);
    },
  },
  {
    name: 'algorithms-identify',
    view: 'algorithms',
    act: async (page) => {
      await sample(page, 'Two channel states');
      await page.keyboard.press('9');
      await page.getByRole('button', { name: 'What was running?' }).click();
      await seen(page, '.identify p.said');
    },
  },
  {
    name: 'figure-table',
    view: 'figures',
    act: async (page) => {
      await page.getByRole('radio', { name: 'One figure' }).check({ force: true });
      await seen(page, '.sheet .panels .panel svg path');
      await page.getByRole('button', { name: 'Show as table' }).click();
      await seen(page, 'table td');
    },
  },
  {
    name: 'packets-comments',
    view: 'packets',
    // Frames that another timer would have sent: each has a comment that says so.
    files: async (behind, folder) => {
      const ask = async (name: string, request: unknown) =>
        JSON.parse((await behind.ask(name, JSON.stringify(request))).octets.toString()) as unknown;
      const opened = (await ask('open', { path: null, sample: 'live-sleepy-default', merge: null, decode: null })) as {
        id: number;
      };
      const settings = { channel: 'empirical', workload: 'auto', seed: 1, replicates: 1 };
      const algorithms = [{ id: 'cocoa_plus', params: {} }];
      const { runs } = (await ask('replay', { ...settings, capture: opened.id, algorithms })) as {
        runs: { run: number }[];
      };
      const path = join(folder, 'sleepy-cocoa.pcapng');
      await ask('export_run', { run: runs[0]?.run, path });
      await ask('close', { capture: opened.id });
      return [path];
    },
    act: async (page) => {
      await seen(page, '.summary');
      await page.keyboard.press('6');
      await seen(page, '[role=row] .comment');
      await page.locator('[role=row]:has(.comment)').first().click();
      await seen(page, 'p.comment');
      // In its row, and in one line.
      await page.waitForFunction(() =>
        [...document.querySelectorAll('[role=row] .comment')].every(
          (comment) => (comment.closest('[role=gridcell]')?.clientHeight ?? 0) <= 24,
        ),
      );
    },
  },
  {
    name: 'summary-damaged',
    view: 'timeline',
    files: (_, folder) => {
      const octets = unpacked('chain6-periodic-default');
      // Octets that are no record in the middle, and an end within a record.
      octets.fill(0xff, 400_000, 400_100);
      const path = join(folder, 'damaged.pcap');
      writeFileSync(path, octets.subarray(0, 700_001));
      return Promise.resolve([path]);
    },
    act: (page) => seen(page, '.summary'),
  },
  {
    name: 'open-failed',
    view: 'timeline',
    files: (_, folder) => {
      const path = join(folder, 'notes.pcap');
      writeFileSync(path, 'Dear diary, today I captured nothing.\n');
      return Promise.resolve([path]);
    },
    act: (page) => page.waitForTimeout(1_500),
  },
  {
    name: 'no-exchanges',
    view: 'timeline',
    files: (_, folder) => {
      const octets = unpacked('chain6-periodic-default');
      // Its first 40 frames: routing alone.
      let end = 24;
      for (let frame = 0; frame < 40; frame += 1) end += 16 + octets.readUInt32BE(end + 8);
      const path = join(folder, 'routing.pcap');
      writeFileSync(path, octets.subarray(0, end));
      return Promise.resolve([path]);
    },
    act: async (page) => {
      await seen(page, '.summary');
      await page.keyboard.press('1');
      await page.getByRole('heading', { name: 'No confirmable exchange' }).waitFor();
    },
  },
  {
    name: 'dialog-together',
    view: 'timeline',
    files: (_, folder) => {
      const paths = ['left.pcap', 'right.pcap'].map((name) => join(folder, name));
      for (const path of paths) writeFileSync(path, unpacked('chain6-periodic-default'));
      return Promise.resolve(paths);
    },
    act: (page) => seen(page, 'dialog[open]'),
  },
  {
    name: 'live-recording',
    view: 'timeline',
    prefs: { toured: true, live: true },
    act: async (page, folder) => {
      const fifo = join(folder, 'sniffer');
      execFileSync('mkfifo', [fifo]);
      await page.locator('#live-device-0').fill(`pipe:${fifo}`);
      await page.locator('#live-path').fill(join(folder, 'live.pcapng'));
      const panel = page.locator('section[aria-label="Live capture"]');
      await panel.locator('button[type=submit]').click();
      await panel.getByRole('status').waitFor();
      // Open until the scene ends: the recording goes on.
      createWriteStream(fifo).write(unpacked('chain6-periodic-default').subarray(0, 600_000));
      await page.waitForFunction(
        () => Number(document.querySelector('.cap.on .n')?.textContent?.replaceAll(/[^0-9]/g, '')) > 2_000,
        undefined,
        { timeout: 60_000 },
      );
      await page.keyboard.press('1');
      await allLanes(page);
    },
  },
];
