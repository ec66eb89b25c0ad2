//! Kinds of channels and networks, and the size of the model error of each.

use super::ModelError;
use crate::metrics::MetricName;
use crate::model::{ChannelSpec, Hops, LoadResponse};
use crate::run::Replay;
use twin::{Mac, Machine};

/// Kind of a channel and its network, by which its error as a model is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Network twin of a TSCH network.
    Tsch,
    /// Network twin of a CSMA network.
    Csma,
    /// Channel whose fates respond to no load, in a network of several hops.
    Hops,
    /// Channel whose fates respond to load, in a network of several hops.
    HopsLoaded,
    /// Channel with one bottleneck, in a network of several hops.
    HopsQueued,
    /// Channel whose fates respond to no load, where several clients share a path.
    Shared,
    /// Channel whose fates respond to load, where several clients share a path.
    SharedLoaded,
    /// Channel with one bottleneck, where several clients share a path.
    SharedQueued,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Tsch,
        Self::Csma,
        Self::Hops,
        Self::HopsLoaded,
        Self::HopsQueued,
        Self::Shared,
        Self::SharedLoaded,
        Self::SharedQueued,
    ];

    /// Name for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tsch => "tsch",
            Self::Csma => "csma",
            Self::Hops => "hops",
            Self::HopsLoaded => "hops_loaded",
            Self::HopsQueued => "hops_queued",
            Self::Shared => "shared",
            Self::SharedLoaded => "shared_loaded",
            Self::SharedQueued => "shared_queued",
        }
    }

    /// Whether the channel is a network twin.
    #[must_use]
    pub const fn is_twin(self) -> bool {
        matches!(self, Self::Tsch | Self::Csma)
    }

    /// Kinds that are alike: where few worlds of one are known, its error is no less than that of all together. None
    /// where a path is shared: a bottleneck that the trace shows is not as far off as a channel without one.
    #[must_use]
    pub const fn family(self) -> &'static [Self] {
        match self {
            Self::Tsch | Self::Csma => &[Self::Tsch, Self::Csma],
            Self::Hops | Self::HopsLoaded | Self::HopsQueued => &[Self::Hops, Self::HopsLoaded, Self::HopsQueued],
            Self::Shared | Self::SharedLoaded | Self::SharedQueued => &[],
        }
    }

    /// Model errors, by metric.
    #[must_use]
    pub const fn errors(self) -> &'static [ModelError] {
        match self {
            Self::Tsch => &TSCH,
            Self::Csma => &CSMA,
            Self::Hops => &HOPS,
            Self::HopsLoaded => &HOPS_LOADED,
            Self::HopsQueued => &HOPS_QUEUED,
            Self::Shared => &SHARED,
            Self::SharedLoaded => &SHARED_LOADED,
            Self::SharedQueued => &SHARED_QUEUED,
        }
    }
}

impl Replay {
    /// Kind of the error that `channel` has as a model of this network. `None` for a channel without a model, for a
    /// load that the caller gives, where one client is alone with its path, and for the twin before
    /// [`Replay::learn_network`].
    #[must_use]
    pub(crate) fn kind_of_error(&self, channel: ChannelSpec) -> Option<Kind> {
        let [hops, shared] = match channel {
            ChannelSpec::Twin => {
                return self.machine()?.ok().map(|Machine { mac, .. }| match mac {
                    Mac::Tsch(_) => Kind::Tsch,
                    Mac::Csma(_) => Kind::Csma,
                });
            }
            ChannelSpec::Recorded { .. } | ChannelSpec::Auto => return None,
            ChannelSpec::Empirical { .. } | ChannelSpec::GilbertElliott { .. } => [Kind::Hops, Kind::Shared],
            ChannelSpec::Loaded { response, .. } => match response {
                LoadResponse::Given { .. } | LoadResponse::Queue { service: Some(_), room: Some(_) } => return None,
                LoadResponse::Fitted => [Kind::HopsLoaded, Kind::SharedLoaded],
                LoadResponse::Queue { .. } => [Kind::HopsQueued, Kind::SharedQueued],
            },
        };
        let has_others = self.record().clients() > 1;
        match self.record().medium().hops() {
            Hops::Missing => Some(hops),
            Hops::Seen => has_others.then_some(hops),
            Hops::Unknown => has_others.then_some(shared),
        }
    }
}

/// Model errors with these relative sizes: of completion times (mean, median, 95th percentile), retransmissions,
/// needless copies and failed exchanges.
const fn table(relative: [f64; 6]) -> [ModelError; 6] {
    let [mean, median, p95, retries, needless, failed] = relative;
    [
        ModelError { metric: MetricName::DurationMean, relative: mean },
        ModelError { metric: MetricName::DurationP50, relative: median },
        ModelError { metric: MetricName::DurationP95, relative: p95 },
        ModelError { metric: MetricName::RetriesMean, relative: retries },
        ModelError { metric: MetricName::SpuriousAll, relative: needless },
        ModelError { metric: MetricName::PlrExchange, relative: failed },
    ]
}

/// Model error of twins of TSCH networks. This table and the others but `SHARED…` are repeated with `rtoscope calibrate
/// DIR --model-error` over runs of networks of several hops.
const TSCH: [ModelError; 6] = table([0.11, 0.08, 0.18, 0.16, 0.23, 0.0]);

/// Model error of twins of CSMA networks.
const CSMA: [ModelError; 6] = table([0.12, 0.09, 0.23, 0.18, 0.0, 0.49]);

/// Model error of channels that respond to no load, in networks of several hops.
const HOPS: [ModelError; 6] = table([0.79, 0.84, 0.80, 0.60, 0.52, 0.0]);

/// Model error of channels that respond to load, in networks of several hops.
const HOPS_LOADED: [ModelError; 6] = table([0.49, 0.17, 0.59, 0.33, 0.35, 1.645]);

/// Model error of channels with one bottleneck, in networks of several hops.
const HOPS_QUEUED: [ModelError; 6] = table([0.57, 0.24, 0.63, 0.43, 0.41, 1.645]);

/// Model error of channels that respond to no load, where several clients share a path. This table and the next two
/// are repeated with `rtoscope calibrate DIR --model-error` over live runs. Two worlds are known, fewer than the nine
/// that a conformal quantile needs ([`super::learn`]).
const SHARED: [ModelError; 6] = table([0.24, 0.19, 0.27, 0.34, 0.10, 0.0]);

/// Model error of channels that respond to load, where several clients share a path.
const SHARED_LOADED: [ModelError; 6] = table([0.01, 0.03, 0.14, 0.08, 0.0, 0.0]);

/// Model error of channels with one bottleneck, where several clients share a path.
const SHARED_QUEUED: [ModelError; 6] = table([0.0, 0.04, 0.01, 0.12, 0.0, 0.0]);
