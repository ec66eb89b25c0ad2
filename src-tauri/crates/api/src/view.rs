//! What crosses the bridge: requests, replies and the columns of Arrow replies.
//!
//! Times are nanoseconds from the trace's epoch (`number` in TypeScript, exact below 2^53 ns);
//! durations in metrics are seconds, shares are fractions of one. TypeScript types are generated
//! from here (`npm run gen`).

/// Number of an open capture in this session.
pub type CaptureId = u32;
/// Number of a computed run in this session; runs with equal settings share a number.
pub type RunId = u32;

macro_rules! view {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident { $($body:tt)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[serde(deny_unknown_fields)]
        $vis struct $name { $($body)* }
    )*};
}

macro_rules! choice {
    ($($(#[$meta:meta])* $vis:vis enum $name:ident { $($body:tt)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[serde(rename_all = "snake_case")]
        $vis enum $name { $($body)* }

        impl $name {
            /// As it crosses the bridge.
            #[must_use]
            pub fn id(self) -> String {
                serde_json::to_value(self).ok().and_then(|id| Some(id.as_str()?.to_owned())).unwrap_or_default()
            }
        }
    )*};
}

mod algorithms;
mod capture;
mod claims;
mod exchange;
mod export;
mod figure;
mod identify;
mod ladder;
mod live;
mod network;
mod optimise;
mod packet;
mod plot;
mod replay;
mod session;
mod weather;
mod words;

pub use algorithms::{BlindKind, OutlookRequest, OutlookView, PolicyView, PresetsRequest, PresetsView, UserPresetView};
pub use capture::{
    AssociationView, CaptureRequest, CaptureView, ClockView, ContextHow, ContextView, DecodeAs, FcsKind, FileView,
    MoteLogView, OpenRequest, PortView, ReadAs, Sample, Secrets, SourceView, Startup, VantageKind,
};
pub use claims::{
    ApplicationView, AssumeRequest, AssumedView, CorrectionView, DelayView, HeadKind, MomentView, RelationKind,
    RelationView, RhythmView,
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
    DeliveryKind, EndingKind, EvidenceKind, LadderCopy, LadderFrame, LadderLeg, LadderNode, LadderPassage, LadderReply,
    LadderRequest, LadderSide, LadderView, LadderWait, LikeView, ReplyForm, RoleKind, WaitKind,
};
pub use live::{LiveChannelRequest, LiveCondition, LiveDevice, LiveDeviceView, LivePlan, LiveStartRequest, LiveView};
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
pub use replay::{
    AlgorithmChoice, ChannelKind, DifferenceView, MetricSpec, MetricView, PartView, ReplayRequest, ReplayView, RunView,
    StartView, SweepAcross, SweepPoint, SweepRequest, WorkloadKind,
};
pub use session::{
    FoundCapture, FoundKind, ReportReply, ReportRequest, ReportTable, ReportView, SessionCapture, SessionDecode,
    SessionFigure, SessionFigures, SessionFile, SessionFileRef, SessionFlag, SessionReadRequest, SessionReplay,
    SessionReport, SessionSweep, SessionView, SessionWriteRequest,
};
pub use weather::{
    EstimateView, FitKind, FitScope, LoadStepView, LoadView, MemoryView, PathWeatherView, PlaceView, QueueView,
    SensitivityView, VariationView, WeatherSeries, WeatherSeriesRequest, WeatherView,
};
pub use words::{RuleSpec, methods, rules};
