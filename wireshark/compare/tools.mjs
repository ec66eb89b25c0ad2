// Runs the programs of a comparison and times them.
import { spawnSync } from 'node:child_process';
import { ENV } from '../../scripts/env.mjs';
import { Stop } from '../../scripts/run.mjs';

/** Octets of standard output, at most: 1 GiB. The rows of the largest capture stay below it. */
const MAX_OUTPUT = 1 << 30;

/** Runs a program: `{out, err, status, seconds}`. Throws Stop where it cannot be started; a failure is a result. */
export function run(command, args) {
  const start = process.hrtime.bigint();
  const child = spawnSync(command, args, { encoding: 'utf8', env: ENV, maxBuffer: MAX_OUTPUT });
  if (child.error) throw new Stop(`${command} cannot be started: ${child.error.message}`);
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  // Wireshark's tools warn about root, which has nothing to do with a capture.
  const err = child.stderr.replace(/^Running as user "root".*\n?/gm, '').trim();
  return { out: child.stdout, err, status: child.status, seconds };
}

/** Runs `tshark -T fields`: one row per frame, each field an array of all its occurrences. */
export function fields(args, names) {
  const wanted = names.flatMap((name) => ['-e', name]);
  const result = run('tshark', ['-n', ...args, '-T', 'fields', '-E', 'occurrence=a', '-E', 'aggregator=;', ...wanted]);
  const rows = result.out
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const cells = line.split('\t');
      return Object.fromEntries(
        names.map((name, i) => [name, (cells[i] ?? '').split(';').filter((cell) => cell !== '')]),
      );
    });
  return { ...result, rows };
}

/** Result of `make` for a subject and a key, computed once. */
export function once(subject, key, make) {
  subject.made ??= new Map();
  if (!subject.made.has(key)) subject.made.set(key, make());
  return subject.made.get(key);
}
