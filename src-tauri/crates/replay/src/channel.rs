//! The weather: what a copy would have met.
//!
//! Fates are a function of path and *time*, not of the attempt's ordinal: a copy that another
//! algorithm sends at another moment meets that moment's weather.
//!
//! * [`ChannelSpec::Recorded`] has no model: a copy near enough to a recorded one takes its fate, any
//!   other is undetermined, and results are intervals.
//! * [`ChannelSpec::Empirical`] borrows the fates of recorded copies near in time.
//! * [`ChannelSpec::GilbertElliott`] draws good and bad spells of a fitted two-state weather, given what was recorded.
//! * [`ChannelSpec::Loaded`] moves what one of these two says by the load that all clients put on the medium together: by a fitted
//!   response to what is under way, or by the waits at a bottleneck that all pass.
//!
//! A [`Channel`] that makes clients feel each other says so with [`Channel::couples`]; then the
//! engine simulates all clients together and asks in order of time.

mod batch_server;
mod block_bootstrap;
mod bootstrap_weights;
mod donor_near;
mod empirical;
mod gilbert_elliott;
mod loaded;
mod queued;
mod recorded;
mod remembered;
mod sampler;
mod state_path;

pub(crate) use block_bootstrap::BlockBootstrap;
pub(crate) use empirical::Empirical;
pub(crate) use gilbert_elliott::GilbertElliottChannel;
pub(crate) use loaded::{Loaded, Pinned};
pub(crate) use queued::Queued;
pub(crate) use recorded::{Assume, Recorded};
pub(crate) use remembered::FirstCopyCache;
pub(crate) use sampler::Sampler;

use crate::model::Fate;
use base::Instant;

/// Random outcomes that the copies of a replicate meet beside recorded moments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Luck {
    /// Those of the trace: a copy sent when one was recorded meets the fate of that one.
    Recorded,
    /// Those of another run, resampled in blocks ([`BlockBootstrap`]).
    Resampled,
}

/// One transmission, as a channel sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sent {
    /// The path: position of the association in [`crate::Record::associations`].
    pub path: u32,
    /// When.
    pub at: Instant,
    /// Position of the exchange in its association.
    pub exchange: u32,
    /// 0 for the original, k for the k-th retransmission.
    pub attempt: u8,
    /// CoAP payload, octets.
    pub payload: u16,
}

/// Where a fate comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Support {
    /// A recorded copy at the same time on the same path.
    Recorded,
    /// A recorded copy of another time or path.
    Borrowed,
    /// A fitted model.
    Modelled,
    /// Assumed, to find the best or the worst case; or not determined at all.
    Assumed,
}

/// A copy's fate and where it comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Met {
    /// What becomes of the copy. [`Fate::Unknown`]: the channel has no answer; no reply will come.
    pub fate: Fate,
    /// Where that comes from.
    pub support: Support,
}

/// Says what becomes of a copy.
///
/// The engine asks once per copy. Within one association it asks in order of time; a channel that
/// [couples](Self::couples) clients is asked in order of time over all of them. Everything random must
/// be keyed by the seed, the path and the time, never by the order of the calls.
pub trait Channel {
    /// What becomes of the copy.
    fn fate(&mut self, sent: &Sent) -> Met;

    /// Clients feel each other's transmissions, so that they must be simulated together.
    fn couples(&self) -> bool {
        false
    }

    /// What becomes of some copies is known only later, because it depends on what is sent meanwhile: [`Channel::fate`] says
    /// [`Fate::Unknown`] of them, [`Channel::settle`] the rest.
    fn defers(&self) -> bool {
        false
    }

    /// The next copy whose fate is settled no later than `by`, in order of time. Nothing is sent before `by` any more.
    fn settle(&mut self, by: Instant) -> Option<Settled> {
        let _ = by;
        None
    }

    /// Another run begins, in the same weather: what the last one sent is forgotten.
    fn begin(&mut self) {}
}

/// A copy whose fate could not be told when it was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settled {
    /// The copy.
    pub sent: Sent,
    /// What became of it; a reply is in no sooner than it is settled.
    pub met: Met,
}
