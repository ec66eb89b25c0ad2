//! Names of nodes: the one place that decides them. A Cooja mote is called by its number, another node as the capture calls its
//! address (pcapng Name Resolution Block), else by its address.

use super::{Annotations, Endpoint};
use std::net::{IpAddr, Ipv6Addr};
use wire::ieee802154::MacAddr;

/// The name of a Cooja mote.
#[must_use]
pub fn mote_name(number: u32) -> String {
    format!("mote {number}")
}

/// Number of the Cooja mote with this link-layer address: mote n has `00:n:00:n:00:n:00:n` (Contiki, platform `cooja`).
#[must_use]
pub fn mote_of_mac(address: MacAddr) -> Option<u16> {
    let MacAddr::Extended([a, b, c, d, e, f, g, h]) = address else { return None };
    let number = u16::from_be_bytes([a, b]);
    let is_same = [[c, d], [e, f], [g, h]].iter().all(|pair| *pair == [a, b]);
    (is_same && number != 0 && number != 0xffff).then_some(number)
}

/// Number of the Cooja mote with this IPv6 address: mote n has the interface identifier `20n:n:n:n`, n in hexadecimal (Contiki,
/// platform `cooja`: EUI-64 `00:n:00:n:00:n:00:n`).
#[must_use]
pub fn mote_of_address(address: Ipv6Addr) -> Option<u16> {
    let s = address.segments();
    let n = s[7];
    (n != 0 && s[5] == n && s[6] == n && s[4] == 0x0200 ^ n).then_some(n)
}

/// The name of the node with a link-layer address: the mote's, else the address.
#[must_use]
pub fn name_of_mac(address: MacAddr) -> String {
    mote_of_mac(address).map_or_else(|| address.to_string(), |mote| mote_name(mote.into()))
}

/// The name of the node with an IP address, other than the address; `None`: it has no other. Mapped addresses are those of IPv4.
#[must_use]
pub fn known_name(address: IpAddr, annotations: &Annotations) -> Option<String> {
    let mote = match address {
        IpAddr::V6(v6) => mote_of_address(v6),
        IpAddr::V4(_) => None,
    };
    let given = || annotations.name_of(address.to_canonical()).map(str::to_owned);
    mote.map(|mote| mote_name(mote.into())).or_else(given)
}

/// The name of the node with an IP address.
#[must_use]
pub fn name_of_address(address: IpAddr, annotations: &Annotations) -> String {
    known_name(address, annotations).unwrap_or_else(|| address.to_canonical().to_string())
}

/// The name of an end of messages: the node's, else address and port, as several ends may share an address.
#[must_use]
pub fn name_of_endpoint(endpoint: Endpoint, annotations: &Annotations) -> String {
    let Endpoint { addr, port } = endpoint;
    known_name(addr.into(), annotations).unwrap_or_else(|| format!("{}:{port}", IpAddr::from(addr).to_canonical()))
}

impl Endpoint {
    /// Number of the Cooja mote with this address.
    pub(crate) fn mote(self) -> Option<u16> {
        mote_of_address(self.addr)
    }
}
