//! `exchanges`: confirmable exchanges, their copies, and the hops of these.

use crate::args::{CaptureArgs, Misuse, OutputArgs};
use crate::captures::{decode, timers};
use crate::output;
use api::{ExchangeId, Trace};
use std::collections::BTreeSet;

/// `exchanges`
#[derive(clap::Args, Debug)]
pub struct ExchangesArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// Only what belongs together with this exchange, by its id: blocks of its transfer, its observation, the other side of a
    /// proxy or NAT, requests of the same event.
    #[arg(long, value_name = "ID", conflicts_with = "copies")]
    pub related: Option<u32>,
    /// One row per copy instead of one per exchange.
    #[arg(long)]
    pub copies: bool,
    /// One row per hop of each copy and of each reply: frames, retries, waiting, and where it ended.
    #[arg(long, requires = "copies")]
    pub hops: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Confirmable exchanges.
pub fn exchanges(args: &ExchangesArgs) -> anyhow::Result<()> {
    let trace = decode(&args.capture)?;
    let related = args.related.map(|id| related(&trace, ExchangeId(id))).transpose()?;
    let listing = match (args.copies, args.hops) {
        (_, true) => api::copy_hops(&trace),
        (true, false) => api::copies(&trace, &timers(&trace, &args.capture)?),
        (false, false) => api::exchanges(&trace, &|id| related.as_ref().is_none_or(|ids| ids.contains(&id))),
    };
    output::listing(&listing, &args.output)
}

/// The exchanges that belong together with `id`, itself among them.
fn related(trace: &Trace, id: ExchangeId) -> anyhow::Result<BTreeSet<ExchangeId>> {
    if id.index() >= trace.exchanges.len() {
        return Err(Misuse(format!("there is no exchange {id}; the capture has {}", trace.exchanges.len())).into());
    }
    let parts = trace.relations.roles();
    Ok(parts.of(id).flat_map(|role| trace.relations.members(role)).chain([id]).collect())
}
