//! The channel models that a scenario can ask for, with their parameters.

use base::Span;

/// Channel model with its parameters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ChannelSpec {
    /// No model: fates are recorded or undetermined, and results are bounds.
    Recorded {
        /// Largest distance in time at which a copy takes the fate of a recorded one as its own.
        tolerance: Span,
    },
    /// Samples fates of recorded copies near in time.
    Empirical {
        /// Largest distance in time at which a copy takes the fate of a recorded one as its own; also the time
        /// quantum within which two algorithms meet the same draws.
        tolerance: Span,
    },
    /// Two-state channel fitted to the losses of each path ([`crate::ChannelStates`]).
    GilbertElliott {
        /// Time quantum and largest distance to a recorded copy, as under [`ChannelSpec::Empirical`].
        tolerance: Span,
    },
    /// A base channel under load: losses and round trips respond to the copies of all clients in flight.
    Loaded {
        /// Channel that fates are sampled from.
        base: Base,
        /// Response of fates to load.
        response: LoadResponse,
        /// Time quantum and largest distance to a recorded copy, as under [`ChannelSpec::Empirical`].
        tolerance: Span,
    },
    /// The network twin: queues, cells, contention and link retries are simulated frame by frame
    /// ([`twin::Simulation`]).
    Twin,
    /// One of the others, the one that the capture supports best ([`crate::Replay::chosen_channel`]).
    Auto,
}

/// Base channel of [`ChannelSpec::Loaded`], from which fates are sampled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Base {
    /// Fates as under [`ChannelSpec::Empirical`].
    #[default]
    Empirical,
    /// Fates as under [`ChannelSpec::GilbertElliott`].
    GilbertElliott,
}

/// Response of losses and round trips to load, per copy of mean airtime in flight.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum LoadResponse {
    /// Fitted to the trace ([`crate::Replay::load`]); where that is not possible, nothing is run
    /// ([`crate::Error::Unidentified`]).
    #[default]
    Fitted,
    /// Given by the caller, for hypothetical media and tests.
    Given {
        /// Rise of the logit of a loss, a number per copy in flight.
        loss: f64,
        /// Lengthening of a round trip, seconds per copy.
        rtt: f64,
    },
    /// Messages wait at a bottleneck that serves one after the other, and are dropped where it has no room.
    Queue {
        /// Service time of a message of mean airtime; `None`: as the trace shows ([`crate::Replay::bottleneck`]).
        service: Option<Span>,
        /// Number of messages that have room, the one in service included; `None`: as the trace shows. Where it does
        /// not show it, room for more than there ever were, by how much is drawn in every replicate.
        room: Option<u32>,
    },
}

impl LoadResponse {
    /// A bottleneck with service time and room as the trace shows them.
    pub const QUEUE: Self = Self::Queue { service: None, room: None };
}

impl ChannelSpec {
    /// Default tolerance: two transmissions less than 10 ms apart meet the same channel. Chosen here: a full-sized
    /// 802.15.4 frame takes 4.3 ms on the air at 250 kbit/s, with CSMA back-off and acknowledgement up to about 8 ms
    /// (IEEE 802.15.4-2015 §6.2.5, §10.2), so nearer copies compete for one and the same place; and the clock of a
    /// capture is seldom better than some milliseconds.
    pub const TOLERANCE: Span = Span::from_millis(10);
    /// Channel without a model, default tolerance.
    pub const RECORDED: Self = Self::Recorded { tolerance: Self::TOLERANCE };
    /// Sampled fates, default tolerance.
    pub const EMPIRICAL: Self = Self::Empirical { tolerance: Self::TOLERANCE };
    /// Fitted two-state channel, default tolerance.
    pub const GILBERT_ELLIOTT: Self = Self::GilbertElliott { tolerance: Self::TOLERANCE };

    /// Empirical channel with fitted response to load, default tolerance.
    pub const LOADED: Self =
        Self::Loaded { base: Base::Empirical, response: LoadResponse::Fitted, tolerance: Self::TOLERANCE };
    /// Fitted two-state channel with fitted response to load, default tolerance.
    pub const LOADED_GILBERT_ELLIOTT: Self =
        Self::Loaded { base: Base::GilbertElliott, response: LoadResponse::Fitted, tolerance: Self::TOLERANCE };
    /// Empirical channel behind a fitted bottleneck, default tolerance.
    pub const QUEUED: Self =
        Self::Loaded { base: Base::Empirical, response: LoadResponse::QUEUE, tolerance: Self::TOLERANCE };
    /// Models that are compared with one another, with default tolerance: those of calibration, sensitivity and
    /// studies. Without [`ChannelSpec::QUEUED`], which [`ChannelSpec::Auto`] or a name chooses.
    pub const ALL: [Self; 6] = [
        Self::RECORDED,
        Self::EMPIRICAL,
        Self::GILBERT_ELLIOTT,
        Self::LOADED,
        Self::LOADED_GILBERT_ELLIOTT,
        Self::Twin,
    ];

    /// Returns the model of [`ChannelSpec::ALL`] called `name`, [`ChannelSpec::QUEUED`] or [`ChannelSpec::Auto`];
    /// `None` for other names.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().chain([Self::QUEUED, Self::Auto]).find(|spec| spec.name() == name)
    }

    /// Name on the command line and in results, for programs.
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
            Self::Twin => "twin",
            Self::Auto => "auto",
        }
    }

    /// Name for people, after the word "channel".
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
            Self::Twin => "network twin",
            Self::Auto => "chosen by the capture",
        }
    }

    /// Largest distance in time at which a copy takes the fate of a recorded one as its own; the default for models
    /// without one.
    #[must_use]
    pub const fn tolerance(self) -> Span {
        match self {
            Self::Recorded { tolerance }
            | Self::Empirical { tolerance }
            | Self::GilbertElliott { tolerance }
            | Self::Loaded { tolerance, .. } => tolerance,
            Self::Twin | Self::Auto => Self::TOLERANCE,
        }
    }
}
