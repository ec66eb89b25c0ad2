// The table at the end of tshark's output, and the packets on display as a file for RTOscope.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { ETHERNET, IEEE802154_NO_FCS, pcapng } from './frames.mjs';
import { CONTEXT, HERE, PLUGIN, TRACES, env, folder, rows, tshark } from './tshark.mjs';

const CAPTURE = join(TRACES, 'tsch-slow-chain5-rc', 'capture.pcap.gz');
const OPTION = ['-o', 'coap_rc.option:65002'];

test('the table per client adds up to the fields', () => {
  const output = tshark([...PLUGIN, '-X', 'lua_script1:stats', '-q', '-r', CAPTURE, ...CONTEXT, ...OPTION]);
  const lines = output.trim().split('\n');
  assert.match(lines[0], /^CoAP RTO: confirmable exchanges/);
  assert.deepEqual(
    lines[1]
      .trim()
      .split(/\s{2,}|\s(?=p9|retx|open)/)
      .slice(0, 3),
    ['client', 'server', 'exchanges'],
  );
  const clients = lines.slice(2).map((line) => line.trim().split(/\s+/));
  assert.equal(clients.length, 4);
  const shown = rows(CAPTURE, ['_ws.col.Destination', 'coap.rc.rtt', 'coap.rc.wasted'], {
    filter: 'coap.rc.rtt',
    more: ['-2', ...OPTION],
  }).map((row) => row.split('|'));
  for (const [client, , exchanges, , needless, ambiguous, open, median] of clients) {
    const address = client.replace(/:5683$/, '');
    const own = shown.filter(([to]) => to === address);
    const rtts = own.map(([, rtt]) => Number(rtt)).sort((a, b) => a - b);
    assert.equal(own.length, exchanges - ambiguous - open, `${client}: answers`);
    assert.equal(
      own.reduce((sum, [, , wasted]) => sum + Number(wasted), 0),
      Number(needless),
      `${client}: needless`,
    );
    const middle = (rtts[Math.floor((rtts.length - 1) / 2)] + rtts[Math.ceil((rtts.length - 1) / 2)]) / 2;
    assert.ok(Math.abs(middle * 1000 - Number(median)) <= 0.051, `${client}: ${middle} and ${median}`);
  }
});

test('the table is printed on request only, and is the same by preference and by argument', () => {
  const read = [...PLUGIN, '-q', '-r', CAPTURE, ...CONTEXT, ...OPTION];
  assert.doesNotMatch(tshark(read), /CoAP RTO/);
  const table = tshark([...read, '-o', 'coap_rc.stats:TRUE']);
  assert.match(table, /^CoAP RTO/);
  assert.equal(table, tshark([...read, '-X', 'lua_script1:stats']));
});

test('a program with any name gets the displayed packets in a file, octet for octet', () => {
  const odd = join(folder, "it's a “program” & $HOME; `x`");
  mkdirSync(odd);
  const program = join(odd, 'app');
  const got = join(folder, 'got');
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$#" "$1" > ${got}.part; mv ${got}.part ${got}\n`);
  chmodSync(program, 0o755);
  const script = join(HERE, 'open.lua');
  const output = tshark(['-X', `lua_script:${script}`, '-X', 'lua_script1:coap', '-X', `lua_script1:${program}`, '-q', '-r', CAPTURE, ...CONTEXT]); // prettier-ignore
  const [, file, packets, command] = output.match(/^file (.*)\npackets (\d+)\ncommand (.*)$/m);
  assert.equal(spawnSync('sh', ['-c', command], { env }).status, 0);
  for (let i = 0; i < 100 && !existsSync(got); i += 1) spawnSync('sleep', ['0.1']);
  assert.deepEqual(readFileSync(got, 'utf8').split('\n'), ['1', file, '']);

  const dissected = [
    '-T',
    'fields',
    '-e',
    'frame.time_epoch',
    '-e',
    'wpan.seq_no',
    '-e',
    'frame.len',
    '-e',
    'wpan.fcs',
  ];
  const before = tshark(['-r', CAPTURE, ...CONTEXT, '-Y', 'coap', ...dissected]);
  assert.equal(tshark(['-r', file, ...CONTEXT, ...dissected]), before);
  assert.equal(before.trim().split('\n').length, Number(packets));
  rmSync(file);
});

test('displayed packets of two link types become two files for one program', () => {
  const frames = [
    [0, 60],
    [1, 10],
    [0, 61],
    [1, 3],
  ];
  const two = join(folder, 'two.pcapng');
  writeFileSync(two, pcapng([ETHERNET, IEEE802154_NO_FCS], frames));
  const script = ['-X', `lua_script:${join(HERE, 'open.lua')}`, '-X', 'lua_script1:', '-X', 'lua_script1:app'];
  const output = tshark([...script, '-q', '-r', two]);
  const files = [...output.matchAll(/^file (.*)$/gm)].map(([, file]) => file);
  assert.match(output, /^packets 4$/m);
  assert.match(output, new RegExp(`^command 'app' '${files[0]}' '${files[1]}' `, 'm'));
  const lengths = (file) => tshark(['-r', file, '-T', 'fields', '-e', 'frame.len']).split('\n').slice(0, -1);
  assert.deepEqual(files.map(lengths), [['60', '61'], ['10', '3']]); // prettier-ignore
  for (const file of files) rmSync(file);
});

test('expert infos are counted without a visible tree', () => {
  const read = [...PLUGIN, '-r', CAPTURE, ...CONTEXT, ...OPTION];
  const seen = tshark([...read, '-Y', 'coap.rc.spurious', '-T', 'fields', '-e', 'frame.number'])
    .trim()
    .split('\n');
  const counted = tshark([...read, '-q', '-z', 'expert']).match(
    /^ +(\d+) +Sequence +COAP_RC +Needless retransmission/m,
  );
  assert.equal(Number(counted?.[1]), seen.length);
});
