//! Replies about the network twin: what it says of its own capture, and how its parameters are known.

use super::{AlgorithmChoice, ChannelKind};
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
    /// How the network stack of a twin is known.
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
        /// Parameters of the twin; empty without one.
        pub parameters: Vec<ParameterView>,
        /// Network stack of which the twin takes what the capture does not show; null without a twin.
        pub stack: Option<StackView>,
        /// The stacks that may be said to run (`assume`).
        pub stacks: Vec<StackNameView>,
    }

    /// Network stack of a twin.
    pub struct StackView {
        /// Identifier.
        pub id: String,
        /// How it is known.
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
        /// Of a preset, where it stands in the code of the stack, or in which document; null where it is no constant of a stack.
        pub source: Option<String>,
    }
}
