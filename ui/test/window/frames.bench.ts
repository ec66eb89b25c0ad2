// `npm run bench -- window [FRAMES]`: what a frame costs while a large capture is panned and zoomed, in the shipped
// binary (WebKitGTK under Xvfb) and in headless Chromium on the same core. Measured, never asserted. The binary is
// measured twice: as it draws by itself on a machine without a graphics processor, which is without GL, so that the
// main thread's time is script, style, layout and paint and nothing else; and made to hand its layers and canvases to a
// GL that the processor draws. Every gesture is made twice in one window: what happens once in the life of a window is
// in the first pass only.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, inject, test } from 'vitest';
import { RUST } from '../../../scripts/env.mjs';
import { startWith } from '../app/app';
import { connect, core } from './core';
import { HEAD, move, MOVES, say, spread, type Cost } from './measure';
import { family, follow, MAIN, peakOf, threadsOf } from './processes';

const FRAMES = process.env.RTOSCOPE_FRAMES ?? '5000000';
/** Longest wait, ms: the import of the largest captures takes a while. */
const WITHIN = 600_000;
/** Body of a function: whether the recorded lanes are there. */
const OPEN = `return document.querySelectorAll('.field .end .count:not(:empty)').length > 0`;
/** Body of a function: whether the lanes of all algorithms are there. */
const REPLAYED = `return [...document.querySelectorAll('.field .end .count')].every((count) => count.textContent !== '')`;
const SHOWN = ['cocoa_plus', 'rfc6298_coap', 'lee2016'];
/**
 * Bodies that move the playhead to the middle of the capture, and from there to a copy, so that there is something to
 * see at every zoom.
 */
const SEEK = `
  const knob = document.querySelector('input[aria-label="Playhead"]');
  knob.value = '0.5';
  knob.dispatchEvent(new InputEvent('input', { bubbles: true }));`;
const STEP = `document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '.', bubbles: true }))`;
const CLOCK = `return document.querySelector('footer .now').textContent`;
const AXIS = `return document.querySelector('svg.axis').textContent`;

/** Repetitions of every gesture. */
const PASSES = ['first', 'again'] as const;
/** Time of the main thread in each frame, ms, by way of drawing, then by gesture and pass. */
const mains = new Map<string, Map<string, readonly number[]>>();

let folder = '';
let capture = '';

function bench(...args: string[]) {
  return execFileSync('cargo', ['bench', '--locked', '--workspace', ...args], { cwd: RUST, encoding: 'utf8' });
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rtoscope-window-'));
  capture = join(folder, 'capture.pcapng');
  bench('--bench', 'captures', '--', '--make', FRAMES, capture);
  const said = bench('--bench', 'captures', '--', '--child', capture).trim().split('\n').at(-1) ?? '';
  const [frames, messages, exchanges, reading, analysis] = said.split(' ').map(Number);
  console.log(
    `${String(frames)} frames, ${(statSync(capture).size / 1e6).toFixed(0)} MB, ${String(messages)} CoAP messages, ` +
      `${String(exchanges)} exchanges; read in ${(reading ?? NaN).toFixed(1)} s, analysed in ${(analysis ?? NaN).toFixed(1)} s`,
  );
}, WITHIN);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  console.log(compared());
});

/**
 * Table of the main thread's times, a column for each way of drawing. The difference of the first two is the cost of a
 * GL that the processor draws.
 */
function compared(): string {
  const ways = [...mains.keys()];
  const line = (name: string, cells: readonly string[]) =>
    `  ${name.padEnd(34)}${cells.map((cell) => cell.padStart(26)).join('')}`;
  const rows = MOVES.flatMap(([name]) =>
    PASSES.map((pass) =>
      line(
        `${name}, ${pass}`,
        ways.map((way) => spread(mains.get(way)?.get(`${name}, ${pass}`) ?? [])),
      ),
    ),
  );
  return ['Main thread a frame, ms, median and 95th percentile:', line('', ways), ...rows].join('\n');
}

/**
 * Writes a session file with the capture and the algorithms of a first comparison, in one replicate each, and returns
 * its path: the lanes draw only one replicate, and all of them would keep a small machine busy for longer than this
 * takes.
 */
function session(): string {
  const octets = readFileSync(capture);
  const sha256 = createHash('sha256').update(octets).digest('hex');
  const path = join(folder, 'capture.rtoscope.json');
  const decode = { fcs: 'auto', ports: [], rc_option: null, contexts: [], keys: 0, addresses: [], unpack_ratio: null };
  const file = {
    ...{ format: 'rtoscope-session', version: 1, program: '', current: 0, view: 'timeline', metrics: null },
    captures: [
      {
        ...{ name: '', sample: null, selection: null, playhead: 0, association: 0, tags: {}, decode },
        files: [{ name: 'capture.pcapng', path: capture, sha256, octets: octets.length }],
        window: [0, 2 ** 52],
      },
    ],
    algorithms: SHOWN.map((id) => ({ id, params: {} })),
    ...{ baseline: null, what_if: null, report: { title: '', notes: '', sections: [] } },
    replay: { channel: 'empirical', workload: 'auto', seed: 1, replicates: 1 },
  };
  writeFileSync(path, JSON.stringify(file));
  return path;
}

async function until(what: string, done: () => Promise<boolean>): Promise<number> {
  const from = performance.now();
  while (!(await done())) {
    if (performance.now() - from > WITHIN) throw new Error(`Waited ${String(WITHIN / 1000)} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return (performance.now() - from) / 1000;
}

/** Processes whose processor time is reported: those at or below `roots`, by kind. */
interface Reported {
  roots: () => readonly number[];
  kinds: readonly string[];
}

/** Opens the Timeline and makes every move; `run` is the body of a function, run in the page. */
async function measure(
  way: string,
  run: <T>(body: string, ...args: unknown[]) => Promise<T>,
  opened: () => number,
  { roots, kinds }: Reported,
) {
  const byName = new Map<string, readonly number[]>();
  mains.set(way, byName);
  const key = `document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '1', bubbles: true }))`;
  await until('the lanes', async () => {
    await run(key);
    return run<boolean>(OPEN);
  });
  console.log(`  open after ${opened().toFixed(1)} s`);
  await until('what would have happened', () => run<boolean>(REPLAYED));
  const lanes = await run<number>(`return document.querySelectorAll('.field .lane').length`);
  console.log(`  ${String(lanes)} lanes after ${opened().toFixed(1)} s`);
  await run(SEEK);
  const sought = await run<string>(CLOCK);
  await run(STEP);
  await until('a copy', async () => (await run<string>(CLOCK)) !== sought);
  const pids = (kind: string) => family(roots()).flatMap((one) => (one.kind === kind ? [one.pid] : []));
  const [page = ''] = kinds;
  const shares: string[] = [];
  console.log(HEAD);
  const gestures = PASSES.flatMap((pass) => MOVES.map(([name, moves]) => [`${name}, ${pass}`, moves] as const));
  for (const [name, moves] of gestures) {
    const before = await run<string>(AXIS);
    const times = kinds.map((kind) => threadsOf(pids(kind)));
    const stop = follow(pids(page));
    await run(`(${move.toString()})(arguments[0])`, moves);
    await until(name, () => run<boolean>('return window.moved !== undefined'));
    const time = stop();
    if ((await run<string>(AXIS)) === before && !name.startsWith('pan')) throw new Error(`${name} moved nothing`);
    const cost = await run<Cost>('return window.moved');
    const main = cost.begun.slice(1).map((begun, index) => time(begun) - time(cost.begun[index] ?? NaN));
    byName.set(name, main);
    console.log(say(name, cost, main));
    const share = kinds.map((kind, index) => {
      const each = [...threadsOf(pids(kind))]
        .map(([thread, now]) => [thread, (now - (times[index]?.get(thread) ?? 0)) / moves.length] as const)
        .filter(([thread, ms]) => thread === MAIN || ms >= 0.5)
        .toSorted((a, b) => b[1] - a[1]);
      return `${kind}: ${each.map(([thread, ms]) => `${thread} ${ms.toFixed(1)}`).join(', ')}`;
    });
    shares.push(`  ${name.padEnd(34)} ${share.join('; ')}; load of the machine ${(loadavg()[0] ?? 0).toFixed(1)}`);
  }
  console.log(`  Processor time a frame by thread, in ms; a software GL has its own:\n${shares.join('\n')}`);
}

async function inWebKit(way: string, variables: NodeJS.ProcessEnv): Promise<void> {
  const from = performance.now();
  const app = await startWith(variables, session());
  try {
    console.log(`${way}, the shipped binary:`);
    await measure(
      way,
      (body, ...args) => app.session.execute(body, ...args),
      () => (performance.now() - from) / 1000,
      { roots: () => [app.driver], kinds: ['WebKitWebProces', 'rtoscope-app'] },
    );
    const memory = (kind: string) =>
      family([app.driver]).flatMap((one) => (one.kind === kind ? [peakOf(one.pid).toFixed(0)] : []));
    console.log(
      `  most memory ${memory('rtoscope-app').join()} MB, web process ${memory('WebKitWebProces').join()} MB`,
    );
  } finally {
    await app.close();
  }
}

test('WebKitGTK', () => inWebKit('WebKitGTK', {}), WITHIN);
test(
  'WebKitGTK with a GL that the processor draws',
  () => inWebKit('WebKitGTK, software GL', { WEBKIT_FORCE_COMPOSITING_MODE: '1' }),
  WITHIN,
);

test(
  'Chromium',
  async () => {
    const said = execFileSync(
      'cargo',
      ['bench', '--locked', '--workspace', '--bench', 'serve', '--no-run', '--message-format', 'json'],
      { cwd: RUST, encoding: 'utf8', maxBuffer: 1 << 28 },
    );
    const binary = /"executable":"([^"]*\/serve-[^"]*)"/.exec(said)?.[1];
    if (binary === undefined) throw new Error('The core for this bench was not built.');
    const browser = await chromium.connect(inject('browser'));
    const behind = core(binary);
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      const stored = { toured: true, replicates: 1, shown: SHOWN.map((id) => ({ id, params: {} })) };
      await page.addInitScript((prefs) => localStorage.setItem('rtoscope', prefs), JSON.stringify(stored));
      const from = performance.now();
      await connect(page, behind, [capture]);
      await page.goto(inject('page'));
      console.log('Chromium, headless, the same core over pipes:');
      await measure(
        'Chromium',
        (body, ...args) => page.evaluate(`(function () { ${body} }).apply(null, ${JSON.stringify(args)})`),
        () => (performance.now() - from) / 1000,
        { roots: () => [process.pid, process.ppid], kinds: ['renderer', 'gpu-process'] },
      );
      console.log(`  most memory ${behind.peak().toFixed(0)} MB, the core alone`);
    } finally {
      behind.end();
      await browser.close();
    }
  },
  WITHIN,
);
