//! Options for a replay under one timer, for commands that show or write one replicate of it.

use crate::args::{ChanceArgs, Misuse};
use crate::choices::choice;
use crate::numbers::whole;
use crate::part::PartArgs;
use crate::policy::PolicyArgs;
use crate::progress::Bar;
use api::Session;
use api::view::{CaptureView, ChannelKind, ReplayRequest, RunId};
use std::path::PathBuf;

/// The model of a replay under one timer, and its replicate.
#[derive(clap::Args, Debug)]
pub struct OneRunArgs {
    /// Presets of your own, TOML or JSON (repeatable).
    #[arg(long, value_name = "FILE", requires = "algorithm")]
    pub presets: Vec<PathBuf>,
    #[command(flatten)]
    pub chance: ChanceArgs,
    /// Replicate through the network twin, from 1; other channels have the first only.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1))]
    pub replicate: u32,
    #[command(flatten)]
    pub part: PartArgs,
    #[command(flatten)]
    pub policy: PolicyArgs,
}

/// One replicate of a replay.
#[derive(Debug)]
pub struct OneRun {
    /// Run that shows it.
    pub run: RunId,
    /// Timer, for people.
    pub timer: String,
    /// Channel that answered.
    pub channel: ChannelKind,
}

impl OneRunArgs {
    /// Replays the capture of `view` under `algorithm`, and returns the replicate asked for. Fails for an unknown
    /// algorithm or client, where nothing is left to replay, and for a replicate that the channel does not have.
    pub fn replay(&self, session: &Session, view: &CaptureView, algorithm: &str) -> anyhow::Result<OneRun> {
        let request = ReplayRequest {
            capture: view.id,
            algorithms: vec![choice(session, algorithm)?],
            channel: self.chance.channel,
            workload: self.chance.workload,
            seed: self.chance.seed,
            // Only one replicate is shown, which is the same however many there are.
            replicates: 1,
            baseline: None,
            part: self.part.of_one(view)?,
            bounds: false,
            policy: self.policy.view(),
        };
        let reply = session.replay(&request, &mut Bar::new("replaying"))?;
        let first = reply.runs.into_iter().next().ok_or_else(|| Misuse("nothing was replayed".to_owned()))?;
        let channel = reply.chosen.map_or(self.chance.channel, |chosen| chosen.channel);
        let run = session.replicate(first.run, self.replicate - 1, &mut Bar::new("simulating"))?;
        Ok(OneRun { run, timer: first.name, channel })
    }
}
