// `npm run bench`: the benchmarks, as ratios to a peer in the same run.
import { RUST } from './env.mjs';
import { run } from './run.mjs';

const BENCHES = ['speed', 'exchanges'];

export default (args) => {
  const named = BENCHES.flatMap((name) => ['--bench', name]);
  return run('cargo', ['bench', '--locked', '--workspace', ...named, '--', ...args], { cwd: RUST });
};
