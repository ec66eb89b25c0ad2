// The dissector against what the motes of Cooja runs wrote down themselves: which copy was answered, how many were
// needless, how long it took, and which counts went over the air.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { SHARED, TRACES, rows, some } from './tshark.mjs';

const text = (path) => gunzipSync(readFileSync(path)).toString();

/** A table with a line of names, as objects. */
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
 * By `client/MID`: how the exchange ended and which counts its copies had, as the dissector says; and in which frames
 * the client itself sent them, which Wireshark's own fields say.
 */
function dissect(capture) {
  const ended = new Map();
  const counts = new Map();
  const frames = new Map();
  for (const row of rows(capture, FIELDS, { more: ['-2', '-o', 'coap_rc.option:65002'] })) {
    const [frame, sender, from, to, code, mid, count, copy, rtt, wasted, sinceFirst] = row.split('|');
    const request = Number(code) < 32;
    const name = `${mote(request ? from : to)}/${mid}`;
    if (request && count) counts.set(name, (counts.get(name) ?? new Set()).add(Number(count)));
    if (request && mote(sender) === mote(from)) frames.set(name, [...(frames.get(name) ?? []), Number(frame)]);
    if (sinceFirst) ended.set(name, { copy, rtt, wasted });
  }
  return { ended, counts, frames };
}

const quantile = (sorted, p) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))];
function describe(errors) {
  const sorted = errors.map(Math.abs).sort((a, b) => a - b);
  const ms = (us) => `${(us / 1000).toFixed(1)} ms`;
  return `median ${ms(quantile(sorted, 0.5))}, p99 ${ms(quantile(sorted, 0.99))}, max ${ms(sorted.at(-1))}`;
}

/** Checks one run; `truth` has radio-truth.tsv.gz and mote.log.gz where these are known. */
function check(t, capture, exchanges, truth) {
  const { ended, counts, frames } = dissect(capture);
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
    const sent = frames
      .get(name)
      .map((frame) => radio[frame - 1])
      .find((at) => at >= times[answered]);
    onAir.push(rtt - (end - sent));
  }
  t.diagnostic(
    `${sinceSend.length} answered; RTT against the mote's own, which waits for the air: ${describe(sinceSend)}`,
  );
  if (radio) t.diagnostic(`RTT against the radio's: ${describe(onAir)}`);
  return { wrong, onAir, counts };
}

for (const id of ['chain6-periodic-rc', 'grid3x3-burst-rc', 'tsch-slow-chain5-rc'])
  test(`against the motes' own log: ${id}`, (t) => {
    const exchanges = table(join(TRACES, id, 'exchanges.tsv.gz'));
    const { wrong } = check(t, join(TRACES, id, 'capture.pcap.gz'), exchanges);
    assert.deepEqual(wrong, []);
  });

const COOJA = join(SHARED, 'cooja');
const runs = existsSync(COOJA)
  ? readdirSync(COOJA, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap(({ name }) => readdirSync(join(COOJA, name)).map((run) => `${name}/${run}`))
      .filter((run) => /\/(rc|accb|lee)-seed\d$/.test(run))
  : [];
if (runs.length === 0) console.log('no ../shared/cooja here: the bundled runs have to do');

for (const run of some(runs, 6))
  test(`against motes and radio: ${run}`, (t) => {
    const path = join(COOJA, run);
    const exchanges = table(join(path, 'exchanges.tsv.gz'));
    const { wrong, onAir, counts } = check(t, join(path, 'radio.pcap.gz'), exchanges, path);
    assert.deepEqual(wrong, []);
    // What is left is the last frame itself and its acknowledgement, 4.6 ms, which the mote waits for.
    const sorted = onAir.map(Math.abs).sort((a, b) => a - b);
    assert.ok(quantile(sorted, 0.99) < 5_000, 'RTT on the air, 99th percentile');

    // Counts on the air: no others than the motes sent, and all of which a server took a copy.
    const sent = new Map();
    const arrived = new Map();
    for (const line of text(join(path, 'mote.log.gz')).split('\n')) {
      const tx = line.match(/^\d+:(\d+):CC TX mid=(\d+) try=([1-9]\d*) /);
      if (tx) sent.set(`${tx[1]}/${tx[2]}`, (sent.get(`${tx[1]}/${tx[2]}`) ?? new Set()).add(Number(tx[3])));
      const rx = line.match(/:SRV RX mid=(\d+) from=(\d+) code=0\.\d+ rc=([1-9]\d*) /);
      if (rx) arrived.set(`${rx[2]}/${rx[1]}`, (arrived.get(`${rx[2]}/${rx[1]}`) ?? new Set()).add(Number(rx[3])));
    }
    const all = (map) => [...map].flatMap(([name, set]) => [...set].map((count) => `${name}:${count}`)).sort();
    const [seen, handed, taken] = [counts, sent, arrived].map(all);
    assert.deepEqual(
      seen.filter((copy) => !handed.includes(copy)),
      [],
    );
    assert.deepEqual(
      taken.filter((copy) => !seen.includes(copy)),
      [],
    );
    t.diagnostic(
      `${handed.length} copies with a count handed down, ${seen.length} seen on the air, ${taken.length} taken by a server`,
    );
  });
