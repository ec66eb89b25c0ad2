//! Replies about the network twin: what it says of its own capture, and how its parameters are known.

use crate::view::{AlgorithmChoice, ChannelKind};
use serde::{Deserialize, Serialize};

choice! {
    /// Verdict on one measure of a self-replay.
    pub enum AgreementKind {
        /// The recorded value is inside the twin's 90 % interval.
        Inside,
        /// It is outside, and near.
        Near,
        /// It is outside.
        Outside,
    }
    /// Group of checks of a network twin against its own capture.
    pub enum GateKindView {
        /// The recorded timer over the twin.
        SelfReplay,
        /// The recorded copies sent again.
        OpenLoop,
        /// Attempts of packets on each link.
        Patterns,
        /// Senders at once.
        Senders,
        /// Packets that nodes pass on.
        Forwarding,
        /// The second half of the capture, by what the first half shows.
        Halves,
    }
    /// Source of the network stack of a twin.
    pub enum StackKnownKind {
        /// The capture shows it, and no other one fits.
        Recognised,
        /// Several fit, or nothing tells.
        Assumed,
        /// The user said so.
        Chosen,
    }
    /// Source of a parameter of the network twin.
    pub enum KnownKind {
        /// It stands in the capture.
        Read,
        /// It follows from what stands in the capture.
        Computed,
        /// It is estimated, with a posterior.
        Inferred,
        /// The capture does not show it: values of known stacks.
        Preset,
    }
}

view! {
    /// Checks of the network twin against its own capture, and the channel that the capture chooses.
    pub struct TrustView {
        /// Channel that `auto` stands for.
        pub channel: ChannelKind,
        /// Why, in one sentence that begins with its name.
        pub why: String,
        /// Timer of the self-replay: the one that most likely ran; null without a twin, and where no known timer fits.
        pub timer: Option<AlgorithmChoice>,
        /// Measures recorded and as the twin shows them; empty without a twin.
        pub checks: Vec<TrustCheckView>,
        /// Checks and shares counted, in the order of their kinds but for halves; empty without a twin.
        pub gates: Vec<GateView>,
        /// Attempt patterns of the links that carry exchanges; empty without a twin.
        pub links: Vec<LinkPatternsView>,
        /// Share of cells with one, two, three, more senders, or of frames that start alone, beside one, two, more others.
        pub senders: Vec<ShareCheckView>,
        /// Packets that nodes pass on, of those that they got to pass on.
        pub forwarding: Vec<ShareCheckView>,
        /// Parameters of the twin; empty without one.
        pub parameters: Vec<ParameterView>,
        /// Network stack of which the twin takes what the capture does not show; null without a twin.
        pub stack: Option<StackView>,
        /// The stacks that may be said to run (`assume`).
        pub stacks: Vec<StackNameView>,
    }

    /// Prediction of the second half of a capture by a twin that is learned from the first.
    pub struct HalvesView {
        /// Counted, shares of the second half included; null where there is no such twin.
        pub gate: Option<GateView>,
        /// Measures of the second half, recorded and predicted.
        pub checks: Vec<TrustCheckView>,
        /// Why there is no such twin; null where there is.
        pub refusal: Option<String>,
    }

    /// A group of checks, counted.
    pub struct GateView {
        /// Kind of the gate.
        pub kind: GateKindView,
        /// Name for people.
        pub label: String,
        /// Checks inside the twin's 90 % intervals.
        pub inside: u32,
        /// All checks.
        pub many: u32,
        /// Checks inside that a right twin has on average.
        pub expected: f64,
        /// Share of recorded observations that the twin places elsewhere; null where none are placed.
        pub misplaced: Option<f64>,
        /// The same by chance.
        pub misplaced_by_chance: Option<f64>,
        /// The twin is not used because of it.
        pub closed: bool,
        /// The gate in one sentence.
        pub about: String,
    }

    /// Attempt patterns of the packets of exchanges on one link.
    pub struct LinkPatternsView {
        /// Sender, for people.
        pub from: String,
        /// Addressee, for people.
        pub to: String,
        /// Packets recorded.
        pub packets: u32,
        /// Patterns; `A` for an attempt that was acknowledged, `.` for one that was not. An empty one stands for all others.
        pub patterns: Vec<ShareCheckView>,
    }

    /// One share, recorded and as the twin shows it.
    pub struct ShareCheckView {
        /// Pattern, number of senders, or node.
        pub subject: String,
        /// Recorded observations that it is a share of.
        pub observations: u32,
        /// Recorded share, 0 to 1.
        pub recorded: f64,
        /// Mean of the twin.
        pub mean: f64,
        /// 5th percentile of the twin.
        pub lo90: f64,
        /// 95th percentile of the twin.
        pub hi90: f64,
        /// Verdict.
        pub agreement: AgreementKind,
    }

    /// One measure, recorded and as the twin shows it.
    pub struct TrustCheckView {
        /// Name.
        pub measure: String,
        /// For people.
        pub label: String,
        /// Unit: `s`, `fraction`, `per exchange`, `frames`.
        pub unit: String,
        /// Recorded value.
        pub recorded: f64,
        /// Mean of the twin.
        pub mean: f64,
        /// 5th percentile of the twin.
        pub lo90: f64,
        /// 95th percentile of the twin.
        pub hi90: f64,
        /// Verdict.
        pub agreement: AgreementKind,
    }

    /// One parameter of the network twin.
    pub struct ParameterView {
        /// Name: lower case, words joined by hyphens.
        pub name: String,
        /// Value; the middle one of a range.
        pub value: f64,
        /// Lower end of its 90 % interval, or of the values of a preset.
        pub lo: f64,
        /// Upper end.
        pub hi: f64,
        /// Unit; empty for counts.
        pub unit: String,
        /// Source.
        pub known: KnownKind,
        /// Number of observations behind it.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        pub observations: u64,
        /// Place of a preset in the code of the stack, or in a document; null where it is no constant of a stack.
        pub source: Option<String>,
    }

    /// Network stack of a twin.
    pub struct StackView {
        /// Identifier.
        pub id: String,
        /// Source of the knowledge.
        pub how: StackKnownKind,
        /// Name and reason.
        pub says: String,
    }

    /// A network stack.
    pub struct StackNameView {
        /// Identifier.
        pub id: String,
        /// For people.
        pub name: String,
    }
}
