// `npm run bench -- watch [EXCHANGES]`: feeds a made capture of so many exchanges to `rtoscope watch` through a pipe,
// and prints the memory it holds as they pass. Memory is the resident set of /proc: Linux only.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { ENV, RUST } from './env.mjs';
import { exitCode, Stop } from './run.mjs';

/** Mean number of frames of an exchange in the captures that the benchmark `captures` makes. */
const FRAMES = 4.5;

/** Number of rows of the table. */
const ROWS = 20;

const RULES = [
  'needless > 20% for 5min',
  'lost per client > 20% for 5min',
  'duration_p95 of coap.code in {GET, POST, PUT} > 10s for 5min',
  'storm',
];

export default async function (exchanges = '1000000') {
  if (process.platform !== 'linux') throw new Stop('This benchmark reads /proc, which only Linux has.');
  const wanted = Number(exchanges);
  const rtoscope = await built('build', '--bin', 'rtoscope');
  const captures = await built('bench', '--no-run', '--bench', 'captures');
  const folder = mkdtempSync(join(tmpdir(), 'rtoscope-watch-'));
  try {
    return await measured(rtoscope, captures, wanted, join(folder, 'pipe'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measured(rtoscope, captures, wanted, fifo) {
  if (spawnSync('mkfifo', [fifo]).status !== 0) throw new Stop('mkfifo failed.');
  const frames = String(Math.ceil(wanted * FRAMES));
  const maker = spawn(captures, ['--make', frames, fifo], { env: ENV, stdio: ['ignore', 'inherit', 'inherit'] });
  // Waits for the maker to open its end.
  const input = openSync(fifo, 'r');
  const rules = RULES.flatMap((rule) => ['--alert', rule]);
  const watch = spawn(rtoscope, ['watch', '-', '--format', 'json', '--prometheus', '127.0.0.1:0', ...rules], {
    env: ENV,
    stdio: [input, 'pipe', 'pipe'],
  });
  closeSync(input);
  let alerts = 0;
  createInterface(watch.stdout).on('line', () => alerts++);
  let where = null;
  const words = [];
  createInterface(watch.stderr).on('line', (line) => {
    where = /^metrics at (\S+)$/.exec(line)?.[1] ?? where;
    words.push(line);
  });
  const ended = new Promise((resolve) => watch.on('close', (code, signal) => resolve(exitCode(code, signal))));
  const begun = Date.now();
  console.log(
    '| exchanges | frames | frames kept | alerts | resident memory | seconds |\n|---:|---:|---:|---:|---:|---:|',
  );
  let next = 0;
  let code = null;
  void ended.then((value) => (code = value));
  while (code === null) {
    await pause(200);
    const metrics = where && (await read(where));
    const resident = memory(watch.pid);
    if (!metrics || !resident) continue;
    const sum = (name) =>
      [...metrics.matchAll(new RegExp(`^rtoscope_${name}(?:\\{.*\\})? (\\d+)$`, 'gm'))].reduce(
        (n, m) => n + Number(m[1]),
        0,
      );
    const done = sum('exchanges_total');
    if (done < next) continue;
    next = Math.max(next, done) + wanted / ROWS;
    const seconds = ((Date.now() - begun) / 1000).toFixed(0);
    const cells = [done, sum('frames_total'), sum('window_frames'), alerts].map((n) => n.toLocaleString('en'));
    console.log(`| ${[...cells, `${(resident / 1024).toFixed(0)} MB`, seconds].join(' | ')} |`);
  }
  maker.kill();
  console.log(`\n${words.filter((line) => !line.startsWith('note: ')).join('\n')}`);
  return code;
}

/**
 * Builds with cargo's subcommand and arguments; resolves to the path of the program, rejects with Stop where the build
 * fails.
 */
function built(...args) {
  const cargo = spawn(
    'cargo',
    [args[0], '--release', '--locked', '--workspace', '--message-format=json', ...args.slice(1)].filter(
      (word) => !(args[0] === 'bench' && word === '--release'),
    ),
    { cwd: RUST, env: ENV, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let program = null;
  createInterface(cargo.stdout).on('line', (line) => {
    if (line.startsWith('{')) program = JSON.parse(line).executable ?? program;
  });
  return new Promise((resolve, reject) => {
    cargo.on('error', reject);
    cargo.on('close', (code) => {
      if (code === 0 && program) resolve(program);
      else reject(new Stop(`cargo ${args[0]} ended with ${code}.`));
    });
  });
}

/** Resident memory of a process, KiB; null where it has ended. */
function memory(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return null;
  }
}

/** Text at an address; null where it cannot be fetched. */
const read = (url) =>
  new Promise((resolve) => {
    get(url, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (piece) => (text += piece));
      reply.on('end', () => resolve(text));
    }).on('error', () => resolve(null));
  });
