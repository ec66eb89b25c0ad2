// A recording watched in the shipped binary: a pipe as the sniffer, frames on the timeline as they come, and on the disk what was sent.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../../scripts/env.mjs';
import { start, type App } from './app';

const SHOTS = join(import.meta.dirname, '../shots');
const SENT = gunzipSync(readFileSync(join(ROOT, 'traces', 'chain6-periodic-default', 'capture.pcap.gz')));
let app: App;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rtoscope-live-'));
  app = await start();
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Frames of the first `count` records of the capture that is sent, and where the last ends. */
function sent(count: number): { frames: Buffer[]; end: number } {
  const frames: Buffer[] = [];
  let at = 24;
  while (frames.length < count) {
    const length = SENT.readUInt32BE(at + 8);
    frames.push(SENT.subarray(at + 16, at + 16 + length));
    at += 16 + length;
  }
  return { frames, end: at };
}

/** Frames of the enhanced packet blocks of a pcapng file in this machine's byte order. */
function recorded(path: string): Buffer[] {
  const octets = readFileSync(path);
  const frames: Buffer[] = [];
  for (let at = 0; at < octets.length; at += octets.readUInt32LE(at + 4)) {
    if (octets.readUInt32LE(at) !== 6) continue;
    frames.push(octets.subarray(at + 28, at + 28 + octets.readUInt32LE(at + 20)));
  }
  return frames;
}

const PANEL = `document.querySelector('section[aria-label="Live capture"]')`;
const type = (selector: string, text: string) =>
  app.session.execute(
    `const field = ${PANEL}.querySelector(arguments[0]);
     field.value = arguments[1];
     field.dispatchEvent(new Event('input', { bubbles: true }));`,
    selector,
    text,
  );
const saysFrames = (count: number) =>
  app.session.until(
    `${count} frames`,
    `return ${PANEL}.textContent.replaceAll(/[^0-9a-z]/g, '').includes(arguments[0])`,
    `${count}frame`,
  );
/** Frames that the rail shows of the capture. */
const inRail = (count: number) =>
  app.session.until(
    `${count} frames in the rail`,
    `return document.querySelector('.cap.on .n')?.textContent.replaceAll(/[^0-9]/g, '') === arguments[0]`,
    String(count),
  );

test('frames are on the timeline as they come, and on the disk as they were sent', async () => {
  const [fifo, out] = [join(folder, 'fifo'), join(folder, 'live.pcapng')];
  execFileSync('mkfifo', [fifo]);
  await app.session.find('section[aria-label="Live capture"]');
  await app.session.execute(`${PANEL}.querySelector('.fold').click()`);
  await type('#live-device-0', `pipe:${fifo}`);
  await type('#live-path', out);
  await app.session.until('it can be recorded', `return !${PANEL}.querySelector('button[type=submit]').disabled`);
  await app.session.execute(`${PANEL}.querySelector('button[type=submit]').click()`);
  await app.session.until('it is recorded', `return ${PANEL}.querySelector('[role=status]') !== null`);
  const pipe = openSync(fifo, 'w');
  const [first, all] = [sent(2_000), sent(6_000)];
  const write = (from: number, to: number) => {
    for (let at = from; at < to;) at += writeSync(pipe, SENT, at, Math.min(to - at, 65_536));
  };
  write(0, first.end);
  await saysFrames(2_000);
  await inRail(2_000);
  // Its lanes have exchanges, on the timeline, while it goes on.
  await app.session.execute(`document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '1', bubbles: true }))`);
  const counts = `[...document.querySelectorAll('.field .lane .count')].map((c) => Number(c.textContent.replaceAll(/[^0-9]/g, '')))`;
  await app.session.until('exchanges', `return ${counts}.some((n) => n > 0)`);
  const before = await app.session.execute<number>(`return ${counts}.reduce((a, b) => a + b, 0)`);
  write(first.end, all.end);
  await saysFrames(6_000);
  await inRail(6_000);
  await app.session.until('more exchanges', `return ${counts}.reduce((a, b) => a + b, 0) > arguments[0]`, before);
  mkdirSync(SHOTS, { recursive: true });
  writeFileSync(join(SHOTS, 'app-live.png'), await app.session.screenshot());
  // On the disk already, before anybody stops it.
  expect(recorded(out).length).toBe(6_000);
  await app.session.execute(`${PANEL}.querySelector('.now button').click()`);
  await app.session.until('it has stopped', `return ${PANEL}.querySelector('[role=status]') === null`);
  closeSync(pipe);
  expect(Buffer.concat(recorded(out)).equals(Buffer.concat(all.frames))).toBe(true);
});
