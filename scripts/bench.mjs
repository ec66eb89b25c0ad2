// `npm run bench [-- FILTER]`: runs the benchmarks; times are ratios to a peer in the same run.
// `npm run bench -- NAME [FILTER]`: runs one of them: speed, replicates, captures, exchanges, steps or californium. The
// last needs a JDK, Maven and, the first time, the network: without RTOSCOPE_CALIFORNIUM=1 it says so.
// `npm run bench -- replays [FRAMES]`: times replays as the product does them, by the command line and by the app's
// request. `npm run bench -- study [REPLICATES]`: rows of a study a second and core, and what opening its captures
// takes of that; then the same study on workers of Dask: two against one, and what Dask takes.
// `npm run bench -- window [FRAMES]`: measures frame times while a large capture is panned and zoomed.
// `npm run bench -- stops [FRAMES] [WORD]`: measures for every request on such a capture its duration, its progress
// reports and the time it needs to stop. `npm run bench -- twin [WORD]`: measures speed, stops and memory of the
// network twin; with WORD only captures that have it in their paths. `npm run bench -- watch [EXCHANGES]`: feeds a made
// capture to `rtoscope watch` and prints its memory as it passes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import watching from './bench-watch.mjs';
import { ENV, ROOT, RUST, UI, cargoBuild } from './env.mjs';
import { TEST } from './needs.mjs';
import { buildPage } from './page.mjs';
import python from './python.mjs';
import { onPath, run, Stop } from './run.mjs';
import { setup } from './setup.mjs';

const BENCHES = ['speed', 'replicates', 'captures', 'exchanges', 'steps', 'californium'];

export default async function (args) {
  if (args[0] === 'window') return inWindow(args[1]);
  if (args[0] === 'stops') return stops(args[1], args.slice(2));
  if (args[0] === 'replays') return made(args[1] ?? '45000', 'replays');
  if (args[0] === 'study') return (await bench('study', ...args.slice(1))) || python(['bench', ...args.slice(1)]);
  if (args[0] === 'twin') return bench('twin', ...args.slice(1));
  if (args[0] === 'watch') return watching(args[1]);
  const one = BENCHES.includes(args[0]);
  const named = (one ? args.slice(0, 1) : BENCHES).flatMap((name) => ['--bench', name]);
  const rest = one ? args.slice(1) : args;
  const code = await run('cargo', ['bench', '--locked', '--workspace', ...named, '--', ...rest], { cwd: RUST });
  if (code !== 0 || one || !onPath('tshark')) return code;
  console.log('\ntshark -Y coap -T fields, with the dissector and without:');
  return run(process.execPath, [join(ROOT, 'wireshark', 'test', 'bench.mjs')]);
}

const bench = (name, ...args) =>
  run('cargo', ['bench', '--locked', '--workspace', '--bench', name, '--', ...args], { cwd: RUST });

const stops = (frames = '5000000', words = []) => made(frames, 'stops', ...words);

/**
 * Runs a benchmark on a capture of so many frames, which is made for it and removed; 4.5 frames are one exchange.
 * Resolves to the exit code.
 */
async function made(frames, name, ...words) {
  const folder = mkdtempSync(join(tmpdir(), `rtoscope-${name}-`));
  const capture = join(folder, 'capture.pcapng');
  try {
    return (await bench('captures', '--make', frames, capture)) || (await bench(name, capture, ...words));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function inWindow(frames = '5000000') {
  const unmet = await setup({
    rust: true,
    tests: TEST.filter(({ id }) => ['chromium', 'Xvfb', 'WebKitWebDriver'].includes(id)),
  });
  if (unmet.size > 0) throw new Stop([...unmet.values()].join('\n'));
  await buildPage();
  const code = await run('cargo', cargoBuild('rtoscope-app', 'rtoscope'), { cwd: RUST });
  if (code !== 0) return code;
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const env = { ...ENV, RTOSCOPE_FRAMES: frames };
  return run(process.execPath, [vitest, 'run', '--project', 'window'], { cwd: UI, env });
}
