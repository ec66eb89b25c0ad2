// Compares the dissector's items for every message of stories.mjs (`tshark -T json`, one pass and two) with golden/,
// and checks that clicks in any order show the same. RTOSCOPE_BLESS=1 writes the present items: read them before you
// commit.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { pcap } from './frames.mjs';
import { STORIES } from './stories.mjs';
import { CONTEXT, HERE, PLUGIN, env, folder, tshark } from './tshark.mjs';

const GOLDEN = join(HERE, 'golden');
const path = join(folder, 'story.pcap');

/** Items under the dissector's own item, by frame. */
function layers(more) {
  const read = ['-r', path, ...CONTEXT, ...more, '-T', 'json', '-J', 'coap_rc', '--no-duplicate-keys'];
  const frames = JSON.parse(tshark([...PLUGIN, ...read]));
  return Object.fromEntries(
    frames.map(({ _source }, index) => [index + 1, _source.layers.coap_rc]).filter(([, layer]) => layer !== undefined),
  );
}

/** `name == value` of every field, and names of expert infos, in no order. */
function flat(layer) {
  return Object.entries(layer).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.flatMap((one) => flat({ [name]: one }));
    if (typeof value === 'object') return flat(value);
    if (!name.startsWith('coap.rc.')) return [];
    return value === '' ? [name] : [`${name} == ${value}`];
  });
}

for (const [name, { link, frames, more = [] }] of Object.entries(STORIES))
  test(`golden: ${name}`, () => {
    writeFileSync(path, pcap(link, frames));
    const items = { 'one pass': layers(more), 'two passes': layers([...more, '-2']) };
    const file = join(GOLDEN, `${name}.json`);
    if (process.env.RTOSCOPE_BLESS) writeFileSync(file, `${JSON.stringify(items, null, 2)}\n`);
    assert.deepEqual(items, JSON.parse(readFileSync(file, 'utf8')));
    // A display filter hides packets from view only; the tracker sees them.
    const shown = (filter) => tshark([...PLUGIN, '-r', path, ...CONTEXT, ...more, '-Y', filter, '-T', 'fields', '-e', 'frame.number', '-e', 'coap.rc.copy', '-e', 'coap.rc.rtt']); // prettier-ignore
    const all = shown('coap_rc').split('\n').filter((line) => /\d+\.\d{9}$/.test(line)); // prettier-ignore
    assert.deepEqual(shown('coap.rc.rtt').split('\n').slice(0, -1), all);
  });

test('every story has a golden file, and every golden file a story', () => {
  const names = Object.keys(STORIES).map((name) => `${name}.json`);
  assert.deepEqual(readdirSync(GOLDEN).sort(), names.sort());
});

/** Items that sharkd, Wireshark without a window, shows for frames clicked one after the other. */
function clicked(order, number) {
  const ask = (method, params) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const setting = ask('setconf', { name: 'coap_rc.option', value: String(number) });
  const frames = order.map((frame) => ask('frame', { frame, proto: true }));
  const input = [setting, ask('load', { file: path }), ...frames, ask('bye'), ''].join('\n');
  const run = spawnSync('sharkd', ['-'], { env, input, encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.doesNotMatch(run.stdout + run.stderr, /lua error|stack traceback/i);
  const replies = run.stdout.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line)); // prettier-ignore
  const names = (nodes = []) => nodes.flatMap(({ f, n }) => [...(f?.startsWith('coap.rc.') ? [f] : []), ...names(n)]);
  return replies.slice(2, -1).map(({ result }) => names(result.tree));
}

test('packets clicked in any order show the same items', (t) => {
  if (spawnSync('sharkd', ['-v'], { env }).error) return t.skip('needs optional: sharkd');
  // sharkd has no option for a script.
  const plugins = /^Personal Lua Plugins:\s+(.*)$/m.exec(tshark(['-G', 'folders']))[1];
  const installed = join(plugins, 'rtoscope');
  mkdirSync(plugins, { recursive: true });
  cpSync(join(HERE, '..', 'plugin'), installed, { recursive: true });
  try {
    for (const name of ['ethernet', 'fasor', 'no-tokens', 'without-the-option', 'sequences', 'malformed']) {
      const { link, frames } = STORIES[name];
      writeFileSync(path, pcap(link, frames));
      const golden = JSON.parse(readFileSync(join(GOLDEN, `${name}.json`), 'utf8'))['two passes'];
      const numbers = frames.map((_, index) => index + 1);
      // Backwards, from the middle outwards, each twice.
      const middle = numbers.toSorted((a, b) => Math.abs(a - numbers.length / 2) - Math.abs(b - numbers.length / 2));
      const order = [...numbers.toReversed(), ...middle, ...numbers.flatMap((frame) => [frame, frame])];
      const shown = clicked(order, 65_020);
      assert.equal(shown.length, order.length, name);
      order.forEach((frame, click) =>
        assert.deepEqual(
          shown[click].sort(),
          flat(golden[frame] ?? {}).sort(),
          `${name}: click ${click}, on frame ${frame}`,
        ),
      );
    }
  } finally {
    rmSync(installed, { recursive: true });
  }
  return undefined;
});
