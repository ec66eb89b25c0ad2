// What is kept of a comparison: a row for each capture, in a file, so that a run that was stopped goes on where it was.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../env.mjs';
import { twinPath } from './capture.mjs';

/** Messages that tshark finds when it gets one sniffer's frames, and not in the same frames of the whole file. */
function mixed({ messages, merged }) {
  const key = ({ frame, type, mid }) => `${frame} ${type} ${mid}`;
  const whole = new Set(merged.map(key));
  return messages.filter((message) => !whole.has(key(message))).length;
}

const counts = ({ compared, equal, differences }) => ({
  compared,
  equal,
  differences: differences.map(({ frame, field, ours, theirs, rule }) => ({
    frame,
    field,
    ours,
    theirs,
    rule: rule?.id,
  })),
});

/** What a page needs of a result, without its messages. Of a pair the first is tshark's, the second ours. */
export function row({ name, encapsulation, frames, ours, theirs, aligned, dissected, how, twin }) {
  return {
    name,
    encapsulation,
    format: ours.format,
    how,
    frames: [frames, ours.frames],
    messages: [theirs.messages.length, ours.messages.length],
    seconds: [theirs.seconds, ours.seconds],
    dissected,
    ...counts(aligned),
    sniffers: theirs.merged && { count: theirs.sniffers, mixed: mixed(theirs) },
    twin: twin && { name: twin.name, frames: twin.frames, ...counts(twin.aligned) },
  };
}

/** Differences that no rule explains, those between a log and its twin among them. */
export const open = ({ differences, twin }) =>
  [...differences, ...(twin?.differences ?? [])].filter(({ rule }) => !rule);

const digest = (parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(createHash('sha256').update(part).digest());
  return hash.digest('hex');
};

/** What all rows depend on: both programs, these scripts and the rules. */
export function judges(program, tshark) {
  const scripts = join(ROOT, 'scripts');
  const parts = readdirSync(join(scripts, 'compare')).map((name) => join('compare', name));
  const read = [...parts.sort(), 'compare.json'].map((name) => readFileSync(join(scripts, name)));
  return digest([readFileSync(program), tshark, ...read]);
}

/** What a capture's row depends on: that, the capture, and the one that it is held against, too. */
export function key({ file, name }, judges) {
  const files = [file, twinPath(file)].filter(Boolean);
  return digest([judges, name, ...files.map((path) => readFileSync(path))]);
}

/**
 * The rows that `path` holds, by key, and `put`, which adds one there at once. Each is `{result}` or `{unread}`. A line
 * that a stopped run left unfinished is none, and is cut off.
 */
export function keeper(path) {
  const kept = new Map();
  const text = path && existsSync(path) ? readFileSync(path, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  for (const line of whole.split('\n').filter(Boolean)) {
    const { key, ...row } = JSON.parse(line);
    kept.set(key, row);
  }
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
  const put = (key, row) => {
    kept.set(key, row);
    if (path) appendFileSync(path, `${JSON.stringify({ key, ...row })}\n`);
  };
  return { kept, put };
}
