// A file followed in the shipped binary while something else writes it: frames in the rail as they come, and at the end
// what its writer left.
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../../scripts/env.mjs';
import { start, type App } from './app';

const SHOTS = join(import.meta.dirname, '../shots');
const WRITTEN = gunzipSync(readFileSync(join(ROOT, 'traces', 'chain6-periodic-default', 'capture.pcap.gz')));
let app: App;
let folder: string;
let file: string;

/** Octet at which the first `records` records end. */
function end(records: number): number {
  let at = 24;
  for (let record = 0; record < records; record++) at += 16 + WRITTEN.readUInt32BE(at + 8);
  return at;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rtoscope-follow-'));
  file = join(folder, 'growing.pcap');
  writeFileSync(file, WRITTEN.subarray(0, end(2_000)));
  app = await start(file);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const inRail = (count: number) =>
  app.session.until(
    `${count} frames in the rail`,
    `return document.querySelector('.cap.on .n')?.textContent.replaceAll(/[^0-9]/g, '') === arguments[0]`,
    String(count),
  );
const button = (name: string) => `document.querySelector('[aria-label="${name}"]')`;

async function shoot(name: string) {
  mkdirSync(SHOTS, { recursive: true });
  for (const theme of ['light', 'dark']) {
    await app.session.execute(`document.documentElement.dataset.theme = arguments[0]`, theme);
    writeFileSync(join(SHOTS, `app-follow-${name}-${theme}.png`), await app.session.screenshot());
  }
}

test('a capture grows in the window while its file is written, until it is stopped', async () => {
  await inRail(2_000);
  await app.session.execute(`${button('Follow growing')}.click()`);
  await app.session.until('it is followed', `return ${button('Stop following growing')} !== null`);
  appendFileSync(file, WRITTEN.subarray(end(2_000), end(4_000)));
  await inRail(4_000);
  // Half of a record is nothing yet.
  appendFileSync(file, WRITTEN.subarray(end(4_000), end(6_000) + 9));
  await inRail(6_000);
  await shoot('growing');
  const notes = `return ${button('Import summary of growing')}.title`;
  const before = await app.session.execute<string>(notes);
  // One capture it was, and one it is.
  expect(await app.session.execute(`return document.querySelectorAll('.cap').length`)).toBe(1);
  await app.session.execute(`${button('Stop following growing')}.click()`);
  await app.session.until('it is stopped', `return ${button('Follow growing')} !== null`);
  await app.session.until('the unfinished record is noted', `${notes} !== arguments[0]`, before);
  appendFileSync(file, WRITTEN.subarray(end(6_000) + 9, end(7_000)));
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  await inRail(6_000);
});
