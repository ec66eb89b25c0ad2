// Foreign captures, whole and damaged: the dissector raises no error, and Wireshark's own verdict on each frame is the
// same with and without it.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { PLUGIN, SHARED, env, some } from './tshark.mjs';

const FOLDER = join(SHARED, 'captures');
const FIELDS = ['frame.number', '_ws.malformed', '_ws.lua.text', 'coap.mid', 'wpan.seq_no'];

/** Damaged files end tshark early, with code 2: what it printed until then counts. */
function read(path, plugin) {
  const shown = FIELDS.flatMap((field) => ['-e', field]);
  const run = spawnSync('tshark', [...plugin, '-n', '-r', path, '-T', 'fields', ...shown], { env, encoding: 'utf8', maxBuffer: 1 << 29 }); // prettier-ignore
  return { status: run.status, rows: run.stdout.split('\n').slice(0, -1), said: run.stderr };
}

const files = existsSync(FOLDER)
  ? spawnSync('find', [FOLDER, '-type', 'f', '-size', '-4000k'], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter((path) => /\.(p?cap(ng)?|cap|dmp|pcap\.gz)$/i.test(path))
      .sort()
  : [];

test('foreign captures are dissected as without the plugin', (t) => {
  if (files.length === 0) return t.skip('needs ../shared/captures');
  let frames = 0;
  const chosen = some(files, 16);
  for (const path of chosen) {
    const [without, with_] = [read(path, []), read(path, PLUGIN)];
    assert.doesNotMatch(with_.said, /lua/i, path);
    assert.equal(with_.status, without.status, path);
    const changed = with_.rows.filter((row, index) => row !== without.rows[index]);
    assert.deepEqual(changed, [], path);
    assert.equal(with_.rows.length, without.rows.length, path);
    frames += with_.rows.length;
  }
  assert.ok(frames > 0);
  return t.diagnostic(`${chosen.length} of ${files.length} files, ${frames} frames`);
});
