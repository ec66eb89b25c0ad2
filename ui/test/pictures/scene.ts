// A scene worth a picture, and what scenes begin with.
import type { Page } from 'playwright-core';
import type { Core } from '../window/core';

export interface Scene {
  name: string;
  view: string;
  /** Preferences of an earlier start; by default, nobody wants the tour any more. */
  prefs?: Record<string, unknown>;
  /** Files the program is started with, made in `folder`, which the scene may use too. */
  files?: (behind: Core, folder: string) => Promise<string[]>;
  act: (page: Page, folder: string) => Promise<unknown>;
}

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

export const lanes = (page: Page) => seen(page, '.field .end .count:not(:empty)');
/** Also those of every algorithm. */
export const allLanes = (page: Page) =>
  page.waitForFunction(
    () => {
      const counts = [...document.querySelectorAll('.field .end .count')];
      return counts.length > 0 && counts.every((count) => count.textContent !== '');
    },
    undefined,
    { timeout: 240_000 },
  );
