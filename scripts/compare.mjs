// `npm run compare -- [--out FILE] [--rtoscope FILE] [FOLDER|CAPTURE...]`: reads every capture with RTOscope and with
// Wireshark's tshark and prints, as Markdown, how many frames and CoAP messages each sees, how many values agree, and
// every difference with its explanation. Explanations are rules of compare.json, and a rule counts only where its proof
// holds. Exit code 1 when a difference stays open. For maintainers; needs tshark and a built command line.
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { compare } from './compare/capture.mjs';
import { open, page } from './compare/page.mjs';
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

export default async function (args) {
  const paths = [...args];
  const out = option(paths, 'out');
  const program = option(paths, 'rtoscope') ?? binary('rtoscope');
  if (!existsSync(program)) throw new Stop('The command line is not built. Run once: npm run -s rtoscope -- --version');
  const tshark = read('tshark', ['--version'])?.match(/\d+\.\d+\.\d+/)?.[0];
  if (!tshark) throw new Stop('tshark was not found. On Debian and Ubuntu: sudo apt-get install tshark');

  const given = paths.map((path) => resolve(typedIn('compare'), path));
  const defaults = FOLDERS.map((path) => join(ROOT, path)).filter(existsSync);
  const { rules } = JSON.parse(readFileSync(join(ROOT, 'scripts', 'compare.json'), 'utf8'));
  const results = [];
  const unread = [];
  for (const subject of subjects(given.length > 0 ? given : defaults)) {
    const { result, unread: none } = compare(subject, program, rules);
    if (none) unread.push(none);
    else results.push(result);
    if (process.stderr.isTTY)
      process.stderr.write(`\r\x1b[K${results.length + unread.length} ${basename(subject.name)}`);
    else if (result && open(result).length > 0) console.error(`${subject.name}: ${open(result).length} open`);
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');

  const versions = [read(program, ['--version']) ?? 'rtoscope', `tshark ${tshark}`];
  const text = page({ results, unread, rules, versions });
  if (out) writeFileSync(resolve(typedIn('compare'), out), text);
  else process.stdout.write(text);
  const unexplained = results.flatMap(open).length;
  if (unexplained > 0) console.error(`${unexplained} differences are not explained.`);
  return unexplained > 0 ? 1 : 0;
}
