//! Options that make one message part of a series: blocks (RFC 7959, RFC 9177) and observations (RFC 7641).

use base::FrameId;
use wire::Coap;
use wire::coap::{Block, number};

/// Options of one message that make it part of a series.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Series {
    /// The value of Observe: to register (0) and deregister (1) in a request, the sequence number in a notification.
    pub observe: Option<u32>,
    /// A block of a request's payload.
    pub up: Option<Block>,
    /// A block of a response's payload, or the one that is asked for.
    pub down: Option<Block>,
    /// The blocks are those of RFC 9177.
    pub quick: bool,
    /// Hash of the request's Uri-Path, Uri-Query and Request-Tag.
    pub target: u64,
}

impl Series {
    /// `None` for a message that stands alone.
    pub fn of(coap: &Coap, octets: &[u8]) -> Option<Self> {
        const OPTIONS: [u16; 5] = [number::OBSERVE, number::BLOCK1, number::BLOCK2, number::Q_BLOCK1, number::Q_BLOCK2];
        if !coap.options.iter().any(|option| OPTIONS.contains(&option.number)) {
            return None;
        }
        let block = |plain, quick| coap.block(octets, plain).or_else(|| coap.block(octets, quick));
        let quick = |option| coap.values(octets, option).next().is_some();
        let target = [number::URI_PATH, number::URI_QUERY, number::REQUEST_TAG]
            .into_iter()
            .flat_map(|option| coap.values(octets, option).map(move |value| (option, value)))
            .fold(FNV_OFFSET, |hash, (option, value)| {
                // The length keeps `a/b` and `ab` apart.
                let head = [option as u8, value.len() as u8];
                head.iter().chain(value).fold(hash, |hash, &octet| (hash ^ u64::from(octet)).wrapping_mul(FNV_PRIME))
            });
        Some(Self {
            observe: coap.option_uint(octets, number::OBSERVE),
            up: block(number::BLOCK1, number::Q_BLOCK1),
            down: block(number::BLOCK2, number::Q_BLOCK2),
            quick: quick(number::Q_BLOCK1) || quick(number::Q_BLOCK2),
            target,
        })
    }
}

/// FNV-1a with 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv, section 5).
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

/// See [`FNV_OFFSET`].
const FNV_PRIME: u64 = 0x100_0000_01b3;

/// The series of the frames that complete a message.
#[derive(Default)]
pub(crate) struct AllSeries(Vec<(FrameId, Series)>);

impl AllSeries {
    /// In any order.
    pub fn new(mut all: Vec<(FrameId, Series)>) -> Self {
        all.sort_unstable_by_key(|&(frame, _)| frame);
        Self(all)
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// That of the message which this frame completes.
    pub fn of(&self, frame: Option<FrameId>) -> Option<&Series> {
        let at = self.0.binary_search_by_key(&frame?, |&(frame, _)| frame).ok()?;
        self.0.get(at).map(|(_, series)| series)
    }
}
