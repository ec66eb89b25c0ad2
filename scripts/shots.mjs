// `npm run shots [-- DIR] [NAMES]`: takes pictures of every view and every figure, in both themes and three sizes, into
// DIR (default: ui/test/shots). NAMES is a regular expression over their names.
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { ENV, ROOT, RUST, UI, typedIn } from './env.mjs';
import { TEST } from './needs.mjs';
import page from './page.mjs';
import { run, Stop } from './run.mjs';
import { setup } from './setup.mjs';

/** Builds the core behind pipes (crates/api/benches/serve.rs) and returns its path. */
export function serve() {
  const args = ['bench', '--locked', '--workspace', '--bench', 'serve', '--no-run', '--message-format', 'json'];
  const said = execFileSync('cargo', args, { cwd: RUST, env: ENV, encoding: 'utf8', maxBuffer: 1 << 28 });
  const binary = /"executable":"([^"]*\/serve-[^"]*)"/.exec(said)?.[1];
  if (binary === undefined) throw new Stop('The core behind pipes was not built.');
  return binary;
}

export default async function ([folder = join(UI, 'test', 'shots'), only = '']) {
  const unmet = await setup({ rust: true, tests: TEST.filter(({ id }) => id === 'chromium') });
  if (unmet.size > 0) throw new Stop([...unmet.values()].join('\n'));
  await page();
  const env = {
    ...ENV,
    RTOSCOPE_SHOTS: resolve(typedIn('shots'), folder),
    RTOSCOPE_CORE: serve(),
    RTOSCOPE_ONLY: only,
  };
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  return run(process.execPath, [vitest, 'run', '--project', 'pictures'], { cwd: UI, env });
}
