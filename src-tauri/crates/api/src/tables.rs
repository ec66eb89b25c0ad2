//! Tables of open captures and their runs, for programs that compute with them: the rows of the command line, and the
//! exchanges and copies of runs.

use crate::view::{CaptureId, RunId};
use crate::{Error, Opened, Progress, Session};
use base::{Part, Silent};
use serde::Deserialize;
use std::sync::Arc;
use table::network::{links, nodes, parents};
use table::{Behaviour, Listing, Rows, Timeline, select};

/// Request for a table of a capture.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "snake_case", tag = "table", deny_unknown_fields)]
pub enum TableRequest {
    /// A row for each confirmable exchange.
    Exchanges,
    /// A row for each copy.
    Copies,
    /// A row for each hop of each copy and of each reply.
    CopyHops,
    /// A row for each CoAP message.
    Messages {
        /// Filter expression; blank: all messages.
        #[serde(default)]
        filter: String,
    },
    /// A row for each hop of each CoAP message.
    MessageHops {
        /// Filter expression of messages; blank: all.
        #[serde(default)]
        filter: String,
    },
    /// A row for each frame that completes a CoAP message.
    Sightings {
        /// Filter expression of frames; blank: all.
        #[serde(default)]
        filter: String,
    },
    /// A row for each frame.
    Frames {
        /// Filter expression; blank: all frames.
        #[serde(default)]
        filter: String,
        /// Greatest number of rows; null: all.
        #[serde(default)]
        limit: Option<usize>,
    },
    /// A row for each link, in one direction.
    Links,
    /// A row for each node.
    Nodes,
    /// A row for each RPL parent that a node had.
    Parents,
    /// A row for each exchange in the first replicate of each run.
    RunExchanges {
        /// Numbers of the runs, in the order of the rows.
        runs: Vec<RunId>,
    },
    /// A row for each copy in the first replicate of each run.
    RunCopies {
        /// Numbers of the runs, in the order of the rows.
        runs: Vec<RunId>,
    },
}

impl Session {
    /// Returns a table of capture `id`.
    ///
    /// # Errors
    /// [`crate::Code::Gone`] where the capture or a run is not open, [`crate::Code::Request`] for a mistake in a
    /// filter, [`crate::Code::Cancelled`].
    pub fn table(&self, id: CaptureId, request: &TableRequest, progress: &mut dyn Progress) -> Result<Listing, Error> {
        let opened = self.capture(id)?;
        let trace = &opened.trace;
        Ok(match request {
            TableRequest::Exchanges => table::exchanges(trace, &|_| true),
            TableRequest::Copies => table::copies(trace, &opened.timers),
            TableRequest::CopyHops => table::copy_hops(trace),
            TableRequest::Messages { filter } => {
                let rows = selected(&opened, Rows::Messages, filter, progress)?;
                table::messages(trace, &|message| rows.binary_search(&message.0).is_ok())
            }
            TableRequest::MessageHops { filter } => {
                let rows = selected(&opened, Rows::Messages, filter, progress)?;
                table::hops(trace, &|message| rows.binary_search(&message.0).is_ok())
            }
            TableRequest::Sightings { filter } => {
                let rows = selected(&opened, Rows::Frames, filter, progress)?;
                table::sightings(trace, &|frame| rows.binary_search(&frame.0).is_ok())
            }
            TableRequest::Frames { filter, limit } => {
                let mut rows = selected(&opened, Rows::Frames, filter, progress)?;
                rows.truncate(limit.unwrap_or(usize::MAX));
                table::frames(trace, opened.lists.places(trace, &mut Silent)?, Rows::Frames, &rows)
            }
            TableRequest::Links => links(opened.network(progress)?),
            TableRequest::Nodes => {
                let list = opened.list_beside(&mut Part::new(progress, 0, 1, 2))?;
                nodes(opened.network(&mut Part::new(progress, 1, 2, 2))?, list.map(|beside| &beside.list))
            }
            TableRequest::Parents => parents(trace, opened.network(progress)?),
            TableRequest::RunExchanges { runs } => table::run_exchanges(trace, &behaviours(&self.timelines(runs)?)),
            TableRequest::RunCopies { runs } => table::run_copies(trace, &behaviours(&self.timelines(runs)?)),
        })
    }

    /// Returns the name and the first replicate of each of `runs`; errs where one is not open.
    fn timelines(&self, runs: &[RunId]) -> Result<Vec<(String, Arc<Timeline>)>, Error> {
        let of = |&id: &RunId| {
            let run = self.run(id)?;
            Ok((crate::comparison::name(&run.key.algorithm), Arc::clone(&run.timeline)))
        };
        runs.iter().map(of).collect()
    }
}

fn behaviours(timelines: &[(String, Arc<Timeline>)]) -> Vec<Behaviour<'_>> {
    timelines.iter().map(|(name, timeline)| Behaviour { name, timeline }).collect()
}

/// Returns the positions of the rows that pass a filter, ascending; errs for a mistake in it, and when cancelled.
fn selected(opened: &Opened, rows: Rows, filter: &str, progress: &mut dyn Progress) -> Result<Vec<u32>, Error> {
    let filter = crate::filter(filter)?;
    let trace = &opened.trace;
    let places = opened.lists.places(trace, &mut Part::new(progress, 0, 1, 2))?;
    Ok(select(trace, places, rows, filter.as_ref(), None, &mut Part::new(progress, 1, 2, 2))?)
}
