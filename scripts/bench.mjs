// `npm run bench`: the benchmarks, as ratios to a peer in the same run.
import { join } from 'node:path';
import { ROOT, RUST } from './env.mjs';
import { onPath, run } from './run.mjs';

export default async function (args) {
  const bench = ['bench', '--locked', '--workspace', '--bench', 'speed', '--', ...args];
  const code = await run('cargo', bench, { cwd: RUST });
  if (code !== 0 || !onPath('tshark')) return code;
  console.log('\ntshark -Y coap -T fields, with the dissector and without:');
  return run(process.execPath, [join(ROOT, 'wireshark', 'test', 'bench.mjs')]);
}
