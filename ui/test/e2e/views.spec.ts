// Every view, both themes, both sizes: it is there, axe finds nothing, and a picture is kept to be looked at.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { VIEWS as DECLARED } from '../../src/state/window/views';
import { SIZES, THEMES, axe, open, shoot } from './window';

/** Ids of all views: a new one is tested from its first day. */
const ALL: readonly string[] = DECLARED.map(({ id }) => id);

/** Condition that a view is drawn; without an entry, none. */
const VIEWS: Record<string, (page: Page) => Promise<unknown>> = {
  timeline: (page) => page.waitForSelector('.field .end .count:not(:empty)'),
  exchanges: (page) => page.waitForSelector('[role=row][aria-rowindex="2"] [role=gridcell] svg'),
  rto: (page) => page.waitForSelector('.panels path, .panels canvas'),
  compare: (page) => page.waitForSelector('table .cell .range'),
  whatif: (page) => page.waitForSelector('.versus td.now'),
  network: (page) => page.waitForSelector('[aria-label=Links] tbody td'),
  packets: (page) => page.waitForSelector('[role=row][aria-rowindex="9"] [role=gridcell] svg'),
  algorithms: (page) => page.waitForSelector('.detail svg[aria-label^=Timeouts]'),
  report: (page) => page.waitForSelector('.paper table[aria-label=Measures] .range'),
};

test('the list of views was found', () => {
  expect(ALL.length).toBeGreaterThanOrEqual(10);
  expect(Object.keys(VIEWS).filter((view) => !ALL.includes(view))).toEqual([]);
});

describe.each(THEMES)('in %s', (theme) => {
  describe.each(SIZES)('at $width x $height', (size) => {
    test.each(ALL)('%s is drawn and accessible', async (view) => {
      const page = await open(`/${view}`, { theme, size });
      await page.waitForSelector('#view > *');
      await VIEWS[view]?.(page);
      await page.waitForTimeout(400);
      await shoot(page, `${view}-${theme}`);
      expect(await axe(page)).toEqual([]);
      expect(await page.locator('[role=tab][aria-selected=true]').getAttribute('id')).toBe(`tab-${view}`);
      expect(await overflowing(page), 'nothing is cut off at the right').toEqual([]);
      expect(await beyond(page), 'nothing is beyond the window').toEqual([]);
    });
  });

  test('the drawer, the tables, the summary and the dialogs are accessible', async () => {
    const page = await open('/timeline', { theme });
    await VIEWS.timeline?.(page);
    const timeline = page.locator('[aria-roledescription=plot]');
    await timeline.focus();
    for (let k = 0; k < 6; k += 1) await page.keyboard.press('+');
    await page.waitForTimeout(500);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.drawer table');
    expect(await axe(page)).toEqual([]);
    await shoot(page, `timeline-zoomed-${theme}`);
    for (const view of ['1', '3', '5']) {
      await page.keyboard.press('Escape');
      await page.keyboard.press('F6');
      await page.locator(`[role=tab] >> nth=${Number(view) - 1}`).click();
      await page.getByRole('button', { name: 'Show as table', exact: true }).click();
      await page.waitForSelector('caption');
      // Results that are computed again, first with few replicates and then with all, are dimmed until they come.
      await page.waitForTimeout(400);
      await page.waitForFunction(() => document.querySelector('.pending') === null);
      expect(await axe(page), `table of view ${view}`).toEqual([]);
    }
    for (const key of ['Control+k', '?']) {
      await page.keyboard.press(key);
      await page.waitForSelector('dialog[open]');
      expect(await axe(page), key).toEqual([]);
      await shoot(page, `dialog-${key === '?' ? 'keys' : 'palette'}-${theme}`);
      await page.keyboard.press('Escape');
    }
    await page.getByRole('button', { name: 'Add algorithm' }).click();
    expect(await axe(page), 'picker').toEqual([]);
    await shoot(page, `dialog-picker-${theme}`);
    await page.getByRole('checkbox', { name: /More variants/ }).check();
    expect(await axe(page), 'picker, all').toEqual([]);
    await shoot(page, `dialog-picker-all-${theme}`);
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', { name: /^Import summary/ })
      .first()
      .focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.summary');
    expect(await axe(page), 'summary').toEqual([]);
    await shoot(page, `summary-${theme}`);
  });

  test('a state machine, a reading, a proposal without numbers and a bad file are accessible', async () => {
    const page = await open('/algorithms', { theme });
    await VIEWS.algorithms?.(page);
    for (const [name, what] of [
      ['FASOR', 'svg[aria-label^=States]'],
      ['RCoAP (reading)', '.note'],
      ['TCP-Siam', '.cannot'],
    ] as const) {
      await page.getByRole('textbox', { name: 'Search algorithms' }).fill(name);
      await page.locator(`[data-item]`, { hasText: name }).first().click();
      await page.locator(`.detail ${what}`).scrollIntoViewIfNeeded();
      await page.waitForTimeout(200);
      await shoot(page, `algorithms-${name.split(' ')[0]?.toLowerCase() ?? ''}-${theme}`);
      expect(await axe(page), name).toEqual([]);
    }
    await page.getByRole('button', { name: 'Load presets…' }).click();
    await page.getByText('Nothing was loaded').waitFor();
    expect(await axe(page), 'a bad file').toEqual([]);
    await shoot(page, `algorithms-trouble-${theme}`);
  });

  test('the channel states, and the curve, the map, the rules and the search of What-if, are accessible', async () => {
    const page = await open('/timeline', { theme, prefs: { toured: true, channelStates: true } });
    await page.waitForSelector('.channel-states tbody tr');
    await page.waitForTimeout(300);
    expect(await axe(page), 'channel states').toEqual([]);
    await shoot(page, `channel-states-${theme}`);
    await page.locator('#tab-whatif').click();
    await VIEWS.whatif?.(page);
    for (const picture of ['Curve', 'Map']) {
      await page.getByRole('radio', { name: picture }).click();
      await page.waitForSelector(picture === 'Curve' ? '.response' : '.picture svg rect');
      await page.waitForTimeout(300);
      expect(await axe(page), picture).toEqual([]);
      await shoot(page, `whatif-${picture.toLowerCase()}-${theme}`);
    }
    await page.locator('.form summary', { hasText: 'Rules' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('NSTART', { exact: true }).waitFor();
    expect(await axe(page), 'rules').toEqual([]);
    await page.getByLabel('NSTART', { exact: true }).fill('0');
    await page.getByRole('alert').waitFor();
    expect(await axe(page), 'a rule that cannot be').toEqual([]);
    await shoot(page, `whatif-rules-${theme}`);
    await page.getByRole('button', { name: 'Find…' }).click();
    await page.waitForSelector('dialog[open]');
    expect(await axe(page), 'search').toEqual([]);
  });

  test('the empty window teaches', async () => {
    const page = await open('/timeline', { theme });
    await VIEWS.timeline?.(page);
    await page
      .getByRole('button', { name: /^Close / })
      .first()
      .focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.empty');
    expect(await page.getByRole('heading', { level: 2, name: 'Drop a capture of CoAP traffic' }).count()).toBe(1);
    expect(await axe(page)).toEqual([]);
    await shoot(page, `empty-${theme}`);
    await page.locator('.sample').first().click();
    await VIEWS.timeline?.(page);
  });
});

/** Elements of the shell that stick out of the window. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('header *, footer *, .tools *')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .map((element) => `${element.tagName}.${element.className.toString()}`),
  );
}

/**
 * Elements larger than the window that cannot be scrolled by hand: bringing something into view would shift all of it.
 * Views are clipped, and cannot be shifted.
 */
function beyond(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    ['html', 'body', '#app', '.app'].flatMap((selector) => {
      const place = document.querySelector(selector);
      const wide = (place?.scrollWidth ?? 0) - (place?.clientWidth ?? 0);
      const high = (place?.scrollHeight ?? 0) - (place?.clientHeight ?? 0);
      return wide > 0 || high > 0 ? [`${selector} by ${wide} x ${high} px`] : [];
    }),
  );
}
