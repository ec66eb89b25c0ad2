// `npm run compare -- [--out FILE] [--rtoscope FILE] [FOLDER|CAPTURE...]`: reads every capture with RTOscope and with
// Wireshark's tshark and prints, as Markdown, how many frames and CoAP messages each sees, how many values agree, and
// every difference with its explanation. Explanations are rules of compare.json, and a rule counts only where its proof
// holds. Exit code 1 when a difference stays open. With --out the page is written anew after every capture, and its rows
// are kept in FILE.rows: a run that was stopped goes on there, as long as programs, scripts and captures are the same.
// For maintainers; needs tshark and a built command line.
import { existsSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { compare } from './compare/capture.mjs';
import { page } from './compare/page.mjs';
import { judges, keeper, key, open, row } from './compare/rows.mjs';
import { ROOT, binary, typedIn } from './env.mjs';
import { Stop, read } from './run.mjs';

const FOLDERS = ['../shared/captures', '../shared/cooja', '../shared/live', 'traces'];

/** What lies beside captures and is not offered to either program. */
const BESIDE = /(^|[./])(md|json|tsv|csv|log|t0)(\.gz)?$/;

function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path];
  const inside = readdirSync(path).sort();
  return inside.flatMap((name) => filesOf(join(path, name))).filter((file) => !BESIDE.test(file));
}

/** Captures under the given paths, with names that do not say where this machine keeps them. */
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

/** A row in a few words. */
const inShort = ({ result, unread }) =>
  result
    ? `${result.name}: CoAP ${result.messages.join(' / ')}, ${result.equal} of ${result.compared} values equal, ` +
      `${open(result).length} open`
    : `${unread.name}: no capture`;

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
  const { rules } = JSON.parse(readFileSync(join(ROOT, 'scripts', 'compare.json'), 'utf8'));
  const versions = [read(program, ['--version']) ?? 'rtoscope', `tshark ${tshark}`];
  const file = out && resolve(typedIn('compare'), out);
  const rows = keeper(file && `${file}.rows`);
  const by = judges(program, tshark);
  const done = [];
  let kept = 0;
  const text = () => {
    const results = done.map(({ result }) => result).filter(Boolean);
    const unread = done.map(({ unread }) => unread).filter(Boolean);
    return page({ results, unread, rules, versions, left: all.length - done.length, kept });
  };
  const write = () => {
    writeFileSync(`${file}.new`, text());
    renameSync(`${file}.new`, file);
  };
  for (const subject of all) {
    const id = key(subject, by);
    const known = rows.kept.get(id);
    if (known) {
      kept += 1;
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
