//! Requests and replies about which algorithm was running.

use crate::view::{AlgorithmChoice, CaptureId, Gap, Timeout};
use base::{AssociationId, Span};
use serde::{Deserialize, Serialize};

choice! {
    /// Kind of a verdict on a sender.
    pub enum VerdictKind {
        /// One family of algorithms.
        Identified,
        /// More than one family explains the capture.
        CannotTell,
        /// No algorithm that is known does.
        NoneFits,
    }
}

view! {
    /// Ask which algorithm was running.
    pub struct IdentifyRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Only these clients; empty for all.
        #[serde(default)]
        pub associations: Vec<AssociationId>,
    }

    /// Verdict.
    pub struct VerdictView {
        /// Kind of the verdict.
        pub kind: VerdictKind,
        /// The families it names: one if identified, those that are left if one cannot tell, none if none fits.
        pub families: Vec<String>,
        /// Presets that the capture cannot distinguish; the nearest where none fits.
        pub presets: Vec<String>,
        /// The probability that it was this family, of those that are known; 0 where none is claimed.
        pub confidence: f64,
        /// The claim, for people.
        pub said: String,
    }

    /// An algorithm that may have been running.
    pub struct CandidateView {
        /// The preset, with parameters that suit the capture better than its own.
        pub algorithm: AlgorithmChoice,
        /// Its name for people.
        pub name: String,
        /// Its family, for programs.
        pub family: String,
        /// Its family's name for people.
        pub family_name: String,
        /// It would have to have settled before the capture began.
        pub settled: bool,
        /// Natural logarithm of the likelihood, times in seconds.
        pub log_likelihood: f64,
        /// Distance to the likeliest, natural logarithm of odds.
        pub behind: f64,
        /// Its probability among those that are known.
        pub probability: f64,
        /// The error of first timeouts.
        pub first_error: Span,
        /// The error of backed-off timeouts.
        pub step_error: Span,
    }

    /// The algorithms by likelihood.
    pub struct RankingView {
        /// Number of the client's association; null: all together.
        pub association: Option<AssociationId>,
        /// Its name.
        pub client: String,
        /// Gaps between copies that it rests on.
        pub gaps: u32,
        /// Verdict.
        pub verdict: VerdictView,
        /// The likeliest first.
        pub candidates: Vec<CandidateView>,
        /// Gaps as they were seen, and what the likeliest would have armed.
        pub evidence: Vec<Gap>,
    }

    /// Answer of `identify`: the algorithm that was running.
    pub struct IdentifyView {
        /// All clients together.
        pub trace: RankingView,
        /// Each client.
        pub clients: Vec<RankingView>,
        /// The timeouts that ran out, in order of client and exchange.
        pub timeouts: Vec<Timeout>,
    }
}
