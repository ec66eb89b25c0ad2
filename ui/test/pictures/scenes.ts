// Scenes of which `npm run shots` takes pictures: the view, the steps there, and the elements that must be drawn
// before.
import type { Page } from 'playwright-core';
import { DIALOGS } from './dialogs';
import { OCCASIONS } from './occasions';
import { allLanes, lanes, sample, seen, type Scene } from './scene';

const press = (keys: string[]) => async (page: Page) => {
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(150);
  }
};

/** Goes to the first copy, zooms in there, enters the marks and selects one. */
async function select(page: Page): Promise<void> {
  await lanes(page);
  const now = page.locator('footer .now');
  const before = (await now.textContent()) ?? '';
  await page.keyboard.press('.');
  await page.waitForFunction((text) => document.querySelector('footer .now')?.textContent !== text, before);
  await page.locator('[aria-roledescription=plot].field').focus();
  await press(['+', '+', '+', '+', '+', '+'])(page);
  // The marks of the new window come when they come.
  await page.waitForFunction(
    () => {
      const at = document.activeElement;
      if (!at?.classList.contains('proxy'))
        at?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      return document.activeElement?.classList.contains('proxy');
    },
    undefined,
    { polling: 300, timeout: 60_000 },
  );
  await press(['Enter'])(page);
}

const views: Scene[] = [
  { name: 'timeline', view: 'timeline', act: (page) => sample(page, 'Needless storm').then(() => allLanes(page)) },
  {
    name: 'timeline-all',
    view: 'timeline',
    act: async (page) => {
      await sample(page, 'Bottleneck');
      await allLanes(page);
    },
  },
  {
    name: 'timeline-selected',
    view: 'timeline',
    act: async (page) => {
      await sample(page, 'Needless storm');
      await select(page);
      await seen(page, '.drawer table');
    },
  },
  {
    name: 'timeline-flags',
    view: 'timeline',
    act: async (page) => {
      await sample(page, 'Lossy chain');
      await allLanes(page);
      await press(['+', '+', '+', '.', 'F', '.', '.', '.', '.', '.', '.', '.', 'F', 'Shift+F'])(page);
      const notes = page.locator('dialog[open] input[data-at]');
      await notes.nth(0).fill('the first copy');
      await notes.nth(1).fill('a second look at this one');
    },
  },
  {
    name: 'channel-states',
    view: 'timeline',
    prefs: { toured: true, channelStates: true },
    act: async (page) => {
      await sample(page, 'Two channel states');
      await seen(page, '.channel-states path.bad');
      await page.waitForTimeout(1_500);
    },
  },
  {
    name: 'channel-states-grid',
    view: 'timeline',
    prefs: { toured: true, channelStates: true },
    act: async (page) => {
      await sample(page, 'Event bursts');
      await seen(page, '.channel-states tbody tr');
      await page.waitForTimeout(1_500);
      // Down to how losses answer to load.
      await page.locator('.channel-states .load').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'channel-states-chain',
    view: 'timeline',
    prefs: { toured: true, channelStates: true },
    act: async (page) => {
      await sample(page, 'Lossy chain');
      await seen(page, '.channel-states tbody tr');
      await page.waitForTimeout(1_500);
    },
  },
  {
    name: 'ladder',
    view: 'timeline',
    act: async (page) => {
      await sample(page, 'Lossy chain');
      await select(page);
      await page.locator('#tab-ladder').click();
      await seen(page, '.side svg path');
    },
  },
  {
    name: 'ladder-grid',
    view: 'ladder',
    act: async (page) => {
      await sample(page, 'Event bursts');
      await page.locator('.none .btn').click();
      await seen(page, '.side svg path');
    },
  },
  {
    name: 'rto-clients',
    view: 'rto',
    act: (page) => sample(page, 'Event bursts').then(() => seen(page, '.panels path, .panels canvas')),
  },
  {
    name: 'rto',
    view: 'rto',
    act: (page) => sample(page, 'Needless storm').then(() => seen(page, '.panels path, .panels canvas')),
  },
  {
    name: 'exchanges',
    view: 'exchanges',
    act: (page) => sample(page, 'Needless storm').then(() => seen(page, '[role=row][aria-rowindex="2"] svg')),
  },
  {
    name: 'compare',
    view: 'compare',
    act: (page) => sample(page, 'Needless storm').then(() => seen(page, 'table .cell .range')),
  },
  ...(
    [
      ['trust', 'Needless storm', 'table[aria-label="Self-replay"]'],
      ['trust-refused', 'Sleepy server', '.refusal'],
    ] as const
  ).map(([name, capture, what]): Scene => ({
    name,
    view: 'compare',
    act: async (page) => {
      await sample(page, capture);
      await seen(page, 'table .cell .range');
      await page.getByRole('button', { name: 'Trust', exact: true }).click();
      await seen(page, what);
    },
  })),
  {
    // A timer that ends in two ways, and the two that really ran here, with all their parameters.
    name: 'compare-modes',
    view: 'compare',
    prefs: {
      toured: true,
      shown: [
        { id: 'cocoa_plus', params: {} },
        { id: 'cocoa_demir2018', params: { vbf_key: 'dithered', rto_max: 32 } },
        { id: 'rfc6298_coap', params: { karn: 'dropped' } },
        { id: 'coap_default', params: {} },
      ],
    },
    act: async (page) => {
      await sample(page, 'Needless storm');
      await seen(page, 'table[aria-label=Measures] .collapse');
      await seen(page, 'table[aria-label=Measures] .truth .dot');
    },
  },
  {
    name: 'self-replay',
    view: 'compare',
    act: async (page) => {
      await sample(page, 'Needless storm');
      await page.getByRole('button', { name: 'Self-replay' }).click({ timeout: 120_000 });
      await page.getByRole('button', { name: 'Back to the comparison' }).waitFor({ timeout: 120_000 });
    },
  },
  {
    name: 'compare-presets',
    view: 'compare',
    act: async (page) => {
      await sample(page, 'Needless storm');
      await page.getByText('What the answer depends on').click({ timeout: 120_000 });
      await seen(page, 'figure[aria-label=Presets] rect');
      await page.locator('figure[aria-label=Presets]').evaluate((figure) => figure.scrollIntoView({ block: 'center' }));
    },
  },
  {
    name: 'whatif',
    view: 'whatif',
    act: async (page) => {
      await sample(page, 'Needless storm');
      await seen(page, '.versus td.now');
      await seen(page, '.plane');
    },
  },
  {
    name: 'whatif-curve',
    view: 'whatif',
    act: async (page) => {
      await sample(page, 'Needless storm');
      await seen(page, '.versus td.now');
      await page.getByRole('radio', { name: 'Curve' }).click();
      await seen(page, '.response');
    },
  },
  {
    name: 'whatif-map',
    view: 'whatif',
    act: async (page) => {
      await sample(page, 'Needless storm');
      await seen(page, '.versus td.now');
      await page.getByRole('radio', { name: 'Map' }).click();
      await seen(page, '.picture svg rect');
    },
  },
  {
    name: 'whatif-clients',
    view: 'whatif',
    act: async (page) => {
      await sample(page, 'Event bursts');
      await seen(page, '.versus td.now');
      await seen(page, '.plane');
    },
  },
  {
    name: 'compare-clients',
    view: 'compare',
    act: (page) => sample(page, 'Bottleneck').then(() => seen(page, 'table .cell .range')),
  },
  {
    name: 'network-chain',
    view: 'network',
    act: (page) => sample(page, 'Lossy chain').then(() => seen(page, '[aria-label=Links] tbody td')),
  },
  {
    name: 'network',
    view: 'network',
    act: (page) => sample(page, 'Event bursts').then(() => seen(page, '[aria-label=Links] tbody td')),
  },
  {
    name: 'network-counted',
    view: 'network',
    act: async (page) => {
      await sample(page, 'Event bursts');
      await seen(page, '[aria-label=Links] tbody td');
      await page.getByLabel('Interval of load and loss').selectOption('10 s');
      await page.getByLabel('Moving mean of load and loss').selectOption('mean of 5');
    },
  },
  {
    name: 'packets',
    view: 'packets',
    act: async (page) => {
      await sample(page, 'Lossy chain');
      await seen(page, '[role=row][aria-rowindex="9"] svg');
      await page.locator('[role=row][aria-rowindex="9"]').click();
    },
  },
  {
    name: 'packets-tree',
    view: 'packets',
    act: async (page) => {
      await sample(page, 'Event bursts');
      await page.getByRole('combobox', { name: 'Filter' }).fill('coap');
      await page.keyboard.press('Enter');
      await seen(page, '[role=row][aria-rowindex="5"] svg');
      await page.locator('[role=row][aria-rowindex="5"]').click();
      await seen(page, '[role=tree], [role=treegrid]');
    },
  },
  {
    name: 'figures',
    view: 'figures',
    act: async (page) => {
      for (const name of ['Needless storm', 'Event bursts']) await sample(page, name);
      await page.waitForFunction(
        () =>
          document.querySelectorAll('.thumbnail .picture :is(svg, .why)').length >= 12 &&
          !document.querySelector('.waits'),
        undefined,
        { timeout: 240_000 },
      );
    },
  },
  { name: 'algorithms', view: 'algorithms', act: (page) => seen(page, '.detail svg[aria-label^=Timeouts]') },
  {
    name: 'report',
    view: 'report',
    act: async (page) => {
      await sample(page, 'Needless storm');
      await seen(page, '.report table[aria-label=Measures] .range');
    },
  },
  {
    name: 'report-sensitivity',
    view: 'report',
    act: async (page) => {
      await sample(page, 'Needless storm');
      await seen(page, '.report .ways td');
      await page.locator('#report-sensitivity').evaluate((heading) => heading.scrollIntoView());
    },
  },
  {
    name: 'report-print',
    view: 'report',
    act: async (page) => {
      await sample(page, 'Needless storm');
      await seen(page, '.report table[aria-label=Measures] .range');
      await page.waitForFunction(() => document.querySelector('.busy-bar.slow') === null, undefined, {
        timeout: 120_000,
      });
      await page.emulateMedia({ media: 'print' });
    },
  },
];

/** Number of recipes of figures; each has a scene with three bundled captures. */
const RECIPES = 12;
const figures = Array.from({ length: RECIPES }, (_, at): Scene => ({
  name: `figure-${String(at).padStart(2, '0')}`,
  view: 'figures',
  prefs: { toured: true, recipe: 'rto_box' },
  act: async (page) => {
    await seen(page, '.chip');
    for (const name of ['Needless storm', 'Event bursts']) {
      await page
        .getByRole('button', { name: new RegExp(`^${name}`) })
        .first()
        .click();
      await page.waitForFunction(
        (title) => [...document.querySelectorAll('.chip')].some((chip) => chip.textContent === title),
        name,
        { timeout: 120_000 },
      );
    }
    const title = page.getByRole('navigation', { name: 'Figures' }).getByRole('button').nth(at);
    await title.click();
    await page.waitForTimeout(400);
    await seen(page, '.sheet .panels .panel svg path, .sheet .missing');
    await page.waitForFunction(() => document.querySelector('.busy-bar.slow') === null, undefined, {
      timeout: 120_000,
    });
    await page.waitForTimeout(500);
  },
}));

export const SCENES: readonly Scene[] = [...views, ...DIALOGS, ...OCCASIONS, ...figures];
