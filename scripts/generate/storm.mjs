// `npm run storm`: computes docs/storm.md and its figures from the bundled captures. The test that holds them against
// the program (`replay/tests/storm.rs`) writes them. Needs Rust only.
import { ENV, RUST } from '../env.mjs';
import { run } from '../run.mjs';

// The whole workspace, so that nothing outside it is compiled with other features (see env.mjs).
const WRITE = ['test', '--release', '--locked', '--workspace', '--test', 'storm'];

export default async function () {
  const code = await run('cargo', WRITE, { cwd: RUST, env: { ...ENV, RTOSCOPE_RENEW: '1' } });
  if (code === 0) console.log('docs/storm.md and docs/storm/ are renewed.');
  return code;
}
