// The table in README.md is a summary of docs/calibration.md, which a test of the command line holds against the
// program.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../env.mjs';
import { block } from '../generate/block.mjs';
import { withSummary } from '../generate/calibration.mjs';

test('README.md summarises the scores in docs/calibration.md', () => {
  const [readme, page] = ['README.md', join('docs', 'calibration.md')].map((name) =>
    readFileSync(join(ROOT, name), 'utf8'),
  );
  assert.equal(withSummary(readme, page), readme, '`npm run calibrate` renews it');
});

test('a generated part replaces what stands between its marks, and only that', () => {
  const text = 'a\n<!-- x -->\nold\n<!-- /x -->\nb\n';
  assert.equal(block(text, 'x', 'new\n', 'file'), 'a\n<!-- x -->\nnew\n<!-- /x -->\nb\n');
  assert.throws(() => block(text, 'y', '', 'file'), /file has no <!-- y --> … <!-- \/y -->/);
});
