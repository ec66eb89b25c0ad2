//! Octets to headers, each with its span: 802.15.4, 6LoWPAN, IPv6, UDP, ICMPv6/RPL, CoAP, and the
//! framings a capture wraps around them.
//!
//! # Contract
//!
//! * Every `parse` takes the octets of exactly one header and what it carries, and returns a value or
//!   an [`Error`]. It does no I/O and never panics, whatever the octets.
//! * Every [`ByteRange`] is relative to the slice given to the `parse` that returned it, lies inside it, and
//!   spans of one header are disjoint and in wire order. `octets.get(span)` is always `Some`.
//! * A header that is well formed but not understood is a value where there is something to say about
//!   it ([`lowpan::Dispatch::Unknown`], an unknown CoAP option), else an error of kind
//!   [`Kind::Unsupported`].
//! * `parse_partly`, where there is one, is the same reading, and keeps what came before the error.
//! * Nothing is looked up: 6LoWPAN contexts, keys and reassembly buffers belong to the caller.
//!
//! Decryption is in [`security`]; [`tree`] names every octet of a frame, for people.
//!
//! # From a frame to a message
//!
//! ```
//! use wire::lowpan::ContextTable;
//! use wire::{Coap, Error, Ipv6, MacHeader, Udp, lowpan};
//!
//! /// Token and message ID of a frame that is not fragmented.
//! fn message(psdu: &[u8], contexts: &ContextTable) -> Result<String, Error> {
//!     let mac = MacHeader::parse(psdu)?;
//!     let payload = &psdu[mac.payload.clone()];
//!     let headers = lowpan::parse(payload)?;
//!     let (src, dst) = headers.endpoints(mac.src, mac.dst);
//!     let compressed = &payload[headers.rest];
//!     let rebuilt = lowpan::decompress(compressed, src, dst, contexts, None)?;
//!     let datagram = [&rebuilt.header, &compressed[rebuilt.consumed..]].concat();
//!     let upper = &datagram[Ipv6::parse(&datagram)?.payload];
//!     let coap = Coap::parse(&upper[Udp::parse(upper)?.payload])?;
//!     Ok(format!("{} {} mid {} token {}", coap.kind, coap.code, coap.mid, coap.token))
//! }
//!
//! let psdu = [
//!     0x61, 0xdc, 0x2a, 0xcd, 0xab, 1, 0, 1, 0, 1, 0, 1, 0, 2, 0, 2, 0, 2, 0, 2, 0, // 802.15.4
//!     0x7e, 0x77, // IPv6
//!     0xf0, 0x16, 0x33, 0x16, 0x33, 0xab, 0xcd, // UDP
//!     0x42, 0x01, 0x30, 0x39, 0xbe, 0xef, // CoAP
//! ];
//! let contexts = ContextTable::EMPTY.with(0, "fd00::/64".parse()?);
//! assert_eq!(message(&psdu, &contexts)?, "CON 0.01 mid 12345 token beef");
//! let cut = message(&psdu[..28], &contexts).unwrap_err();
//! assert_eq!(cut.to_string(), "6LoWPAN, octet 7: needs 2 octets, 0 left");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    not(test),
    deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::arithmetic_side_effects)
)]

pub mod coap;
pub mod dtls;
mod error;
#[doc(hidden)]
pub mod fuzz;
mod ip;
mod link;
pub mod reader;
pub mod tree;
pub mod udp;

pub use coap::Coap;
pub use error::{Error, Kind};
pub use ip::ipv6::Ipv6;
pub use ip::lowpan::Lowpan;
pub use ip::{icmpv6, ipv4, ipv6, lowpan, rpl};
pub use link::ieee802154::{MacAddr, MacHeader};
pub use link::{ethernet, ieee802154, security, sll, tap};
pub use reader::Reader;
pub use udp::Udp;

/// Range of octets in the slice given to `parse`.
pub type ByteRange = std::ops::Range<usize>;
