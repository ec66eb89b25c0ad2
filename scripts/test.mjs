// `npm test`, `npm run check`, `npm run e2e`, `npm run e2e:app`: runs the suites of suites.mjs and adds up their
// results. A failure does not end the run. The last line is always "N passed, N failed, N skipped".
// `npm test -- everything [SUITE …]`: all runs, worlds and files instead of samples, and 100,000 cases a law. It takes
// many hours.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { CI, ENV, SHARED } from './env.mjs';
import { count } from './count.mjs';
import { TEST } from './needs.mjs';
import { Stop, exitCode } from './run.mjs';
import { setup } from './setup.mjs';
import { SUITES } from './suites.mjs';

export default async function (args) {
  const everything = args[0] === 'everything';
  const suites = choose(everything ? args.slice(1) : args);
  const needs = new Set(suites.flatMap((suite) => suite.needs ?? []));
  const unmet = await setup({
    rust: suites.some((suite) => suite.rust),
    tests: TEST.filter((need) => needs.has(need.id)),
  });

  const results = [];
  for (const suite of suites) {
    console.log(`\n━━ ${suite.id}: ${suite.what}`);
    const result = stopped(suite, unmet, results) ?? (await time(suite, everything ? EVERYTHING : {}));
    console.log(`${suite.id}: ${describe(result)}; ${result.reason ?? duration(result.seconds)}`);
    results.push({ id: suite.id, ...result });
  }
  return report(results);
}

/** Suites of a group (`check`, `e2e`, …; default `test`); or its named suites and those that they build on. */
export function choose(args) {
  const groups = new Set(SUITES.flatMap((suite) => suite.in));
  const [group, names] = groups.has(args[0]) && args[0] !== 'test' ? [args[0], args.slice(1)] : ['test', args];
  const suites = SUITES.filter((suite) => suite.in.includes(group));
  const unknown = names.filter((name) => !suites.some((suite) => suite.id === name));
  if (unknown.length > 0) {
    throw new Stop(`No suite is called ${unknown.join(', ')}. There are: ${suites.map((s) => s.id).join(', ')}`);
  }
  if (names.length === 0) return suites;
  const wanted = new Set();
  const want = (id) => {
    wanted.add(id);
    SUITES.find((suite) => suite.id === id).after?.forEach(want);
  };
  names.forEach(want);
  return SUITES.filter((suite) => wanted.has(suite.id));
}

/**
 * Result of a suite that cannot run: skipped for an unmet need, failed after a suite it builds on has failed; else
 * null.
 */
export function stopped({ id, needs = [], after = [] }, unmet, results) {
  const broken = after.find((id) => results.some((result) => result.id === id && result.failed > 0));
  if (broken) return { passed: 0, failed: 1, skipped: 0, reason: `not run, because ${broken} failed` };
  const missing = needs.find((id) => unmet.has(id));
  if (!missing) return null;
  const skips = [{ name: id, need: missing }];
  return { passed: 0, failed: 0, skipped: 1, reason: unmet.get(missing), skips };
}

async function time(suite, profile) {
  const start = performance.now();
  const { code, output } = await execute(suite, profile);
  const seconds = (performance.now() - start) / 1000;
  return { ...count(suite.count, output, code), seconds };
}

/**
 * Seed of property tests, fixed so that a run of the suites gives the same result everywhere. New cases are drawn by
 * hand: `PROPTEST_CASES=5000 cargo test --release …`.
 */
const SEED = { PROPTEST_RNG_SEED: '1' };

/** The profile of `npm test -- everything`. */
const EVERYTHING = { RTOSCOPE_ALL: '1', PROPTEST_CASES: '100000' };

/**
 * Runs a suite. Its output is shown as it comes and returned to be counted: the two streams one after the other, so
 * that no line of the one is in the middle of a line of the other.
 */
function execute({ argv: [command, ...args], cwd }, profile) {
  const colour = process.stdout.isTTY ? { FORCE_COLOR: '1', CARGO_TERM_COLOR: 'always' } : {};
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...SEED, ...profile, ...ENV, ...colour },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = ['', ''];
    const show = (place, stream) => (text) => {
      output[place] += text;
      stream.write(text);
    };
    child.stdout.setEncoding('utf8').on('data', show(0, process.stdout));
    child.stderr.setEncoding('utf8').on('data', show(1, process.stderr));
    const ended = (code, signal) => resolve({ code: exitCode(code, signal), output: output.join('\n') });
    child.on('error', reject).on('close', ended);
  });
}

/**
 * Sorts a need of a skipped test: `shared` lies beside the clone, `optional` is what no machine must have, `program`
 * what CI must have.
 */
export const kindOf = (need) =>
  need.startsWith('../shared') ? 'shared' : need.startsWith('optional: ') ? 'optional' : 'program';

/** Skips of all suites by their need: `[need, names]`, the commonest first. */
function byNeed(results) {
  const needs = new Map();
  for (const { name, need } of results.flatMap((result) => result.skips ?? [])) {
    needs.set(need, [...(needs.get(need) ?? []), name]);
  }
  return [...needs].sort((a, b) => b[1].length - a[1].length);
}

/**
 * Prints the summary and the closing line; returns the exit code. In CI a skip is a failure, except for want of what CI
 * need not have: the optional, and what lies beside the clone where nothing does.
 */
export function report(results, { ci = CI, hasShared = existsSync(SHARED), print = console.log } = {}) {
  const width = Math.max(...results.map((result) => result.id.length));
  print('\n━━ summary');
  for (const result of results) {
    const mark = result.failed ? '✗' : result.skipped && !result.passed ? '–' : '✓';
    print(`${mark} ${result.id.padEnd(width)}  ${describe(result)}  ${result.reason ?? duration(result.seconds)}`);
  }
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  const all = { passed: total('passed'), failed: total('failed'), skipped: total('skipped') };
  const needs = byNeed(results);
  if (needs.length > 0) print('\nskipped:');
  for (const [need, names] of needs) print(`  ${names.length} for want of ${need}: ${names.join(', ')}`);
  const excused = ([need]) => kindOf(need) === 'optional' || (kindOf(need) === 'shared' && !hasShared);
  const few = needs.filter(excused).reduce((sum, [, names]) => sum + names.length, 0);
  const lacking = ci ? all.skipped - few : 0;
  if (lacking > 0) print(`\nCI=true: ${lacking} of the skipped count as failures.`);
  print(`\n${describe(all)}`);
  return all.failed > 0 || lacking > 0 ? 1 : 0;
}

const describe = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;

const duration = (seconds) =>
  seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
