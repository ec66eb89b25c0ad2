// No dependency may be compiled twice. cargo builds a dependency again when its features differ, and dev-dependencies
// add their features whenever tests are built. Such a difference in a crate below Polars or Tauri costs minutes; here
// it fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RUST } from '../env.mjs';
import { read } from '../run.mjs';

/** Every crate that is built for this machine, with the features it is built with. */
function features(edges) {
  const args = ['tree', '--locked', '--workspace', '--prefix', 'none', '--edges', edges, '--format', '{p} [{f}]'];
  const lines = read('cargo', args, { cwd: RUST, maxBuffer: 1 << 26 })?.split('\n') ?? [];
  return new Set(lines.map((line) => line.replace(/ \(\*\)$/, '')));
}

test('the tests’ own dependencies add no features to what ships', () => {
  const shipped = features('normal');
  const tested = features('normal,dev');
  assert.ok(shipped.size > 100, 'cargo tree listed the dependencies');
  const twice = [...shipped].filter((crate) => crate.includes('[') && !tested.has(crate));
  assert.deepEqual(twice, [], 'these are compiled again for the tests: give them the same features in both');
});
