// Scenes of content over a view or in its place: the import's summary, the tour, dialogs, the panel of a recording.
import { lanes, sample, seen, type Scene } from './scene';

export const DIALOGS: readonly Scene[] = [
  {
    name: 'summary',
    view: 'timeline',
    act: async (page) => {
      await sample(page, 'Lossy chain');
      await lanes(page);
      await page
        .getByRole('button', { name: /^Import summary/ })
        .last()
        .click({ force: true });
      await seen(page, '.summary');
    },
  },
  {
    name: 'empty',
    view: 'timeline',
    act: async (page) => {
      await lanes(page);
      await page
        .getByRole('button', { name: /^Close / })
        .first()
        .click({ force: true });
      await seen(page, '.empty');
    },
  },
  { name: 'tour', view: 'timeline', prefs: {}, act: (page) => seen(page, '[role=dialog][aria-label=Tour]') },
  {
    name: 'dialog-palette',
    view: 'timeline',
    act: (page) => lanes(page).then(() => page.keyboard.press('Control+k')),
  },
  { name: 'dialog-keys', view: 'timeline', act: (page) => lanes(page).then(() => page.keyboard.press('?')) },
  {
    name: 'dialog-preferences',
    view: 'timeline',
    act: async (page) => {
      await lanes(page);
      await page.keyboard.press('Control+,');
      await seen(page, 'dialog[open]');
    },
  },
  {
    name: 'dialog-tags',
    view: 'figures',
    act: async (page) => {
      await seen(page, '.chip');
      await page
        .getByRole('button', { name: /^Tags of / })
        .first()
        .click({ force: true });
      await seen(page, 'dialog[open]');
    },
  },
  {
    name: 'dialog-find',
    view: 'whatif',
    act: async (page) => {
      await sample(page, 'Needless storm');
      await seen(page, '.versus td.now');
      await page.getByRole('button', { name: 'Find…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Find good parameters' });
      await dialog.getByRole('checkbox').nth(0).check();
      await dialog.getByRole('button', { name: 'Search', exact: true }).click();
      await dialog.getByRole('button', { name: 'Take these values' }).waitFor({ timeout: 200_000 });
    },
  },
  {
    name: 'dialog-use',
    view: 'algorithms',
    act: async (page) => {
      await page.locator('[data-item=cocoa_plus]').click();
      await page.getByRole('button', { name: 'Use this…' }).click();
      await page.getByRole('dialog').getByRole('region', { name: 'Header' }).waitFor();
    },
  },
  {
    name: 'dialog-decode',
    view: 'packets',
    act: async (page) => {
      await sample(page, 'Lossy chain');
      await page.getByRole('button', { name: 'Decode as…' }).first().click();
      await seen(page, 'dialog[open]');
    },
  },
  {
    name: 'live',
    view: 'timeline',
    prefs: { toured: true, live: true },
    act: (page) => lanes(page).then(() => seen(page, '#live-panel')),
  },
  {
    name: 'dialog-picker',
    view: 'timeline',
    act: async (page) => {
      await lanes(page);
      await page.getByRole('button', { name: 'Add algorithm' }).click();
      await seen(page, 'dialog[open]');
    },
  },
];
