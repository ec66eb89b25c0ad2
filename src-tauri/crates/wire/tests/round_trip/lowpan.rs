//! 6LoWPAN: link-level headers, IPHC with every mode of every field, compressed next headers.

use crate::Choices;
use crate::compress::{Address, Datagram, Extension, join, short};
use proptest::prelude::*;
use wire::lowpan::{self, ContextTable, Dispatch, Prefix};
use wire::{Ipv6, MacAddr};

fn link_address() -> impl Strategy<Value = MacAddr> {
    prop_oneof![
        Just(MacAddr::None),
        any::<u16>().prop_map(MacAddr::Short),
        any::<[u8; 8]>().prop_map(MacAddr::Extended),
    ]
}

fn contexts() -> impl Strategy<Value = ContextTable> {
    let len = prop::sample::select(vec![0u8, 1, 16, 47, 48, 60, 63, 64, 65, 96, 112, 127, 128]);
    let prefix = (any::<Address>(), len).prop_map(|(octets, len)| Prefix { octets, len });
    prop::collection::vec(prop::option::of(prefix), 16).prop_map(|list| ContextTable(list.try_into().unwrap()))
}

/// Addresses that every mode of IPHC can encode.
fn unicast(link: MacAddr, contexts: ContextTable) -> impl Strategy<Value = Address> {
    let mut prefixes: Vec<Prefix> = contexts.0.into_iter().flatten().collect();
    prefixes.push(Prefix::LINK_LOCAL);
    let iid = prop_oneof![Just(link.iid().unwrap_or_default()), any::<[u8; 2]>().prop_map(short), any::<[u8; 8]>(),];
    prop_oneof![
        8 => (prop::sample::select(prefixes), iid).prop_map(|(prefix, iid)| join(prefix, iid)),
        1 => any::<Address>(),
        1 => Just([0; 16]),
    ]
    // A unicast destination that looks like multicast is not encodable as such.
    .prop_map(|mut address| {
        if address[0] == 0xff {
            address[0] = 0xfe;
        }
        address
    })
}

fn multicast(contexts: ContextTable) -> impl Strategy<Value = Address> {
    let prefixes: Vec<Prefix> = contexts.0.into_iter().flatten().chain([Prefix::LINK_LOCAL]).collect();
    let zeros = prop::sample::select(vec![2usize, 11, 13, 15]);
    prop_oneof![
        (any::<Address>(), zeros).prop_map(|(mut address, zeros)| {
            address[0] = 0xff;
            address[2..zeros].fill(0);
            address
        }),
        any::<u8>().prop_map(|group| [0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, group]),
        (prop::sample::select(prefixes), any::<Address>()).prop_map(|(prefix, mut address)| {
            address[0] = 0xff;
            address[3] = prefix.len.min(64);
            address[4..12].copy_from_slice(&join(prefix, [0; 8])[..8]);
            address
        }),
    ]
}

/// A hop-by-hop or destination options header with one unknown option and the padding it needs, or a
/// routing, fragment or mobility header.
fn extension() -> impl Strategy<Value = Extension> {
    let options = (prop::sample::select(vec![(0u8, 0u8), (60, 3)]), 0usize..30, any::<bool>()).prop_map(
        |((protocol, id), len, own_padding)| {
            let mut body = [vec![0x1e, len as u8], vec![0x77; len]].concat();
            let missing = (8 - (body.len() + 2) % 8) % 8;
            let padding = match missing {
                0 => vec![],
                1 => vec![0],
                n => [vec![1, n as u8 - 2], vec![0; n - 2]].concat(),
            };
            body.extend(&padding);
            if own_padding && missing == 0 {
                // Eight octets of padding: too many to elide.
                body.extend([1, 6, 0, 0, 0, 0, 0, 0]);
            }
            Extension { protocol, id, body, padding: missing }
        },
    );
    let routing = (0usize..4).prop_map(|n| {
        // Type 3, no compression, nothing left.
        let body = [vec![3, 0, 0, 0, 0, 0], vec![0xfd; 16 * n]].concat();
        Extension { protocol: 43, id: 1, body, padding: 0 }
    });
    let fragment = any::<u32>().prop_map(|id| {
        let body = [vec![0, 0], id.to_be_bytes().to_vec()].concat();
        Extension { protocol: 44, id: 2, body, padding: 0 }
    });
    let mobility =
        any::<[u8; 6]>().prop_map(|body| Extension { protocol: 135, id: 4, body: body.to_vec(), padding: 0 });
    prop_oneof![4 => options, 2 => routing, 1 => fragment, 1 => mobility]
}

fn udp() -> impl Strategy<Value = (u16, u16, u16)> {
    let port = || prop_oneof![any::<u16>(), 0xf000u16..0xf100, 0xf0b0u16..0xf0c0];
    (port(), port(), prop_oneof![Just(0u16), 1u16..])
}

fn datagram() -> impl Strategy<Value = Datagram> {
    (link_address(), link_address(), contexts())
        .prop_flat_map(|(src_link, dst_link, contexts)| {
            let dst = prop_oneof![unicast(dst_link, contexts), multicast(contexts)];
            let addresses = (unicast(src_link, contexts), dst);
            let class = prop_oneof![Just(0u8), 0u8..4, any::<u8>()];
            let flow = prop_oneof![Just(0u32), 0u32..0x10_0000];
            let hops = prop_oneof![prop::sample::select(vec![1u8, 64, 255]), any::<u8>()];
            let chain = (prop::collection::vec(extension(), 0..4), prop::option::of(udp()));
            let payload = prop::collection::vec(any::<u8>(), 0..30);
            (Just((src_link, dst_link, contexts)), addresses, class, flow, hops, chain, payload)
        })
        .prop_map(|(links, (src, dst), traffic_class, flow_label, hop_limit, (extensions, udp), payload)| {
            let (src_link, dst_link, contexts) = links;
            Datagram {
                src_link,
                dst_link,
                contexts,
                traffic_class,
                flow_label,
                hop_limit,
                src,
                dst,
                extensions,
                udp,
                payload,
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(needs::cases(6_000)))]

    #[test]
    fn compressed_datagram(datagram in datagram(), choices in prop::collection::vec(any::<u8>(), 16)) {
        let (input, consumed, elided) = datagram.compress(&mut Choices::new(choices));
        let Datagram { src_link, dst_link, contexts, .. } = datagram;
        let original = datagram.octets();

        let rebuilt = lowpan::decompress(&input, src_link, dst_link, &contexts, None).unwrap();
        let joined = [&rebuilt.header, &input[rebuilt.consumed..]].concat();
        prop_assert_eq!(&joined, &original);
        prop_assert_eq!((rebuilt.consumed, rebuilt.udp_checksum_elided), (consumed, elided));
        prop_assert_eq!(rebuilt.missing_context, None);

        // A first fragment, which may end anywhere behind the compressed headers, gives the same.
        let first = &input[..consumed];
        let again = lowpan::decompress(first, src_link, dst_link, &contexts, Some(original.len())).unwrap();
        prop_assert_eq!(again, rebuilt);

        // Without contexts the same octets are read, and the first that was needed is named.
        let blind = lowpan::decompress(&input, src_link, dst_link, &ContextTable::EMPTY, None).unwrap();
        prop_assert_eq!(blind.consumed, consumed);
        let (context_based, ids) = (input[1] & 0x44, if input[1] & 0x80 == 0 { 0 } else { input[2] });
        let expected = match context_based {
            0x40 | 0x44 if input[1] & 0x30 != 0 => Some(ids >> 4),
            0x04 | 0x44 => Some(ids & 0xf),
            _ => None,
        };
        prop_assert_eq!(blind.missing_context, expected);

        let header = Ipv6::parse(&original).unwrap();
        prop_assert_eq!((header.src, header.dst), (datagram.src, datagram.dst));
        prop_assert_eq!(header.traffic_class, datagram.traffic_class);
        prop_assert_eq!((header.flow_label, header.hop_limit), (datagram.flow_label, datagram.hop_limit));
        let kinds: Vec<u8> = header.extensions.iter().map(|extension| extension.kind).collect();
        prop_assert_eq!(kinds, datagram.extensions.iter().map(|e| e.protocol).collect::<Vec<_>>());
    }

    /// Headers cut anywhere are an error, never a wrong datagram.
    #[test]
    fn cut_headers(datagram in datagram(), choices in prop::collection::vec(any::<u8>(), 16), cut in any::<prop::sample::Index>()) {
        let (input, consumed, _) = datagram.compress(&mut Choices::new(choices));
        let cut = &input[..cut.index(consumed)];
        let error = lowpan::decompress(cut, datagram.src_link, datagram.dst_link, &datagram.contexts, None).unwrap_err();
        prop_assert!(error.at <= cut.len(), "{}", error);
    }

    #[test]
    fn link_level_headers(
        mesh in prop::option::of((0u8..=255, link_address(), link_address())),
        broadcast in prop::option::of(any::<u8>()),
        page in prop::option::of(0u8..=1),
        frag in prop::option::of((0u16..2048, any::<u16>(), any::<u8>(), any::<bool>())),
        rest in prop::collection::vec(any::<u8>(), 0..20),
    ) {
        let mesh = mesh.filter(|(_, a, b)| *a != MacAddr::None && *b != MacAddr::None);
        let mut out = vec![];
        if let Some((hops, originator, last)) = mesh {
            let is_short = |a| u8::from(matches!(a, MacAddr::Short(_)));
            out.push(0x80 | is_short(originator) << 5 | is_short(last) << 4 | hops.min(0xf));
            if hops >= 0xf {
                out.push(hops);
            }
            for address in [originator, last] {
                match address {
                    MacAddr::Short(short) => out.extend(short.to_be_bytes()),
                    MacAddr::Extended(octets) => out.extend(octets),
                    MacAddr::None => {}
                }
            }
        }
        if let Some(seq) = broadcast {
            out.extend([0x50, seq]);
        }
        let raw = frag.is_some_and(|(.., first)| !first);
        if let Some((size, tag, offset, first)) = frag {
            out.extend((if first { 0xc000 } else { 0xe000 } | size).to_be_bytes());
            out.extend(tag.to_be_bytes());
            if !first {
                out.push(offset);
            }
        }
        let page = page.filter(|_| !raw);
        if let Some(page) = page {
            out.push(0xf0 | page);
        }
        let start = out.len();
        if !raw {
            out.extend([0x7a, 0x33]);
        }
        out.extend(&rest);

        let headers = lowpan::parse(&out).unwrap();
        prop_assert_eq!(headers.mesh.map(|m| (m.hops_left, m.originator, m.final_dst)), mesh);
        prop_assert_eq!(headers.broadcast_seq, broadcast);
        prop_assert_eq!(headers.page, page.unwrap_or(0));
        let read = headers.frag.map(|f| (f.size, f.tag, f.offset, f.first));
        prop_assert_eq!(read, frag.map(|(size, tag, offset, first)| {
            (size, tag, if first { 0 } else { usize::from(offset) * 8 }, first)
        }));
        prop_assert_eq!(headers.rest, start..out.len());
        let (size, tag, offset, _) = frag.unwrap_or_default();
        let dispatch = if raw { Dispatch::FragN { size, tag, offset: usize::from(offset) * 8 } } else { Dispatch::Iphc };
        prop_assert_eq!(headers.dispatch, dispatch);
    }
}
