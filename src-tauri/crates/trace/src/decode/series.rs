//! Options that make one message part of a series: blocks (RFC 7959, RFC 9177) and observations (RFC 7641).

use base::FrameId;
use wire::Coap;
use wire::coap::{Block, number};

/// Options of one message that make it part of a series.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Series {
    /// Value of Observe (RFC 7641 §2): in a request 0 registers and 1 deregisters, in a notification it is the sequence
    /// number. `None` without the option.
    pub observe: Option<u32>,
    /// Block1 or Q-Block1: a block of a request's payload; `None` without the option.
    pub up: Option<Block>,
    /// Block2 or Q-Block2: a block of a response's payload, or the one that is asked for; `None` without the option.
    pub down: Option<Block>,
    /// True with Q-Block1 or Q-Block2 (RFC 9177).
    pub quick: bool,
    /// Hash (FNV-1a, 64 bits) of the message's Uri-Path, Uri-Query and Request-Tag.
    pub target: u64,
}

impl Series {
    /// Reads the options of `coap`, parsed from `octets`; `None` for a message without Observe and block options.
    pub fn of(coap: &Coap, octets: &[u8]) -> Option<Self> {
        /// Numbers of the options that make a message part of a series.
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

/// Offset basis of FNV-1a with 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv, section 5).
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

/// Prime of FNV-1a with 64 bits, see [`FNV_OFFSET`].
const FNV_PRIME: u64 = 0x100_0000_01b3;

/// Series options of the frames that complete a message, by frame.
#[derive(Default)]
pub(crate) struct AllSeries(Vec<(FrameId, Series)>);

impl AllSeries {
    /// Sorts `all`, given in any order.
    pub fn new(mut all: Vec<(FrameId, Series)>) -> Self {
        all.sort_unstable_by_key(|&(frame, _)| frame);
        Self(all)
    }

    /// Returns whether no message is part of a series.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the series options of the message that `frame` completes; `None` where it has none.
    pub fn of(&self, frame: Option<FrameId>) -> Option<&Series> {
        let at = self.0.binary_search_by_key(&frame?, |&(frame, _)| frame).ok()?;
        self.0.get(at).map(|(_, series)| series)
    }
}
