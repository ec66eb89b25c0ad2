// `npm run compare -- [--out FILE] [--rtoscope FILE] [FOLDER|CAPTURE...]`: reads every capture with RTOscope and with
// Wireshark's tshark and prints, as Markdown, how many frames and CoAP messages each sees, how many values agree, and
// every difference with its explanation. Explanations are rules of compare.json, and a rule counts only where its proof
// holds. Exit code 1 when a difference stays open. For maintainers; needs tshark and a built command line.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { align } from './compare/align.mjs';
import { convert } from './compare/convert.mjs';
import * as ours from './compare/ours.mjs';
import { page } from './compare/page.mjs';
import { explain } from './compare/proofs.mjs';
import * as theirs from './compare/theirs.mjs';
import { run } from './compare/tools.mjs';
import { ROOT, binary, typedIn } from './env.mjs';
import { Stop, read } from './run.mjs';

const FOLDERS = ['../shared/captures', '../shared/cooja', '../shared/live', 'traces'];

/** What a Cooja run calls its radio log, and the capture it wrote beside it. */
const TWINS = { 'radiolog.txt.gz': ['radio.pcap.gz', 'capture.pcap.gz'] };

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

/** capinfos on a file: number of frames and encapsulation, or the reason why it cannot say. */
function capinfos(file) {
  const { out, err } = run('capinfos', ['-c', '-E', '-M', file]);
  const value = (key) => out.match(new RegExp(`^${key}:\\s*(.*)$`, 'm'))?.[1];
  const packets = value('Number of packets');
  return {
    frames: packets === undefined ? undefined : Number(packets),
    encapsulation: value('File encapsulation'),
    err,
  };
}

/** A Cooja radio log and the pcap of the same run: one row is one record, so every message must be in both. */
function twinOf(subject, mine, program) {
  const there = (TWINS[basename(subject.file)] ?? []).map((name) => join(dirname(subject.file), name)).find(existsSync);
  if (!there) return null;
  const other = ours.decode(program, there);
  // The text has milliseconds of simulated time, the pcap microseconds since some morning.
  const timeless = (messages) => messages.map((message) => ({ ...message, time: 0 }));
  const aligned = align(timeless(mine.messages), timeless(other.messages));
  return { name: basename(there), frames: [mine.frames, other.frames], aligned };
}

/** Both readings of one file, aligned; or the reason why it is no capture. */
function compare(subject, program, rules) {
  const folder = mkdtempSync(join(tmpdir(), 'rtoscope-compare-'));
  try {
    const octets = readFileSync(subject.file);
    subject.sha256 = createHash('sha256').update(octets).digest('hex');
    const converted = convert(octets);
    const path = converted ? theirs.park(converted.octets, folder) : subject.file;
    const mine = ours.decode(program, subject.file);
    const counted = capinfos(path);
    if (mine.refused && counted.frames === undefined) return { unread: { name: subject.name, why: mine.refused } };
    const survey = theirs.census(path, counted.encapsulation, folder);
    const told = mine.refused ? [] : [...ours.contexts(mine.notes), ...ours.decodeAs(mine.messages)];
    Object.assign(subject, { path: survey.path, rows: survey.rows, args: [...survey.args, ...told] });
    const other = theirs.decode(subject, subject.args, folder);
    const aligned = align(mine.messages, other.messages);
    if (counted.frames !== mine.frames)
      aligned.differences.unshift({ frame: '–', field: 'frames', ours: mine.frames, theirs: counted.frames, row: {} });
    for (const difference of aligned.differences) difference.rule = explain(difference, subject, rules, folder);
    const how = [
      ...(converted ? [`converted from ${converted.what}`] : []),
      ...survey.how,
      ...told.filter((arg) => !/^-/.test(arg)),
    ];
    const twin = twinOf(subject, mine, program);
    return { result: { name: subject.name, frames: counted.frames, ours: mine, theirs: other, aligned, how, twin } };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `--name VALUE` taken out of the arguments. */
function option(args, name) {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? undefined : args.splice(at, 2)[1];
}

export default async function (args) {
  const rest = [...args];
  const out = option(rest, 'out');
  const program = option(rest, 'rtoscope') ?? binary('rtoscope');
  if (!existsSync(program)) throw new Stop('The command line is not built. Run once: npm run -s rtoscope -- --version');
  const tshark = read('tshark', ['--version'])?.match(/\d+\.\d+\.\d+/)?.[0];
  if (!tshark) throw new Stop('tshark was not found. On Debian and Ubuntu: sudo apt-get install tshark');

  const given = rest.map((path) => resolve(typedIn('compare'), path));
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
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');

  const versions = [read(program, ['--version']) ?? 'rtoscope', `tshark ${tshark}`];
  const text = page({ results, unread, rules, versions });
  if (out) writeFileSync(resolve(typedIn('compare'), out), text);
  else process.stdout.write(text);
  const open = results
    .flatMap(({ aligned, twin }) => [...aligned.differences, ...(twin?.aligned.differences ?? [])])
    .filter(({ rule }) => !rule);
  if (open.length > 0) console.error(`${open.length} differences are not explained.`);
  return open.length > 0 ? 1 : 0;
}
