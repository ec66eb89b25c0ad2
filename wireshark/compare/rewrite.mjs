// Rewrites frames of a capture in another order or with missing octets filled in, for proofs with tshark.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fields, run } from './tools.mjs';

/** Octets of the headers of a classic pcap file and of its records, and two offsets in the latter. */
const FILE_HEADER = 24;
const RECORD_HEADER = 16;
const [INCLUDED_LEN, ORIGINAL_LEN] = [8, 12];

/** Yields `{head, octets, length}` for each record of a little-endian pcap file; `length` is that on the wire. */
function* records(file) {
  for (let at = FILE_HEADER; at + RECORD_HEADER <= file.length;) {
    const head = file.subarray(at, at + RECORD_HEADER);
    const start = at + RECORD_HEADER;
    at = start + head.readUInt32LE(INCLUDED_LEN);
    yield { head, octets: file.subarray(start, at), length: head.readUInt32LE(ORIGINAL_LEN) };
  }
}

/** Fills a record up with zeros to its length on the wire. */
function padded({ head, octets, length }) {
  const whole = Buffer.from(head);
  whole.writeUInt32LE(length, INCLUDED_LEN);
  return [whole, octets, Buffer.alloc(length - octets.length)];
}

/** Returns a pcap file whose records are padded and in the order of `places`, one per record. */
export function arranged(file, places) {
  const all = [...records(file)].map((record, i) => ({ record, place: places[i] }));
  all.sort((a, b) => a.place - b.place);
  return Buffer.concat([file.subarray(0, FILE_HEADER), ...all.flatMap(({ record }) => padded(record))]);
}

/**
 * Writes the frames of `filter` to a file, padded to their lengths on the wire, in the order of `place(frame)`. Returns
 * `{path, numbers}`: the file and the frame numbers in that order.
 */
export function rewrite(path, filter, folder, place = (frame) => frame) {
  const target = join(folder, 'rewritten.pcap');
  const { rows } = fields(['-r', path, '-Y', filter], ['frame.number']);
  const numbers = rows.map((row) => Number(row['frame.number'][0]));
  run('tshark', ['-r', path, '-Y', filter, '-F', 'nsecpcap', '-w', target]);
  writeFileSync(target, arranged(readFileSync(target), numbers.map(place)));
  return { path: target, numbers: numbers.sort((a, b) => place(a) - place(b)) };
}
