//! Requests and replies that cross the bridge, as JSON.
//!
//! On the wire an `Instant` is a number of nanoseconds from the trace's epoch and a `Span` one of nanoseconds (`number`
//! in TypeScript, exact below 2^53 ns). Durations in metrics are seconds, shares are fractions of one. The TypeScript
//! types (`npm run gen`) and the values of command-line options are derived from the types declared here.
//!
//! A type whose name ends in `View` stands for a type of another crate and is not that type, for one of three reasons:
//! the bridge carries neither 64-bit integers nor `NaN`, and counts fit into 32 bits; session files and command lines
//! must be understood after the inner type has changed; or the view adds names, sentences or numbers computed for
//! people. A type that needs none of this crosses the bridge itself: it derives its wire form where it is declared.

/// Number of an open capture in this session, from 0 in the order of opening.
pub type CaptureId = u32;
/// Number of a computed run in this session, from 0; runs with equal settings share a number.
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

            /// Returns the word that stands for the value on the bridge, `snake_case`.
            #[must_use]
            pub fn id(self) -> String {
                serde_json::to_value(self).ok().and_then(|id| Some(id.as_str()?.to_owned())).unwrap_or_default()
            }
        }
    )*};
}

mod algorithms;
mod labels;
pub(crate) mod params;
mod recorded;
pub(crate) mod replayed;
mod study;
mod written;

pub use algorithms::{
    AppliedFile, ApplyRequest, CoapStackView, ExportAppliedRequest, OutlookRequest, OutlookView, PresetsRequest,
    PresetsView, RefusedView, StacksRequest, UserPresetView,
};
pub use labels::{RuleSpec, methods, rules};
pub use recorded::alerts::{
    AlertRuleView, AlertSource, AlertStage, AlertView, AlertsCheckRequest, AlertsRequest, AlertsStartRequest,
    AlertsView, OpenAlertView, WatchedView,
};
pub use recorded::capture::{
    AssociationView, CaptureRequest, CaptureView, ClockView, ContextHow, ContextView, DecodeAs, FateCounts, FcsKind,
    FileView, MoteLogView, OpenRequest, PortView, ReadAs, Sample, Secrets, SourceView, Startup, TimersView,
};
pub use recorded::claims::{
    ApplicationView, AssumeRequest, AssumedView, MomentView, RelationKind, RelationView, VantageKind,
};
pub use recorded::exchange::{
    CopyView, CountView, EventKind, ExchangeRequest, ExchangeRowRequest, ExchangeSide, ExchangeView, ExchangesRequest,
    StateLine, StateRequest, StepRequest, StepView, TimerView, WaitView,
};
pub use recorded::ladder::{
    DropKind, EndingKind, LadderCopy, LadderDrop, LadderFrame, LadderLeg, LadderNode, LadderReply, LadderRequest,
    LadderSide, LadderTransit, LadderView, LadderWait, LikeView,
};
pub use recorded::live::{
    FollowRequest, FollowView, LiveChannelRequest, LiveCondition, LiveDevice, LiveDeviceView, LivePlan,
    LiveStartRequest, LiveView,
};
pub use recorded::network::{
    ChannelView, NetworkLink, NetworkLoadRequest, NetworkNode, NetworkSeriesRequest, NetworkView, NodeListRequest,
    ParentView, PlanView, PlannedNode, PositionView, ShareView,
};
pub use recorded::packet::{
    BufferView, CheckFilterRequest, ColourRule, DissectRequest, DissectView, FieldView, FilterMistake, FrameList,
    NodeView, PacketColumn, PacketCount, PacketRow, PacketRowRequest, PacketsRequest, RowKind, RuleColour,
};
pub use recorded::plot::{HostView, LaneHostsRequest, LanesRequest, NavigatorRequest, RtoRequest};
pub use replayed::channel_states::{
    AutocorrelationView, ChannelStateSeries, ChannelStateSeriesRequest, ChannelStatesView, EstimateView, FitKind,
    LoadStepView, LoadView, PathStatesView, QueueView,
};
pub use replayed::check_again::{
    CalibrationAddRequest, ChangeKind, ChangeView, CheckAgainView, CheckKeptRequest, CheckRunRequest, ClientConditions,
    ConditionsView, HeldView, KeepPredictionRequest, KeptPrediction, LinkConditions, OwnCalibrationView, OwnCoverage,
    PredictedCapture, PredictedMeasure, PredictedRun,
};
pub use replayed::distribution::{
    ClientEffect, ClientMean, CurveView, DistributionRequest, DistributionView, RunCurves,
};
pub use replayed::identify::{CandidateView, IdentifyRequest, IdentifyView, RankingView, VerdictKind, VerdictView};
pub use replayed::measured::{MeasuredRequest, MeasuredRun, TimerKnown};
pub use replayed::optimise::{CheckKind, EffectView, MethodKind, OptimiseRequest, OptimisedView, PRICE};
pub use replayed::policy::{BlindKind, PolicyView};
pub use replayed::replay::{
    AlgorithmChoice, AnswerView, ChannelKind, ChosenChannelView, DifferenceView, MetricSpec, MetricView, ModeView,
    ModesView, PartView, ReplayRequest, ReplayView, RunView, SimulatedView, StartView, SweepAcross, SweepPoint,
    SweepRequest, WorkloadKind,
};
pub use replayed::sensitivity::{PlaceView, PresetView, SensitivityView, VariationView};
pub use replayed::trust::{
    AgreementKind, GateKindView, GateView, HalvesView, KnownKind, LinkPatternsView, ParameterView, ShareCheckView,
    StackKnownKind, StackNameView, StackView, TrustCheckView, TrustView,
};
pub use replayed::trust_level::TrustKind;
pub use study::{
    StudyBundledRequest, StudyCaptureView, StudyCellView, StudyFigureRequest, StudyFigureTableRequest,
    StudyFindRequest, StudyFoundCapture, StudyFoundView, StudyGridRequest, StudyGridView, StudyRanView, StudyRealView,
    StudyReportRequest, StudyRequestView, StudyScenarioView, StudyTaken, StudyTimerView, StudyWriteRequest,
};
pub use written::export::{ExportPacketTableRequest, ExportPacketsRequest, ExportRunRequest, Exported, RunFileKind};
pub use written::figure::{
    AxisKind, AxisView, DotShape, FigureCapture, FigureLine, FigureRequest, FigureSeries, FigureTable,
    FigureTableRequest, FigureView, KeyView, LineLook, MarkView, PanelView, PictureRequest, RecipeSpec, TagView,
};
pub use written::report::{ReportReply, ReportRequest, ReportTable, ReportView};
pub use written::session::{
    FoundCapture, FoundKind, LaneOrder, SectionKind, SessionCapture, SessionDecode, SessionFigure, SessionFigures,
    SessionFile, SessionFileRef, SessionFlag, SessionLanes, SessionNode, SessionReadRequest, SessionReplay,
    SessionReport, SessionSweep, SessionView, SessionWithout, SessionWriteRequest,
};
pub use written::study::{StudyFigureKind, StudyReportForm, StudySection, StudyTable, StudyView};

// Types that cross the bridge as they are.
pub use replay::Scope;
pub use replay::identify::{Gap, Timeout};
pub use table::columns::TimerKind;
pub use trace::NodeListKind;
pub use trace::ladder::{Role as LadderRole, WaitKind};
pub use trace::network::{LossEvidence, ParentEvidence, Role as NodeRole, Spread};
pub use trace::{Correction, Delay, Delivery, Evidence, Head, ReplyKind, Rhythm};
