//! Requests and replies about the distribution of completion times under several timers, and their effect on single
//! clients.

use crate::view::{CaptureId, RunId};
use base::AssociationId;
use serde::{Deserialize, Serialize};

view! {
    /// Request: the completion times of runs of one capture.
    pub struct DistributionRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Numbers of the runs, all of that capture; empty: the recorded distribution is empty too.
        pub runs: Vec<RunId>,
        /// Greatest number of clients to list.
        pub clients: u32,
    }

    /// Distribution of completion times, recorded and in runs. Exchanges that fail never complete, so that curves may
    /// end below 1.
    pub struct DistributionView {
        /// Recorded distribution, as the run with the most times has it.
        pub recorded: CurveView,
        /// Distributions of the runs, in the order asked for.
        pub runs: Vec<RunCurves>,
        /// Clients by the largest change of the mean completion time by any of the runs, greatest first.
        pub clients: Vec<ClientEffect>,
        /// Number of clients without the limit of the request.
        pub all_clients: u32,
    }

    /// Distribution function: share of exchanges that are complete by a time.
    pub struct CurveView {
        /// Times from the first copy, seconds, ascending.
        pub times: Vec<f64>,
        /// Share complete by each time, 0 to 1; of a run that of its median replicate.
        pub median: Vec<f64>,
        /// 5th percentile of the share over replicates, by time; empty for the recorded behaviour.
        pub lo90: Vec<f64>,
        /// 95th percentile of the share over replicates, by time; empty for the recorded behaviour.
        pub hi90: Vec<f64>,
        /// Share of the replicates that the curve stands for, 0 to 1: below 1 where a run has two modes.
        pub weight: f64,
    }

    /// Completion times of one run.
    pub struct RunCurves {
        /// Number of the run.
        pub run: RunId,
        /// One curve, or those of the fast and of the slow mode in this order; empty for a run without exchanges.
        pub curves: Vec<CurveView>,
    }

    /// One client under several timers.
    pub struct ClientEffect {
        /// Number of its association.
        pub association: AssociationId,
        /// Name of the client for people.
        pub name: String,
        /// Recorded mean completion time, seconds; null where nothing was completed.
        pub recorded: Option<f64>,
        /// Mean completion time in each run, in the order asked for.
        pub runs: Vec<ClientMean>,
    }

    /// Mean completion time of one client in one run, seconds. Null where nothing was completed.
    pub struct ClientMean {
        /// Mean over replicates, seconds.
        pub mean: Option<f64>,
        /// 5th percentile over replicates, seconds.
        pub lo90: Option<f64>,
        /// 95th percentile over replicates, seconds.
        pub hi90: Option<f64>,
    }
}
