// Every view in the shipped binary, on a simulated chain: what must stand in it, what is drawn, and what is said in it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../../scripts/env.mjs';
import { VIEWS as DECLARED } from '../../src/state/window/views';
import { start, type App } from './app';
import { colours, decode } from './png';

const SHOTS = join(import.meta.dirname, '../shots');
const CAPTURE = join(ROOT, 'traces', 'tsch-slow-chain5-default', 'radiolog.txt.gz');
let app: App;

beforeAll(async () => {
  app = await start(CAPTURE);
  await app.session.find('.cap.on');
});
afterAll(() => app.close());

/** Every view that there is: a new one is tested from its first day. */
const ALL: readonly string[] = DECLARED.map(({ id }) => id);

/** True once a view shows what it is for: the body of a function, run in the page. */
const SHOWN: Record<string, string> = {
  // Four clients, each with its exchanges.
  timeline: `return document.querySelectorAll('.field .end .count:not(:empty)').length >= 4`,
  exchanges: `return document.querySelectorAll('[role=grid] [role=row][aria-rowindex] [role=gridcell] svg').length > 5`,
  rto: `return document.querySelectorAll('.panels svg path').length > 0 && /[0-9] s/.test(document.querySelector('.panels').textContent)`,
  // A range for each algorithm shown.
  compare: `return document.querySelectorAll('table .cell .range').length > 5`,
  whatif: `return /[0-9]/.test(document.querySelector('.versus td.now')?.textContent ?? '')
    && document.querySelectorAll('.picture svg path').length > 3`,
  packets: `return document.querySelectorAll('[role=row][aria-rowindex] [role=gridcell]').length > 20`,
  ladder: `document.querySelector('.none .btn')?.click(); return document.querySelectorAll('.side svg path').length > 3`,
  network: `return document.querySelectorAll('[aria-label=Links] tbody tr').length === 8
    && document.querySelectorAll('.graph text.name').length === 5`,
  algorithms: `return document.querySelector('.detail svg[aria-label^=Timeouts] rect') !== null`,
  figures: `return document.querySelectorAll('.thumbnail .picture path').length > 0`,
  // No study is open: the ways to one.
  study: `return document.querySelectorAll('.study .way').length === 4`,
  report: `return document.querySelectorAll('.paper table[aria-label=Measures] .range').length > 0
    && document.querySelectorAll('.paper figure svg path').length > 0`,
};

async function shoot(name: string) {
  const png = await app.session.screenshot();
  mkdirSync(SHOTS, { recursive: true });
  writeFileSync(join(SHOTS, `app-view-${name}.png`), png);
  const { distinct, largest } = colours(decode(png));
  expect(distinct).toBeGreaterThan(64);
  expect(largest).toBeLessThan(0.95);
}

test('every view has its test', () => {
  expect(ALL.length).toBeGreaterThanOrEqual(10);
  expect(Object.keys(SHOWN).toSorted()).toEqual(ALL.toSorted());
});

test.each(ALL)('%s', async (view) => {
  await app.session.execute(`document.querySelector('#tab-' + arguments[0]).click()`, view);
  await app.session.until(view, SHOWN[view] ?? 'return false');
  await shoot(view);
  expect(await app.session.execute(`return document.querySelector('.trouble')?.textContent ?? null`)).toBe(null);
});

const press = (key: string, shiftKey = false) =>
  app.session.execute(
    `document.body.dispatchEvent(new KeyboardEvent('keydown', { key: arguments[0], shiftKey: arguments[1], bubbles: true }))`,
    key,
    shiftKey,
  );
const playhead = () => app.session.execute<string>(`return document.querySelector('.clock .now').textContent`);

test('it plays, pauses and steps', async () => {
  await press('1');
  const before = await playhead();
  await press(' ');
  await app.session.until(
    'the playhead to move',
    `return document.querySelector('.clock .now').textContent !== arguments[0]`,
    before,
  );
  await press(' ');
  const paused = await playhead();
  await press('.');
  await app.session.until(
    'an event',
    `return document.querySelector('.clock .now').textContent !== arguments[0]`,
    paused,
  );
});

test('a flag is planted and gets a note', async () => {
  await press('F');
  await press('F', true);
  await app.session.until('its note', `return document.querySelector('dialog[open] input[data-at]') !== null`);
  await app.session.execute(`
    const field = document.querySelector('dialog[open] input[data-at]');
    field.value = 'here it begins';
    field.dispatchEvent(new Event('change', { bubbles: true }));
    document.querySelector('dialog[open] .pri').click();`);
  await app.session.until(
    'the flag',
    `return document.querySelector('svg.axis').textContent.includes('here it begins')`,
  );
  await shoot('flag');
});

test('the library takes a sample and tags of it, and lets it go', async () => {
  const captures = `return [...document.querySelectorAll('.cap')].map((cap) => cap.querySelector('button').textContent)`;
  const before = await app.session.execute<string[]>(captures);
  await app.session.execute(`document.querySelector('.sample:not(.open)').click()`);
  await app.session.until(
    'another capture, looked at',
    `return document.querySelectorAll('.cap').length === arguments[0]
      && document.querySelector('.cap.on') === [...document.querySelectorAll('.cap')].at(-1)`,
    before.length + 1,
  );
  await app.session.execute(`document.querySelector('.cap.on [aria-label^="Tags of"]').click()`);
  await app.session.until('its tags', `return document.querySelector('dialog[open] input') !== null`);
  await shoot('tags');
  await app.session.execute(`
    const field = document.querySelector('dialog[open] input');
    field.value = '12';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
    document.querySelector('dialog[open]').close();`);
  // The close event comes in a task of its own: a click before it would open nothing, so it is repeated.
  await app.session.until(
    'what was said',
    `if (!document.querySelector('dialog[open]')) document.querySelector('.cap.on [aria-label^="Tags of"]').click();
    return document.querySelector('dialog[open] input')?.value === '12'`,
  );
  await app.session.execute(`document.querySelector('dialog[open]').close()`);
  await app.session.execute(`document.querySelector('.cap.on [aria-label^="Close"]').click()`);
  await app.session.until(
    'it to go',
    `return document.querySelectorAll('.cap').length === arguments[0]`,
    before.length,
  );
  expect(await app.session.execute(captures)).toEqual(before);
});

test('the preferences change the window at once', async () => {
  await app.session.execute(
    `document.body.dispatchEvent(new KeyboardEvent('keydown', { key: ',', ctrlKey: true, bubbles: true }))`,
  );
  await app.session.until('the dialog', `return document.querySelector('dialog[open] #pref-theme') !== null`);
  const choose = (id: string, value: string) =>
    app.session.execute(
      `const field = document.querySelector(arguments[0]);
       field.value = arguments[1];
       field.dispatchEvent(new Event('change', { bubbles: true }));`,
      id,
      value,
    );
  const background = `getComputedStyle(document.querySelector('#view')).backgroundColor`;
  await choose('#pref-theme', 'light');
  const light = await app.session.execute<string>(`return ${background}`);
  await choose('#pref-theme', 'dark');
  await app.session.until('the dark', `return ${background} !== arguments[0]`, light);
  await shoot('preferences');
  await choose('#pref-time', 'seconds');
  await app.session.until('seconds', `return /\\ss$/.test(document.querySelector('.clock .now').textContent.trim())`);
});
