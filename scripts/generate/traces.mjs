// `npm run traces [-- --check] [ID...]`: writes tshark's messages of every bundled capture to traces/ID/expect.json.gz,
// and the check sums to traces/index.json and traces/ID/README.md. `--check` only compares. The tests of the crates
// read these files and need no tshark.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { spawnSync } from 'node:child_process';
import { ENV, ROOT } from '../env.mjs';
import { Stop, read } from '../run.mjs';
import { block } from './block.mjs';

const TRACES = join(ROOT, 'traces');
const INDEX = join(TRACES, 'index.json');

const TYPES = ['CON', 'NON', 'ACK', 'RST'];

const FIELDS = [
  'frame.number',
  'coap.type',
  'coap.code',
  'coap.mid',
  'coap.token',
  'ip.src',
  'ip.dst',
  'ipv6.src',
  'ipv6.dst',
  'ipv6.routing.segleft',
  'ipv6.routing.rpl.full_address',
  'udp.srcport',
  'udp.dstport',
  '_ws.col.Destination',
];

/** Columns of `messages` in expect.json: one row for each frame that completes a CoAP message, in file order. */
const COLUMNS = ['frame', 'type', 'code', 'mid', 'token', 'src', 'src_port', 'dst', 'dst_port', 'ipv6_dst'];

/** Standard output of a program; throws Stop where it fails. */
function output(command, args) {
  const run = spawnSync(command, args, { encoding: 'utf8', env: ENV, maxBuffer: 1 << 28 });
  if (run.error) throw new Stop(`${command} cannot be started: ${run.error.message}`);
  if (run.status !== 0) throw new Stop(`${command} ${args.join(' ')}\n${run.stderr}`);
  return run.stdout;
}

/**
 * Converts a line of tshark to a row of expect.json.
 *
 * `ipv6.dst` is the address in the fixed header. Below a source route (RFC 6554) that is the next node; the datagram's
 * destination is then the last address of the routing header, as long as segments are left. `dst` is this destination,
 * which Wireshark shows in its Destination column. `ipv6_dst` is set where the header differs from it.
 */
export function row(line) {
  const [frame, type, code, mid, token, ip4src, ip4dst, ip6src, ip6dst, left, route, sport, dport, column] =
    line.split('\t');
  const header = ip4dst || ip6dst;
  const dst = Number(left) > 0 ? route.split(',').at(-1) : header;
  if (dst !== column || /,/.test([frame, type, mid, sport, header].join('')))
    throw new Stop(`frame ${frame}: cannot tell the destination or the message from\n${line}`);
  return [
    Number(frame),
    TYPES[type],
    `${code >> 5}.${String(code & 31).padStart(2, '0')}`,
    Number(mid),
    token,
    ip4src || ip6src,
    Number(sport),
    dst,
    Number(dport),
    dst === header ? null : header,
  ];
}

/** Text of expect.json for an entry of traces/index.json; throws Stop where tshark or editcap fails. */
function expectation(trace, version) {
  const folder = mkdtempSync(join(tmpdir(), 'rtoscope-traces-'));
  try {
    const { contexts, link_type } = trace.tshark;
    const options = ['-n', ...contexts.flatMap((prefix, id) => ['-o', `6lowpan.context${id}:${prefix}`])];
    let capture = join(TRACES, trace.id, trace.files.capture);
    if (link_type) {
      const relabelled = join(folder, 'capture.pcap');
      output('editcap', ['-T', link_type, capture, relabelled]);
      capture = relabelled;
    }
    const fields = FIELDS.flatMap((field) => ['-e', field]);
    const lines = output('tshark', ['-r', capture, ...options, '-Y', 'coap', '-T', 'fields', ...fields]);
    const about = {
      tshark: version,
      editcap: link_type ? ['-T', link_type] : [],
      options,
      filter: 'coap',
      columns: COLUMNS,
    };
    const rows = lines
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.stringify(row(line)));
    return `${JSON.stringify(about, null, 1).slice(0, -2)},\n "messages": [\n${rows.join(',\n')}\n]}\n`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

export default async function (args) {
  const check = args.includes('--check');
  const wanted = args.filter((arg) => !arg.startsWith('-'));
  const version = read('tshark', ['--version'])?.match(/\d+\.\d+\.\d+/)?.[0];
  if (!version) throw new Stop('tshark was not found. On Debian and Ubuntu: sudo apt-get install tshark');

  const stale = [];
  const write = (path, now, was) => {
    if (now === was) return;
    stale.push(path);
    if (!check) writeFileSync(join(TRACES, path), path.endsWith('.gz') ? gzipSync(now, { level: 9 }) : now);
  };

  const before = readFileSync(INDEX, 'utf8');
  const index = JSON.parse(before);
  const unknown = wanted.filter((id) => !index.traces.some((trace) => trace.id === id));
  if (unknown.length > 0) throw new Stop(`traces/index.json has no ${unknown.join(', ')}.`);

  for (const trace of index.traces.filter(({ id }) => wanted.length === 0 || wanted.includes(id))) {
    const folder = join(TRACES, trace.id);
    const path = `${trace.id}/${trace.files.expect}`;
    const was = existsSync(join(TRACES, path)) ? gunzipSync(readFileSync(join(TRACES, path))).toString() : '';
    // The recorded version stays where a newer tshark finds the same.
    const recorded = was.match(/"tshark": "(.*)"/)?.[1] ?? version;
    const now = expectation(trace, recorded);
    write(path, now === was ? was : expectation(trace, version), was);

    const files = readdirSync(folder).filter((name) => name.endsWith('.gz'));
    const listed = Object.values(trace.files);
    const odd = [...files.filter((name) => !listed.includes(name)), ...listed.filter((name) => !files.includes(name))];
    if (odd.length > 0 && !check) throw new Stop(`${trace.id}: in the folder or in the index, not in both: ${odd}`);
    trace.sha256 = Object.fromEntries(files.sort().map((name) => [name, sha256(join(folder, name))]));
    const table = files.map(
      (name) => `| \`${name}\` | ${statSync(join(folder, name)).size} | \`${trace.sha256[name]}\` |`,
    );
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    const head = '| file | octets | SHA-256 |\n| --- | ---: | --- |\n';
    write(
      `${trace.id}/README.md`,
      block(readme, 'files', `${head}${table.join('\n')}\n`, `traces/${trace.id}/README.md`),
      readme,
    );
  }
  write('index.json', `${JSON.stringify(index, null, 2)}\n`, before);

  if (stale.length === 0) console.log(`Expected results are up to date (tshark ${version}).`);
  else if (check) throw new Stop(`Stale under traces/; run \`npm run traces\`:\n\n  ${stale.join('\n  ')}\n`);
  else console.log(`Written under traces/ (tshark ${version}):\n\n  ${stale.join('\n  ')}\n`);
  return 0;
}
