// `npm run bench`: the benchmarks, as ratios to a peer in the same run.
import { RUST } from './env.mjs';
import { run } from './run.mjs';

export default (args) =>
  run('cargo', ['bench', '--locked', '--workspace', '--bench', 'speed', '--', ...args], { cwd: RUST });
