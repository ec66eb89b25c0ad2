// Captures made for pictures that no bundled one gives: many clients, and a single exchange. Raw IPv4, CoAP over UDP.

const SERVER = [10, 0, 0, 1];

/** A record of pcap: `at` in seconds since the Unix epoch. */
function record(at: number, packet: Buffer): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt32LE(Math.floor(at), 0);
  head.writeUInt32LE(Math.round((at % 1) * 1e6), 4);
  head.writeUInt32LE(packet.length, 8);
  head.writeUInt32LE(packet.length, 12);
  return Buffer.concat([head, packet]);
}

/** Checksum of an IPv4 header (RFC 791 §3.1). */
function checksum(header: Buffer): number {
  let sum = 0;
  for (let at = 0; at < header.length; at += 2) sum += header.readUInt16BE(at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}

/** An IPv4 packet with a UDP datagram; ends are address and port. */
function datagram([from, source]: [number[], number], [to, target]: [number[], number], coap: Buffer): Buffer {
  const ip = Buffer.from([0x45, 0, 0, 0, 0, 0, 0, 0, 64, 17, 0, 0, ...from, ...to]);
  ip.writeUInt16BE(28 + coap.length, 2);
  ip.writeUInt16BE(checksum(ip), 10);
  const udp = Buffer.alloc(8);
  udp.writeUInt16BE(source, 0);
  udp.writeUInt16BE(target, 2);
  udp.writeUInt16BE(8 + coap.length, 4);
  return Buffer.concat([ip, udp, coap]);
}

/**
 * A pcap file in which each of `clients` sends `requests` requests, one about every 20 s. Every seventh request is lost
 * once and sent again after 2.5 s; every eleventh is answered late, after its second copy.
 */
export function crowd(clients: number, requests: number): Buffer {
  const packets: [number, Buffer][] = [];
  for (let client = 0; client < clients; client += 1) {
    const end: [number[], number] = [[10, 0, 1, client + 1], 40_000 + client];
    for (let n = 0; n < requests; n += 1) {
      const mid = [client, n];
      const request = Buffer.from([0x42, 1, ...mid, ...mid, 0xb1, 0x73]);
      const reply = Buffer.from([0x62, 0x45, ...mid, ...mid, 0xff, 0x31]);
      const start = 1 + 20 * n + 0.29 * client;
      const which = client * requests + n;
      const lost = which % 7 === 3;
      const late = which % 11 === 5;
      const rtt = 0.05 + 0.01 * (which % 9);
      packets.push([start, datagram(end, [SERVER, 5683], request)]);
      if (lost || late) packets.push([start + 2.5, datagram(end, [SERVER, 5683], request)]);
      const answered = late ? start + 2.8 : start + rtt + (lost ? 2.5 : 0);
      packets.push([answered, datagram([SERVER, 5683], end, reply)]);
    }
  }
  return file(packets);
}

/** A pcap file of raw IP packets with their times, s. */
function file(packets: [number, Buffer][]): Buffer {
  packets.sort(([a], [b]) => a - b);
  const head = Buffer.alloc(24);
  head.writeUInt32LE(0xa1b2c3d4, 0);
  head.writeUInt16LE(2, 4);
  head.writeUInt16LE(4, 6);
  head.writeUInt32LE(65_535, 16);
  head.writeUInt32LE(101, 20);
  return Buffer.concat([head, ...packets.map(([at, packet]) => record(1_700_000_000 + at, packet))]);
}

/**
 * A pcap file of one host with `count` clients, each with a port of its own, as a load generator has them: one request
 * each, 20 ms apart. Every seventh is lost once and sent again after 2.5 s.
 */
export function ports(count: number): Buffer {
  const packets: [number, Buffer][] = [];
  for (let n = 0; n < count; n += 1) {
    const end: [number[], number] = [[10, 0, 1, 1], 20_000 + n];
    const mid = [n >> 8, n & 0xff];
    const request = Buffer.from([0x42, 1, ...mid, ...mid, 0xb1, 0x73]);
    const reply = Buffer.from([0x62, 0x45, ...mid, ...mid, 0xff, 0x31]);
    const start = 1 + 0.02 * n;
    const copies = n % 7 === 3 ? [start, start + 2.5] : [start];
    for (const at of copies) packets.push([at, datagram(end, [SERVER, 5683], request)]);
    packets.push([(copies.at(-1) ?? start) + 0.15, datagram([SERVER, 5683], end, reply)]);
  }
  return file(packets);
}
