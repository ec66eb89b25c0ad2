//! `exchanges`: confirmable exchanges, their copies, and the hops of these.

use super::follow::{FollowArgs, Followed, follow, settled_exchanges};
use crate::args::{CaptureArgs, Misuse, OutputArgs};
use crate::captures::{decode, timers};
use crate::numbers::whole;
use crate::output;
use api::{ExchangeId, Trace};
use std::collections::BTreeSet;

/// `exchanges`
#[derive(clap::Args, Debug)]
pub struct ExchangesArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// Only what belongs together with this exchange, by its id: blocks of its transfer, its observation, the other
    /// side of a proxy or NAT, requests of the same event.
    #[arg(long, value_name = "ID", conflicts_with = "copies", value_parser = whole::<u32>(0))]
    pub related: Option<u32>,
    /// One row per copy instead of one per exchange.
    #[arg(long)]
    pub copies: bool,
    /// One row per hop of each copy and of each reply: frames, retries, waiting, and where it ended.
    #[arg(long, requires = "copies")]
    pub hops: bool,
    #[command(flatten)]
    pub follow: FollowArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Prints exchanges, their copies, or the hops of these; with `--follow` exchanges as they are complete. Fails as
/// [`decode`] does, and on an exchange that the capture lacks.
pub fn exchanges(args: &ExchangesArgs) -> anyhow::Result<()> {
    if args.follow.follow {
        if args.copies || args.related.is_some() {
            return Err(Misuse("--follow shows whole exchanges: not with --copies or --related".to_owned()).into());
        }
        let rows = |trace: &Trace, rows: &[u32]| Ok(api::exchanges(trace, &|id| rows.binary_search(&id.0).is_ok()));
        let complete = |trace: &Trace, is_end| Ok(settled_exchanges(trace, is_end));
        return follow(&args.capture, &args.output, &Followed { complete: &complete, rows: &rows });
    }
    let trace = decode(&args.capture)?;
    let related = args.related.map(|id| related(&trace, ExchangeId(id))).transpose()?;
    let listing = match (args.copies, args.hops) {
        (_, true) => api::copy_hops(&trace),
        (true, false) => api::copies(&trace, &timers(&trace, &args.capture)?),
        (false, false) => api::exchanges(&trace, &|id| related.as_ref().is_none_or(|ids| ids.contains(&id))),
    };
    output::listing(&listing, &args.output, args.capture.unless_quiet("the capture has no confirmable exchange"))
}

/// Returns the exchanges that share a relation with `id`, and `id` itself. Fails where the capture has no such
/// exchange.
fn related(trace: &Trace, id: ExchangeId) -> anyhow::Result<BTreeSet<ExchangeId>> {
    if id.index() >= trace.exchanges.len() {
        return Err(Misuse(format!("there is no exchange {id}; the capture has {}", trace.exchanges.len())).into());
    }
    let parts = trace.relations.roles();
    Ok(parts.of(id).flat_map(|role| trace.relations.members(role)).chain([id]).collect())
}
