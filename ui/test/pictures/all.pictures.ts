// `npm run shots [DIR]`: every view and every recipe of figures, in both themes and both sizes, on the bundled captures and
// the real core. Nothing is asserted but that there was something to see: these are to be looked at, beside each other.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { connect, core, type Core } from '../window/core';
import { SCENES, type Scene } from './scenes';

const { RTOSCOPE_SHOTS: FOLDER = '', RTOSCOPE_CORE: BINARY = '', RTOSCOPE_ONLY: ONLY = '' } = process.env;
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

let browser: Browser;

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  browser = await chromium.connect(inject('browser'));
}, 60_000);
afterAll(() => browser.close());

/** A window on `behind`. */
async function open(
  behind: Core,
  scene: Scene,
  theme: 'light' | 'dark',
  size: { width: number; height: number },
): Promise<Page> {
  const context = await browser.newContext({ colorScheme: theme, viewport: size, reducedMotion: 'reduce' });
  await context.addInitScript(
    (stored) => localStorage.setItem('rtoscope', stored),
    JSON.stringify(scene.prefs ?? { toured: true }),
  );
  const page = await context.newPage();
  await connect(page, behind, []);
  await page.goto(`${inject('page')}#/${scene.view}`);
  return page;
}

describe.each(['light', 'dark'] as const)('in %s', (theme) => {
  describe.each(SIZES)('at $width x $height', (size) => {
    test.each(SCENES.filter(({ name }) => ONLY === '' || new RegExp(ONLY).test(name)))(
      '$name',
      async (scene) => {
        // One of its own: what another scene opened is not in its library.
        const behind = core(BINARY);
        const page = await open(behind, scene, theme, size);
        try {
          await scene.act(page);
          await page.waitForTimeout(600);
          // What is still worked out shows itself, and is waited for.
          await page.waitForFunction(() => document.querySelector('.busy-bar.slow, .pending') === null, undefined, {
            timeout: 120_000,
          });
          await page.waitForTimeout(300);
          await page.screenshot({ path: join(FOLDER, `${scene.name}-${theme}-${String(size.width)}.png`) });
        } finally {
          await page.context().close();
          behind.end();
        }
      },
      240_000,
    );
  });
});
