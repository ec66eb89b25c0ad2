//! Requests and replies about the identification of the algorithm that was running.

use crate::view::{AlgorithmChoice, CaptureId, Gap, Timeout};
use base::{AssociationId, Span};
use serde::{Deserialize, Serialize};

choice! {
    /// Kind of verdict on a sender.
    pub enum VerdictKind {
        /// One family of algorithms.
        Identified,
        /// Ambiguous: more than one family explains the capture.
        CannotTell,
        /// Unknown: no known algorithm explains it.
        NoneFits,
    }
}

view! {
    /// Request: identify the algorithm that was running.
    pub struct IdentifyRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Numbers of the associations whose clients are examined; empty: all.
        #[serde(default)]
        pub associations: Vec<AssociationId>,
    }

    /// Verdict on the algorithm of a sender.
    pub struct VerdictView {
        /// Kind of the verdict.
        pub kind: VerdictKind,
        /// Ids of the families: the one identified, or those that remain, the likeliest first; empty if none fits.
        pub families: Vec<String>,
        /// Ids of the presets that the capture does not distinguish, the likeliest first; the nearest where none fits.
        pub presets: Vec<String>,
        /// Probability that the family was running, among the known ones, 0 to 1; 0 unless identified.
        pub confidence: f64,
        /// Verdict in one sentence.
        pub said: String,
    }

    /// An algorithm that may have been running.
    pub struct CandidateView {
        /// Preset, with the values of parameters that suit the capture better than its own.
        pub algorithm: AlgorithmChoice,
        /// Name of the preset for people.
        pub name: String,
        /// Id of its family ([`replay::identify::family`]).
        pub family: String,
        /// Name of its family for people.
        pub family_name: String,
        /// The estimator had settled before the capture began.
        pub settled: bool,
        /// Natural logarithm of the likelihood of the capture, with times in seconds.
        pub log_likelihood: f64,
        /// Lag behind the best in penalised log-likelihood, nats; 0 or more.
        pub behind: f64,
        /// Probability among the candidates, 0 to 1.
        pub probability: f64,
        /// Scale of the error of first timeouts, nanoseconds.
        pub first_error: Span,
        /// Scale of the error of backed-off timeouts, nanoseconds.
        pub step_error: Span,
    }

    /// Candidates ranked for one client or for all, and the verdict that follows.
    pub struct RankingView {
        /// Number of the client's association; null: all together.
        pub association: Option<AssociationId>,
        /// Name of the client for people; `all clients` for all together.
        pub client: String,
        /// Number of gaps between copies that the ranking rests on.
        pub gaps: u32,
        /// Verdict on the family that ran, with its reason.
        pub verdict: VerdictView,
        /// Every preset, and changed ones that are likelier; the likeliest first.
        pub candidates: Vec<CandidateView>,
        /// Observed gaps beside timeouts of the likeliest candidate, by client and time; at most 1000, evenly thinned.
        pub evidence: Vec<Gap>,
    }

    /// Answer of `identify`: the algorithm that was running.
    pub struct IdentifyView {
        /// Ranking of all clients together, as if they ran the same algorithm.
        pub trace: RankingView,
        /// Ranking of each client.
        pub clients: Vec<RankingView>,
        /// Estimated timeouts that ran out, in order of client and exchange.
        pub timeouts: Vec<Timeout>,
    }
}
