// `npm test`, `npm run check`, `npm run e2e`, `npm run e2e:app`: runs the suites of suites.mjs and adds up their results. A
// failure does not end the run. The last line is always "N passed, N failed, N skipped".
import { spawn } from 'node:child_process';
import { CI, ENV } from './env.mjs';
import { count } from './count.mjs';
import { TEST } from './needs.mjs';
import { Stop, exitCode } from './run.mjs';
import { setup } from './setup.mjs';
import { SUITES } from './suites.mjs';

export default async function (args) {
  const suites = choose(args);
  const needs = new Set(suites.flatMap((suite) => suite.needs ?? []));
  const unmet = await setup({
    rust: suites.some((suite) => suite.rust),
    tests: TEST.filter((need) => needs.has(need.id)),
  });

  const results = [];
  for (const suite of suites) {
    console.log(`\n━━ ${suite.id}: ${suite.what}`);
    const result = stopped(suite, unmet, results) ?? (await time(suite));
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

/** Result of a suite that cannot run: skipped for an unmet need, failed after a suite it builds on has failed; else null. */
export function stopped({ needs = [], after = [] }, unmet, results) {
  const broken = after.find((id) => results.some((result) => result.id === id && result.failed > 0));
  if (broken) return { passed: 0, failed: 1, skipped: 0, reason: `not run, because ${broken} failed` };
  const missing = needs.find((id) => unmet.has(id));
  return missing ? { passed: 0, failed: 0, skipped: 1, reason: unmet.get(missing) } : null;
}

async function time(suite) {
  const start = performance.now();
  const { code, output } = await execute(suite);
  const seconds = (performance.now() - start) / 1000;
  return { ...count(suite.count, output, code), seconds };
}

/**
 * Seed of property tests, fixed so that a run of the suites gives the same result everywhere. New cases are drawn by hand:
 * `PROPTEST_CASES=5000 cargo test --release …`.
 */
const SEED = { PROPTEST_RNG_SEED: '1' };

/** Runs a suite. Its output is shown as it comes and returned to be counted. */
function execute({ argv: [command, ...args], cwd }) {
  const colour = process.stdout.isTTY ? { FORCE_COLOR: '1', CARGO_TERM_COLOR: 'always' } : {};
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...SEED, ...ENV, ...colour },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const show = (stream) => (text) => {
      output += text;
      stream.write(text);
    };
    child.stdout.setEncoding('utf8').on('data', show(process.stdout));
    child.stderr.setEncoding('utf8').on('data', show(process.stderr));
    child.on('error', reject).on('close', (code, signal) => resolve({ code: exitCode(code, signal), output }));
  });
}

/** Prints the summary and the closing line; returns the exit code. */
export function report(results, { ci = CI, print = console.log } = {}) {
  const width = Math.max(...results.map((result) => result.id.length));
  print('\n━━ summary');
  for (const result of results) {
    const mark = result.failed ? '✗' : result.skipped && !result.passed ? '–' : '✓';
    print(`${mark} ${result.id.padEnd(width)}  ${describe(result)}  ${result.reason ?? duration(result.seconds)}`);
  }
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  const all = { passed: total('passed'), failed: total('failed'), skipped: total('skipped') };
  if (ci && all.skipped > 0) print('\nCI=true: what is skipped counts as a failure.');
  print(`\n${describe(all)}`);
  return all.failed > 0 || (ci && all.skipped > 0) ? 1 : 0;
}

const describe = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;

const duration = (seconds) =>
  seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
