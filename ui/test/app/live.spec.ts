// A recording watched in the shipped binary: a pipe as the sniffer, frames on the timeline as they come, and on the
// disk what was sent.
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

/** The window in both themes, to be looked at. */
async function shoot(name: string) {
  mkdirSync(SHOTS, { recursive: true });
  for (const theme of ['light', 'dark']) {
    await app.session.execute(`document.documentElement.dataset.theme = arguments[0]`, theme);
    writeFileSync(join(SHOTS, `app-live-${name}-${theme}.png`), await app.session.screenshot());
  }
}

/** A block of pcapng, little-endian. */
function block(kind: number, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(kind);
  head.writeUInt32LE(body.length + 12, 4);
  return Buffer.concat([head, body, head.subarray(4)]);
}

/**
 * Records of a sniffer that hears the first `count` frames and drops those of which `drops` says so; its clock shows
 * `ahead` µs more and gains `ppm`.
 */
function sniffer(count: number, drops: (at: number) => boolean, ahead: number, ppm: number): Buffer {
  const section = Buffer.from([0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255]);
  const blocks = [block(0x0a0d0d0a, section), block(1, Buffer.from([195, 0, 0, 0, 0, 0, 0, 0]))];
  const { frames } = sent(count);
  const micros = (at: number) => SENT.readUInt32BE(at) * 1e6 + SENT.readUInt32BE(at + 4);
  const began = micros(24);
  let [at, dropped] = [24, 0];
  for (const [number, frame] of frames.entries()) {
    const time = micros(at) + ahead + Math.round(((micros(at) - began) * ppm) / 1e6);
    at += 16 + frame.length;
    if (drops(number)) {
      dropped += 1;
      continue;
    }
    const body = Buffer.alloc(20 + Math.ceil(frame.length / 4) * 4 + 16);
    body.writeUInt32LE(Math.floor(time / 2 ** 32), 4);
    body.writeUInt32LE(time % 2 ** 32, 8);
    body.writeUInt32LE(frame.length, 12);
    body.writeUInt32LE(frame.length, 16);
    frame.copy(body, 20);
    // `epb_dropcount`, and the end of options.
    body.writeUInt32LE(0x0008_0004, body.length - 16);
    body.writeUInt32LE(dropped, body.length - 12);
    dropped = 0;
    blocks.push(block(6, body));
  }
  return Buffer.concat(blocks);
}

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
  const counts = `[...document.querySelectorAll('.field .end .count')].map((c) => Number(c.textContent.replaceAll(/[^0-9]/g, '')))`;
  await app.session.until('exchanges', `return ${counts}.some((n) => n > 0)`);
  const before = await app.session.execute<number>(`return ${counts}.reduce((a, b) => a + b, 0)`);
  write(first.end, all.end);
  await saysFrames(6_000);
  await inRail(6_000);
  await app.session.until('more exchanges', `return ${counts}.reduce((a, b) => a + b, 0) > arguments[0]`, before);
  await shoot('recording');
  // On the disk already, before anybody stops it.
  expect(recorded(out).length).toBe(6_000);
  await app.session.execute(`${PANEL}.querySelector('.now button').click()`);
  await app.session.until('it has stopped', `return ${PANEL}.querySelector('[role=status]') === null`);
  closeSync(pipe);
  expect(Buffer.concat(recorded(out)).equals(Buffer.concat(all.frames))).toBe(true);
});

test('two sniffers, their clocks brought together, and what one of them dropped', async () => {
  const [one, two, out] = [join(folder, 'one'), join(folder, 'two'), join(folder, 'both.pcapng')];
  execFileSync('mkfifo', [one, two]);
  await app.session.execute(`${PANEL}.querySelector('.more').click()`);
  await app.session.until('a second', `return ${PANEL}.querySelector('#live-device-1') !== null`);
  await type('#live-device-0', `pipe:${one}`);
  await type('#live-device-1', `pipe:${two}`);
  await type('#live-path', out);
  await shoot('idle');
  const submit = `${PANEL}.querySelector('button[type=submit]')`;
  await app.session.until('it can be recorded', `return !${submit}.disabled`);
  await app.session.execute(`${submit}.click()`);
  await app.session.until('it is recorded', `return ${PANEL}.querySelector('[role=status]') !== null`);
  const drops = (at: number) => at % 7 === 6;
  // The second is an hour ahead and 30 ppm fast, and drops every seventh frame: 428 of 3000.
  const streams: [string, Buffer][] = [
    [one, sniffer(3_000, () => false, 0, 0)],
    [two, sniffer(3_000, drops, 3_600_000_000, 30)],
  ];
  const pipes = streams.map(([path, octets]) => {
    const pipe = openSync(path, 'w');
    for (let at = 0; at < octets.length;) at += writeSync(pipe, octets, at, Math.min(octets.length - at, 65_536));
    return pipe;
  });
  await saysFrames(3_000 + 2_572);
  const says = (what: string) => app.session.until(what, `return ${PANEL}.textContent.includes(arguments[0])`, what);
  await says('428 dropped, 0 lost');
  await says('Clock: aligned on ');
  await says('Clock: the others follow it');
  await shoot('drops');
  // A window waits for a device that has gone.
  for (const path of [one, two]) rmSync(path);
  for (const pipe of pipes) closeSync(pipe);
  await says('Waiting: it has ended');
  await shoot('gone');
  await app.session.execute(`${PANEL}.querySelector('.now button').click()`);
  await app.session.until('it has stopped', `return ${PANEL}.querySelector('[role=status]') === null`);
  expect(recorded(out).length).toBe(5_572);
  await app.session.until('it can be recorded again', `return ${submit}?.disabled === false`);
  // The recording stays: a second one of the same name is refused, and why is said.
  await app.session.execute(`${submit}.click()`);
  await says('is there already and stays');
  await shoot('refused');
});
