// What tshark makes of a capture: the preferences it needs, and its rows in the form of ours.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPTIONS } from './align.mjs';
import { fields, once, run } from './tools.mjs';

const TYPES = ['CON', 'NON', 'ACK', 'RST'];
const TI = ['-o', 'wpan.fcs_format:TI CC24xx metadata'];

/** Check sequences of a file are taken to be what most frames' last two octets are. Chance matches every 65536th CRC. */
const MOST = 1 / 2;
/** Bit 7 of the last octet says "CRC OK" in a TI status; it is set by chance in half of all frames. */
const NEARLY_ALL = 0.9;

/** Frames that are enough to tell what the check sequences of a file are. */
const ENOUGH = ['-c', '3000'];

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

/** tshark lists a check as 1, or by name from version 4.2 on. */
const yes = (cell) => cell === '1' || cell === 'True';

/**
 * The file as tshark can read it, its options for that, and how to say so. Link type 195 promises a check sequence that
 * need not be there; what is there is found by tshark's own eyes, not taken from our reading.
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

/** Who heard a frame: the interface of a pcapng file, the device of a ZEP packet. */
const sniffer = (row) =>
  ['frame.interface_id', 'zep.device_id']
    .filter((field) => row[field].length > 0)
    .map((field) => `${field}==${row[field][0]}`)
    .join(' && ');

/** Display filters of the sniffers of a file, if it merges several and fragments were heard by more than one. */
export function sniffers(rows) {
  const fragments = rows.filter((row) => row['6lowpan.frag.size'].length > 0);
  return new Set(fragments.map(sniffer)).size > 1 ? [...new Set(rows.map(sniffer))] : [];
}

const SNIFFERS = ['frame.interface_id', 'zep.device_id', '6lowpan.frag.size'];

function sniffersOf(subject, messages) {
  if (!(subject.interfaces > 1) && !messages.some(({ protocols }) => protocols.includes(':zep:'))) return [];
  return once(subject, 'sniffers', () => sniffers(fields(['-r', subject.path, ...subject.args], SNIFFERS).rows));
}

/** Frame numbers of a filter's frames and a file that holds only them. */
export function only(path, filter, folder) {
  const part = join(folder, 'part.pcapng');
  const rows = fields(['-r', path, '-Y', filter], ['frame.number']).rows;
  run('tshark', ['-r', path, '-Y', filter, '-w', part]);
  return { part, numbers: rows.map((row) => Number(row['frame.number'][0])) };
}

/** tshark's messages of one run, with the frame numbers of the whole file. */
export function messages(path, args, numbers) {
  const result = fields(['-r', path, ...args, '-Y', 'coap'], FIELDS);
  return { ...result, messages: result.rows.flatMap((row) => messagesOf(row, numbers)) };
}

/** The messages of one row: nearly always one. Lists grow by the layers of the frame, CoAP is in the last. */
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
  // A block that completes a body shows the body's length too, any other block only its own.
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

const code = (value) => `${value >> 5}.${String(value & 31).padStart(2, '0')}`;

/** All messages, each sniffer's frames by themselves where a file merges several; `more` options beside the subject's. */
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
