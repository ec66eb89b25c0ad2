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
        /// The model does not describe the path: tests of its forecasts reject it.
        DoesNotFit,
    }
}

view! {
    /// Fitted autocorrelation of losses or of round-trip times, which decays exponentially with the lag.
    pub struct AutocorrelationView {
        /// Autocorrelation at lag zero, 0 to 1; 0: none was found.
        pub strength: f64,
        /// Lag at which it has fallen to 1/e, nanoseconds.
        pub time: Span,
        /// Shortest lag at which the autocorrelation was measured, nanoseconds.
        pub from: Span,
        /// Number of pairs of copies that the autocorrelation was measured on.
        pub pairs: f64,
    }

    /// An estimate with its standard error, both in the unit of the field that holds it.
    pub struct EstimateView {
        /// Most likely value, in the unit of the field.
        pub value: f64,
        /// Standard error, in the unit of the field; null where the copies do not bound the estimate.
        pub error: Option<f64>,
    }

    /// Channel states of one path: parameters of the fitted two-state model (Gilbert and Elliott).
    pub struct PathStatesView {
        /// Number of the association of the path.
        pub association: AssociationId,
        /// Name of its client for people.
        pub client: String,
        /// Verdict on the fit.
        pub verdict: FitKind,
        /// Verdict for people, with the reason, in one sentence.
        pub said: String,
        /// Scope of the fit: copies of the path, of its server, or of the whole trace.
        pub scope: Scope,
        /// Number of copies in this scope.
        pub copies: f64,
        /// Number of lost copies among `copies`.
        pub lost: f64,
        /// Share of time in the bad state, 0 to 1; null without a second state.
        pub bad: Option<EstimateView>,
        /// Coherence time: time after which the state is forgotten to 1/e, seconds; null without a second state.
        pub coherence: Option<EstimateView>,
        /// Probability of a loss in the good state, 0 to 1; without a second state: of any loss.
        pub loss_good: EstimateView,
        /// Probability of a loss in the bad state, 0 to 1; null without a second state.
        pub loss_bad: Option<EstimateView>,
        /// Mean lengths of stays in the good and in the bad state, seconds; null without a second state.
        pub sojourns: Option<(f64, f64)>,
        /// Number of stays in the bad state that the path's own copies show: stretches in which it is the likelier one.
        /// Null without a second state.
        pub seen: Option<u32>,
        /// p-value of a χ² test, 0 to 1: chance of residuals at least as large if copies with similar forecasts are
        /// lost as often as forecast.
        pub calibration: f64,
        /// p-value, 0 to 1, of the test that errors of the forecast do not predict later errors.
        pub error_correlation: f64,
        /// p-value, 0 to 1, of the test that losses are as many as forecast in every tenth of the trace.
        pub drift: f64,
        /// The last of the three tests supports constant parameters throughout the trace
        /// ([`replay::Residuals::LEVEL`]).
        pub stationary: bool,
    }

    /// Response of losses and round trips to load.
    pub struct LoadView {
        /// Rise of the logit of a loss per copy of mean airtime under way.
        pub loss: EstimateView,
        /// Lengthening of a round trip per copy under way, seconds.
        pub rtt: EstimateView,
        /// Mean load that a first copy met, in copies under way.
        pub mean: f64,
        /// Least and greatest load that first copies met, in copies under way.
        pub range: (f64, f64),
        /// Standard deviation of the load within path and stretch, in copies under way (a count): the variation that
        /// the fit can learn from.
        pub deviation: f64,
        /// Number of first copies that the response was fitted to.
        pub copies: f64,
        /// Number of lost copies among `copies`.
        pub lost: f64,
        /// Mean airtime of a copy and its reply, over all hops and retries, nanoseconds.
        pub airtime: Span,
        /// Greatest number of paths that hear each other.
        pub neighbours: u32,
        /// Losses by load: fifths of the first copies, from least to greatest load.
        pub steps: Vec<LoadStepView>,
    }

    /// First copies that met a similar load.
    pub struct LoadStepView {
        /// Mean load that they met, in copies under way.
        pub load: f64,
        /// Number of first copies in this step.
        pub copies: f64,
        /// Share of them that was lost, 0 to 1.
        pub lost: f64,
        /// Share that the fitted response predicts, 0 to 1.
        pub fitted: f64,
    }

    /// Estimates of a bottleneck, which rules of a replay can override ([`crate::view::PolicyView`]).
    pub struct QueueView {
        /// Service time of a message of mean airtime, seconds.
        pub service: EstimateView,
        /// Number of messages that have room, the one in service included; null where the capture does not show it.
        pub room: Option<u32>,
    }

    /// Channel states of every path of a trace, and the response to load.
    pub struct ChannelStatesView {
        /// Autocorrelation of losses, over pairs of copies of one path.
        pub loss: AutocorrelationView,
        /// Autocorrelation of round-trip times.
        pub rtt: AutocorrelationView,
        /// Response of the medium to load; null where the trace does not show it.
        pub load: Option<LoadView>,
        /// Response to load in one sentence; or why it is not identified.
        pub load_said: String,
        /// Bottleneck: the node that all messages pass one after the other; null where the trace does not show one.
        pub queue: Option<QueueView>,
        /// Bottleneck in one sentence; or why there is none.
        pub queue_said: String,
        /// Channel states of each path, in the order of the associations.
        pub paths: Vec<PathStatesView>,
    }

    /// Request: the channel states of one path over time.
    pub struct ChannelStateSeriesRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Number of the association of the path.
        pub association: AssociationId,
        /// Window start, nanoseconds from the trace's epoch.
        pub t0: Instant,
        /// Window end, nanoseconds from the trace's epoch; after `t0`.
        pub t1: Instant,
        /// Number of moments, 2 to 4096; else refused.
        pub points: u32,
    }

    /// Channel states of one path in a window. The lists `copy_*` have one entry per copy, in order of sending.
    pub struct ChannelStateSeries {
        /// Moments, nanoseconds from the trace's epoch, evenly from `t0` to `t1`.
        pub at: Vec<Instant>,
        /// Probability of the bad state at each moment, 0 to 1, given the whole record; empty without a second state.
        pub bad: Vec<f64>,
        /// Time of each recorded copy with a fate in the window, nanoseconds from the trace's epoch.
        pub copy_at: Vec<Instant>,
        /// Probability of its loss, 0 to 1, forecast from the copies before it.
        pub copy_chance: Vec<f64>,
        /// Each copy's loss: true where it was lost.
        pub copy_lost: Vec<bool>,
        /// Sum of losses less forecast losses from the beginning of the trace on, divided by the standard deviation of
        /// the whole sum: beyond ±2 the model has missed something.
        pub copy_excess: Vec<f64>,
    }
}
