//! CoAP on ports that were not given: a port is believed to carry it when what looks like CoAP there is also answered
//! as CoAP is, by Message ID. (Wireshark goes by the port alone; any text that begins with `@` to `o` begins as CoAP
//! does.)

use crate::lookup::{Map, Numbered};
use std::net::Ipv6Addr;
use wire::coap::{Coap, Type, plausible};

/// Least requests that must have been acknowledged from a port, each matched by its 16-bit Message ID.
/// Chosen here: four matches of 16 bits do not happen by chance.
const ENOUGH_ANSWERED: u32 = 4;

/// Least share of the datagrams to and from a port that must look like CoAP, as (numerator, denominator).
/// Chosen here: a port of another protocol looks like CoAP at times; repeat with `cargo test -p trace ports`.
const ENOUGH_PLAUSIBLE: (u32, u32) = (9, 10);

/// Most ports that are counted, and most requests that wait for their acknowledgement; beyond them further ports are
/// not counted, and all open requests are forgotten. Chosen here to bound memory: a scan of all ports is no CoAP.
const MOST: usize = 4_096;

/// Counts of the datagrams to and from one port.
#[derive(Clone, Copy, Default)]
struct Seen {
    plausible: u32,
    other: u32,
    /// Requests to the port that an acknowledgement with the same Message ID came back for.
    answered: u32,
}

/// Counts datagrams on the UDP ports where CoAP is not expected.
pub(super) struct Ports {
    numbers: Numbered<u16>,
    seen: Vec<Seen>,
    /// Confirmable requests not yet acknowledged: client, server and Message ID.
    open: Map<(Ipv6Addr, u16, Ipv6Addr, u16, u16), ()>,
}

impl Ports {
    pub(super) fn new() -> Self {
        Self { numbers: Numbered::new(), seen: Vec::new(), open: Map::default() }
    }

    fn at(&mut self, port: u16) -> Option<&mut Seen> {
        if self.numbers.find(port).is_none() && self.numbers.len() >= MOST {
            return None;
        }
        let number = self.numbers.number(port) as usize;
        if self.seen.len() <= number {
            self.seen.resize(number + 1, Seen::default());
        }
        self.seen.get_mut(number)
    }

    /// Counts a datagram between two (address, UDP port) pairs, neither of which is known to carry CoAP.
    pub(super) fn watch(&mut self, src: (Ipv6Addr, u16), dst: (Ipv6Addr, u16), payload: &[u8]) {
        let message = plausible(payload).then(|| Coap::parse(payload).ok()).flatten();
        for port in [src.1, dst.1] {
            if let Some(seen) = self.at(port) {
                let count = if message.is_some() { &mut seen.plausible } else { &mut seen.other };
                *count = count.saturating_add(1);
            }
        }
        let Some(message) = message else { return };
        match message.kind {
            Type::Con if message.code.is_request() => {
                if self.open.len() >= MOST {
                    self.open.clear();
                }
                self.open.insert((src.0, src.1, dst.0, dst.1, message.mid), ());
            }
            Type::Ack if self.open.remove(&(dst.0, dst.1, src.0, src.1, message.mid)).is_some() => {
                if let Some(seen) = self.at(src.1) {
                    seen.answered += 1;
                }
            }
            _ => {}
        }
    }

    /// Returns the ports that carry CoAP, in order of first appearance, each with the number of requests acknowledged
    /// there.
    pub(super) fn guessed(&self) -> Vec<(u16, u32)> {
        let good = |&(_, seen): &(u16, &Seen)| {
            let all = u64::from(seen.plausible) + u64::from(seen.other);
            seen.answered >= ENOUGH_ANSWERED
                && u64::from(seen.plausible) * u64::from(ENOUGH_PLAUSIBLE.1) >= all * u64::from(ENOUGH_PLAUSIBLE.0)
        };
        let ports = (0..).zip(&self.seen).filter_map(|(number, seen)| Some((self.numbers.value(number)?, seen)));
        ports.filter(good).map(|(port, seen)| (port, seen.answered)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLIENT: (Ipv6Addr, u16) = (Ipv6Addr::LOCALHOST, 40_000);
    const SERVER: (Ipv6Addr, u16) = (Ipv6Addr::UNSPECIFIED, 17_500);

    /// GET /a and its acknowledgement.
    fn talk(ports: &mut Ports, mid: u8) {
        ports.watch(CLIENT, SERVER, &[0x40, 1, 0, mid, 0xb1, b'a']);
        ports.watch(SERVER, CLIENT, &[0x60, 69, 0, mid, 0xff, b'x']);
    }

    #[test]
    fn a_port_where_requests_are_answered() {
        let mut ports = Ports::new();
        for mid in 0..3 {
            talk(&mut ports, mid);
            assert_eq!(ports.guessed(), []);
        }
        talk(&mut ports, 3);
        assert_eq!(ports.guessed(), [(17_500, 4)]);
    }

    #[test]
    fn neither_text_that_looks_like_it_nor_one_way_traffic() {
        let mut ports = Ports::new();
        for mid in 0..100 {
            ports.watch(CLIENT, (SERVER.0, 15_600), b"SEARCH BSDP/0.1\nDEVICE=0\n");
            ports.watch(CLIENT, (SERVER.0, 15_601), &[0x40, 1, 0, mid, 0xb1, b'a']);
        }
        assert_eq!(ports.guessed(), []);
        let mut mixed = Ports::new();
        for mid in 0..100 {
            talk(&mut mixed, mid);
            for _ in 0..10 {
                mixed.watch(CLIENT, SERVER, &[0, 1, 2]);
            }
        }
        assert_eq!(mixed.guessed(), []);
    }
}
