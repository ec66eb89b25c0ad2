//! Frames to files: pcapng that Wireshark, and [`crate::open`], read.
//!
//! ```text
//! Frame ──► record: link type, octets ──► FrameWriter ──┐
//!                                                       ├──► Writer ──► pcapng
//! CoAP  ──► message ─┬─► datagram ──────────────────────┤
//!                    └─► framing, of a recorded hop ────┘
//! ```
//!
//! A [`crate::model::Capture`] keeps frames without what its container put around them, so what is written is the frame
//! again, not the record: 802.15.4 behind TAP metadata, whatever link type it came in; cooked captures and loopback
//! as raw IP. Same frames, same octets.

mod datagram;
mod frames;
mod framing;
mod message;
mod pcapng;
mod record;

pub use datagram::datagram;
pub use frames::FrameWriter;
pub use framing::{Framing, Unframed, set_sequence_number};
pub use message::{bare, with_count, with_ids};
pub use pcapng::{Extra, Section, Statistics, Writer};
pub use record::{TapOf, earliest, tap, unix_nanos};

/// Link type of raw IP in the pcap registry (101), for the datagrams that [`datagram`] makes.
pub const RAW_IP: u16 = wire::tap::linktype::RAW;

/// Link type of IEEE 802.15.4 behind TAP metadata in the pcap registry (283), for the frames that [`tap`] makes.
pub const TAP: u16 = wire::tap::linktype::IEEE802_15_4_TAP;
