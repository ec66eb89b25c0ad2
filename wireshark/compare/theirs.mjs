// tshark's reading of a capture: the preferences it needs, and its rows in the form of ours.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPTIONS } from './align.mjs';
import { fields, once, run } from './tools.mjs';

/** Names of message types by number (RFC 7252 §3). */
const TYPES = ['CON', 'NON', 'ACK', 'RST'];
/** Option for frames that end with TI's status in place of the FCS. */
const TI = ['-o', 'wpan.fcs_format:TI CC24xx metadata'];

/** Share of frames with a good CRC above which a file has check sequences. By chance one frame in 65,536 has one. */
const MOST = 1 / 2;
/**
 * Share of frames with "CRC OK" above which the last octets are TI's status. By chance bit 7 is set in half of them.
 */
const NEARLY_ALL = 0.9;

/** Option that limits the search for the kind of check sequence to the first 3000 frames. */
const ENOUGH = ['-c', '3000'];

/** Fields of a message that tshark prints. */
const FIELDS = [
  'frame.number',
  'frame.time_epoch',
  'frame.protocols',
  'ip.src',
  'ip.dst',
  'ipv6.src',
  'ipv6.dst',
  'udp.srcport',
  'udp.dstport',
  'udp.checksum.status',
  'coap.version',
  'coap.type',
  'coap.code',
  'coap.mid',
  'coap.token',
  'coap.payload_length',
  'coap.block_length',
  '_ws.malformed',
  ...OPTIONS,
];

/** True for a check that passed: tshark prints 1, from version 4.2 on the name. */
const yes = (cell) => cell === '1' || cell === 'True';

/**
 * Prepares a file for tshark: its path, the options it needs, and their description. Link type 195 promises a check
 * sequence that need not be there. Its kind is found with tshark alone, so that the two readings stay independent.
 */
export function prepare(file, encapsulation, folder) {
  const promised = { path: file, args: [], how: [] };
  if (encapsulation !== 'wpan') return promised;
  const good = (args) => {
    const { rows } = fields(['-r', file, ...ENOUGH, ...args], ['frame.number', 'wpan.fcs_ok']);
    return rows.filter((row) => yes(row['wpan.fcs_ok'][0])).length / rows.length;
  };
  if (!(good([]) < MOST)) return promised;
  if (good(TI) >= NEARLY_ALL) return { path: file, args: TI, how: [TI[1]] };
  const path = join(folder, 'without-fcs.pcapng');
  run('editcap', ['-T', 'wpan-nofcs', file, path]);
  return { path, args: [], how: ['editcap -T wpan-nofcs'] };
}

/** Display filter for the sniffer of a frame: the interface of a pcapng file, the device of a ZEP packet. */
const sniffer = (row) =>
  ['frame.interface_id', 'zep.device_id']
    .filter((field) => row[field].length > 0)
    .map((field) => `${field}==${row[field][0]}`)
    .join(' && ');

/** Display filters of the sniffers of a file; empty unless more than one sniffer heard fragments. */
export function sniffers(rows) {
  const fragments = rows.filter((row) => row['6lowpan.frag.size'].length > 0);
  return new Set(fragments.map(sniffer)).size > 1 ? [...new Set(rows.map(sniffer))] : [];
}

/** Fields that identify sniffers and fragments. */
const SNIFFERS = ['frame.interface_id', 'zep.device_id', '6lowpan.frag.size'];

/** Display filters of the sniffers of a subject; empty where one sniffer heard it all. */
function sniffersOf(subject, messages) {
  if (!(subject.interfaces > 1) && !messages.some(({ protocols }) => protocols.includes(':zep:'))) return [];
  return once(subject, 'sniffers', () => sniffers(fields(['-r', subject.path, ...subject.args], SNIFFERS).rows));
}

/** Writes a filter's frames to a file: its path, and their frame numbers in the whole file. */
export function only(path, filter, folder) {
  const part = join(folder, 'part.pcapng');
  const rows = fields(['-r', path, '-Y', filter], ['frame.number']).rows;
  run('tshark', ['-r', path, '-Y', filter, '-w', part]);
  return { part, numbers: rows.map((row) => Number(row['frame.number'][0])) };
}

/** Messages of one run of tshark, with the frame numbers of the whole file: `numbers` has those of the part read. */
export function messages(path, args, numbers) {
  const result = fields(['-r', path, ...args, '-Y', 'coap'], FIELDS);
  return { ...result, messages: result.rows.flatMap((row) => messagesOf(row, numbers)) };
}

/** Messages of one row, nearly always one. Lists have an entry per layer of the frame; CoAP is in the last. */
function messagesOf(row, numbers) {
  const last = (field) => row[field].at(-1);
  const ip =
    row['frame.protocols'][0].lastIndexOf(':ip:') > row['frame.protocols'][0].lastIndexOf(':ipv6:') ? 'ip' : 'ipv6';
  const frame = Number(row['frame.number'][0]);
  const about = {
    frame: numbers ? numbers[frame - 1] : frame,
    time: last('frame.time_epoch'),
    src: last(`${ip}.src`),
    src_port: Number(last('udp.srcport')),
    dst: last(`${ip}.dst`),
    dst_port: Number(last('udp.dstport')),
    protocols: row['frame.protocols'][0],
    checksum: last('udp.checksum.status'),
    malformed: row['_ws.malformed'].length > 0,
    reliable: row['coap.version'].length === 0,
    ...Object.fromEntries(OPTIONS.map((name) => [name, row[name].join(';')])),
  };
  // For a block that completes a body tshark also prints the body's length.
  const payload = Number(last('coap.block_length') ?? last('coap.payload_length') ?? 0);
  const count = Math.max(1, row['coap.mid'].length);
  return Array.from({ length: count }, (_, i) => ({
    ...about,
    type: TYPES[row['coap.type'][i]],
    code: row['coap.code'][i] === undefined ? undefined : code(row['coap.code'][i]),
    mid: Number(row['coap.mid'][i]),
    token: count === 1 ? (row['coap.token'][0] ?? '') : (row['coap.token'][i] ?? ''),
    payload_len: payload,
  }));
}

/** A code as text: `2.05` for 69. */
const code = (value) => `${value >> 5}.${String(value & 31).padStart(2, '0')}`;

/**
 * Reads all messages. Where a file merges sniffers, each is read by itself. `more` are options beside the subject's.
 */
export function decode(subject, folder, more = []) {
  const args = [...subject.args, ...more];
  const all = messages(subject.path, args);
  const filters = sniffersOf(subject, all.messages);
  if (filters.length === 0) return { messages: all.messages, seconds: all.seconds, err: all.err, merged: null };
  const apart = filters.flatMap((filter) => {
    const { part, numbers } = only(subject.path, filter, folder);
    return messages(part, args, numbers).messages;
  });
  apart.sort((a, b) => a.frame - b.frame);
  return { messages: apart, seconds: all.seconds, err: all.err, merged: all.messages, sniffers: filters.length };
}

/** Writes a converted capture where tshark can read it. */
export function park(octets, folder) {
  const path = join(folder, 'converted.pcap');
  writeFileSync(path, octets);
  return path;
}
