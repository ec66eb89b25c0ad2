// A study in the shipped binary: it runs, the window is closed in the middle, and it goes on where it was.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from '../../../scripts/env.mjs';
import { start, type App } from './app';

const folder = mkdtempSync(join(tmpdir(), 'rtoscope-study-'));
const file = join(folder, 'study.toml');
const traces = join(ROOT, 'traces').replaceAll('\\', '/');
// The first capture has its rows in a moment; the others take longer than anyone waits here.
writeFileSync(
  file,
  `replicates = 2000
channels = ["empirical"]
[[captures]]
paths = ["${traces}/live-{scenario}-default/capture.pcap.gz", "${traces}/{scenario}-cocoa/capture.pcap.gz"]
[[timers]]
algorithm = "coap_default"
[[timers]]
algorithm = "cocoa_plus"
`,
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const STATE = `document.querySelector('[aria-label="State of the study"]')?.textContent ?? ''`;

/** The app with the study open. */
async function opened(): Promise<App> {
  const app = await start();
  try {
    await app.session.find('#tab-study');
    await app.session.execute(
      `localStorage.setItem('rtoscope', JSON.stringify({ toured: true, view: 'study', studies: [arguments[0]] })); window.left = true; location.reload();`,
      file,
    );
    // A click on the page that is left would store its preferences over these.
    await app.session.until(
      'the study in the list',
      `if (window.left) return false;
      if (!document.querySelector('.study')) document.querySelector('#tab-study')?.click();
      return document.querySelector('.study .recent .btn') !== null`,
    );
    await app.session.execute(`document.querySelector('.study .recent .btn').click()`);
    await app.session.until('its state', `return (${STATE}) !== ''`);
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Files below a folder. */
const files = (of: string): string[] => readdirSync(of, { recursive: true }).map(String);

test('a study that was running when the window closed goes on', async () => {
  const first = await opened();
  await first.session.execute(`document.querySelector('.state .btn.pri').click()`);
  await first.session.until('a first row', `return /Running.*[1-9][0-9]* of [0-9]+/s.test(${STATE})`);
  await first.close();
  // `scenario=NAME/KEY.parquet`
  const kept = files(join(folder, 'study', 'rows')).filter((name) => name.includes('/'));
  expect(kept.length).toBeGreaterThan(0);
  expect(
    kept.filter((name) => !name.endsWith('.parquet')),
    'no file is half written',
  ).toEqual([]);

  const second = await opened();
  try {
    await second.session.until('what is missing', `return /Not finished.*[1-9][0-9]* of [0-9]+/s.test(${STATE})`);
    await second.session.execute(`document.querySelector('.state .btn.pri').click()`);
    await second.session.until('it to go on', `return /Running/.test(${STATE})`);
    await second.session.execute(`document.querySelector('.state .btn').click()`);
    await second.session.until('it to stop', `return /Not finished/.test(${STATE})`);
  } finally {
    await second.close();
  }
}, 90_000);
