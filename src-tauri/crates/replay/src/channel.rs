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

mod ambiguous;
mod anew;
mod climate;
mod counts;
mod empirical;
mod fading;
mod gate;
mod gilbert_elliott;
mod index;
mod lend;
mod loaded;
mod local;
mod queued;
mod recorded;
mod remembered;
mod shelf;
mod spells;
mod times;
mod weigh;

pub(crate) use anew::Anew;
pub(crate) use climate::Donors;
pub use climate::{Climate, Memory};
pub(crate) use empirical::Empirical;
pub(crate) use gilbert_elliott::GilbertElliottChannel;
pub(crate) use index::{Index, Lender, Moment, Path};
pub(crate) use loaded::{AsItWas, Lends, Loaded};
pub(crate) use local::Local;
pub(crate) use queued::Queued;
pub(crate) use recorded::{Assume, Recorded};
pub(crate) use remembered::Remembered;
pub(crate) use shelf::Donor;
pub(crate) use spells::observed;

use crate::record::Fate;
use base::{Instant, Span};

/// Whose luck copies have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Luck {
    /// That of the trace: a copy sent when one was recorded meets what that one met.
    Recorded,
    /// That of another run ([`Anew`]).
    Anew,
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

/// Which channel, and how.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ChannelSpec {
    /// No model.
    Recorded {
        /// How near a recorded copy must be to lend its fate as the same copy's.
        tolerance: Span,
    },
    /// Borrows from recorded copies near in time.
    Empirical {
        /// How near a recorded copy must be to lend its fate as the same copy's; also the time
        /// quantum within which two algorithms meet the same draws.
        tolerance: Span,
    },
    /// Two-state weather fitted to the losses of each path ([`crate::Weather`]).
    GilbertElliott {
        /// As for [`ChannelSpec::Empirical`].
        tolerance: Span,
    },
    /// A base channel, and what the copies of all clients do to each other: losses and round trips respond to load.
    Loaded {
        /// What lends the fates.
        base: Base,
        /// How they respond.
        response: LoadResponse,
        /// As for [`ChannelSpec::Empirical`].
        tolerance: Span,
    },
}

/// What [`ChannelSpec::Loaded`] rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Base {
    /// [`ChannelSpec::Empirical`].
    #[default]
    Empirical,
    /// [`ChannelSpec::GilbertElliott`].
    GilbertElliott,
}

/// How losses and round trips respond to load, per copy of mean airtime that is under way.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum LoadResponse {
    /// As the trace shows ([`crate::Replay::load`]); where it does not, nothing is run ([`crate::Error::Unidentified`]).
    #[default]
    Fitted,
    /// As somebody says: for "what if it were", and for tests.
    Given {
        /// By how much the logit of a loss rises.
        loss: f64,
        /// By how many seconds a round trip gets longer.
        rtt: f64,
    },
    /// They wait at a bottleneck that serves one message after the other, and are dropped where it has no room.
    Queue {
        /// Time that a message of mean airtime takes; `None`: as the trace shows ([`crate::Replay::bottleneck`]).
        service: Option<Span>,
        /// For how many messages there is room, the one that is served included; `None`: as the trace shows, and where it does not
        /// show it, for more than there ever were, by how much is drawn in every replicate.
        room: Option<u32>,
    },
}

impl LoadResponse {
    /// A bottleneck as the trace shows it.
    pub const QUEUE: Self = Self::Queue { service: None, room: None };
}

impl ChannelSpec {
    /// Two transmissions less than 10 ms apart meet the same channel. A full-sized 802.15.4 frame takes
    /// 4.3 ms on the air at 250 kbit/s, with CSMA back-off and acknowledgement up to about 8 ms
    /// (IEEE 802.15.4-2015 §6.2.5, §10.2), so nearer copies compete for one and the same place; and the
    /// clock of a capture is seldom better than some milliseconds.
    pub const TOLERANCE: Span = Span::from_millis(10);
    /// No model, default tolerance.
    pub const RECORDED: Self = Self::Recorded { tolerance: Self::TOLERANCE };
    /// Borrowed fates, default tolerance.
    pub const EMPIRICAL: Self = Self::Empirical { tolerance: Self::TOLERANCE };
    /// Fitted two-state weather, default tolerance.
    pub const GILBERT_ELLIOTT: Self = Self::GilbertElliott { tolerance: Self::TOLERANCE };

    /// Empirical weather that responds to load as the trace shows, default tolerance.
    pub const LOADED: Self =
        Self::Loaded { base: Base::Empirical, response: LoadResponse::Fitted, tolerance: Self::TOLERANCE };
    /// Fitted two-state weather that responds to load as the trace shows, default tolerance.
    pub const LOADED_GILBERT_ELLIOTT: Self =
        Self::Loaded { base: Base::GilbertElliott, response: LoadResponse::Fitted, tolerance: Self::TOLERANCE };
    /// Empirical weather behind a bottleneck as the trace shows it, default tolerance.
    pub const QUEUED: Self =
        Self::Loaded { base: Base::Empirical, response: LoadResponse::QUEUE, tolerance: Self::TOLERANCE };
    /// All, with default tolerance: by their names, for whoever offers a choice.
    pub const ALL: [Self; 5] =
        [Self::RECORDED, Self::EMPIRICAL, Self::GILBERT_ELLIOTT, Self::LOADED, Self::LOADED_GILBERT_ELLIOTT];

    /// The one of [`ChannelSpec::ALL`] called `name`, or [`ChannelSpec::QUEUED`]: that one is for worlds known to be like that, and only
    /// where it is asked for by name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().chain([Self::QUEUED]).find(|spec| spec.name() == name)
    }

    /// Its name on the command line and in results, for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Recorded { .. } => "recorded",
            Self::Empirical { .. } => "empirical",
            Self::GilbertElliott { .. } => "gilbert_elliott",
            Self::Loaded { base: Base::Empirical, response: LoadResponse::Queue { .. }, .. } => "queued",
            Self::Loaded { base: Base::GilbertElliott, response: LoadResponse::Queue { .. }, .. } => {
                "queued_gilbert_elliott"
            }
            Self::Loaded { base: Base::Empirical, .. } => "loaded",
            Self::Loaded { base: Base::GilbertElliott, .. } => "loaded_gilbert_elliott",
        }
    }

    /// Its name for people, after the word "channel".
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Recorded { .. } => "recorded, without a model",
            Self::Empirical { .. } => "empirical",
            Self::GilbertElliott { .. } => "Gilbert–Elliott",
            Self::Loaded { base: Base::Empirical, response: LoadResponse::Queue { .. }, .. } => {
                "empirical behind a bottleneck"
            }
            Self::Loaded { base: Base::GilbertElliott, response: LoadResponse::Queue { .. }, .. } => {
                "Gilbert–Elliott behind a bottleneck"
            }
            Self::Loaded { base: Base::Empirical, .. } => "empirical under load",
            Self::Loaded { base: Base::GilbertElliott, .. } => "Gilbert–Elliott under load",
        }
    }

    /// How near a recorded copy must be to lend its fate as the same copy's.
    #[must_use]
    pub const fn tolerance(self) -> Span {
        match self {
            Self::Recorded { tolerance }
            | Self::Empirical { tolerance }
            | Self::GilbertElliott { tolerance }
            | Self::Loaded { tolerance, .. } => tolerance,
        }
    }
}
