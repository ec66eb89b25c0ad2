// Converts captures that tshark cannot read to pcap. Written from the formats' documents and not from our own importer,
// so that the two readings stay independent. Sources: Cooja's RadioLogger.java (text log), TI SWRU187G (.psd), foren6's
// interface_snif.c (.snif), RFC 4648 (base64).
import { gunzipSync } from 'node:zlib';

/** Link types of pcap: LINKTYPE_IEEE802_15_4_WITHFCS and LINKTYPE_IEEE802_15_4_NOFCS. */
export const WITH_FCS = 195;
export const WITHOUT_FCS = 230;

/**
 * Whether the last two octets are the ITU-T CRC-16 of IEEE 802.15.4 §7.2.11: x^16 + x^12 + x^5 + 1, reflected, initial
 * value 0, low octet sent first.
 */
export function hasFcs(frame) {
  if (frame.length < 3) return false;
  let crc = 0;
  for (const octet of frame.subarray(0, -2)) {
    crc ^= octet;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >> 1) ^ 0x8408 : crc >> 1;
  }
  return crc === frame.readUInt16LE(frame.length - 2);
}

/** Builds a classic little-endian pcap file of `{us, octets}` records; `us`: their time in microseconds. */
export function pcap(frames, linkType) {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(65535, 16);
  header.writeUInt32LE(linkType, 20);
  const records = frames.map(({ us, octets }) => {
    const record = Buffer.alloc(16);
    record.writeUInt32LE(Math.floor(us / 1e6), 0);
    record.writeUInt32LE(us % 1e6, 4);
    record.writeUInt32LE(octets.length, 8);
    record.writeUInt32LE(octets.length, 12);
    return Buffer.concat([record, octets]);
  });
  return Buffer.concat([header, ...records]);
}

/** A row of a Cooja log: milliseconds, sender, receivers, length and hex octets. */
const COOJA_ROW = /^(\d+)\t\d+\t(?:-|\d+(?:,\d+)*)\t *\d+: 0x([0-9A-F ]+)$/;

/** Converts a Cooja "Radio messages" log saved without an analyzer; null for other files. Old motes append no FCS. */
function cooja(octets) {
  const head = octets.toString('latin1', 0, 4096).split('\n');
  if (!head.slice(0, -1).some((line) => COOJA_ROW.test(line))) return null;
  const frames = octets
    .toString('latin1')
    .split('\n')
    .map((line) => COOJA_ROW.exec(line.trimEnd()))
    .filter(Boolean)
    .map(([, ms, hex]) => ({ us: Number(ms) * 1000, octets: Buffer.from(hex.replaceAll(' ', ''), 'hex') }));
  const good = frames.filter((frame) => hasFcs(frame.octets)).length;
  return { what: 'Cooja radio log', octets: pcap(frames, good * 2 > frames.length ? WITH_FCS : WITHOUT_FCS) };
}

/** Octets of a record of TI's Packet Sniffer for IEEE 802.15.4: 1 of information and `Packet_length_raw_data` (150). */
const PSD_RECORD = 151;
/** Ticks of a microsecond in its time stamps. */
const PSD_TICKS_PER_US = 32;

/** Converts a file of TI's Packet Sniffer; null for other files. */
function psd(octets) {
  if (octets.length === 0 || octets.length % PSD_RECORD !== 0) return null;
  const frames = [];
  for (let at = 0; at < octets.length; at += PSD_RECORD) {
    const length = octets[at + 15];
    if (octets.readUInt32LE(at + 1) !== at / PSD_RECORD + 1 || octets.readUInt16LE(at + 13) !== length + 1) return null;
    const us = Number(octets.readBigUInt64LE(at + 5)) / PSD_TICKS_PER_US;
    frames.push({ us: Math.floor(us), octets: octets.subarray(at + 16, at + 16 + length) });
  }
  return { what: 'TI Packet Sniffer', octets: pcap(frames, WITH_FCS) };
}

/**
 * Converts foren6's recording of a sensniff stream; null for other files. Records: a magic, flags, length, frame; the
 * first magic of a file is its own.
 */
function snif(octets) {
  const magics = [Buffer.from('SNIF'), Buffer.from([0xfa, 0x3a, 0x0a, 0x46])];
  const isRecord = (at) => at === octets.length || magics.some((magic) => octets.indexOf(magic, at) === at);
  if (!isRecord(0)) return null;
  const frames = [];
  for (let at = 0; at >= 0 && at + 6 <= octets.length;) {
    const [flags, length] = [octets[at + 4], octets[at + 5]];
    const whole = flags === 0 && isRecord(at + 6 + length);
    if (whole) frames.push({ us: 0, octets: octets.subarray(at + 6, at + 6 + length) });
    at = whole ? at + 6 + length : octets.indexOf(magics[0], at + 4);
  }
  return { what: 'foren6 .snif', octets: pcap(frames, WITHOUT_FCS) };
}

/** Decodes a capture that is in base64; null for other files. */
function base64(octets) {
  const text = octets.toString('latin1').trim();
  if (!/^[A-Za-z0-9+/\s]+=*$/.test(text)) return null;
  const decoded = Buffer.from(text, 'base64');
  const magic = decoded.length > 24 ? decoded.readUInt32BE(0) : 0;
  return [0xa1b2c3d4, 0xd4c3b2a1, 0x0a0d0d0a].includes(magic) ? { what: 'base64', octets: decoded } : null;
}

/** Converts a capture that tshark cannot read: `{what, octets}`, or null for any other file. */
export function convert(file) {
  const octets = file[0] === 0x1f && file[1] === 0x8b ? gunzipSync(file) : file;
  return cooja(octets) ?? psd(octets) ?? snif(octets) ?? base64(octets);
}
