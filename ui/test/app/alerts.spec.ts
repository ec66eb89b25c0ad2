// Alerts in the shipped binary: a storm is followed as it is written, its alerts are listed, and one of them is gone
// to.
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../../scripts/env.mjs';
import { start, type App } from './app';

const SHOTS = join(import.meta.dirname, '../shots');
const WRITTEN = gunzipSync(readFileSync(join(ROOT, 'traces', 'tsch-slow-chain5-default', 'capture.pcap.gz')));
const HALF = WRITTEN.length / 2;
let app: App;
let folder: string;
let file: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rtoscope-alerts-'));
  file = join(folder, 'storm.pcap');
  writeFileSync(file, WRITTEN.subarray(0, HALF));
  app = await start(file);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const PANEL = `document.querySelector('section[aria-label="Live capture"]')`;
const LISTED = `${PANEL}.querySelectorAll('ol[aria-label="Alerts, newest first"] button')`;

test('a rule is typed, and its alerts come as the file grows', async () => {
  await app.session.find('section[aria-label="Live capture"]');
  await app.session.execute(`${PANEL}.querySelector('.fold').click()`);
  await app.session.execute(`${PANEL}.querySelector('.alerts .under button').click()`);
  await app.session.until('a row', `return ${PANEL}.querySelector('.alerts textarea') !== null`);
  await app.session.execute(
    `const field = ${PANEL}.querySelector('.alerts textarea');
     field.value = 'lost per client > 5% for 2min with 5';
     field.dispatchEvent(new Event('change', { bubbles: true }));`,
  );
  await app.session.until('the file', `return document.querySelector('[aria-label="Follow storm"]') !== null`);
  await app.session.execute(`document.querySelector('[aria-label="Follow storm"]').click()`);
  await app.session.until('alerts', `return ${LISTED}.length > 0`);
  const before = await app.session.execute<number>(`return ${LISTED}.length`);
  appendFileSync(file, WRITTEN.subarray(HALF));
  await app.session.until('more alerts', `return ${LISTED}.length > arguments[0]`, before);
  mkdirSync(SHOTS, { recursive: true });
  for (const theme of ['light', 'dark']) {
    await app.session.execute(`document.documentElement.dataset.theme = arguments[0]`, theme);
    writeFileSync(join(SHOTS, `app-alerts-${theme}.png`), await app.session.screenshot());
  }
  await app.session.until('its time', `return !${LISTED}[0].disabled`);
  await app.session.execute(`${LISTED}[0].click()`);
  await app.session.until('its lane', `return document.querySelector('.group.marked') !== null`);
  expect(await app.session.execute(`return document.querySelector('#tab-timeline').ariaSelected`)).toBe('true');
});
