// Captures made by hand for the tests: CoAP in UDP in IPv6, on Ethernet or compressed on 802.15.4.
// Facts: RFC 7252 section 3, RFC 8200, RFC 768, RFC 6282, RFC 4944 section 5.3, IEEE 802.15.4-2006 section 7.2.

const u16 = (value) => [value >> 8, value & 0xff];
const le16 = (value) => [value & 0xff, value >> 8];

/** Link types (tcpdump.org/linktypes.html). */
export const ETHERNET = 1;
export const SLL = 113;
export const IEEE802154_WITH_FCS = 195;
export const IEEE802154_NONASK_PHY = 215;
export const IEEE802154_NO_FCS = 230;
export const IEEE802154_TAP = 283;

/** A classic pcap, µs. `frames`: `{ at: ms, octets, cut }`: `cut` octets of them were captured. */
export function pcap(link, frames) {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(65535, 16);
  header.writeUInt32LE(link, 20);
  const records = frames.flatMap(({ at, octets, cut = octets.length }) => {
    const record = Buffer.alloc(16);
    record.writeUInt32LE(1_790_000_000 + Math.floor(at / 1000), 0);
    record.writeUInt32LE(Math.round((at % 1000) * 1000), 4);
    record.writeUInt32LE(cut, 8);
    record.writeUInt32LE(octets.length, 12);
    return [record, Buffer.from(octets.slice(0, cut))];
  });
  return Buffer.concat([header, ...records]);
}

/** A pcapng with an interface for each of `links`, and frames of zeros: `[interface, length]`. */
export function pcapng(links, frames) {
  const block = (type, ...words) => {
    const body = Buffer.concat(words);
    const padded = Buffer.concat([body, Buffer.alloc(-body.length & 3)]);
    const length = u32(padded.length + 12);
    return Buffer.concat([u32(type), length, padded, length]);
  };
  const u32 = (...values) => Buffer.from(new Uint32Array(values).buffer);
  // Version 1.0, a section of no stated length.
  const section = block(0x0a0d0d0a, u32(0x1a2b3c4d, 1, 0xffffffff, 0xffffffff));
  const interfaces = links.map((link) => block(1, u32(link, 0)));
  const packets = frames.map(([of, length], at) => block(6, u32(of, 0, at, length, length), Buffer.alloc(length)));
  return Buffer.concat([section, ...interfaces, ...packets]);
}

/** One CoAP message. `options`: `[number, octets]` in order of number. */
export function coap({ type = 0, code = 3, mid = 0x1234, token = [], options = [], payload }) {
  const octets = [0x40 | (type << 4) | token.length, code, ...u16(mid), ...token];
  let last = 0;
  for (const [number, value] of options) {
    const nibble = (n) => (n < 13 ? [n, []] : n < 269 ? [13, [n - 13]] : [14, u16(n - 269)]);
    const [delta, more] = nibble(number - last);
    const [length, rest] = nibble(value.length);
    octets.push((delta << 4) | length, ...more, ...rest, ...value);
    last = number;
  }
  if (payload) octets.push(0xff, ...payload);
  return octets;
}

const CLIENT = 1;
const SERVER = 2;

/** fd00::ff:fe00:N, the address that a context and a short link-layer address make (RFC 6282 section 3.2.2). */
const address = (node) => [0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xfe, 0, ...u16(node)];

function checksum(octets) {
  let sum = 0;
  for (let i = 0; i < octets.length; i += 2) sum += (octets[i] << 8) + (octets[i + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return ~sum & 0xffff || 0xffff;
}

function udp(from, to, sport, dport, payload) {
  const length = 8 + payload.length;
  const head = [...u16(sport), ...u16(dport), ...u16(length)];
  const sum = checksum([
    ...address(from),
    ...address(to),
    0,
    0,
    ...u16(length),
    0,
    0,
    0,
    17,
    ...head,
    0,
    0,
    ...payload,
  ]);
  return [...head, ...u16(sum), ...payload];
}

function ipv6(payload, { back = false, client = 50_000, server = 5683 } = {}) {
  const [from, to] = back ? [SERVER, CLIENT] : [CLIENT, SERVER];
  const [sport, dport] = back ? [server, client] : [client, server];
  const datagram = udp(from, to, sport, dport, payload);
  return [0x60, 0, 0, 0, ...u16(datagram.length), 17, 64, ...address(from), ...address(to), ...datagram];
}

const hardware = (node) => [2, 0, 0, 0, 0, node];
function onEthernet(packet, back, type = [0x86, 0xdd]) {
  const [from, to] = back ? [SERVER, CLIENT] : [CLIENT, SERVER];
  return [...hardware(to), ...hardware(from), ...type, ...packet];
}

/** Client to server, or back, on Ethernet. */
export const ethernet = (payload, how = {}) => onEthernet(ipv6(payload, how), how.back);

/** The same in Linux's cooked capture, version 1. */
export const cooked = (payload, how = {}) => [
  ...[0, 0, 0, 1, 0, 6, ...hardware(how.back ? SERVER : CLIENT), 0, 0, 0x86, 0xdd],
  ...ipv6(payload, how),
];

/** The same in IPv4, whose UDP may leave its checksum out (RFC 768). */
export function ethernet4(payload, { back = false, client = 50_000, server = 5683 } = {}) {
  const [from, to] = back ? [SERVER, CLIENT] : [CLIENT, SERVER];
  const [sport, dport] = back ? [server, client] : [client, server];
  const length = 8 + payload.length;
  const datagram = [...u16(sport), ...u16(dport), ...u16(length), 0, 0, ...payload];
  const head = (sum) => [0x45, 0, ...u16(20 + length), 0, 1, 0, 0, 64, 17, ...u16(sum), 10, 0, 0, from, 10, 0, 0, to];
  return onEthernet([...head(checksum(head(0))), ...datagram], back, [8, 0]);
}

/** From the server: that its port cannot be reached (RFC 4443 section 3.1), with the client's message quoted. */
export function unreachable(payload) {
  const quoted = ipv6(payload);
  const body = (sum) => [1, 4, ...u16(sum), 0, 0, 0, 0, ...quoted];
  const length = 8 + quoted.length;
  const sum = checksum([...address(SERVER), ...address(CLIENT), 0, 0, ...u16(length), 0, 0, 0, 58, ...body(0)]);
  return onEthernet(
    [0x60, 0, 0, 0, ...u16(length), 58, 64, ...address(SERVER), ...address(CLIENT), ...body(sum)],
    true,
  );
}

/** An 802.15.4 frame as a sniffer's host sends it on: ZEP version 2, data, over UDP port 17754. */
export function zep(frame) {
  const head = [0x45, 0x58, 2, 1, 26, 0, 1, 1, 0xff, ...Array(8).fill(0), 0, 0, 0, 1, ...Array(10).fill(0)];
  return ethernet([...head, frame.length, ...frame], { client: 17_754, server: 17_754 });
}

/** An immediate acknowledgement (IEEE 802.15.4-2006 section 7.2.2.3). */
export const acknowledgement = (seq) => {
  const frame = [2, 0, seq];
  return [...frame, ...fcs(frame)];
};

/** ITU-T CRC-16, reflected, initial value 0 (IEEE 802.15.4-2006 section 7.2.1.9). */
function fcs(octets) {
  let crc = 0;
  for (const octet of octets) {
    crc ^= octet;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >> 1) ^ 0x8408 : crc >> 1;
  }
  return le16(crc);
}

function mac(from, to, seq, payload, withFcs) {
  const frame = [0x61, 0x88, seq, ...le16(0xabcd), ...le16(to), ...le16(from), ...payload];
  return withFcs ? [...frame, ...fcs(frame)] : frame;
}

/**
 * The 802.15.4 frames of one datagram: IPHC with both addresses from context 0 and the link layer, UDP ports inline;
 * in fragments of at most `room` octets of datagram where given.
 */
export function lowpan(payload, { back = false, seq = 1, via, withFcs = true, room, tag = 7, server = 5683 } = {}) {
  const [from, to] = back ? [SERVER, CLIENT] : [CLIENT, SERVER];
  const [sport, dport] = back ? [server, 5683] : [5683, server];
  const [sender, receiver] = via ?? [from, to];
  const datagram = udp(from, to, sport, dport, payload);
  // IPHC: TF and NH elided, hop limit 64 (RFC 6282 section 3.1.1). Over a router the interface identifiers no longer
  // follow from the frame's addresses, so that 16 bits of each are inline.
  const head = via ? [0x7e, 0x66, ...u16(from), ...u16(to)] : [0x7e, 0x77];
  const compressed = [...head, 0xf0, ...datagram.slice(0, 4), ...datagram.slice(6, 8)];
  if (!room) return [mac(sender, receiver, seq, [...compressed, ...payload], withFcs)];
  const size = 40 + datagram.length;
  const first = room - (room % 8);
  const frames = [[0xc0 | (size >> 8), size & 0xff, ...u16(tag), ...compressed, ...payload.slice(0, first - 48)]];
  for (let at = first; at < size; at += first)
    frames.push([0xe0 | (size >> 8), size & 0xff, ...u16(tag), at / 8, ...payload.slice(at - 48, at - 48 + first)]);
  return frames.map((octets, index) => mac(sender, receiver, seq + index, octets, withFcs));
}
