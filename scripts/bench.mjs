// `npm run bench`: the benchmarks, as ratios to a peer in the same run.
import { join } from 'node:path';
import { ROOT, RUST } from './env.mjs';
import { onPath, run } from './run.mjs';

const BENCHES = ['speed', 'exchanges'];

export default async function (args) {
  const named = BENCHES.flatMap((name) => ['--bench', name]);
  const code = await run('cargo', ['bench', '--locked', '--workspace', ...named, '--', ...args], { cwd: RUST });
  if (code !== 0 || !onPath('tshark')) return code;
  console.log('\ntshark -Y coap -T fields, with the dissector and without:');
  return run(process.execPath, [join(ROOT, 'wireshark', 'test', 'bench.mjs')]);
}
