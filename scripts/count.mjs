// Counts passed, failed and skipped tests in a runner's output, and collects the reasons of skips.
import { stripVTControlCharacters } from 'node:util';

const sum = (text, pattern) => [...text.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0);

const lines = (text, pattern) => [...text.matchAll(pattern)].length;

const READERS = {
  /**
   * One line for each test binary: "test result: ok. 12 passed; 0 failed; 1 ignored; ...". A test that finds out while
   * it runs that it cannot prints so (`needs::skip`), once or several times; libtest counts it as passed, or as failed
   * if the rest of it did.
   */
  cargo: (text) => {
    const failed = new Set([...text.matchAll(/^test (\S+) \.\.\. FAILED$/gm)].map(([, name]) => name));
    const said = [...text.matchAll(/^skipped test (\S+?)::(\S+): needs (.+)$/gm)];
    const skips = new Map();
    for (const [, binary, name, need] of said) {
      if (!failed.has(name)) skips.set(`${binary}::${name}`, { name: `${binary}::${name}`, need });
    }
    return {
      passed: sum(text, /^test result: .*?(\d+) passed/gm) - skips.size,
      failed: sum(text, /^test result: .*?(\d+) failed/gm),
      skipped: sum(text, /^test result: .*?(\d+) ignored/gm) + skips.size,
      skips: [...skips.values()],
    };
  },
  /** node --test, spec or tap: "ℹ pass 12"; a skipped test in the spec reporter: "﹣ name (0.1ms) # needs tshark". */
  node: (text) => {
    const said = [...text.matchAll(/^\s*\S (.+) \([\d.]+ms\) # needs (.+)$/gm)];
    const skips = new Map(said.map(([, name, need]) => [name, { name, need }]));
    return {
      passed: sum(text, /^\S+ pass (\d+)$/gm),
      failed: sum(text, /^\S+ (?:fail|cancelled) (\d+)$/gm),
      skipped: sum(text, /^\S+ (?:skipped|todo) (\d+)$/gm),
      skips: [...skips.values()],
    };
  },
  /**
   * pytest's closing line: "2 failed, 31 passed, 1 skipped in 9.81s"; a skipped test, with `-rs`: "SKIPPED [1]
   * tests/test_a.py:7: needs polars". A runner of pytest that cannot run it prints so in the way of cargo's tests.
   */
  pytest: (text) => {
    const line =
      text.match(/^=*\s*(.*\b(?:passed|failed|error|errors|skipped|deselected)\b.*) in [\d.]+s.*$/m)?.[1] ?? '';
    const said = [...text.matchAll(/^(?:SKIPPED \[\d+\] (\S+?)|skipped test (\S+)): needs (.+)$/gm)];
    const unable = lines(text, /^skipped test \S+: needs .+$/gm);
    return {
      passed: sum(line, /(\d+) (?:passed|xpassed)/g),
      failed: sum(line, /(\d+) (?:failed|errors?)/g),
      skipped: sum(line, /(\d+) (?:skipped|xfailed)/g) + unable,
      skips: said.map(([, one, other, need]) => ({ name: one ?? other, need })),
    };
  },
  /** TAP: "ok 3 - name", "not ok 4 - name", of one producer or several after each other. */
  tap: (text) => ({
    passed: lines(text, /^ok \d+/gm),
    failed: lines(text, /^not ok \d+/gm),
    skipped: 0,
  }),
  /** Vitest's closing line: "Tests  1 failed | 5 passed | 2 skipped | 1 todo (9)". */
  vitest: (text) => {
    const line = text.match(/^\s*Tests\s+(.*)$/m)?.[1] ?? '';
    return {
      passed: sum(line, /(\d+) passed/g),
      failed: sum(line, /(\d+) failed/g),
      skipped: sum(line, /(\d+) (?:skipped|todo)/g),
    };
  },
};

/**
 * Result of a finished suite from its output and exit code. A command that failed without naming a failed test (it did
 * not compile, it crashed) counts as one failure, and so does a runner that ran no test.
 */
export function count(reader, output, code) {
  if (!reader) return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0, skips: [] };
  const result = { skips: [], ...READERS[reader](stripVTControlCharacters(output)) };
  const nothing = result.passed + result.failed + result.skipped === 0;
  if (result.failed === 0 && (code !== 0 || nothing)) result.failed = 1;
  return result;
}
