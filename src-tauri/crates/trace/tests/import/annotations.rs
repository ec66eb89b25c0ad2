//! Content of pcapng files beside packets.

use crate::make;
use crate::make::{Order, Pcapng, read};
use base::FrameId;
use std::net::IpAddr;

/// An option or a record of a name resolution block.
fn entry(order: Order, code: u16, value: &[u8]) -> Vec<u8> {
    let mut entry = [&order.u16(code)[..], &order.u16(value.len() as u16), value].concat();
    entry.resize(entry.len().next_multiple_of(4), 0);
    entry
}

#[test]
fn comments_and_names_are_kept_in_both_byte_orders() {
    for order in [Order::Little, Order::Big] {
        let mut file = Pcapng::new(order);
        file.interface(195, 0, &[]);
        for (n, comments) in [&[][..], &["lost its parent", "and again\0"], &["nächster"]].iter().enumerate() {
            let frame = make::with_fcs(&make::data(n as u8));
            let head = [0, 0, n as u32, frame.len() as u32, frame.len() as u32].map(|field| order.u32(field));
            let mut body = [head.concat(), frame].concat();
            body.resize(body.len().next_multiple_of(4), 0);
            for comment in *comments {
                body.extend(entry(order, 1, comment.as_bytes()));
            }
            body.extend(entry(order, 2, &order.u32(1)));
            body.extend(entry(order, 0, &[]));
            file.block(6, &body);
        }
        let v4 = entry(order, 1, b"\xc0\x00\x02\x01border\0gateway\0");
        let v6 = entry(
            order,
            2,
            &["fd00::1".parse::<std::net::Ipv6Addr>().unwrap().octets().as_slice(), b"root\0"].concat(),
        );
        file.block(4, &[v4, entry(order, 9, b"??"), v6, entry(order, 0, &[])].concat());
        file.block(10, &[order.u32(0x5a4e_574b), order.u32(0)].concat());

        let capture = read(&file.octets).unwrap();
        assert_eq!(capture.frames.len(), 3);
        let of = |n| capture.annotations.of(FrameId(n)).collect::<Vec<_>>();
        assert_eq!((of(0), of(1), of(2)), (vec![], vec!["lost its parent", "and again"], vec!["nächster"]));
        let named = |address: &str, name: &str| (address.parse::<IpAddr>().unwrap(), name.to_owned());
        let names = [named("192.0.2.1", "border"), named("192.0.2.1", "gateway"), named("fd00::1", "root")];
        assert_eq!(capture.annotations.names, names);
        assert_eq!(capture.notes.count("secrets-not-used"), 1);
        assert!(capture.notes.kinds()[0].first_text.contains("a Zigbee network key"));
    }
}

#[test]
fn a_comment_on_the_section_is_one_on_the_file() {
    let order = Order::Little;
    let body =
        [&order.u32(0x1a2b_3c4d)[..], &[1, 0, 0, 0], &[0xff; 8], &entry(order, 1, b"lab, day 2"), &[0; 4]].concat();
    let mut file = Pcapng { order, octets: Vec::new(), blocks: Vec::new() };
    file.block(0x0a0d_0d0a, &body);
    assert_eq!(read(&file.octets).unwrap().annotations.file, ["lab, day 2"]);
}

#[test]
fn annotations_cut_anywhere_cost_only_themselves() {
    let order = Order::Little;
    let whole = entry(order, 1, b"a comment");
    for lie in 0..=u8::MAX {
        let mut file = Pcapng::new(order);
        file.interface(195, 0, &[]);
        let frame = make::with_fcs(&make::ack(1));
        let head = [0, 0, 0, 5, 5].map(|field| order.u32(field));
        let mut body = [head.concat(), frame, vec![0; 3], whole.clone()].concat();
        let at = body.len() - whole.len() + 2;
        body[at] = lie;
        file.block(6, &body);
        file.block(4, &body[..usize::from(lie) % body.len()]);
        let capture = read(&file.octets).unwrap();
        assert_eq!((capture.frames.len(), capture.octets_of(&capture.frames[0])), (1, &[2, 0, 1][..]));
    }
}
