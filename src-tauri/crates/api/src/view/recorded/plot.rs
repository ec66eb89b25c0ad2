//! Requests for columns that are drawn over time.

use crate::view::{CaptureId, RunId};
use base::{AssociationId, Instant, Span};
use serde::{Deserialize, Serialize};

view! {
    /// Request: the navigator's density columns (Arrow, `NavigatorColumns`).
    pub struct NavigatorRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Number of equal time bins over the whole capture, 1..=4096; clamped to that range.
        pub bins: u32,
    }

    /// Request: the marks of the lanes of some behaviours in a window (Arrow, `LaneColumns`).
    pub struct LanesRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Behaviours, in the order of the reply: numbers of runs, null for the recorded one.
        pub runs: Vec<Option<RunId>>,
        /// Window start, nanoseconds from the trace's epoch.
        pub t0: Instant,
        /// Window end, nanoseconds from the trace's epoch.
        pub t1: Instant,
        /// Width of the window in pixels: where copies stand closer than 6 px, all lanes become columns of 4 px.
        pub px: u32,
        /// Numbers of the associations whose lanes are wanted; null: all.
        #[serde(default)]
        pub lanes: Option<Vec<AssociationId>>,
        /// Hosts whose associations are wanted merged in one lane too, each by the number of any of its associations:
        /// all whose clients have the address of that client. The lane of host n, from 0, is 2^16 - 2 - n.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<AssociationId>>", optional))]
        pub hosts: Vec<AssociationId>,
    }

    /// Request: completion times of hosts under some behaviours.
    pub struct LaneHostsRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Behaviours, in the order of the reply: numbers of runs, null for the recorded one.
        pub runs: Vec<Option<RunId>>,
        /// Hosts, as in [`LanesRequest::hosts`].
        pub hosts: Vec<AssociationId>,
    }

    /// Completion times of all exchanges of a host that were answered.
    pub struct HostView {
        /// Mean, nanoseconds; null where nothing was answered.
        pub completion: Option<Span>,
        /// 95th percentile, nanoseconds; null where nothing was answered.
        pub completion_p95: Option<Span>,
    }

    /// Request: timeouts and round-trip times of one association over time (Arrow, `RtoColumns`).
    pub struct RtoRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Number of the run; null: as recorded.
        pub run: Option<RunId>,
        /// Number of the association.
        pub association: AssociationId,
        /// Window start, nanoseconds from the trace's epoch.
        pub t0: Instant,
        /// Window end, nanoseconds from the trace's epoch.
        pub t1: Instant,
    }
}
