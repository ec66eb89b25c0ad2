//! The network of captures made by hand: what each link, node and parent must be follows from the rows.

#![allow(clippy::float_cmp, reason = "exact by construction")]

use crate::make;
use crate::make::{Order, Pcap, ack, row};
use base::{Instant, Silent, Span};
use trace::network::{self, Focus, LossEvidence, Network, ParentEvidence, Role, Share};
use trace::{DecodeOptions, Places};

/// The network of a file, in which no copy is needless.
fn network_of(octets: &[u8]) -> Network {
    let trace = trace::analyse(make::read(octets).unwrap(), &DecodeOptions::default(), &mut base::Silent).unwrap();
    network::of(&trace, &Places::of(&trace, &mut Silent).unwrap(), &|_, _| false, &mut Silent).unwrap()
}

/// The octets of mote `n`'s address, in the order of the air.
fn mac(n: u8) -> [u8; 8] {
    [n, 0, n, 0, n, 0, n, 0]
}

/// A data frame between motes, acknowledgement requested.
fn data(seq: u8, from: u8, to: u8, payload: &[u8]) -> Vec<u8> {
    [&[0x61, 0xdc, seq, 0xcd, 0xab][..], &mac(to), &mac(from), payload].concat()
}

/// A data frame of a mote to all.
fn broadcast(seq: u8, from: u8, payload: &[u8]) -> Vec<u8> {
    [&[0x41, 0xd8, seq, 0xcd, 0xab, 0xff, 0xff][..], &mac(from), payload].concat()
}

/// The address of mote `n` below `prefix`.
fn address(prefix: [u8; 8], n: u8) -> [u8; 16] {
    let iid = [2, n, 0, n, 0, n, 0, n];
    [prefix, iid].concat().try_into().unwrap()
}

const GLOBAL: [u8; 8] = [0xfd, 0, 0, 0, 0, 0, 0, 0];
const LOCAL: [u8; 8] = [0xfe, 0x80, 0, 0, 0, 0, 0, 0];
const ALL_ROUTERS: [u8; 16] = [0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x1a];

/// An uncompressed IPv6 datagram (RFC 4944 §5.1) with a RPL message.
fn rpl(src: [u8; 16], dst: [u8; 16], code: u8, body: &[u8]) -> Vec<u8> {
    let len = u8::try_from(body.len() + 4).unwrap();
    [&[0x41, 0x60, 0, 0, 0, 0, len, 58, 64][..], &src, &dst, &[155, code, 0, 0], body].concat()
}

/// RFC 6550 §6.3: instance 0, version 1, grounded, `mode`.
fn dio(from: u8, rank: u16, mode: u8) -> Vec<u8> {
    let fixed = [&[0, 1][..], &rank.to_be_bytes(), &[0x80 | mode << 3, 0, 0, 0], &address(GLOBAL, 1)].concat();
    rpl(address(LOCAL, from), ALL_ROUTERS, 1, &fixed)
}

/// RFC 6550 §6.4, 6.7.7, 6.7.8: mote `target` is reached through `parent`, if it names one.
fn dao(src: u8, dst: u8, target: u8, parent: Option<u8>, lifetime: u8) -> Vec<u8> {
    let option = [&[5, 18, 0, 128][..], &address(GLOBAL, target)].concat();
    let transit = match parent {
        Some(parent) => [&[6, 20, 0, 0, 0, lifetime][..], &address(GLOBAL, parent)].concat(),
        None => vec![6, 4, 0, 0, 0, lifetime],
    };
    rpl(address(GLOBAL, src), address(GLOBAL, dst), 2, &[&[0, 0, 0, 1][..], &option, &transit].concat())
}

fn parents(network: &Network, mote: u32) -> Vec<(i64, u32)> {
    let node = network.nodes.iter().find(|node| node.mote == Some(mote)).unwrap();
    let number = |at: usize| network.nodes[at].mote.unwrap();
    node.parents.iter().map(|p| ((p.at - Instant::ZERO).nanos() / 1_000_000, number(p.node))).collect()
}

#[test]
fn attempts_losses_and_delays_as_the_log_has_them() {
    let one = data(7, 1, 2, &[0; 10]);
    let two = data(8, 1, 2, &[1; 10]);
    let gone = data(9, 1, 2, &[2; 10]);
    let log = [
        row(1_000, 1, "-", &one),   // lost
        row(1_010, 1, "2,3", &one), // its retry arrived
        row(1_012, 2, "1", &ack(7)),
        row(2_000, 1, "2", &two), // at once
        row(2_002, 2, "-", &ack(8)),
        row(3_000, 1, "3", &gone), // another node got it, not the addressed one
        row(3_010, 1, "-", &gone),
        row(4_000, 2, "1", &data(1, 2, 1, &[3; 4])),
        row(5_000, 3, "2", &broadcast(1, 3, &[9; 5])),
        // The same octets as a minute before: no retry.
        row(63_500, 1, "2", &gone),
    ]
    .concat();
    let network = network_of(log.as_bytes());
    assert_eq!(network.nodes.iter().map(|node| &node.name[..]).collect::<Vec<_>>(), ["mote 1", "mote 2", "mote 3"]);
    assert_eq!(network.links.iter().map(|l| (l.from, l.to)).collect::<Vec<_>>(), [(0, 1), (1, 0)]);
    let link = &network.links[0];
    assert_eq!((link.frames, link.unique), (6, 4));
    assert_eq!((link.lost, link.evidence), (Share { hits: 3, trials: 6 }, LossEvidence::Log));
    assert_eq!(link.delivered, Share { hits: 3, trials: 4 });
    assert_eq!(link.acked, Share { hits: 2, trials: 6 });
    assert_eq!(link.attempts_per_delivery(), Some(2.0));
    // 31 octets, 32 µs each: once behind a first attempt 10 ms earlier, twice at once. Nearest rank of three.
    let frame = Span::from_micros(31 * 32);
    assert_eq!(link.delay, Some((frame, frame + Span::from_millis(10))));
    // PHY header and FCS are on the air too: 6 + 31 + 2 octets.
    assert_eq!(link.airtime, Span::from_micros(6 * 39 * 32));
    // The log says who acknowledged, so that mote 2 sent three frames.
    assert_eq!((network.nodes[1].frames, network.nodes[2].frames, network.nodes[2].broadcasts), (3, 1, 1));
    assert_eq!(network.channels.iter().map(|c| c.frames).collect::<Vec<_>>(), [10]);

    let load = network.load(Instant::from_nanos(999_000_000), Instant::from_nanos(2_500_000_000));
    assert_eq!((load.links[0].frames, load.links[0].unique), (3, 2));
    assert_eq!(load.links[0].lost, Share { hits: 1, trials: 3 });
    assert_eq!(load.frames, 5);
    // Two of them arrived, one at once and one behind a first attempt. Back there, nothing was sent but
    // acknowledgements.
    assert_eq!(load.links[0].arrived, (2, frame.scale(2, 1) + Span::from_millis(10)));
    assert_eq!(load.links[0].delay(), Some(frame + Span::from_millis(5)));
    assert_eq!(load.links[1].delay(), None);
    // A frame lost in the window has no delay, nor does a retry without its first attempt.
    let part = |from: i64, until: i64| {
        network.load(Instant::from_nanos(from * 1_000_000), Instant::from_nanos(until * 1_000_000))
    };
    assert_eq!(part(2_900, 3_500).links[0].delay(), None);
    assert_eq!(part(1_005, 1_500).links[0].delay(), None);
    // Mote 3 has no link: it hears of nothing. Motes 1 and 2 hear each other.
    let air = Span::from_micros(3 * 39 * 32 + 2 * 11 * 32);
    assert_eq!(load.nodes.iter().map(|node| node.around).collect::<Vec<_>>(), [air, air, Span::ZERO]);

    let (start, end) = network.window;
    let whole: Vec<_> = [Focus::All, Focus::Link(0), Focus::Link(1), Focus::Node(0), Focus::Node(2)]
        .map(|focus| {
            let bins = network.series(start, end, 7, focus);
            let lost = bins.iter().map(|b| b.lost.hits).sum::<u64>();
            (bins.iter().map(|b| b.frames).sum::<u32>(), bins.iter().map(|b| b.retries).sum::<u32>(), lost)
        })
        .into();
    assert_eq!(whole, [(10, 2, 3), (6, 2, 3), (1, 0, 0), (7, 2, 3), (0, 0, 0)]);
    let bins = network.series(start, end, 2, Focus::All);
    assert_eq!(bins.iter().map(|bin| bin.frames).collect::<Vec<_>>(), [9, 1]);
}

#[test]
fn without_a_log_acknowledgements_tell_and_silence_of_the_unheard_does_not() {
    // Motes 1 and 2 are heard, mote 9 is out of the sniffer's range: none of its acknowledgements is captured.
    let mut file = Pcap::new(Order::Little, 230);
    for n in 0..20_u8 {
        let second = 100 + u32::from(n);
        file.record(second, 0, &data(n, 1, 2, &[n; 6]));
        if n % 4 != 0 {
            file.record(second, 2_000, &ack(n));
        }
    }
    for n in 100..105_u8 {
        file.record(200 + u32::from(n), 0, &data(n, 1, 9, &[n; 6]));
    }
    let network = network_of(&file.octets);
    let [near, far] = &network.links[..] else { panic!("{:?}", network.links) };
    assert_eq!((near.evidence, near.lost), (LossEvidence::Acks, Share { hits: 5, trials: 20 }));
    assert_eq!(near.acked, Share { hits: 15, trials: 20 });
    assert_eq!((far.evidence, far.lost, far.frames), (LossEvidence::Unknown, Share::default(), 5));
    assert_eq!((far.delay, far.attempts_per_delivery()), (None, None));
    let silent: Vec<_> = network.nodes.iter().map(|node| (node.mote.unwrap(), node.silent)).collect();
    assert_eq!(silent, [(1, false), (2, true), (9, true)]);
}

#[test]
fn non_storing_parents_are_those_of_the_transit_information() {
    let log = [
        row(1_000, 1, "2", &broadcast(1, 1, &dio(1, 128, 1))),
        row(2_000, 2, "1", &data(1, 2, 1, &dao(2, 1, 2, Some(1), 30))),
        row(3_000, 3, "2", &data(1, 3, 2, &dao(3, 1, 3, Some(2), 30))),
        row(3_100, 2, "1", &data(2, 2, 1, &dao(3, 1, 3, Some(2), 30))),
        row(4_000, 3, "2", &broadcast(2, 3, &dio(3, 512, 1))),
        // Mote 3 goes to the root itself, and a DAO of before is still on its way.
        row(5_000, 3, "1", &data(3, 3, 1, &dao(3, 1, 3, Some(1), 30))),
        row(5_500, 2, "1", &data(3, 2, 1, &dao(3, 1, 3, Some(2), 30))),
        // A path of no lifetime is none (RFC 6550 §6.7.8).
        row(6_000, 3, "1", &data(4, 3, 1, &dao(3, 1, 3, Some(2), 0))),
        row(7_000, 3, "2", &broadcast(5, 3, &dio(3, 0xffff, 1))),
    ]
    .concat();
    let network = network_of(log.as_bytes());
    assert_eq!(network.mode_of_operation, Some(1));
    assert_eq!(parents(&network, 1), []);
    assert_eq!(parents(&network, 2), [(2_000, 1)]);
    assert_eq!(parents(&network, 3), [(3_000, 2), (5_000, 1)]);
    let [one, two, three] = &network.nodes[..] else { panic!() };
    assert_eq!((one.role, two.role, three.role), (Role::Root, Role::Router, Role::Leaf));
    assert_eq!((three.parents_by, three.rank()), (Some(ParentEvidence::Transit), None));
    let ranks: Vec<_> = three.ranks.iter().map(|&(_, rank)| rank).collect();
    assert_eq!((ranks, one.rank()), (vec![Some(512), None], Some(128)));
    assert_eq!(three.parent_at(Instant::from_nanos(4_000_000_000)), Some(1));
    assert_eq!(three.parent_at(Instant::from_nanos(2_000_000_000)), None);
    // Mote 2's link-local address is never seen, mote 3's is.
    assert_eq!(
        three.addresses.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["fd00::203:3:3:3", "fe80::203:3:3:3"]
    );
    // The node had mote 2 for its parent for two seconds, and mote 1 as long until the end: the first counts.
    assert_eq!((one.above, two.above, three.above), (None, Some(0), Some(1)));
}

#[test]
fn storing_parents_are_who_gets_the_daos() {
    let log = [
        row(1_000, 1, "2", &broadcast(1, 1, &dio(1, 256, 2))),
        row(2_000, 3, "2", &data(1, 3, 2, &dao(3, 2, 3, None, 30))),
        row(2_100, 2, "1", &data(1, 2, 1, &dao(2, 1, 3, None, 30))),
        row(3_000, 4, "1", &data(1, 4, 1, &dao(4, 1, 4, None, 30))),
        // Mote 3 moves below mote 4 and withdraws what mote 2 knows.
        row(4_000, 3, "4", &data(2, 3, 4, &dao(3, 4, 3, None, 30))),
        row(4_100, 3, "2", &data(3, 3, 2, &dao(3, 2, 3, None, 0))),
    ]
    .concat();
    let network = network_of(log.as_bytes());
    assert_eq!(network.mode_of_operation, Some(2));
    assert_eq!(parents(&network, 3), [(2_000, 2), (4_000, 4)]);
    assert_eq!(parents(&network, 2), [(2_100, 1)]);
    let by: Vec<_> = network.nodes.iter().map(|node| node.parents_by).collect();
    let receiver = Some(ParentEvidence::DaoReceiver);
    assert_eq!(by, [None, receiver, receiver, receiver]);
    // Mote 3 stays where it was for longer, or first.
    let above: Vec<_> = network.nodes.iter().map(|node| node.above).collect();
    assert_eq!(above, [None, Some(0), Some(1), Some(0)]);
}

#[test]
fn a_loop_of_parents_is_still_drawn() {
    let log = [
        row(1_000, 2, "3", &data(1, 2, 3, &dao(2, 3, 2, None, 30))),
        row(2_000, 3, "2", &data(1, 3, 2, &dao(3, 2, 3, None, 30))),
        row(3_000, 5, "6", &data(1, 5, 6, &[0; 4])),
    ]
    .concat();
    let network = network_of(log.as_bytes());
    assert_eq!(network.nodes.len(), 4);
    for id in 0..4 {
        let way: Vec<_> = std::iter::successors(Some(id), |&at| network.nodes[at].above).take(5).collect();
        assert!(way.len() < 5, "the way up from {id} ends: {way:?}");
    }
    assert!(network.nodes.iter().any(|node| node.above.is_some()), "nodes that meet are in one tree");
}

#[test]
fn nothing_at_all() {
    let network = network_of(&Pcap::new(Order::Little, 195).octets);
    assert!(network.nodes.is_empty() && network.links.is_empty() && network.channels.is_empty());
    let load = network.load(Instant::MIN, Instant::MAX);
    assert_eq!(load.frames, 0);
    assert_eq!(network.series(Instant::ZERO, Instant::ZERO, 3, Focus::All).len(), 3);
}
