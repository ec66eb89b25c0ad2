//! Octets of simulated frames: IEEE 802.15.4, 6LoWPAN without compression, UDP and CoAP, as a classic pcap file.

use base::Instant;
use std::collections::BTreeMap;
use trace::MacAddr;
use twin::{Load, Machine, NodeId, SimulatedFrame};

/// Port of servers (RFC 7252 §6.1).
const SERVER_PORT: u16 = 5683;
/// Ports of clients from here on, one for each association.
const CLIENT_PORTS: u16 = 40_000;
/// Data frame with acknowledgement request, PAN ID compression and extended addresses (IEEE Std 802.15.4-2020, 7.2.2).
const UNICAST: u16 = 0xdc61;
/// Data frame to the short broadcast address.
const BROADCAST: u16 = 0xd841;
/// Beacon from an extended address.
const BEACON: u16 = 0xc000;
/// Immediate acknowledgement.
const ACKNOWLEDGEMENT: u16 = 0x0002;
const PAN: u16 = 0xabcd;
/// Octets of the MAC header of a unicast frame.
const MAC: usize = 21;
/// Uncompressed IPv6 (RFC 4944 §5.1).
const IPV6: u8 = 0x41;
/// Link type of frames without check sequence.
const LINK_TYPE: u32 = 230;
/// Start of the simulation, seconds since 1970: November 2023.
const EPOCH: i64 = 1_700_000_000;

/// Writes `log` as a pcap file with nanoseconds. `message_id`: of every copy, by the caller's key.
pub fn pcap(machine: &Machine, log: &[SimulatedFrame], message_id: &dyn Fn(u64) -> u16) -> Vec<u8> {
    let mut frames: Vec<(Instant, Vec<u8>)> = Vec::with_capacity(log.len() * 2);
    let mut writer = Writer { machine, message_id, last: BTreeMap::new(), numbers: BTreeMap::new() };
    for frame in log {
        let sequence = writer.sequence(frame);
        frames.push((frame.start, writer.frame(frame, sequence)));
        if let Some((at, _)) = frame.acknowledgement {
            let [low, high] = ACKNOWLEDGEMENT.to_le_bytes();
            frames.push((at, vec![low, high, sequence]));
        }
    }
    frames.sort_by_key(|frame| frame.0);
    let mut out = Vec::new();
    for word in [0xa1b2_3c4d_u32, 0x0004_0002, 0, 0, 65_535, LINK_TYPE] {
        out.extend(word.to_le_bytes());
    }
    for (at, octets) in frames {
        let nanos = (at - Instant::ZERO).nanos();
        let (seconds, rest) = (nanos.div_euclid(1_000_000_000), nanos.rem_euclid(1_000_000_000));
        for word in [(EPOCH + seconds) as u32, rest as u32, octets.len() as u32, octets.len() as u32] {
            out.extend(word.to_le_bytes());
        }
        out.extend(octets);
    }
    out
}

struct Writer<'a> {
    machine: &'a Machine,
    message_id: &'a dyn Fn(u64) -> u16,
    /// Sequence number of the last new packet, by node.
    last: BTreeMap<NodeId, u8>,
    /// Sequence number of the packet under way, by node and neighbour.
    numbers: BTreeMap<(NodeId, Option<NodeId>), u8>,
}

impl Writer<'_> {
    /// Sequence number of a frame: attempts of one packet share it.
    fn sequence(&mut self, frame: &SimulatedFrame) -> u8 {
        let number = self.numbers.entry((frame.from, frame.to)).or_default();
        if frame.attempt <= 1 {
            let last = self.last.entry(frame.from).or_default();
            *last = last.wrapping_add(1);
            *number = *last;
        }
        *number
    }

    fn address(&self, node: NodeId) -> [u8; 8] {
        match self.machine.nodes[usize::from(node)] {
            MacAddr::Extended(octets) => octets,
            other => panic!("{other:?}: nodes of planted networks have extended addresses"),
        }
    }

    /// Address of a node under fd00::/64 (RFC 4291, appendix A).
    fn ip(&self, node: NodeId) -> [u8; 16] {
        let mut ip = [0; 16];
        ip[0] = 0xfd;
        ip[8..].copy_from_slice(&self.address(node));
        ip[8] ^= 2;
        ip
    }

    /// Link-layer addresses are sent with the last octet first.
    fn on_wire(&self, node: NodeId) -> [u8; 8] {
        let mut octets = self.address(node);
        octets.reverse();
        octets
    }

    fn frame(&self, frame: &SimulatedFrame, sequence: u8) -> Vec<u8> {
        let control = match (frame.to, frame.load) {
            (_, Load::Beacon) => BEACON,
            (Some(_), _) => UNICAST,
            (None, _) => BROADCAST,
        };
        let mut octets = control.to_le_bytes().to_vec();
        octets.push(sequence);
        octets.extend(PAN.to_le_bytes());
        match (control, frame.to) {
            (UNICAST, Some(to)) => octets.extend(self.on_wire(to)),
            (BROADCAST, _) => octets.extend([0xff, 0xff]),
            _ => {}
        }
        octets.extend(self.on_wire(frame.from));
        match frame.load {
            // A superframe without intervals, no guaranteed slots, no pending addresses.
            Load::Beacon => octets.extend([0xff, 0x0f, 0, 0]),
            Load::Copy { key, association, is_answer, fragment, .. } => {
                octets.extend(self.fragment(frame.from, (key, association, is_answer), fragment));
            }
            Load::Other if frame.to.is_some() => octets.extend(self.notification(frame, sequence)),
            Load::Other => {
                // ICMPv6 for all RPL nodes (RFC 6550 §6), of which nothing more is said.
                let length = usize::from(frame.octets) - octets.len() - 41;
                octets.push(IPV6);
                let mut all = [0; 16];
                (all[0], all[1], all[15]) = (0xff, 0x02, 0x1a);
                octets.extend(header(length, (58, 255), &self.ip(frame.from), &all));
            }
        }
        assert!(octets.len() <= usize::from(frame.octets), "{} of {} octets", octets.len(), frame.octets);
        octets.resize(usize::from(frame.octets), 0);
        octets
    }

    /// Datagram of a non-confirmable notification from the sender of `frame` to its addressee: NON 2.05 (RFC 7641
    /// §4.2), with a token of its own, whose Message ID is the `sequence` number of the frame.
    fn notification(&self, frame: &SimulatedFrame, sequence: u8) -> Vec<u8> {
        let (from, to) = (self.ip(frame.from), self.ip(frame.to.unwrap()));
        let length = usize::from(frame.octets) - MAC - 1 - 48;
        // Version 1, NON, one octet of token; Observe with one octet (RFC 7641 §2), then a payload.
        let mut coap = vec![0x51, 0x45, 0xee, sequence, 0x77, 0x61, sequence, 0xff];
        coap.resize(length, b'.');
        let mut octets = vec![IPV6];
        octets.extend(self.udp((from, to), [SERVER_PORT, CLIENT_PORTS - 1], &coap));
        octets
    }

    /// Part of the datagram of a copy that one frame of `from` carries, with its 6LoWPAN header.
    fn fragment(&self, from: NodeId, (key, association, is_answer): (u64, u32, bool), position: u8) -> Vec<u8> {
        // The same at all nodes of planted networks.
        let lengths = self.machine.shapes[0].fragments(is_answer, 0);
        let lengths: Vec<usize> = lengths.iter().map(|&octets| usize::from(octets)).collect();
        let rooms: Vec<usize> = match lengths.as_slice() {
            [only] => vec![only - MAC - 1],
            [first, rest @ ..] => {
                // A first fragment has a header of four octets and the dispatch, others one of five (RFC 4944 §5.3).
                std::iter::once(first - MAC - 5).chain(rest.iter().map(|length| length - MAC - 5)).collect()
            }
            [] => Vec::new(),
        };
        let total: usize = rooms.iter().sum();
        let datagram = self.datagram((key, association, is_answer), total);
        let from_octet: usize = rooms.iter().take(usize::from(position)).sum();
        let own = &datagram[from_octet..from_octet + rooms[usize::from(position)]];
        let mut octets = Vec::new();
        if rooms.len() > 1 {
            let dispatch: u16 = if position == 0 { 0xc000 } else { 0xe000 };
            octets.extend((dispatch | total as u16).to_be_bytes());
            // Keys of copies are dense, and requests and answers of a node are not under way together often.
            octets.extend(((key as u16) << 1 | u16::from(is_answer)).wrapping_add(from << 9).to_be_bytes());
            if position > 0 {
                assert_eq!(from_octet % 8, 0, "fragments begin at a multiple of eight octets");
                octets.push((from_octet / 8) as u8);
            }
        }
        if position == 0 {
            octets.push(IPV6);
        }
        octets.extend(own);
        octets
    }

    /// The whole datagram of a copy, of `length` octets.
    fn datagram(&self, (key, association, is_answer): (u64, u32, bool), length: usize) -> Vec<u8> {
        let ends = self.machine.ends[association as usize].unwrap();
        let (client, server) = (self.ip(ends.client), self.ip(ends.server));
        let port = CLIENT_PORTS + association as u16;
        let ((from, to), ports) =
            if is_answer { ((server, client), [SERVER_PORT, port]) } else { ((client, server), [port, SERVER_PORT]) };
        let id = (self.message_id)(key).to_be_bytes();
        // Version 1, two octets of token; CON GET with Uri-Path "t", or ACK 2.05; then a payload (RFC 7252 §3).
        let mut coap = if is_answer { vec![0x62, 0x45] } else { vec![0x42, 0x01] };
        coap.extend(id);
        coap.extend(id);
        if !is_answer {
            coap.extend([0xb1, b't']);
        }
        coap.push(0xff);
        assert!(coap.len() + 49 <= length, "{length} octets are too few");
        coap.resize(length - 48, b'.');
        self.udp((from, to), ports, &coap)
    }

    /// IPv6 and UDP header with their `payload`.
    fn udp(&self, (from, to): ([u8; 16], [u8; 16]), ports: [u16; 2], payload: &[u8]) -> Vec<u8> {
        let mut udp = Vec::new();
        for word in [ports[0], ports[1], (payload.len() + 8) as u16, 0] {
            udp.extend(word.to_be_bytes());
        }
        udp.extend(payload);
        let sum = checksum(&from, &to, &udp).to_be_bytes();
        udp[6..8].copy_from_slice(&sum);
        let mut octets = header(udp.len(), (17, 64), &from, &to);
        octets.extend(udp);
        octets
    }
}

/// IPv6 header (RFC 8200 §3).
fn header(length: usize, (next, hops): (u8, u8), from: &[u8; 16], to: &[u8; 16]) -> Vec<u8> {
    let mut octets = vec![0x60, 0, 0, 0];
    octets.extend((length as u16).to_be_bytes());
    octets.extend([next, hops]);
    octets.extend(from);
    octets.extend(to);
    octets
}

/// Checksum of UDP over IPv6 (RFC 8200 §8.1).
fn checksum(from: &[u8; 16], to: &[u8; 16], udp: &[u8]) -> u16 {
    let length = (udp.len() as u32).to_be_bytes();
    let all = from.iter().chain(to).chain(&length).chain(&[0, 0, 0, 17]).chain(udp).copied().collect::<Vec<u8>>();
    let word = |pair: &[u8]| u32::from(pair[0]) << 8 | u32::from(pair.get(1).copied().unwrap_or(0));
    let mut sum: u32 = all.chunks(2).map(word).sum();
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    match !(sum as u16) {
        0 => 0xffff,
        sum => sum,
    }
}
