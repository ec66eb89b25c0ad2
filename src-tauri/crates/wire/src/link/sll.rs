//! Headers of Linux cooked captures (<https://www.tcpdump.org/linktypes/LINKTYPE_LINUX_SLL.html>,
//! <https://www.tcpdump.org/linktypes/LINKTYPE_LINUX_SLL2.html>).

use crate::{ByteRange, Error, Reader};
use base::Layer;

/// A cooked header, version 1 or 2.
///
/// ```text
/// 1: +-------------+-------------+----------------+-------------+---------------+
///    | packet type | ARPHRD type | address length | address (8) | protocol type |
///    +-------------+-------------+----------------+-------------+---------------+
/// 2: +---------------+----------+-----------+--------+-----------+---------+-------------+
///    | protocol type | reserved | interface | ARPHRD | pkt type 1| len (1) | address (8) |
///    +---------------+----------+-----------+--------+-----------+---------+-------------+
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sll {
    /// Packet type: 0 to us, 1 broadcast, 2 multicast, 3 to others, 4 from us.
    pub packet_type: u16,
    /// Protocol number of the payload: an EtherType, with most link types.
    pub ethertype: u16,
    /// Length of the header, octets: 16 in version 1, 20 in version 2.
    pub header_len: usize,
}

impl Sll {
    /// Reads a header of version 1 (link type 113).
    ///
    /// # Errors
    /// The header ends early.
    pub fn parse(record: &[u8]) -> Result<Self, Error> {
        let mut r = Reader::new(record, Layer::Link);
        let packet_type = r.u16_be()?;
        r.take(12)?;
        Ok(Self { packet_type, ethertype: r.u16_be()?, header_len: r.pos() })
    }

    /// Reads a header of version 2 (link type 276).
    ///
    /// # Errors
    /// The header ends early.
    pub fn parse_v2(record: &[u8]) -> Result<Self, Error> {
        let mut r = Reader::new(record, Layer::Link);
        let ethertype = r.u16_be()?;
        r.take(8)?;
        let packet_type = u16::from(r.u8()?);
        r.take(9)?;
        Ok(Self { packet_type, ethertype, header_len: r.pos() })
    }

    /// Range of the payload in `record`, the slice that was parsed.
    #[must_use]
    pub const fn payload(&self, record: &[u8]) -> ByteRange {
        self.header_len..record.len()
    }
}
