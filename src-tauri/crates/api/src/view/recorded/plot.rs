//! Requests for columns that are drawn over time.

use crate::view::{CaptureId, RunId};
use base::{AssociationId, Instant};
use serde::{Deserialize, Serialize};

view! {
    /// Ask for the navigator's density columns (Arrow, `NavigatorColumns`).
    pub struct NavigatorRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Equal time bins over the whole capture, 1..=4096.
        pub bins: u32,
    }

    /// Ask for the marks of lanes of some behaviours in a window (Arrow, `LaneColumns`).
    pub struct LanesRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Behaviours, one after the other; null: as recorded.
        pub runs: Vec<Option<RunId>>,
        /// Window start.
        pub t0: Instant,
        /// Window end.
        pub t1: Instant,
        /// Pixels of the window: where copies stand closer than 6 px, all lanes become columns of 4 px.
        pub px: u32,
        /// Associations; null: all.
        #[serde(default)]
        pub lanes: Option<Vec<AssociationId>>,
    }

    /// Ask for RTO and RTT over time of one association (Arrow, `RtoColumns`).
    pub struct RtoRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Null: as recorded.
        pub run: Option<RunId>,
        /// Number of the association.
        pub association: AssociationId,
        /// Window start.
        pub t0: Instant,
        /// Window end.
        pub t1: Instant,
    }
}
