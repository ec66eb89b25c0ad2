//! 6LoWPAN headers of one MAC payload. Every stage reads them through [`LowpanView`], which parses them once.

use std::ops::Deref;
use wire::Error;
use wire::ieee802154::MacAddr;
use wire::lowpan::{self, ContextSource, Decompressed, Dispatch, Lowpan};
use wire::security::Opened;

/// MAC payload of one frame, without its security.
pub(crate) enum MacPayload<'a> {
    /// Payload of a frame that was not encrypted.
    Clear(&'a [u8]),
    /// Payload that was decrypted and authenticated.
    Opened(Opened),
}

impl Deref for MacPayload<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Clear(octets) => octets,
            Self::Opened(opened) => opened.octets.get(opened.payload.clone()).unwrap_or_default(),
        }
    }
}

/// 6LoWPAN headers of one MAC payload, or of a reassembled compressed datagram (RFC 8931), with what follows them.
pub(crate) struct LowpanView<'a> {
    /// The headers up to the datagram or its fragment.
    pub headers: Lowpan,
    /// Octets behind the headers.
    pub rest: &'a [u8],
    /// Link-layer source and destination of the hop, in this order.
    pub between: (MacAddr, MacAddr),
}

impl<'a> LowpanView<'a> {
    /// Parses `payload`, which was sent on a hop `between` two nodes.
    ///
    /// # Errors
    /// Errors of [`lowpan::parse`].
    pub fn parse(payload: &'a [u8], between: (MacAddr, MacAddr)) -> Result<Self, Error> {
        let headers = lowpan::parse(payload)?;
        let rest = payload.get(headers.rest.clone()).unwrap_or_default();
        Ok(Self { headers, rest, between })
    }

    /// Returns whether it carries a fragment of either kind (RFC 4944 §5.3, RFC 8931).
    pub fn is_fragment(&self) -> bool {
        self.headers.frag.is_some() || self.headers.rfrag.is_some()
    }

    /// Returns whether an IPv6 datagram begins behind the headers.
    pub fn is_ip(&self) -> bool {
        matches!(self.headers.dispatch, Dispatch::Iphc | Dispatch::Ipv6Uncompressed | Dispatch::Hc1)
    }

    /// Returns the offset in its datagram of the piece that it carries, octets; 0 for a whole datagram.
    pub fn offset(&self) -> usize {
        match (&self.headers.frag, &self.headers.rfrag) {
            (Some(frag), _) => frag.offset,
            // In the first fragment, that field says the datagram's size (RFC 8931 §5.1).
            (None, Some(rfrag)) if rfrag.sequence > 0 => usize::from(rfrag.offset),
            (None, _) => 0,
        }
    }

    /// Decompresses the IPv6 header chain that begins behind the headers, into the buffers of `room`.
    ///
    /// # Errors
    /// Errors of [`lowpan::decompress_with`].
    pub fn decompress(&self, contexts: &dyn ContextSource, room: Decompressed) -> Result<Decompressed, Error> {
        let ends = self.headers.endpoints(self.between.0, self.between.1);
        let total = self.headers.frag.as_ref().filter(|frag| frag.first).map(|frag| usize::from(frag.size));
        lowpan::decompress_with(self.rest, ends, contexts, total, room)
    }

    /// Appends to `to` the uncompressed headers and what follows them in this payload.
    pub fn append(&self, decompressed: &Decompressed, to: &mut Vec<u8>) {
        to.extend_from_slice(&decompressed.header);
        to.extend_from_slice(self.rest.get(decompressed.consumed..).unwrap_or_default());
    }

    /// Returns the datagram, or its first fragment, with its headers uncompressed.
    ///
    /// # Errors
    /// As [`Self::decompress`].
    pub fn datagram(&self, contexts: &dyn ContextSource) -> Result<Vec<u8>, Error> {
        let decompressed = self.decompress(contexts, Decompressed::default())?;
        let mut octets = Vec::with_capacity(decompressed.header.len() + self.rest.len());
        self.append(&decompressed, &mut octets);
        Ok(octets)
    }
}
