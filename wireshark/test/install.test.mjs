// The installer in a home of its own, and tshark with the installed plugin.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folders } from '../install.mjs';
import { CONTEXT, ROOT, TRACES, env, folder, tshark } from './tshark.mjs';

function installer(...args) {
  const run = spawnSync(process.execPath, ['scripts/enter.cjs', '../wireshark/install', ...args], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  return { ...run, said: run.stdout + run.stderr };
}
const CAPTURE = join(TRACES, 'tsch-slow-chain5-rc', 'capture.pcap.gz');
const READ = ['-r', CAPTURE, ...CONTEXT, '-o', 'coap_rc.option:65002', '-Y', 'coap.rc.spurious'];
const profile = join(folder, '.config', 'wireshark', 'profiles', 'RTOscope');

test('folders are found on other systems', () => {
  const windows =
    'Temp:                \tC:\\Temp\r\nPersonal Lua Plugins:\tC:\\Users\\A B\\AppData\\Roaming\\Wireshark\\plugins\r\n';
  assert.equal(folders(windows)['Personal Lua Plugins'], 'C:\\Users\\A B\\AppData\\Roaming\\Wireshark\\plugins');
  assert.equal(folders('Extcap path:\t/opt/x: y\n')['Extcap path'], '/opt/x: y');
});

test('installs, works, keeps changed files, and uninstalls completely', () => {
  assert.equal(spawnSync('tshark', READ, { env }).status === 0, false, 'not there before');
  const first = installer('--user', '--profile');
  assert.equal(first.status, 0, first.said);
  const plugins = folders(tshark(['-G', 'folders']))['Personal Lua Plugins'];
  const shipped = readdirSync(join(ROOT, 'wireshark', 'plugin')).sort();
  assert.deepEqual(readdirSync(join(plugins, 'rtoscope')).sort(), shipped);
  assert.notEqual(tshark([...READ, '-T', 'fields', '-e', 'frame.number']).trim(), '');

  // An installed script gets no arguments: the table at the end has a preference.
  assert.match(tshark(['-q', ...READ.slice(0, -2), '-o', 'coap_rc.stats:TRUE']), /^CoAP RTO: confirmable exchanges/m);

  // The columns of the profile: number, time, source, destination, MID, count, copy, gap, RTT, since first, needless.
  const [line] = tshark(['-C', 'RTOscope', ...READ, '-2', '-T', 'tabs']).split('\n');
  // tshark puts an arrow between the addresses.
  const cells = line.split('\t').map((cell) => cell.trim()).filter((cell) => cell !== '→'); // prettier-ignore
  assert.match(cells[2], /^fd00::201:/);
  assert.match(cells[4], /^\d+$/, 'MID');
  assert.match(cells[8], /^\d+\.\d{9}$/, 'RTT');
  assert.match(cells[10], /^[1-4]$/, 'needless copies');
  assert.match(readFileSync(join(profile, 'preferences'), 'utf8'), /^coap_rc\.program: .*rtoscope-app/m);

  appendFileSync(join(profile, 'colorfilters'), '@Mine@udp@[0,0,0][65535,65535,65535]\n');
  assert.match(installer('--profile').said, /colorfilters is there already/);
  assert.match(readFileSync(join(profile, 'colorfilters'), 'utf8'), /@Mine@/);

  assert.equal(installer('--uninstall', '--profile').status, 0);
  assert.equal(existsSync(profile), false);
  assert.equal(existsSync(join(folder, '.local', 'lib', 'wireshark', 'plugins', 'rtoscope')), false);
  assert.match(installer('--uninstall').said, /was not there/);
});

test('installs an interface to capture from', () => {
  const target = join(folder, "tar get's");
  const run = (...args) => installer('--extcap', ...args);
  const launcher = join(folder, '.config', 'wireshark', 'extcap', 'rtoscope');
  env.CARGO_TARGET_DIR = target;
  assert.match(run().said, /rtoscope does not exist yet/, 'not built');
  mkdirSync(join(target, 'release'), { recursive: true });
  // Stands in for the program: prints its arguments.
  const program = '#!/bin/sh\nshift\necho "interface {value=fake}{display=$*}"\n';
  writeFileSync(join(target, 'release', 'rtoscope'), program, { mode: 0o755 });
  assert.equal(run().status, 0);
  assert.match(tshark(['-D']), /fake \(--extcap-interfaces/);
  assert.equal(run('--uninstall').status, 0);
  assert.equal(existsSync(launcher), false);
  assert.doesNotMatch(tshark(['-D']), /fake/);
  delete env.CARGO_TARGET_DIR;
});

test('filters of buttons, colours and graphs are valid', () => {
  const read = (name) => readFileSync(join(ROOT, 'wireshark', 'profile', name), 'utf8').split('\n');
  const table = (name) => read(name).filter((line) => line.startsWith('"')).map((line) => JSON.parse(`[${line}]`)); // prettier-ignore
  const filters = [
    ...table('dfilter_buttons').map((cells) => cells[2]),
    ...table('io_graphs').map((cells) => cells[2]),
    ...read('colorfilters').filter((line) => line.startsWith('@')).map((line) => line.split('@')[2]),
  ]; // prettier-ignore
  assert.equal(filters.length, 6 + 4 + 7);
  const script = ['-X', `lua_script:${join(ROOT, 'wireshark', 'plugin', 'rtoscope.lua')}`];
  for (const filter of new Set(filters)) tshark([...script, '-r', CAPTURE, '-c', '1', '-Y', filter]);
});

test('refuses unknown options', () => {
  const run = installer('--everything');
  assert.equal(run.status, 1);
  assert.match(run.said, /Unknown option --everything/);
});
