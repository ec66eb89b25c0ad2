// `npm run walks`: three persons on their way through the shipped window to an answer, with times, and pictures in
// ui/test/shots (ui/test/walks).
import { RUST, ROOT, UI, cargoBuild } from './env.mjs';
import { TEST } from './needs.mjs';
import { buildPage } from './page.mjs';
import { run, Stop } from './run.mjs';
import { setup } from './setup.mjs';
import { join } from 'node:path';

export default async function () {
  const unmet = await setup({ rust: true, tests: TEST.filter(({ id }) => id === 'Xvfb' || id === 'WebKitWebDriver') });
  if (unmet.size > 0) throw new Stop([...unmet.values()].join('\n'));
  await buildPage();
  const code = await run('cargo', cargoBuild('rtoscope-app'), { cwd: RUST });
  if (code !== 0) throw new Stop('The app could not be built; the message is above.');
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  return run(process.execPath, [vitest, 'run', '--project', 'walks'], { cwd: UI });
}
