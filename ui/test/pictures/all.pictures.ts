// `npm run shots [DIR]`: every view and every recipe of figures, in both themes and three sizes, on the bundled
// captures and the real core. These are to be looked at, beside each other; asserted is that there was something to
// see, and that axe finds nothing wrong in it.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { axe } from '../axe';
import { connect, core, type Core } from '../window/core';
import type { Scene } from './scene';
import { SCENES } from './scenes';

const { RTOSCOPE_SHOTS: FOLDER = '', RTOSCOPE_CORE: BINARY = '', RTOSCOPE_ONLY: ONLY = '' } = process.env;
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1000, height: 700 },
  { width: 1600, height: 1000 },
];

let browser: Browser;

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  browser = await chromium.connect(inject('browser'));
}, 60_000);
afterAll(() => browser.close());

/**
 * Opens a window on the core `behind`, with the preferences of `scene` and the files as those that the program was
 * started with.
 */
async function open(behind: Core, scene: Scene, files: string[]): Promise<Page> {
  const context = await browser.newContext({ colorScheme: 'light', viewport: SIZES[0], reducedMotion: 'reduce' });
  await context.addInitScript(
    (stored) => localStorage.setItem('rtoscope', stored),
    JSON.stringify(scene.prefs ?? { toured: true }),
  );
  const page = await context.newPage();
  await connect(page, behind, files);
  await page.goto(`${inject('page')}#/${scene.view}`);
  return page;
}

/** Waits for results that are still being computed. */
async function settled(page: Page): Promise<void> {
  await page.waitForTimeout(600);
  await page.waitForFunction(() => document.querySelector('.busy-bar.slow, .pending') === null, undefined, {
    timeout: 120_000,
  });
  await page.waitForTimeout(300);
}

test.each(SCENES.filter(({ name }) => ONLY === '' || new RegExp(ONLY).test(name)))(
  '$name',
  async (scene) => {
    // One of its own: what another scene opened is not in its library.
    const behind = core(BINARY);
    const folder = mkdtempSync(join(tmpdir(), 'rtoscope-pictures-'));
    const page = await open(behind, scene, (await scene.files?.(behind, folder)) ?? []);
    try {
      await scene.act(page, folder);
      // Done once and taken six times: the page follows the size of its window and the theme of the desktop.
      for (const size of SIZES) {
        await page.setViewportSize(size);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await settled(page);
          const name = `${scene.name}-${colorScheme}-${String(size.width)}`;
          await page.screenshot({ path: join(FOLDER, `${name}.png`) });
          if (size === SIZES[0]) expect.soft(await axe(page), name).toEqual([]);
        }
      }
    } finally {
      await page.context().close();
      behind.end();
      rmSync(folder, { recursive: true });
    }
  },
  300_000,
);
