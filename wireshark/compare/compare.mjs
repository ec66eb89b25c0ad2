// `npm run compare -- [--out FILE] [--rtoscope FILE] [FOLDER|CAPTURE...]`: compares RTOscope's reading of captures with
// tshark's. README.md beside this file describes the method, the rules and the output.
import { existsSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { compare } from './capture.mjs';
import { page } from './page.mjs';
import { inputs, key, open, row, store } from './rows.mjs';
import { ROOT, binary, typedIn } from '../../scripts/env.mjs';
import { Stop, read } from '../../scripts/run.mjs';

/** Folders compared by default, from the root of the repository; those that do not exist are left out. */
const FOLDERS = ['../shared/captures', '../shared/cooja', '../shared/live', 'traces'];

/** Names of files beside captures, which neither program is given. */
const BESIDE = /(^|[./])(md|json|tsv|csv|svg|log|t0)(\.gz)?$/;

/** Files under a path, in order of name. */
function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path];
  const inside = readdirSync(path).sort();
  return inside.flatMap((name) => filesOf(join(path, name))).filter((file) => !BESIDE.test(file));
}

/** Captures under the given paths, named relative to them: the page must not depend on the machine. */
function subjects(paths) {
  return paths.flatMap((path) => {
    const top = statSync(path).isDirectory() ? resolve(path, '..') : resolve(path, '..', '..');
    return filesOf(path).map((file) => ({ file, name: relative(top, file).replaceAll('\\', '/') }));
  });
}

/** The value of `--name VALUE`, taken out of the arguments. */
function option(args, name) {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? undefined : args.splice(at, 2)[1];
}

/** One line of progress for a row. */
const inShort = ({ result, unread }) =>
  result
    ? `${result.name}: CoAP ${result.messages.join(' / ')}, ${result.equal} of ${result.compared} values equal, ` +
      `${open(result).length} open`
    : `${unread.name}: no capture`;

/**
 * Runs the comparison. Resolves to the exit code: 1 where a difference has no explanation. Throws Stop without
 * programs.
 */
export default async function (args) {
  const paths = [...args];
  const out = option(paths, 'out');
  const program = option(paths, 'rtoscope') ?? binary('rtoscope');
  if (!existsSync(program)) throw new Stop('The command line is not built. Run once: npm run -s rtoscope -- --version');
  const tshark = read('tshark', ['--version'])?.match(/\d+\.\d+\.\d+/)?.[0];
  if (!tshark) throw new Stop('tshark was not found. On Debian and Ubuntu: sudo apt-get install tshark');

  const given = paths.map((path) => resolve(typedIn('compare'), path));
  const defaults = FOLDERS.map((path) => join(ROOT, path)).filter(existsSync);
  const all = subjects(given.length > 0 ? given : defaults);
  const { rules } = JSON.parse(readFileSync(join(import.meta.dirname, 'rules.json'), 'utf8'));
  const versions = [read(program, ['--version']) ?? 'rtoscope', `tshark ${tshark}`];
  const file = out && resolve(typedIn('compare'), out);
  const rows = store(file && `${file}.rows`);
  const by = inputs(program, tshark);
  const done = [];
  let reused = 0;
  const text = () => {
    const results = done.map(({ result }) => result).filter(Boolean);
    const unread = done.map(({ unread }) => unread).filter(Boolean);
    return page({ results, unread, rules, versions, left: all.length - done.length, reused });
  };
  const write = () => {
    writeFileSync(`${file}.new`, text());
    renameSync(`${file}.new`, file);
  };
  for (const subject of all) {
    const id = key(subject, by);
    const known = rows.stored.get(id);
    if (known) {
      reused += 1;
      done.push(known);
      continue;
    }
    const { result, unread } = compare(subject, program, rules);
    const fresh = unread ? { unread } : { result: row(result) };
    rows.put(id, fresh);
    done.push(fresh);
    console.error(`${done.length} of ${all.length} ${inShort(fresh)}`);
    if (file) write();
  }
  if (file) write();
  else process.stdout.write(text());
  const unexplained = done.flatMap(({ result }) => (result ? open(result) : [])).length;
  if (unexplained > 0) console.error(`${unexplained} differences are not explained.`);
  return unexplained > 0 ? 1 : 0;
}
