//! Which part of a network changes its timers, and from when on.

use crate::policy::seconds;
use api::view::StartView;
use api::{Instant, Span};

/// Which clients and which part of the trace are replayed.
#[derive(clap::Args, Debug)]
pub struct PartArgs {
    /// Clients that stay as they were recorded: names, addresses or numbers, separated by commas.
    #[arg(long, value_name = "CLIENTS", value_delimiter = ',')]
    pub as_recorded: Vec<String>,
    /// Replay what began at this time or later, in seconds as `exchanges` prints them. Timers have learned from
    /// the recorded exchanges that were over before it.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub from: Option<Span>,
    /// With --from: timers have learned nothing yet.
    #[arg(long, requires = "from")]
    pub cold: bool,
}

impl PartArgs {
    /// Where the replay begins.
    pub fn start(&self) -> Option<StartView> {
        self.from.map(|from| StartView { at: Instant::ZERO + from, warm: !self.cold })
    }
}
