// Runs tshark with the plugin for tests, without personal configuration; fails on Lua errors.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

export const HERE = dirname(fileURLToPath(import.meta.url));
export const ROOT = join(HERE, '..', '..');
export const SCRIPT = join(HERE, '..', 'plugin', 'rtoscope.lua');
export const TRACES = join(ROOT, 'traces');
/** Runs and captures outside the repository; tests that need them are skipped without them. */
export const SHARED = process.env.RTOSCOPE_SHARED || join(ROOT, '..', 'shared');

/** Every n-th entry, so that the tests take seconds; all entries with RTOSCOPE_ALL=1. */
export const some = (list, every) => (process.env.RTOSCOPE_ALL ? list : list.filter((_, at) => at % every === 0));

/** The prefix of the bundled Cooja runs, which 6LoWPAN leaves out. */
export const CONTEXT = ['-o', '6lowpan.context0:fd00::/64'];
export const PLUGIN = ['-X', `lua_script:${SCRIPT}`];

/** A folder that is removed after the tests: the home of every tshark. */
export const folder = mkdtempSync(join(tmpdir(), 'rtoscope-lua-'));
after(() => rmSync(folder, { recursive: true }));
export const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: join(folder, '.config') };
// Wireshark 4.4 takes some 6LoWPAN for RF4CE; the profile has this line too, and older versions know nothing of it.
mkdirSync(join(env.XDG_CONFIG_HOME, 'wireshark'), { recursive: true });
writeFileSync(join(env.XDG_CONFIG_HOME, 'wireshark', 'heuristic_protos'), 'rf4ce_nwk,0\n');

export function tshark(args) {
  const run = spawnSync('tshark', args, { encoding: 'utf8', env, maxBuffer: 1 << 29 });
  assert.equal(run.status, 0, run.stderr);
  assert.doesNotMatch(run.stdout + run.stderr, /Lua Error|Lua: Error|\[string|stack traceback/i);
  return run.stdout;
}

/** Rows of `fields`, of the frames of a capture that `filter` lets through; booleans as 4.0 writes them. */
export function rows(path, fields, { filter = 'coap', more = [] } = {}) {
  const shown = fields.flatMap((field) => ['-e', field]);
  const format = ['-Y', filter, '-T', 'fields', '-E', 'separator=|', ...shown];
  return tshark([...PLUGIN, '-r', path, ...CONTEXT, ...more, ...format])
    .replace(/\b(True|False)\b/g, (value) => String(Number(value === 'True')))
    .split('\n')
    .filter(Boolean);
}
