//! Distribution of completion times under several timers, and what each does to single clients.

use crate::view::{CaptureId, RunId};
use base::AssociationId;
use serde::{Deserialize, Serialize};

view! {
    /// Asks for the completion times of runs of one capture.
    pub struct DistributionRequest {
        /// Capture.
        pub capture: CaptureId,
        /// Runs.
        pub runs: Vec<RunId>,
        /// Most clients to list.
        pub clients: u32,
    }

    /// Completion times, recorded and in runs. Exchanges that fail are never done.
    pub struct DistributionView {
        /// Recorded.
        pub recorded: CurveView,
        /// In the order asked for.
        pub runs: Vec<RunCurves>,
        /// Clients with the greatest effect first: the largest change of the mean completion time by any of the runs.
        pub clients: Vec<ClientEffect>,
        /// Clients that there are.
        pub all_clients: u32,
    }

    /// Share of exchanges that are done by a time.
    pub struct CurveView {
        /// Times, seconds, in order.
        pub times: Vec<f64>,
        /// Share done by each, 0 to 1; of a run that of its median replicate.
        pub median: Vec<f64>,
        /// 5 % of the replicates lie below; empty for what was recorded.
        pub lo90: Vec<f64>,
        /// 5 % of the replicates lie above; empty for what was recorded.
        pub hi90: Vec<f64>,
        /// Share of the replicates that it stands for: below 1 where a run has two modes.
        pub weight: f64,
    }

    /// Completion times of one run.
    pub struct RunCurves {
        /// Run.
        pub run: RunId,
        /// One, or those of the fast and of the slow mode; none for a run without exchanges.
        pub curves: Vec<CurveView>,
    }

    /// One client under several timers.
    pub struct ClientEffect {
        /// Position in the trace.
        pub association: AssociationId,
        /// Client, for people.
        pub name: String,
        /// Recorded mean completion time, seconds; null where nothing was completed.
        pub recorded: Option<f64>,
        /// Mean completion time by run, in the order asked for.
        pub runs: Vec<ClientMean>,
    }

    /// Mean completion time of one client in one run, seconds.
    pub struct ClientMean {
        /// Mean over replicates; null where nothing was completed.
        pub mean: Option<f64>,
        /// 5 % of the replicates lie below.
        pub lo90: Option<f64>,
        /// 5 % of the replicates lie above.
        pub hi90: Option<f64>,
    }
}
