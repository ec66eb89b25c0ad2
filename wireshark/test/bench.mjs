// `node wireshark/test/bench.mjs [FRAMES [ROUNDS]]`: measures the cost of the dissector, and of a post-dissector with
// the same work, as ratios to tshark alone in the same round. The 100,000 frames are a bundled capture, repeated. User
// and system time are measured and ratios taken within a round, because other programs use the machine too.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const HERE = dirname(fileURLToPath(import.meta.url));
const FRAMES = Number(process.argv[2] ?? 100_000);
const ROUNDS = Number(process.argv[3] ?? 3);

/** Repeats the records of a big-endian pcap until there are `FRAMES`, an hour apart. */
function repeat(capture) {
  const records = [];
  for (let at = 24; at < capture.length; at += 16 + capture.readUInt32BE(at + 8))
    records.push(capture.subarray(at, at + 16 + capture.readUInt32BE(at + 8)));
  const all = [capture.subarray(0, 24)];
  for (let index = 0; index < FRAMES; index += 1) {
    const record = Buffer.from(records[index % records.length]);
    record.writeUInt32BE(record.readUInt32BE(0) + 3600 * Math.floor(index / records.length), 0);
    all.push(record);
  }
  return Buffer.concat(all);
}

const folder = mkdtempSync(join(tmpdir(), 'rtoscope-bench-'));
const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder };
const path = join(folder, 'capture.pcap');
const bundled = join(HERE, '..', '..', 'traces', 'chain6-periodic-rc', 'capture.pcap.gz');
writeFileSync(path, repeat(gunzipSync(readFileSync(bundled))));

/** User and system seconds of one tshark. */
function seconds(more) {
  const read = ['-r', path, '-o', '6lowpan.context0:fd00::/64', '-Y', 'coap', '-T', 'fields', '-e', 'coap.mid'];
  const line = ['-f', '%U %S', 'tshark', ...more, ...read];
  const run = spawnSync('/usr/bin/time', line, { env, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(run.stderr);
  const [user, system] = run.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return user + system;
}

const ways = {
  'tshark alone': [],
  'with the dissector': ['-X', `lua_script:${join(HERE, '..', 'plugin', 'rtoscope.lua')}`],
  'with its fields too': ['-X', `lua_script:${join(HERE, '..', 'plugin', 'rtoscope.lua')}`, '-e', 'coap.rc.rtt'],
  'as a post-dissector': ['-X', `lua_script:${join(HERE, 'postdissector.lua')}`],
};
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round += 1)
  for (const [name, more] of Object.entries(ways)) times[name].push(seconds(more));
for (const [name, list] of Object.entries(times)) {
  const ratios = list.map((time, round) => time / times['tshark alone'][round]);
  const [least, middle, most] = [Math.min(...ratios), median(ratios), Math.max(...ratios)].map((r) => r.toFixed(2));
  console.log(`${name.padEnd(20)} ${median(list).toFixed(2)} s  ${middle} x (${least} to ${most})`);
}
rmSync(folder, { recursive: true });
