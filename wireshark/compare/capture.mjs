// Compares both readings of one capture.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { align, inShort } from './align.mjs';
import { convert } from './convert.mjs';
import * as ours from './ours.mjs';
import { explain } from './proofs.mjs';
import * as theirs from './theirs.mjs';
import { run } from './tools.mjs';

/** File name of a Cooja run's radio log, and those that the capture of the same run may have. */
const SIBLINGS = { 'radiolog.txt.gz': ['radio.pcap.gz', 'capture.pcap.gz'] };

/** Frames, encapsulation and interfaces of a file by capinfos; `frames` is undefined where Wireshark cannot read it. */
function capinfos(file) {
  const { out } = run('capinfos', ['-c', '-E', '-I', '-M', file]);
  const value = (key) => out.match(new RegExp(`^${key}:\\s*(.*)$`, 'm'))?.[1];
  const frames = value('Number of packets');
  return {
    frames: frames === undefined ? undefined : Number(frames),
    encapsulation: value('File encapsulation'),
    interfaces: Number(value('Number of interfaces in file') ?? 1),
  };
}

/** Path of the capture beside a Cooja radio log; undefined for any other file. */
export const siblingPath = (file) =>
  (SIBLINGS[basename(file)] ?? []).map((name) => join(dirname(file), name)).find((path) => existsSync(path));

/**
 * Compares a Cooja radio log with the pcap of the same run, without order and times. Both hold the same frames. The log
 * has them in the order of sending, in milliseconds of simulated time; the pcap in the order in which Cooja wrote them
 * (PcapExporter.java), with times of its own.
 */
function siblingOf(file, mine, program) {
  const there = siblingPath(file);
  if (!there) return null;
  const other = ours.decode(program, there);
  const sorted = (messages) =>
    messages
      .map((message) => ({ message: { ...message, frame: 0, time: 0, options: null }, key: inShort(message) }))
      .sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
      .map(({ message }, frame) => ({ ...message, frame }));
  const aligned = align(sorted(mine.messages), sorted(other.messages));
  return { name: basename(there), frames: [mine.frames, other.frames], aligned };
}

/**
 * Reads `{file, name}` with both programs and aligns the readings. Returns `{result}`, in which every difference has
 * the rule that explains it or null, or `{unread}` for a file that neither program reads.
 */
export function compare({ file, name }, program, rules) {
  const folder = mkdtempSync(join(tmpdir(), 'rtoscope-compare-'));
  try {
    const octets = readFileSync(file);
    const converted = convert(octets);
    const path = converted ? theirs.park(converted.octets, folder) : file;
    const first = ours.decode(program, file);
    // Our refusal of base64 advises to decode it. The decoded file is compared.
    const asAdvised = Boolean(converted?.what === 'base64' && first.refused?.includes('base64 -d'));
    const read = asAdvised ? path : file;
    const mine = asAdvised ? ours.decode(program, path) : first;
    const { frames, encapsulation, interfaces } = capinfos(path);
    if (mine.refused && frames === undefined) return { unread: { name, why: mine.refused } };

    const readable = theirs.prepare(path, encapsulation, folder);
    const options = [...ours.contexts(mine.notes), ...ours.decodeAs(mine.messages)];
    const subject = {
      file: read,
      program,
      path: readable.path,
      args: [...readable.args, ...options],
      interfaces,
      notes: mine.notes,
      sha256: createHash('sha256').update(octets).digest('hex'),
    };
    const other = theirs.decode(subject, folder);
    const dissected = ours.addOptions(program, read, mine.messages, ours.alone(mine.messages));
    const aligned = align(mine.messages, other.messages);
    if (frames !== mine.frames)
      aligned.differences.unshift({ frame: '–', field: 'frames', ours: mine.frames, theirs: frames, row: {} });
    for (const difference of aligned.differences) difference.rule = explain(difference, subject, rules, folder);

    const conversion = converted ? [`converted from ${converted.what}${asAdvised ? ', as ours' : ''}`] : [];
    const how = [...conversion, ...readable.how, ...options.filter((arg) => !arg.startsWith('-'))];
    return {
      result: {
        name,
        encapsulation,
        frames,
        ours: mine,
        theirs: other,
        aligned,
        dissected,
        how,
        sibling: siblingOf(file, mine, program),
      },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
