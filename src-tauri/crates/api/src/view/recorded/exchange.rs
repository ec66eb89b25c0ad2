//! Requests and replies about exchanges: one of them, a table of them, stepping through their events.

use crate::view::{CaptureId, Head, MomentView, RelationView, RunId};
use base::{AssociationId, ExchangeId, Instant, Span};
use serde::{Deserialize, Serialize};
use table::columns::{FateKind, OutcomeKind, TimerKind};

choice! {
    /// Kind of event that the transport steps to.
    pub enum EventKind {
        /// Any copy or closing reply.
        Any,
        /// A retransmission.
        Retransmission,
        /// A retransmission that need not have been sent.
        Needless,
        /// A copy that was lost.
        Lost,
        /// A copy that one of two behaviours sends and the other does not.
        Disagreement,
    }
}

view! {
    /// Timer of a copy, and how it is known.
    #[derive(Copy)]
    pub struct TimerView {
        /// Its duration.
        pub value: Span,
        /// Half the width of the 95 % interval about it; 0 in a run.
        pub error: Span,
        /// Source of it: armed in a run, from the client's log, or inferred from gaps.
        pub known: TimerKind,
    }

    /// Wait of a copy before the air.
    #[derive(Copy)]
    pub struct WaitView {
        /// From when its timer was armed to its first frame.
        pub value: Span,
        /// It was so much longer or shorter at most.
        pub error: Span,
    }

    /// Ask for one exchange, recorded and under some runs.
    pub struct ExchangeRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Number of the exchange.
        pub exchange: ExchangeId,
        /// Runs to show beside the recorded behaviour.
        pub runs: Vec<RunId>,
    }

    /// One copy of an exchange.
    pub struct CopyView {
        /// When it was sent.
        pub sent: Instant,
        /// When the server had it, where known.
        pub arrived: Option<Instant>,
        /// Timer armed with it; null where nothing tells it.
        pub timer: Option<TimerView>,
        /// Gap on the air to the next copy; null for the last.
        pub gap: Option<Span>,
        /// Wait before the air, where the client's log tells it.
        pub wait: Option<WaitView>,
        /// Fate of the copy.
        pub fate: FateKind,
        /// True RTT: this copy to its reply.
        pub rtt: Option<Span>,
        /// It need not have been sent.
        pub needless: bool,
        /// `proven`, `inferred`, `unknown`; `recorded` or `modelled` in a run.
        pub evidence: String,
    }

    /// One exchange under one behaviour.
    pub struct ExchangeSide {
        /// Null: as recorded.
        pub run: Option<RunId>,
        /// Copies in time order.
        pub copies: Vec<CopyView>,
        /// When it ended with a reply.
        pub end: Option<Instant>,
        /// Outcome.
        pub outcome: OutcomeKind,
    }

    /// One exchange, recorded and under the runs asked for.
    pub struct ExchangeView {
        /// Number of the exchange.
        pub exchange: ExchangeId,
        /// Its association.
        pub association: AssociationId,
        /// Message ID.
        pub mid: u16,
        /// Token, lower-case hex.
        pub token: String,
        /// Method, `0.03`.
        pub code: String,
        /// Completeness of the beginning: is the first copy here the first that was sent?
        pub head: Head,
        /// When the application wanted to send it, where it waited for another one.
        pub ready: Option<MomentView>,
        /// When the client armed the first copy's timer, before that was on the air.
        pub handed_over: MomentView,
        /// Relations to other exchanges.
        pub related: Vec<RelationView>,
        /// First the recorded behaviour, then the runs in the order asked for.
        pub sides: Vec<ExchangeSide>,
    }

    /// Ask for the estimator's state at a time.
    pub struct StateRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Number of the run, as `replay` gave it.
        pub run: RunId,
        /// Number of the association.
        pub association: AssociationId,
        /// When.
        pub at: Instant,
    }

    /// One line of a state panel.
    pub struct StateLine {
        /// Short name for people.
        pub label: String,
        /// Value; null: not set yet.
        pub value: Option<f64>,
        /// `s` or empty.
        pub unit: String,
        /// Instead of a number.
        pub text: Option<String>,
    }

    /// Find the next event before or after a time.
    pub struct StepRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// From here.
        pub at: Instant,
        /// Kind of event.
        pub kind: EventKind,
        /// Backwards in time.
        pub backwards: bool,
        /// The two behaviours that may disagree, null for what was recorded; events are recorded ones without.
        #[serde(default)]
        pub between: Option<(Option<RunId>, Option<RunId>)>,
    }

    /// The event found.
    pub struct StepView {
        /// When.
        pub at: Instant,
        /// Lane.
        pub association: AssociationId,
        /// Exchange.
        pub exchange: ExchangeId,
        /// Copy number from 0; null: the closing reply.
        pub copy: Option<u32>,
    }

    /// Ask for a page of the exchange table (Arrow, `ExchangeColumns`).
    pub struct ExchangesRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Only exchanges that start in this window.
        #[serde(default)]
        pub window: Option<(Instant, Instant)>,
        /// Only this association.
        #[serde(default)]
        pub association: Option<AssociationId>,
        /// Only exchanges with retransmissions.
        #[serde(default)]
        pub retransmitted: bool,
        /// Column to sort by; by start when null.
        #[serde(default)]
        pub sort: Option<String>,
        /// Largest first.
        #[serde(default)]
        pub descending: bool,
        /// First row.
        pub offset: u32,
        /// Rows.
        pub limit: u32,
    }

    /// Ask for the position of an exchange in the exchange table; null where the table does not have it.
    pub struct ExchangeRowRequest {
        /// The table; its page does not count.
        pub list: ExchangesRequest,
        /// Number of the exchange.
        pub exchange: ExchangeId,
    }

    /// Number of rows that a page request has in all.
    pub struct CountView {
        /// Rows.
        pub count: u32,
    }
}
