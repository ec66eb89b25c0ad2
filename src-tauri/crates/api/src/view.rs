//! Requests and replies that cross the bridge, as JSON.
//!
//! Times are nanoseconds from the trace's epoch (`number` in TypeScript, exact below 2^53 ns). Durations in metrics are
//! seconds, shares are fractions of one. The TypeScript types (`npm run gen`) and the values of command-line options are
//! derived from the types declared here.
//!
//! A type whose name ends in `View` stands for a type of `trace`, `replay` or `rto` and is not that type, for one of three
//! reasons: the bridge carries neither 64-bit integers nor `NaN`; session files and recorded reports must open again after
//! a field of the inner type was renamed; or the view adds names and sentences for people. A type of `base`, `rto` or
//! `table` that needs none of this crosses the bridge itself.

/// Number of an open capture in this session.
pub type CaptureId = u32;
/// Number of a computed run in this session; runs with equal settings share a number.
pub type RunId = u32;

/// Declares structures of the bridge: JSON objects that refuse unknown fields, and TypeScript types.
macro_rules! view {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident { $($body:tt)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[serde(deny_unknown_fields)]
        $vis struct $name { $($body)* }
    )*};
}

/// Declares closed sets of words: `snake_case` on the bridge, `kebab-case` on the command line, a union in TypeScript.
macro_rules! choice {
    ($($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$word:meta])* $variant:ident),+ $(,)? })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
        #[serde(rename_all = "snake_case")]
        $vis enum $name { $($(#[$word])* $variant),+ }

        impl $name {
            /// Every value, in the order in which they are offered.
            pub const ALL: [Self; [$(stringify!($variant)),+].len()] = [$(Self::$variant),+];

            /// Returns the word that stands for it on the bridge.
            #[must_use]
            pub fn id(self) -> String {
                serde_json::to_value(self).ok().and_then(|id| Some(id.as_str()?.to_owned())).unwrap_or_default()
            }
        }
    )*};
}

mod algorithms;
mod capture;
mod channel_states;
mod claims;
mod exchange;
mod export;
mod figure;
mod identify;
mod ladder;
mod live;
mod measured;
pub(crate) mod metrics;
mod network;
mod optimise;
mod packet;
pub(crate) mod params;
mod plot;
mod policy;
mod replay;
mod sensitivity;
mod session;
mod trust;
mod words;

pub use algorithms::{OutlookRequest, OutlookView, PresetsRequest, PresetsView, UserPresetView};
pub use capture::{
    AssociationView, CaptureRequest, CaptureView, ClockView, ContextHow, ContextView, DecodeAs, FcsKind, FileView,
    MoteLogView, OpenRequest, PortView, ReadAs, Sample, Secrets, SourceView, Startup,
};
pub use channel_states::{
    AutocorrelationView, ChannelStateSeries, ChannelStateSeriesRequest, ChannelStatesView, EstimateView, FitKind,
    FitScope, LoadStepView, LoadView, PathStatesView, QueueView,
};
pub use claims::{
    ApplicationView, AssumeRequest, AssumedView, CorrectionView, DelayView, HeadKind, MomentView, RelationKind,
    RelationView, RhythmView, VantageKind,
};
pub use exchange::{
    CopyView, CountView, EventKind, ExchangeRequest, ExchangeSide, ExchangeView, ExchangesRequest, StateLine,
    StateRequest, StepRequest, StepView,
};
pub use export::{ExportPacketsRequest, ExportRunRequest, Exported};
pub use figure::{
    AxisKind, AxisView, DotShape, FigureCapture, FigureLine, FigureRequest, FigureSeries, FigureTable,
    FigureTableRequest, FigureView, KeyView, LineLook, MarkView, PanelView, PictureRequest, RecipeSpec, TagView,
};
pub use identify::{
    CandidateView, GapView, IdentifyRequest, IdentifyView, RankingView, TimeoutView, VerdictKind, VerdictView,
};
pub use ladder::{
    DeliveryKind, EndingKind, EvidenceKind, LadderCopy, LadderFrame, LadderLeg, LadderNode, LadderReply, LadderRequest,
    LadderSide, LadderTransit, LadderView, LadderWait, LikeView, ReplyForm, RoleKind, WaitKind,
};
pub use live::{LiveChannelRequest, LiveCondition, LiveDevice, LiveDeviceView, LivePlan, LiveStartRequest, LiveView};
pub use measured::{MeasuredRequest, MeasuredRun, TimerKnown};
pub use network::{
    ChannelView, LossKind, NetworkLink, NetworkLoadRequest, NetworkNode, NetworkSeriesRequest, NetworkView, NodeRole,
    ParentHow, ParentView, ShareView, SpreadView,
};
pub use optimise::{CheckKind, EffectView, MethodKind, OptimiseRequest, OptimisedView, PRICE};
pub use packet::{
    BufferView, DissectRequest, DissectView, FieldView, FrameList, NodeView, PacketCount, PacketRow, PacketRowRequest,
    PacketsRequest, RowKind,
};
pub use plot::{LanesRequest, NavigatorRequest, RtoRequest};
pub use policy::{BlindKind, PolicyView};
pub use replay::{
    AlgorithmChoice, ChannelKind, ChosenChannelView, DifferenceView, MetricSpec, MetricView, ModeView, ModesView,
    PartView, ReplayRequest, ReplayView, RunView, StartView, SweepAcross, SweepPoint, SweepRequest, WorkloadKind,
};
pub use sensitivity::{PlaceView, PresetView, SensitivityView, VariationView};
pub use session::{
    FoundCapture, FoundKind, ReportReply, ReportRequest, ReportTable, ReportView, SectionKind, SessionCapture,
    SessionDecode, SessionFigure, SessionFigures, SessionFile, SessionFileRef, SessionFlag, SessionReadRequest,
    SessionReplay, SessionReport, SessionSweep, SessionView, SessionWriteRequest,
};
pub use trust::{
    AgreementKind, KnownKind, ParameterView, StackKnownKind, StackNameView, StackView, TrustCheckView, TrustView,
};
pub use words::{RuleSpec, methods, rules};
