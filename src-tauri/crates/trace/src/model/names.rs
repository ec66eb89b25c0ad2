//! Names of nodes: the only place that decides them. A Cooja mote is called by its number, another node as the capture
//! calls its address (pcapng Name Resolution Block), else by its address.

use super::{Annotations, Endpoint};
use std::net::{IpAddr, Ipv6Addr};
use wire::ieee802154::MacAddr;

/// Returns the name of Cooja mote `number`.
#[must_use]
pub fn mote_name(number: u32) -> String {
    format!("mote {number}")
}

/// Returns the number of the Cooja mote with this link-layer address, 1 to 65534: mote n has `00:n:00:n:00:n:00:n`
/// (Contiki, platform `cooja`), n in two octets. `None` for other addresses.
#[must_use]
pub fn mote_of_mac(address: MacAddr) -> Option<u16> {
    let MacAddr::Extended([a, b, c, d, e, f, g, h]) = address else { return None };
    let number = u16::from_be_bytes([a, b]);
    let is_same = [[c, d], [e, f], [g, h]].iter().all(|pair| *pair == [a, b]);
    (is_same && number != 0 && number != 0xffff).then_some(number)
}

/// Returns the number of the Cooja mote with this IPv6 address, 1 to 65535: mote n has the interface identifier
/// `20n:n:n:n`, n in hexadecimal (Contiki, platform `cooja`: EUI-64 `00:n:00:n:00:n:00:n`). `None` for other addresses.
#[must_use]
pub fn mote_of_address(address: Ipv6Addr) -> Option<u16> {
    let s = address.segments();
    let n = s[7];
    (n != 0 && s[5] == n && s[6] == n && s[4] == 0x0200 ^ n).then_some(n)
}

/// Returns the name of the node with a link-layer address: the mote's, else the address.
#[must_use]
pub fn name_of_mac(address: MacAddr) -> String {
    mote_of_mac(address).map_or_else(|| address.to_string(), |mote| mote_name(mote.into()))
}

/// Returns the name of the node with an IP address, other than the address; `None`: it has no other. IPv4-mapped
/// addresses are those of IPv4.
#[must_use]
pub fn known_name(address: IpAddr, annotations: &Annotations) -> Option<String> {
    let mote = match address {
        IpAddr::V6(v6) => mote_of_address(v6),
        IpAddr::V4(_) => None,
    };
    let given = || annotations.name_of(address.to_canonical()).map(str::to_owned);
    mote.map(|mote| mote_name(mote.into())).or_else(given)
}

/// Returns the name of the node with an IP address: its known name, else the address.
#[must_use]
pub fn name_of_address(address: IpAddr, annotations: &Annotations) -> String {
    known_name(address, annotations).unwrap_or_else(|| address.to_canonical().to_string())
}

/// Returns the name of an end of messages: the node's, else address and port, as several ends may share an address.
#[must_use]
pub fn name_of_endpoint(endpoint: Endpoint, annotations: &Annotations) -> String {
    let Endpoint { addr, port } = endpoint;
    known_name(addr.into(), annotations).unwrap_or_else(|| format!("{}:{port}", IpAddr::from(addr).to_canonical()))
}

impl Endpoint {
    /// Returns the number of the Cooja mote with this address; `None` for other addresses.
    pub(crate) fn mote(self) -> Option<u16> {
        mote_of_address(self.addr)
    }
}
