import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { count } from '../count.mjs';
import { RUST } from '../env.mjs';
import { TEST } from '../needs.mjs';
import { SUITES } from '../suites.mjs';
import { choose, report, stopped } from '../test.mjs';

/** Modules of tests whose root says it. */
const PARTS = ['capture', 'pdml'].map((name) => `crates/wire/tests/oracle_tshark/${name}.rs`);

test('cargo’s test binaries are added up', () => {
  const output = [
    'test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s',
    'test result: \u001b[31mFAILED\u001b[0m. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s',
  ].join('\n');
  assert.deepEqual(count('cargo', output, 101), { passed: 15, failed: 2, skipped: 1, skips: [] });
});

test('a test of cargo that said it could not run is skipped, once, and not passed', () => {
  // The line that the crate `needs` prints: the same stands in its test.
  const said = 'skipped test truth_fates::worlds::fates: needs ../shared/cooja';
  const output = [
    'test worlds::fates ... ok',
    'test halves ... FAILED',
    'test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s',
    said,
    said,
    'skipped test truth_fates::halves: needs ../shared/live',
    'skipped test other::fates: needs optional: a JDK',
  ].join('\n');
  assert.deepEqual(count('cargo', output, 101), {
    passed: 1,
    failed: 1,
    skipped: 2,
    skips: [
      { name: 'truth_fates::worlds::fates', need: '../shared/cooja' },
      { name: 'other::fates', need: 'optional: a JDK' },
    ],
  });
});

test('cargo tests say what they lack in one way only', () => {
  const files = readdirSync(RUST, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^crates\/(?!needs)[a-z]+\/(tests|src)\/.*\.rs$/.test(path))
    .map((path) => [path, readFileSync(join(RUST, path), 'utf8')]);
  assert.ok(files.length > 300);
  const matching = (pattern) => files.filter(([, text]) => pattern.test(text)).map(([path]) => path);
  assert.deepEqual(matching(/"skipped: |var(_os)?\("(RTOSCOPE_SHARED|RTOSCOPE_ALL)"\)/), []);
  // A program that is not there is no reason to pass.
  const tests = ([path]) => path.includes('/tests/');
  const asks = files.filter(tests).filter(([, text]) => /Command::new\("(tshark|editcap)"\)/.test(text));
  const silent = asks
    .filter(([path, text]) => !/needs::skip/.test(text) && !PARTS.includes(path))
    .map(([path]) => path);
  assert.deepEqual(silent, []);
});

test('node’s closing lines are counted', () => {
  const output = 'ℹ tests 9\nℹ pass 5\nℹ fail 1\nℹ cancelled 1\nℹ skipped 1\nℹ todo 1\n';
  assert.deepEqual(count('node', output, 1), { passed: 5, failed: 2, skipped: 2, skips: [] });
  const skipped = '✔ runs (1.5ms)\n﹣ foreign captures (0.2ms) # needs ../shared/captures\nℹ pass 1\nℹ skipped 1\n';
  const skips = [{ name: 'foreign captures', need: '../shared/captures' }];
  assert.deepEqual(count('node', skipped, 0), { passed: 1, failed: 0, skipped: 1, skips });
});

test('TAP’s results are counted, of several producers', () => {
  const output = 'ok 1 - a\nnot ok 2 - b\n# ok 3 is a comment\n1..2\nok 1 - c\n1..1\n';
  assert.deepEqual(count('tap', output, 1), { passed: 2, failed: 1, skipped: 0, skips: [] });
  assert.deepEqual(count('tap', 'ok 1 - a\nAddressSanitizer', 134), { passed: 1, failed: 1, skipped: 0, skips: [] });
});

test('pytest’s closing line is counted, and why tests were skipped', () => {
  const output = 'SKIPPED [1] tests/test_a.py:7: needs polars\n2 failed, 31 passed, 1 skipped, 1 error in 9.81s\n';
  const skips = [{ name: 'tests/test_a.py:7', need: 'polars' }];
  assert.deepEqual(count('pytest', output, 1), { passed: 31, failed: 3, skipped: 1, skips });
  const unable = 'skipped test python::package: needs a package index (PyPI)\n';
  assert.deepEqual(count('pytest', unable, 0), {
    passed: 0,
    failed: 0,
    skipped: 1,
    skips: [{ name: 'python::package', need: 'a package index (PyPI)' }],
  });
  assert.equal(count('pytest', '31 passed in 61.20s (0:01:01)\n', 0).passed, 31);
  assert.equal(count('pytest', 'no tests ran in 0.01s\n', 5).failed, 1);
});

test('Vitest’s closing line is counted', () => {
  const output = ' Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 30 passed | 2 skipped | 1 todo (34)\n';
  assert.deepEqual(count('vitest', output, 1), { passed: 30, failed: 1, skipped: 3, skips: [] });
});

test('a suite that could not run is a failure, and so is one that tested nothing', () => {
  assert.deepEqual(count('cargo', 'error: could not compile', 101), { passed: 0, failed: 1, skipped: 0, skips: [] });
  assert.deepEqual(count('vitest', '', 0), { passed: 0, failed: 1, skipped: 0, skips: [] });
});

test('a command that is its own test counts as one', () => {
  assert.deepEqual(count(undefined, '', 0), { passed: 1, failed: 0, skipped: 0, skips: [] });
  assert.deepEqual(count(undefined, '', 1), { passed: 0, failed: 1, skipped: 0, skips: [] });
});

function closing(results, ci, hasShared = true) {
  const lines = [];
  const code = report(results, { ci, hasShared, print: (line) => lines.push(...line.split('\n')) });
  return { code, last: lines.at(-1), lines };
}
const GOOD = { id: 'a', passed: 3, failed: 0, skipped: 0, seconds: 1 };
const SKIPPED = { id: 'b', passed: 0, failed: 0, skipped: 1, seconds: 0, reason: 'no tshark' };
const BAD = { id: 'c', passed: 1, failed: 2, skipped: 0, seconds: 70 };

test('the last line is the sum', () => {
  const ended = ({ code, last }) => ({ code, last });
  assert.deepEqual(ended(closing([GOOD, SKIPPED], false)), { code: 0, last: '3 passed, 0 failed, 1 skipped' });
  assert.deepEqual(ended(closing([GOOD, BAD], false)), { code: 1, last: '4 passed, 2 failed, 0 skipped' });
});

test('in CI a skip is a failure, unless CI need not have what it lacks', () => {
  assert.equal(closing([GOOD, SKIPPED], true).code, 1);
  assert.equal(closing([GOOD], true).code, 0);
  const skips = (...needs) => ({
    ...GOOD,
    skipped: needs.length,
    skips: needs.map((need, at) => ({ name: `test ${at}`, need })),
  });
  const shared = skips('../shared/cooja', '../shared/live/x', 'optional: a JDK');
  assert.equal(closing([shared], true, false).code, 0, 'a clone with nothing beside it');
  assert.equal(closing([shared], true, true).code, 1, 'something beside it, but not that');
  assert.equal(closing([skips('optional: a JDK')], true, true).code, 0);
  assert.equal(closing([skips('tshark')], true, false).code, 1);
  assert.equal(closing([skips('tshark')], false).code, 0);
  const { lines } = closing([skips('../shared/cooja', 'tshark', '../shared/cooja')], false);
  assert.ok(lines.includes('  2 for want of ../shared/cooja: test 0, test 2'), lines.join('\n'));
});

test('a suite is skipped for an unmet need, and fails after a suite it builds on has failed', () => {
  const suite = { needs: ['tshark'], after: ['page'] };
  assert.equal(stopped(suite, new Map(), [{ id: 'page', failed: 0 }]), null);
  assert.equal(stopped(suite, new Map([['tshark', 'no tshark']]), []).skipped, 1);
  assert.equal(stopped(suite, new Map([['tshark', 'no tshark']]), [{ id: 'page', failed: 1 }]).failed, 1);
});

test('a group and names choose suites', () => {
  assert.equal(choose([]).length, SUITES.filter((suite) => suite.in.includes('test')).length);
  assert.deepEqual(
    choose(['vitest', 'fmt']).map((suite) => suite.id),
    ['fmt', 'vitest'],
  );
  // Suites that the named one builds on come with it, in order, so that naming one works in a fresh clone.
  assert.deepEqual(
    choose(['study']).map((suite) => suite.id),
    ['page', 'app', 'study'],
  );
  assert.ok(choose(['check']).every((suite) => suite.in.includes('check')));
  assert.throws(() => choose(['no-such-suite']), /There are: /);
});

test('the table of suites is consistent', () => {
  assert.equal(new Set(SUITES.map((suite) => suite.id)).size, SUITES.length);
  const known = new Set(TEST.map((need) => need.id));
  for (const [index, suite] of SUITES.entries()) {
    const before = SUITES.slice(0, index).map(({ id }) => id);
    assert.ok(
      (suite.after ?? []).every((id) => before.includes(id)),
      suite.id,
    );
    assert.ok(
      (suite.needs ?? []).every((id) => known.has(id)),
      suite.id,
    );
    assert.ok([undefined, 'cargo', 'node', 'pytest', 'tap', 'vitest'].includes(suite.count), suite.id);
  }
});
