//! Replies about the network twin: its checks against its own capture, and the evidence for its parameters.

use crate::view::{AlgorithmChoice, ChannelKind};
use base::Instant;
use serde::{Deserialize, Serialize};

choice! {
    /// Verdict on one measure or share of the network twin on its own capture.
    pub enum AgreementKind {
        /// The recorded value is inside the twin's 90 % interval.
        Inside,
        /// Outside the interval, but near it.
        Near,
        /// Outside the interval, and not near.
        Outside,
    }
    /// Group of checks of a network twin against its own capture.
    pub enum GateKindView {
        /// Self-replay: measures of the recorded timer over the twin.
        SelfReplay,
        /// Open loop: the recorded copies sent again through the twin.
        OpenLoop,
        /// Attempt patterns of packets on each link.
        Patterns,
        /// Numbers of nodes that send at once.
        Senders,
        /// Shares of packets that nodes pass on.
        Forwarding,
        /// Second half of the capture, predicted by a twin of the first half.
        Halves,
    }
    /// Evidence for the network stack of a twin.
    pub enum StackKnownKind {
        /// Recognised: the capture shows it, and no other one fits.
        Recognised,
        /// Assumed: several fit, or nothing tells.
        Assumed,
        /// Stated by the user.
        Chosen,
    }
    /// Evidence for a parameter of the network twin.
    pub enum KnownKind {
        /// Read from the capture.
        Read,
        /// Computed from values read from the capture.
        Computed,
        /// Estimated from the capture, with a posterior distribution.
        Inferred,
        /// Not shown by the capture: values of known stacks.
        Preset,
    }
}

view! {
    /// Checks of the network twin against its own capture, and the channel that the capture chooses.
    pub struct TrustView {
        /// Channel that `auto` stands for; never `auto`.
        pub channel: ChannelKind,
        /// Reason for the choice, in one sentence that begins with the name of the channel.
        pub why: String,
        /// Timer of the self-replay: the most likely one; null without a twin, and where no known timer fits.
        pub timer: Option<AlgorithmChoice>,
        /// End of the part of the capture that the checks are about, which is its beginning; null: the whole capture.
        pub until: Option<Instant>,
        /// Measures, recorded and in the twin; empty without a twin.
        pub checks: Vec<TrustCheckView>,
        /// Gates in the order of their kinds, without halves; empty without a twin.
        pub gates: Vec<GateView>,
        /// Attempt patterns of the links that carry exchanges; empty without a twin.
        pub links: Vec<LinkPatternsView>,
        /// Shares of cells with 1, 2, 3, more senders, or of frames that start alone, beside 1, 2, more others.
        pub senders: Vec<ShareCheckView>,
        /// Share of the packets received that each node passes on.
        pub forwarding: Vec<ShareCheckView>,
        /// Parameters of the twin; empty without a twin.
        pub parameters: Vec<ParameterView>,
        /// Network stack that gives the twin the values that the capture does not show; null without a twin.
        pub stack: Option<StackView>,
        /// Network stacks that the user may state (command `assume`).
        pub stacks: Vec<StackNameView>,
    }

    /// Prediction of the second half of a capture by a twin of the first half.
    pub struct HalvesView {
        /// Gate of the prediction, shares of the second half included; null where there is no such twin.
        pub gate: Option<GateView>,
        /// Measures of the second half, recorded and predicted; empty where there is no such twin.
        pub checks: Vec<TrustCheckView>,
        /// Reason why there is no such twin; null where there is.
        pub refusal: Option<String>,
    }

    /// A gate: a group of checks of the network twin, counted.
    pub struct GateView {
        /// Kind of the gate.
        pub kind: GateKindView,
        /// Name of the gate, for people.
        pub label: String,
        /// Number of checks inside the twin's 90 % intervals.
        pub inside: u32,
        /// Number of all checks.
        pub many: u32,
        /// Number of checks inside that a right twin has on average.
        pub expected: f64,
        /// Share of recorded observations that the twin places elsewhere, 0 to 1; null where no shares are compared.
        pub misplaced: Option<f64>,
        /// Share that luck alone would place elsewhere, 0 to 1; null where no shares are compared.
        pub misplaced_by_chance: Option<f64>,
        /// The gate is closed: because of it the twin is not used.
        pub closed: bool,
        /// The gate in one sentence.
        pub about: String,
    }

    /// Attempt patterns of packets of exchanges on one link.
    pub struct LinkPatternsView {
        /// Name of the sender for people.
        pub from: String,
        /// Name of the addressee for people.
        pub to: String,
        /// Number of packets recorded.
        pub packets: u32,
        /// Shares of the patterns, each written in attempts: `A` was acknowledged, `.` was not. An empty pattern stands
        /// for all others.
        pub patterns: Vec<ShareCheckView>,
    }

    /// One share, recorded and in the twin.
    pub struct ShareCheckView {
        /// Subject of the share: attempt pattern, number of senders, or name of a node.
        pub subject: String,
        /// Number of recorded observations that it is a share of.
        pub observations: u32,
        /// Recorded share, 0 to 1.
        pub recorded: f64,
        /// Mean share over the twin's replicates, 0 to 1.
        pub mean: f64,
        /// 5th percentile over the twin's replicates, 0 to 1.
        pub lo90: f64,
        /// 95th percentile over the twin's replicates, 0 to 1.
        pub hi90: f64,
        /// Verdict on the recorded share.
        pub agreement: AgreementKind,
    }

    /// One measure, recorded and in the twin, in `unit`.
    pub struct TrustCheckView {
        /// Name of the measure.
        pub measure: String,
        /// Heading of the measure, for people.
        pub label: String,
        /// Unit: `s`, `fraction` (0 to 1), `per exchange` or `frames`.
        pub unit: String,
        /// Recorded value, in `unit`.
        pub recorded: f64,
        /// Mean over the twin's replicates.
        pub mean: f64,
        /// 5th percentile over the twin's replicates; of a replayed timer, widened by the model error.
        pub lo90: f64,
        /// 95th percentile over the twin's replicates; of a replayed timer, widened by the model error.
        pub hi90: f64,
        /// Verdict on the recorded value.
        pub agreement: AgreementKind,
    }

    /// A parameter of the network twin, in `unit`.
    pub struct ParameterView {
        /// Name: lower case, words joined by hyphens.
        pub name: String,
        /// Value in `unit`; of a range, the middle.
        pub value: f64,
        /// Lower end of its 90 % interval; of a preset, its least value.
        pub lo: f64,
        /// Upper end of its 90 % interval; of a preset, its greatest value.
        pub hi: f64,
        /// Unit; empty for counts.
        pub unit: String,
        /// Evidence for the value.
        pub known: KnownKind,
        /// Number of observations that it was estimated from.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        pub observations: u64,
        /// Source of a preset: file of the stack's code, or document; null where it is no constant of a stack.
        pub source: Option<String>,
    }

    /// Network stack of a twin.
    pub struct StackView {
        /// Identifier of the stack.
        pub id: String,
        /// Evidence for the stack.
        pub how: StackKnownKind,
        /// Name of the stack and reason for taking it, for people.
        pub says: String,
    }

    /// A network stack that a user may state.
    pub struct StackNameView {
        /// Identifier, for [`crate::view::AssumedView::stack`].
        pub id: String,
        /// Name of the stack, for people.
        pub name: String,
    }
}
