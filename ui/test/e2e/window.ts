// A window of the page in Chromium, on recorded bytes. It fails the test that opened it on what a person would never
// see: an error in the console, a refused resource, a request that leaves the machine.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';

import type { CommandName, Request } from '../../src/ipc/backend';
import type {} from '../backend/fixture';

export { axe } from '../axe';

/** Theme of the desktop. */
export type Theme = 'light' | 'dark';
export const THEMES: Theme[] = ['light', 'dark'];
/** Sizes of the window, px: the smallest full layout, and a common large one. */
export const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

const SHOTS = join(import.meta.dirname, '../shots');

let browser: Browser;
let opened: Page[] = [];
let complaints: string[] = [];

beforeAll(async () => {
  browser = await chromium.connect(inject('browser'));
});
afterEach(async () => {
  await Promise.all(opened.map((page) => page.context().close()));
  const heard = complaints;
  [opened, complaints] = [[], []];
  expect(heard, 'the console and the network stay quiet').toEqual([]);
});
afterAll(() => browser.close());

/** Conditions under which the page is opened. */
export interface Opening {
  theme?: Theme;
  size?: { width: number; height: number };
  /** Further query parameters beside `backend=fixture`. */
  query?: Record<string, string>;
  /** Preferences of an earlier start; by default the tour was taken. */
  prefs?: Record<string, unknown>;
}

/** Opens the page; `route` is the address behind the `#`, `before` prepares the empty page. */
export async function open(
  route = '',
  { theme = 'light', size = SIZES[0], query = {}, prefs = { toured: true } }: Opening = {},
  before?: (page: Page) => Promise<void>,
): Promise<Page> {
  const context = await browser.newContext({ colorScheme: theme, viewport: size, reducedMotion: 'reduce' });
  await context.addInitScript((stored) => {
    if (localStorage.getItem('rtoscope') === null) localStorage.setItem('rtoscope', stored);
  }, JSON.stringify(prefs));
  const page = await context.newPage();
  opened.push(page);
  const origin = new URL(inject('page')).origin;
  page.on('console', (message) => {
    const { url } = message.location();
    // Chromium asks every site for one; the app's window does not.
    if (message.type() === 'error' && !url.endsWith('/favicon.ico')) complaints.push(`${message.text()} ${url}`);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && !/^(data|blob):$/.test(url.protocol)) complaints.push(`asked for ${url.href}`);
  });
  const address = new URL(inject('page'));
  address.search = new URLSearchParams({ backend: 'fixture', ...query }).toString();
  address.hash = route;
  await before?.(page);
  await page.goto(address.href);
  await page.waitForFunction(() => document.readyState === 'complete' && document.body.innerText.trim() !== '');
  return page;
}

/** Requests of one command that the page has sent, the oldest first. */
export async function sent<N extends CommandName>(page: Page, name: N): Promise<Request<N>[]> {
  const all = await page.evaluate(() => globalThis.sent ?? []);
  return all.filter((one) => one.name === name).map(({ request }) => request as Request<N>);
}

/** The latest request of one command; undefined before the first. */
export async function lastSent<N extends CommandName>(page: Page, name: N): Promise<Request<N> | undefined> {
  return (await sent(page, name)).at(-1);
}

/** Keeps a picture of the page in ui/test/shots. */
export async function shoot(page: Page, name: string): Promise<void> {
  mkdirSync(SHOTS, { recursive: true });
  const size = page.viewportSize();
  await page.screenshot({ path: join(SHOTS, `${name}-${size?.width ?? 0}x${size?.height ?? 0}.png`) });
}
