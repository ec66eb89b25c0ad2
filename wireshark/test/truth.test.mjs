// Compares the dissector with the logs of the motes of Cooja runs: answered copies, needless copies, round-trip times,
// and counts on the air. RTOSCOPE_ALL=1 for every run in ../shared/cooja.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { SHARED, TRACES, rows, some } from './tshark.mjs';

const text = (path) => gunzipSync(readFileSync(path)).toString();

/** Parses a table with a header line into objects. */
function table(path) {
  const [names, ...lines] = text(path)
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  return lines.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index]])));
}

/** Mote N has an address whose last sixteen bits are N (traces/README.md). */
const mote = (address) => parseInt(address.split(':').at(-1), 16);

const FIELDS = [
  'frame.number',
  'wpan.src64',
  '_ws.col.Source',
  '_ws.col.Destination',
  'coap.code',
  'coap.mid',
  'coap.rc.count',
  'coap.rc.copy',
  'coap.rc.rtt',
  'coap.rc.wasted',
  'coap.rc.rtt_first',
];

/**
 * By `client/MID`: how the exchange ended, as the dissector says. `client/MID:count` of all copies with a count, and in
 * how many frames there was one. By `client/MID:count`, 0 without: the frames in which the client itself sent the copy,
 * which Wireshark's own fields say.
 */
function dissect(capture) {
  const ended = new Map();
  const counts = new Set();
  const frames = new Map();
  let options = 0;
  for (const row of rows(capture, FIELDS, { more: ['-2', '-o', 'coap_rc.option:65002'] })) {
    const [frame, sender, from, to, code, mid, count, copy, rtt, wasted, sinceFirst] = row.split('|');
    const request = Number(code) < 32;
    const name = `${mote(request ? from : to)}/${mid}`;
    const copyName = `${name}:${count || 0}`;
    if (count) options += 1;
    if (request && count) counts.add(copyName);
    if (request && mote(sender) === mote(from)) frames.set(copyName, [...(frames.get(copyName) ?? []), Number(frame)]);
    if (sinceFirst) ended.set(name, { copy, rtt, wasted });
  }
  return { ended, counts, frames, options };
}

/**
 * The same without any dissector, by their octets: option 65002 after Uri-Path `s` (of a request), Content-Format, or
 * nothing, with a count of 1 to 4. All of these runs have 64-bit link-layer addresses that end in the mote's number,
 * and tokens of no or two octets.
 */
function search(capture) {
  const octets = gunzipSync(readFileSync(capture));
  const copies = new Set();
  let options = 0;
  let fragments = 0;
  for (let at = 24; at < octets.length;) {
    const frame = octets.subarray(at + 16, at + 16 + octets.readUInt32BE(at + 8));
    at += 16 + frame.length;
    const hex = frame.toString('hex');
    if (/^(?:..)*?e1fc(?:d1|d2|dd)0[1-4]/.test(hex)) options += 1;
    const request = /^(?:..)*?4[02]0[1-4](.{4})(?:.{4})?b173e1fcd20([1-4])/.exec(hex);
    if (!request) continue;
    copies.add(`${frame[13]}/${parseInt(request[1], 16)}:${request[2]}`);
    // RFC 4944 section 5.3: the first fragment of several.
    if (frame[21] >> 3 === 0b11000) fragments += 1;
  }
  return { copies, options, fragments };
}

const quantile = (sorted, p) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))];
function describe(errors) {
  const sorted = errors.map(Math.abs).sort((a, b) => a - b);
  const ms = (us) => `${(us / 1000).toFixed(1)} ms`;
  return `median ${ms(quantile(sorted, 0.5))}, p99 ${ms(quantile(sorted, 0.99))}, max ${ms(sorted.at(-1))}`;
}

/** Checks one run; `truth` has radio-truth.tsv.gz and mote.log.gz where these are known. */
function check(t, capture, exchanges, truth) {
  const { ended, counts, frames, options } = dissect(capture);
  const radio = truth && table(join(truth, 'radio-truth.tsv.gz')).map((row) => Number(row.start_us));
  const wrong = [];
  const sinceSend = [];
  const onAir = [];
  for (const exchange of exchanges.filter(({ result }) => result === 'acked')) {
    const name = `${exchange.client}/${exchange.mid}`;
    const found = ended.get(name);
    const times = exchange.attempt_times_us.split(',').map(Number);
    // The mote logs the count that came back; none is the original's.
    const answered = Number(exchange.rc || 0);
    const wasted = times.length - 1 - answered;
    if (!found?.rtt || Number(found.copy) !== answered + 1 || Number(found.wasted) !== wasted) {
      wrong.push({ name, answered, wasted, found });
      continue;
    }
    const rtt = Number(found.rtt) * 1e6;
    const end = Number(exchange.t_end_us);
    sinceSend.push(rtt - (end - times[answered]));
    if (!radio) continue;
    // The radio's clock when the client first sent that copy, after it had handed it down. One row a frame.
    const sent = radio[frames.get(`${name}:${answered}`)[0] - 1];
    assert.ok(sent >= times[answered], name);
    onAir.push(rtt - (end - sent));
  }
  t.diagnostic(
    `${sinceSend.length} answered; RTT against the mote's own, which waits for the air: ${describe(sinceSend)}`,
  );
  if (radio) t.diagnostic(`RTT against the radio's: ${describe(onAir)}`);
  return { wrong, sinceSend, onAir, counts, options };
}

/**
 * The medians, in µs, between which the README says that the motes' own round trips are longer: under CSMA, under TSCH.
 */
function waits() {
  const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
  const [csma, tsch] = ['CSMA', 'TSCH'].map((mac) => {
    const [, least, most] = new RegExp(String.raw`of (\d+) to (\d+) ms under ${mac}`).exec(readme);
    return [least, most].map((ms) => Number(ms) * 1000);
  });
  return { csma, tsch };
}

/** Checks that the motes' own round trips are longer than the radio's by what the README says; `run` names the MAC. */
function checkWait(run, { sinceSend, onAir }) {
  const median = (errors) =>
    quantile(
      errors.map(Math.abs).sort((a, b) => a - b),
      0.5,
    );
  const [least, most] = /tsch|orchestra/.test(run) ? waits().tsch : waits().csma;
  const own = median(sinceSend);
  assert.ok(least <= own && own <= most, `${run}: the motes' own are ${own} µs off, not ${least} to ${most}`);
  if (onAir.length > 0) assert.ok(own > 5 * median(onAir), `${run}: and the radio's by ${median(onAir)} µs`);
}

for (const id of ['chain6-periodic-rc', 'grid3x3-burst-rc', 'tsch-slow-chain5-rc'])
  test(`against the motes' own log: ${id}`, (t) => {
    const exchanges = table(join(TRACES, id, 'exchanges.tsv.gz'));
    const capture = join(TRACES, id, 'capture.pcap.gz');
    const { wrong, counts, options, ...errors } = check(t, capture, exchanges);
    assert.deepEqual(wrong, []);
    checkWait(id, errors);
    const air = search(capture);
    assert.ok(counts.size > 0);
    if (air.fragments === 0) assert.equal(options, air.options, 'frames with an option');
  });

const COOJA = join(SHARED, 'cooja');
const runs = existsSync(COOJA)
  ? readdirSync(COOJA, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap(({ name }) => readdirSync(join(COOJA, name)).map((run) => `${name}/${run}`))
      .filter((run) => /\/(rc|accb|lee)-seed\d$/.test(run))
  : [];
if (runs.length === 0) test('against motes and radio', { skip: 'needs ../shared/cooja' });

for (const run of some(runs, 6))
  test(`against motes and radio: ${run}`, (t) => {
    const path = join(COOJA, run);
    const exchanges = table(join(path, 'exchanges.tsv.gz'));
    const { wrong, onAir, counts, options, sinceSend } = check(t, join(path, 'radio.pcap.gz'), exchanges, path);
    assert.deepEqual(wrong, []);
    checkWait(run, { sinceSend, onAir });
    // The rest is the last frame itself and its acknowledgement, 4.6 ms, which the mote waits for.
    const sorted = onAir.map(Math.abs).sort((a, b) => a - b);
    assert.ok(quantile(sorted, 0.99) < 5_000, 'RTT on the air, 99th percentile');

    // Copies with a count: those that a client handed down to its radio, those of which a server took one.
    const [handed, taken] = [new Set(), new Set()];
    for (const line of text(join(path, 'mote.log.gz')).split('\n')) {
      const tx = line.match(/^\d+:(\d+):CC TX mid=(\d+) try=([1-9]\d*) /);
      if (tx) handed.add(`${tx[1]}/${tx[2]}:${tx[3]}`);
      const rx = line.match(/:SRV RX mid=(\d+) from=(\d+) code=0\.\d+ rc=([1-9]\d*) /);
      if (rx) taken.add(`${rx[2]}/${rx[1]}:${rx[3]}`);
    }
    const without = (all, some) => [...all].filter((copy) => !some.has(copy));
    assert.deepEqual(without(counts, handed), [], 'copies that no mote has in its log');
    assert.deepEqual(without(taken, counts), [], 'copies that arrived, and were not found');
    // Copies that a client handed down and the dissector lacks were never on the air, or not to their last fragment.
    const air = search(join(path, 'radio.pcap.gz'));
    const missing = without(handed, counts);
    const cut = missing.filter((copy) => air.copies.has(copy));
    if (air.fragments === 0) {
      assert.deepEqual(cut, [], 'copies whole on the air, and not found');
      assert.equal(options, air.options, 'frames with an option');
    }
    const few = `${cut.length} cut short on the air, ${missing.length - cut.length} never on it`;
    t.diagnostic(`copies with a count: ${handed.size} in the motes' log = ${counts.size} found, ${few}; ${taken.size} taken by a server`); // prettier-ignore
    t.diagnostic(`frames with the option: ${options} dissected, ${air.options} by their octets${air.fragments ? ' (first fragments)' : ''}`); // prettier-ignore
  });
