//! `export`: packets as pcapng, recorded ones or those that another timer would have sent.

use crate::args::{CaptureArgs, Misuse};
use crate::choices::{choice, session};
use crate::commands::packets;
use crate::part::PartArgs;
use crate::policy::PolicyArgs;
use crate::progress::Bar;
use crate::{captures, output};
use api::view::{ChannelKind, Exported, ReplayRequest, WorkloadKind};
use api::{DecodeOptions, FrameId, Places, Rows};
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

/// `export`
#[derive(clap::Args, Debug)]
pub struct ExportArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// Only frames that pass this filter, such as `coap.type == CON && retransmission`; see `fields`.
    #[arg(long, value_name = "EXPR", conflicts_with = "algorithm")]
    pub filter: Option<String>,
    /// Write the packets of a replay under this timer, such as `cocoa_plus:k_weak=1`: recorded frames that stay, and
    /// synthetic packets, each marked by a comment.
    #[arg(long, value_name = "NAME[:key=value,...]")]
    pub algorithm: Option<String>,
    /// Presets of your own, TOML or JSON (repeatable).
    #[arg(long, value_name = "FILE", requires = "algorithm")]
    pub presets: Vec<PathBuf>,
    /// Where copies that were never sent get their fate from; recorded: the best that the record allows.
    #[arg(long, value_enum, default_value = "auto")]
    pub channel: ChannelKind,
    /// When the application sends.
    #[arg(long, value_enum, default_value = "auto")]
    pub workload: WorkloadKind,
    /// Seed of every draw: another seed is another realisation.
    #[arg(long, default_value_t = 1)]
    pub seed: u32,
    #[command(flatten)]
    pub part: PartArgs,
    #[command(flatten)]
    pub policy: PolicyArgs,
    /// Write to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Writes packets as pcapng.
pub fn export(args: &ExportArgs) -> anyhow::Result<()> {
    if args.out.is_none() && std::io::stdout().is_terminal() {
        return Err(Misuse("pcapng is nothing to look at: name a file with --out, or use a pipe".to_owned()).into());
    }
    if args.out.as_deref().is_some_and(|out| args.capture.files.iter().any(|file| is_same(file, out))) {
        return Err(Misuse("--out is the capture itself".to_owned()).into());
    }
    match &args.algorithm {
        Some(algorithm) => counterfactual(args, algorithm),
        None => recorded(args),
    }
}

fn is_same(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn recorded(args: &ExportArgs) -> anyhow::Result<()> {
    let filter = packets::filter(args.filter.as_deref())?;
    let trace = captures::decode(&args.capture)?;
    let places = Places::of(&trace, &mut api::Silent)?;
    let rows = packets::select(&trace, &places, Rows::Frames, filter.as_ref())?;
    let frames: Vec<FrameId> = rows.into_iter().map(FrameId).collect();
    let mut sink = output::sink(args.out.as_deref())?;
    api::write_frames(&trace, &frames, &mut *sink, &mut Bar::new("writing"))?;
    Ok(sink.flush()?)
}

fn counterfactual(args: &ExportArgs, algorithm: &str) -> anyhow::Result<()> {
    let session = session(DecodeOptions::default(), &args.presets)?;
    let algorithm = choice(&session, algorithm)?;
    let view = session.adopt(captures::open(&args.capture)?);
    let request = ReplayRequest {
        capture: view.id,
        algorithms: vec![algorithm],
        channel: args.channel,
        workload: args.workload,
        seed: args.seed,
        // Only the first replicate is written.
        replicates: 1,
        baseline: None,
        part: args.part.of_one(&view)?,
        bounds: false,
        policy: args.policy.view(),
    };
    let reply = session.replay(&request, &mut Bar::new("replaying"))?;
    let run = reply.runs.first().map(|run| run.run).ok_or_else(|| Misuse("nothing was replayed".to_owned()))?;
    let mut sink = output::sink(args.out.as_deref())?;
    let Exported { recorded, left_out, copies, replies, .. } =
        session.write_run(run, &mut *sink, &mut Bar::new("writing"))??;
    sink.flush()?;
    if !args.capture.quiet {
        eprintln!("{recorded} frames as recorded, {left_out} left out; synthetic: {copies} copies, {replies} replies");
    }
    Ok(())
}
