// `npm run bench`: the benchmarks, as ratios to a peer in the same run. `npm run bench -- window [FRAMES]`: what a frame
// costs while a large capture is panned and zoomed. `npm run bench -- stops [FRAMES] [WORD]`: of every request on such a
// capture how long it takes, whether it says how far it is, and how soon it stops.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import app from './app.mjs';
import { ENV, ROOT, RUST, UI } from './env.mjs';
import { TEST } from './needs.mjs';
import page from './page.mjs';
import { onPath, run, Stop } from './run.mjs';
import { setup } from './setup.mjs';

const BENCHES = ['speed', 'replicates', 'captures', 'exchanges'];

export default async function (args) {
  if (args[0] === 'window') return inWindow(args[1]);
  if (args[0] === 'stops') return stops(args[1], args.slice(2));
  const named = BENCHES.flatMap((name) => ['--bench', name]);
  const code = await run('cargo', ['bench', '--locked', '--workspace', ...named, '--', ...args], { cwd: RUST });
  if (code !== 0 || !onPath('tshark')) return code;
  console.log('\ntshark -Y coap -T fields, with the dissector and without:');
  return run(process.execPath, [join(ROOT, 'wireshark', 'test', 'bench.mjs')]);
}

async function stops(frames = '5000000', words = []) {
  const folder = mkdtempSync(join(tmpdir(), 'rtoscope-stops-'));
  const capture = join(folder, 'capture.pcapng');
  const bench = (name, ...args) =>
    run('cargo', ['bench', '--locked', '--workspace', '--bench', name, '--', ...args], { cwd: RUST });
  try {
    return (await bench('captures', '--make', frames, capture)) || (await bench('stops', capture, ...words));
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
  for (const build of [page, app]) {
    const code = await build();
    if (code) return code;
  }
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const env = { ...ENV, RTOSCOPE_FRAMES: frames };
  return run(process.execPath, [vitest, 'run', '--project', 'window'], { cwd: UI, env });
}
