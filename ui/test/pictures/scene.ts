// Scenes that are pictured, and the steps that they begin with.
import type { Page } from 'playwright-core';
import type { Core } from '../window/core';

/** A scene: a view, and the steps to a state of it. */
export interface Scene {
  name: string;
  view: string;
  /** Preferences of an earlier start; by default the tour was taken. */
  prefs?: Record<string, unknown>;
  /** Makes the files that the program is started with in `folder`; returns their paths. */
  files?: (behind: Core, folder: string) => Promise<string[]>;
  /** Brings the page into the state that is pictured. */
  act: (page: Page, folder: string) => Promise<unknown>;
}

/** Waits up to two minutes for an element. */
export const seen = (page: Page, selector: string) => page.waitForSelector(selector, { timeout: 120_000 });

/** Opens another bundled capture, and waits until its lanes or its view are there. */
export async function sample(page: Page, name: string): Promise<void> {
  await seen(page, '#view > *');
  await page
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .first()
    .click();
  await page.waitForFunction(
    (title) => document.querySelector('[aria-current=true]')?.textContent?.includes(title) ?? false,
    name,
    { timeout: 120_000 },
  );
}

/** Waits for the lanes of the recorded behaviour. */
export const lanes = (page: Page) => seen(page, '.field .end .count:not(:empty)');
/** Waits for the lanes of all behaviours. */
export const allLanes = (page: Page) =>
  page.waitForFunction(
    () => {
      const counts = [...document.querySelectorAll('.field .end .count')];
      return counts.length > 0 && counts.every((count) => count.textContent !== '');
    },
    undefined,
    { timeout: 240_000 },
  );
