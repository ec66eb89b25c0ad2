//! Requests and replies about exchanges: single ones, a table of them, steps through their events.

use crate::view::{CaptureId, Head, MomentView, RelationView, RunId};
use base::{AssociationId, ExchangeId, Instant, Span};
use serde::{Deserialize, Serialize};
use table::columns::{FateKind, OutcomeKind, TimerKind};

choice! {
    /// Kind of event that the transport bar steps to.
    pub enum EventKind {
        /// Any copy or closing reply.
        Any,
        /// A copy after the first one of its exchange.
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
    /// Timer of a copy, and its source.
    #[derive(Copy)]
    pub struct TimerView {
        /// Duration of the timer, nanoseconds.
        pub value: Span,
        /// Half the width of the 95 % interval about the value, nanoseconds; 0 in a run.
        pub error: Span,
        /// Source of the value: armed in a run, from the client's log, or inferred from gaps.
        pub known: TimerKind,
    }

    /// Wait of a copy before the air: from the arming of its timer to its first frame.
    #[derive(Copy)]
    pub struct WaitView {
        /// Length of the wait, nanoseconds.
        pub value: Span,
        /// Greatest error of the value to either side, nanoseconds.
        pub error: Span,
    }

    /// Request: one exchange, recorded and under some runs.
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
        /// Start of its first frame, in a run the time of sending; nanoseconds from the trace's epoch.
        pub sent: Instant,
        /// Time of arrival at the server, nanoseconds from the trace's epoch; null where it is not known.
        pub arrived: Option<Instant>,
        /// Timer armed with it; null where nothing tells it.
        pub timer: Option<TimerView>,
        /// Gap on the air to the next copy, nanoseconds; null for the last.
        pub gap: Option<Span>,
        /// Wait before the air; null in a run, and where no log of the client tells it.
        pub wait: Option<WaitView>,
        /// Fate of the copy.
        pub fate: FateKind,
        /// Round-trip time from this copy to the reply that answers it, nanoseconds; null where none does.
        pub rtt: Option<Span>,
        /// Needless: sent while an earlier copy is answered anyway.
        pub needless: bool,
        /// Evidence of the fate: `proven`, `inferred`, `unknown`; `recorded` or `modelled` in a run.
        pub evidence: String,
    }

    /// One exchange under one behaviour.
    pub struct ExchangeSide {
        /// Number of the run; null: as recorded.
        pub run: Option<RunId>,
        /// Copies in order of sending; empty where the application did not send the exchange in the run.
        pub copies: Vec<CopyView>,
        /// Arrival of the reply that ended it, nanoseconds from the trace's epoch; null: no reply did.
        pub end: Option<Instant>,
        /// Outcome of the exchange.
        pub outcome: OutcomeKind,
    }

    /// One exchange, recorded and under the runs asked for.
    pub struct ExchangeView {
        /// Number of the exchange.
        pub exchange: ExchangeId,
        /// Number of the association that the exchange is of.
        pub association: AssociationId,
        /// CoAP Message ID of the request (RFC 7252 §3).
        pub mid: u16,
        /// CoAP token, lower-case hex, two digits an octet, 0 to 8 octets.
        pub token: String,
        /// CoAP method code: `0.03`.
        pub code: String,
        /// Completeness of the beginning: whether the first copy here is the first that was sent.
        pub head: Head,
        /// Time at which the application wanted to send it; null where it did not wait for another exchange.
        pub ready: Option<MomentView>,
        /// Time at which the client armed the first copy's timer, before that copy was on the air.
        pub handed_over: MomentView,
        /// Relations to other exchanges: transfers, observations, proxy pairs, events.
        pub related: Vec<RelationView>,
        /// Behaviours: first the recorded one, then the runs in the order asked for.
        pub sides: Vec<ExchangeSide>,
    }

    /// Request: the estimator's state of one client in a run at a time. Before the first exchange it is the initial
    /// state; empty for a client that stays as recorded, and before the start of a warm replay.
    pub struct StateRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Number of the run, as `replay` gave it.
        pub run: RunId,
        /// Number of the association.
        pub association: AssociationId,
        /// Time, nanoseconds from the trace's epoch: the last step at or before it counts.
        pub at: Instant,
    }

    /// One line of a state panel.
    pub struct StateLine {
        /// Name of the state variable for people.
        pub label: String,
        /// Value in `unit`; null: not set yet, or `text` has it.
        pub value: Option<f64>,
        /// Unit: `s`, or empty for a plain number.
        pub unit: String,
        /// Value in words, where it is no number; else null.
        pub text: Option<String>,
    }

    /// Request: the next event before or after a time.
    pub struct StepRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Time to step from, nanoseconds from the trace's epoch.
        pub at: Instant,
        /// Kind of event to step to.
        pub kind: EventKind,
        /// Step to the event before the time, not after it.
        pub backwards: bool,
        /// Runs of the two behaviours whose disagreement is wanted, null for the recorded one; needed by `disagreement`
        /// alone, other events are recorded ones.
        #[serde(default)]
        pub between: Option<(Option<RunId>, Option<RunId>)>,
    }

    /// Event found by a step.
    pub struct StepView {
        /// Time of the event, nanoseconds from the trace's epoch.
        pub at: Instant,
        /// Number of the association, which is the lane.
        pub association: AssociationId,
        /// Number of the exchange.
        pub exchange: ExchangeId,
        /// Number of the copy in the exchange, from 0; null: the closing reply.
        pub copy: Option<u32>,
    }

    /// Request: a page of the exchange table (Arrow, `ExchangeColumns`).
    pub struct ExchangesRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Window in which exchanges start, ends included, nanoseconds from the trace's epoch; null: all.
        #[serde(default)]
        pub window: Option<(Instant, Instant)>,
        /// Number of the association whose exchanges are wanted; null: all.
        #[serde(default)]
        pub association: Option<AssociationId>,
        /// Keep only exchanges with retransmissions.
        #[serde(default)]
        pub retransmitted: bool,
        /// Name of the column to sort by; null: by start.
        #[serde(default)]
        pub sort: Option<String>,
        /// Sort the largest first.
        #[serde(default)]
        pub descending: bool,
        /// Position of the first row, from 0.
        pub offset: u32,
        /// Greatest number of rows.
        pub limit: u32,
    }

    /// Request: the position of an exchange in the exchange table, from 0; null where the table does not have it.
    pub struct ExchangeRowRequest {
        /// Selection and order of the table; its `offset` and `limit` are ignored.
        pub list: ExchangesRequest,
        /// Number of the exchange.
        pub exchange: ExchangeId,
    }

    /// Number of rows that a page request has in all.
    pub struct CountView {
        /// Number of rows, of all pages together.
        pub count: u32,
    }
}
