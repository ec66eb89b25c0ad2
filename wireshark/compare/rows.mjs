// Rows of a comparison, one for each capture, stored in a file so that an interrupted run can be resumed.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { siblingPath } from './capture.mjs';

/** Counts messages that tshark finds in one sniffer's frames alone, and not in the same frames of the whole file. */
function mixed({ messages, merged }) {
  const key = ({ frame, type, mid }) => `${frame} ${type} ${mid}`;
  const whole = new Set(merged.map(key));
  return messages.filter((message) => !whole.has(key(message))).length;
}

/** Numbers of an alignment, and its differences with the ids of their rules. */
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

/** Reduces a result to the numbers that the page shows. Of a pair the first is tshark's, the second ours. */
export function row({ name, encapsulation, frames, ours, theirs, aligned, dissected, how, sibling }) {
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
    sibling: sibling && { name: sibling.name, frames: sibling.frames, ...counts(sibling.aligned) },
  };
}

/** Differences that no rule explains, also those between a Cooja log and the capture beside it. */
export const open = ({ differences, sibling }) =>
  [...differences, ...(sibling?.differences ?? [])].filter(({ rule }) => !rule);

/** SHA-256, in hex, over the digests of the parts. */
const digest = (parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(createHash('sha256').update(part).digest());
  return hash.digest('hex');
};

/** Digest of everything that all rows depend on: both programs, this tool's modules and the rules. */
export function inputs(program, tshark) {
  const names = readdirSync(import.meta.dirname).filter((name) => /\.(mjs|json)$/.test(name));
  const read = names.sort().map((name) => readFileSync(join(import.meta.dirname, name)));
  return digest([readFileSync(program), tshark, ...read]);
}

/** Key of a capture's row: digest of `inputs`, the capture, and the capture beside it, if any. */
export function key({ file, name }, inputs) {
  const files = [file, siblingPath(file)].filter(Boolean);
  return digest([inputs, name, ...files.map((path) => readFileSync(path))]);
}

/**
 * Opens the rows of `path`: `stored`, rows by key, each `{result}` or `{unread}`, and `put`, which appends one at once.
 * An unfinished last line of an interrupted run is cut off. Without a path, rows live in memory only.
 */
export function store(path) {
  const stored = new Map();
  const text = path && existsSync(path) ? readFileSync(path, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  for (const line of whole.split('\n').filter(Boolean)) {
    const { key, ...row } = JSON.parse(line);
    stored.set(key, row);
  }
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
  const put = (key, row) => {
    stored.set(key, row);
    if (path) appendFileSync(path, `${JSON.stringify({ key, ...row })}\n`);
  };
  return { stored, put };
}
