//! Channels: the fate of a copy that was sent at any moment.
//!
//! Fates are a function of path and *time*, not of the attempt's ordinal: a copy that another algorithm sends at
//! another moment meets the channel of that moment.
//!
//! * [`ChannelSpec::Recorded`](crate::ChannelSpec::Recorded) has no model: a copy near enough to a recorded one takes
//!   its fate, any other is undetermined, and results are intervals.
//! * [`ChannelSpec::Empirical`](crate::ChannelSpec::Empirical) samples fates of recorded copies near in time
//!   ([`Empirical`]).
//! * [`ChannelSpec::GilbertElliott`](crate::ChannelSpec::GilbertElliott) samples the state path of a fitted two-state
//!   channel ([`GilbertElliottChannel`]).
//! * [`ChannelSpec::Loaded`](crate::ChannelSpec::Loaded) changes the fates of one of these by the load of all clients:
//!   by a fitted response ([`Loaded`]), or by waits at a bottleneck ([`Queued`]).
//!
//! * [`ChannelSpec::Twin`](crate::ChannelSpec::Twin) sends copies through a simulation of the network
//!   ([`TwinChannel`]).
//!
//! A [`Channel`] that couples clients says so with [`Channel::couples`]; the engine then simulates all clients together
//! and asks in order of time. Fast forms of inner loops stand in `fast`, each beside a law that holds it to a plain
//! form.

mod batch_server;
mod block_bootstrap;
mod bootstrap_weights;
mod empirical;
mod fast;
mod gilbert_elliott;
mod kernel;
mod loaded;
mod queued;
mod recorded;
mod refresh;
mod sampler;
mod state_path;
mod twin;

pub(crate) use block_bootstrap::{BlockBootstrap, BlockCounts};
pub(crate) use empirical::Empirical;
pub(crate) use fast::FirstCopyCache;
pub(crate) use gilbert_elliott::GilbertElliottChannel;
pub(crate) use loaded::{Loaded, Pinned};
pub(crate) use queued::Queued;
pub(crate) use recorded::{Assume, Recorded};
pub(crate) use sampler::Sampler;
pub(crate) use twin::TwinChannel;

use crate::model::Fate;
use ::twin::Ways;
use base::Instant;

/// Random outcomes that the copies of a replicate meet beside recorded moments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcomes {
    /// Outcomes of the trace: a copy sent when one was recorded meets the fate of that one.
    Recorded,
    /// Outcomes of another run, resampled in blocks ([`BlockBootstrap`]).
    Resampled,
}

/// One transmission of a copy, as a channel sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sent {
    /// Path: position of the association in [`crate::Record::associations`].
    pub path: u32,
    /// Time of sending, at the client.
    pub at: Instant,
    /// Position of the exchange in its association; `u32::MAX` for a copy of no recorded exchange.
    pub exchange: u32,
    /// Number of the attempt: 0 for the original, k for the k-th retransmission.
    pub attempt: u8,
    /// CoAP payload of the request in octets.
    pub payload: u16,
}

/// Source of a fate, from best supported to least.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Support {
    /// A recorded copy at the same time on the same path.
    Recorded,
    /// Sampled from recorded copies of another time or path.
    Sampled,
    /// A model that was fitted to the recorded copies.
    Modelled,
    /// Assumed, to find the best or the worst case; or not determined at all.
    Assumed,
}

/// Fate of a copy and its source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Met {
    /// Fate of the copy. [`Fate::Unknown`]: the channel has no answer; no reply will come.
    pub fate: Fate,
    /// Source of the fate.
    pub support: Support,
}

/// Source of the fates of copies.
///
/// The engine asks once per copy. Within one association it asks in order of time; a channel that
/// [couples](Self::couples) clients is asked in order of time over all of them. Everything random must
/// be keyed by the seed, the path and the time, never by the order of the calls.
pub trait Channel {
    /// Returns the fate of a copy.
    fn fate(&mut self, sent: &Sent) -> Met;

    /// Whether clients affect one another, so that they must be simulated together.
    fn couples(&self) -> bool {
        false
    }

    /// Whether some fates are known only later, because they depend on copies that are sent meanwhile:
    /// [`Channel::fate`] returns [`Fate::Unknown`] for them, and [`Channel::settle`] later the fate.
    fn defers(&self) -> bool {
        false
    }

    /// Returns the next copy whose fate is settled no later than `by`, in order of time; `None` when there is none
    /// left. The caller promises to send nothing before `by` any more.
    fn settle(&mut self, by: Instant) -> Option<Settled> {
        let _ = by;
        None
    }

    /// Begins another run on the same channel: forgets the copies of the last one, and keeps what was drawn for the
    /// replicate.
    fn begin(&mut self) {}

    /// Keeps a log of every frame of the runs that begin from here on, where the channel simulates frames.
    fn keep_log(&mut self) {}

    /// Takes the log of the run, which ended at `until`: what happens later is left out. `None` where the channel
    /// simulates no frames, or keeps no log.
    fn take_log(&mut self, until: Instant) -> Option<FrameLog> {
        let _ = until;
        None
    }
}

/// Every frame of one run through the network twin, and the copies that they carried.
#[derive(Clone, PartialEq, Debug)]
pub struct FrameLog {
    /// Frames and drops, ordered by copy.
    pub ways: Ways,
    /// Copies in the order of sending; the position of each is its key in `ways`.
    pub copies: Vec<Sent>,
}

/// A copy whose fate was not known when it was sent, with the fate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settled {
    /// Transmission that was asked about.
    pub sent: Sent,
    /// Fate of the copy; a reply arrives no sooner than the fate is settled.
    pub met: Met,
    /// Moment at which the first frame of the copy went on the air.
    pub aired: Aired,
}

/// Moment at which the first frame of a copy went on the air.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aired {
    /// The moment of sending: the channel knows of no wait.
    AsSent,
    /// This moment, after a wait in the node.
    At(Instant),
    /// No moment: the copy never went on the air, and no capture has it.
    Never,
}
