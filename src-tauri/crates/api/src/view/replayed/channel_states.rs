//! Requests and replies about channel states.

use crate::view::{CaptureId, Scope};
use base::{AssociationId, Instant, Span};
use serde::{Deserialize, Serialize};

choice! {
    /// Verdict on the two-state model of a channel.
    pub enum FitKind {
        /// Too few copies, or too few lost or answered ones among them.
        TooFew,
        /// Losses are not autocorrelated: one state describes them.
        OneState,
        /// Good and bad states, and no residual speaks against them.
        TwoStates,
        /// Its own forecasts contradict it.
        DoesNotFit,
    }
}

view! {
    /// Fitted autocorrelation of losses or of round-trip times.
    pub struct AutocorrelationView {
        /// Correlation at lag zero, 0 to 1; 0: none was found.
        pub strength: f64,
        /// The lag at which it has fallen to 1/e.
        pub time: Span,
        /// The shortest lag at which it was measured.
        pub from: Span,
        /// Pairs of copies it was measured on.
        pub pairs: f64,
    }

    /// An estimate with its standard error, which is null where the copies do not bound it.
    pub struct EstimateView {
        /// The likeliest value.
        pub value: f64,
        /// Its standard error.
        pub error: Option<f64>,
    }

    /// Channel states of one path: parameters of the fitted two-state model.
    pub struct PathStatesView {
        /// Number of the association, whose path it is.
        pub association: AssociationId,
        /// Its client, for people.
        pub client: String,
        /// Verdict on the fit.
        pub verdict: FitKind,
        /// The same for people, with the reason.
        pub said: String,
        /// Copies that it was fitted to.
        pub scope: Scope,
        /// Those copies.
        pub copies: f64,
        /// Lost ones among them.
        pub lost: f64,
        /// Share of time in the bad state; null without a second state.
        pub bad: Option<EstimateView>,
        /// Seconds after which the state is forgotten to 1/e; null without a second state.
        pub coherence: Option<EstimateView>,
        /// Chance of a loss in the good state; without a second state: at all.
        pub loss_good: EstimateView,
        /// Chance of a loss in the bad state; null without a second state.
        pub loss_bad: Option<EstimateView>,
        /// Mean stay in the good and in the bad state, seconds; null without a second state.
        pub sojourns: Option<(f64, f64)>,
        /// Stays in the bad state that the path's own copies show: stretches in which it is the likelier one. Null without a second state.
        pub seen: Option<u32>,
        /// Chance of residuals at least as large if the model is right: losses come as often as forecast.
        pub calibration: f64,
        /// The same: errors do not predict later errors.
        pub memory: f64,
        /// The same: losses are as many as forecast in every tenth of the trace.
        pub drift: f64,
        /// Whether the last of the three supports constant parameters throughout the trace.
        pub stationary: bool,
    }

    /// Response of losses and round trips to load.
    pub struct LoadView {
        /// By how much the logit of a loss rises per copy of mean airtime under way.
        pub loss: EstimateView,
        /// By how many seconds a round trip gets longer per copy under way.
        pub rtt: EstimateView,
        /// Mean load that a first copy met, copies under way.
        pub mean: f64,
        /// Least and most load met.
        pub range: (f64, f64),
        /// Standard deviation of the load within path and stretch of time: what there is to learn from.
        pub deviation: f64,
        /// First copies looked at.
        pub copies: f64,
        /// Lost ones among them.
        pub lost: f64,
        /// Mean airtime of a copy and its reply, over all hops and retries.
        pub airtime: Span,
        /// Most paths that hear each other.
        pub neighbours: u32,
        /// The same by load: fifths of the first copies, from least to most.
        pub steps: Vec<LoadStepView>,
    }

    /// First copies that met a like load.
    pub struct LoadStepView {
        /// Mean load they met, copies under way.
        pub load: f64,
        /// Number of copies.
        pub copies: f64,
        /// Share lost.
        pub lost: f64,
        /// Share lost that the fitted response says.
        pub fitted: f64,
    }

    /// Estimates of a bottleneck, which rules can override ([`crate::view::PolicyView`]).
    pub struct QueueView {
        /// Time that a message of mean airtime takes, seconds.
        pub service: EstimateView,
        /// For how many there is room; null where the capture does not show it.
        pub room: Option<u32>,
    }

    /// Channel states of every path of a trace, and the response to load.
    pub struct ChannelStatesView {
        /// Autocorrelation of losses.
        pub loss: AutocorrelationView,
        /// Autocorrelation of round-trip times.
        pub rtt: AutocorrelationView,
        /// Response of the medium to load; null where the trace does not show it.
        pub load: Option<LoadView>,
        /// The same in words; or why it is not identified.
        pub load_said: String,
        /// The node that all messages pass one after the other; null where the trace does not show one.
        pub queue: Option<QueueView>,
        /// The same in words; or why there is none.
        pub queue_said: String,
        /// By association.
        pub paths: Vec<PathStatesView>,
    }

    /// Ask for the channel states of one path over time.
    pub struct ChannelStateSeriesRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Number of the association, whose path it is.
        pub association: AssociationId,
        /// From.
        pub t0: Instant,
        /// To.
        pub t1: Instant,
        /// Number of moments, 2 to 4096.
        pub points: u32,
    }

    /// Channel states of one path in a window. All `copy_*` are of one length.
    pub struct ChannelStateSeries {
        /// Moments, evenly from `t0` to `t1`.
        pub at: Vec<Instant>,
        /// Probability of the bad state at each, given all that was recorded; empty without a second state.
        pub bad: Vec<f64>,
        /// Recorded copies with a fate in the window.
        pub copy_at: Vec<Instant>,
        /// Chance of a loss that was forecast for each from those before it.
        pub copy_chance: Vec<f64>,
        /// Whether it was lost.
        pub copy_lost: Vec<bool>,
        /// Losses less forecast losses from the beginning of the trace on, divided by the standard deviation of the whole
        /// sum: beyond ±2 the model has missed something.
        pub copy_excess: Vec<f64>,
    }
}
