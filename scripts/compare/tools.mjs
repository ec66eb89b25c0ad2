// The programs that a comparison runs, and how long they took.
import { spawnSync } from 'node:child_process';
import { ENV } from '../env.mjs';
import { Stop } from '../run.mjs';

/** Standard output of the largest capture's rows stays below this. */
const MAX_OUTPUT = 1 << 30;

/** `{out, err, status, seconds}` of a program. A program that cannot be started is a Stop; one that fails is a result. */
export function run(command, args) {
  const start = process.hrtime.bigint();
  const child = spawnSync(command, args, { encoding: 'utf8', env: ENV, maxBuffer: MAX_OUTPUT });
  if (child.error) throw new Stop(`${command} cannot be started: ${child.error.message}`);
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  // Wireshark's tools remark on being run as root; that says nothing about a capture.
  const err = child.stderr.replace(/^Running as user "root".*\n?/gm, '').trim();
  return { out: child.stdout, err, status: child.status, seconds };
}

/** Rows of `tshark -T fields`: one object per frame, each field an array of all its occurrences. */
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

/** What `make` returns for a subject and a key, made once. */
export function once(subject, key, make) {
  subject.made ??= new Map();
  if (!subject.made.has(key)) subject.made.set(key, make());
  return subject.made.get(key);
}
