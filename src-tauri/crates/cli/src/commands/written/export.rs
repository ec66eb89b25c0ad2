//! `export`: packets as pcapng, recorded ones or those that another timer would have sent.

use crate::args::{CaptureArgs, Misuse, OutFile};
use crate::choices::{choice, session};
use crate::commands::packets;
use crate::numbers::whole;
use crate::part::PartArgs;
use crate::policy::PolicyArgs;
use crate::progress::Bar;
use crate::{captures, output};
use api::view::{ChannelKind, Exported, ReplayRequest, WorkloadKind};
use api::{DecodeOptions, FrameId, Places, Rows};
use std::path::PathBuf;

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
    /// Channel: the model that gives copies that were never sent their fate; recorded: the best that the record allows.
    #[arg(long, value_enum, default_value = "auto")]
    pub channel: ChannelKind,
    /// When the application sends.
    #[arg(long, value_enum, default_value = "auto")]
    pub workload: WorkloadKind,
    /// Seed of every draw: another seed is another realisation.
    #[arg(long, default_value_t = 1, value_parser = whole::<u32>(0))]
    pub seed: u32,
    #[command(flatten)]
    pub part: PartArgs,
    #[command(flatten)]
    pub policy: PolicyArgs,
    /// Write to this file instead of standard output (`-`).
    #[arg(long, value_name = "FILE")]
    pub out: Option<OutFile>,
}

/// Writes recorded frames or the packets of a replay as pcapng. Fails to a terminal, and where the capture cannot be
/// read or the file cannot be written.
pub fn export(args: &ExportArgs) -> anyhow::Result<()> {
    output::binary("pcapng", args.out.as_ref())?;
    match &args.algorithm {
        Some(algorithm) => counterfactual(args, algorithm),
        None => recorded(args),
    }
}

fn recorded(args: &ExportArgs) -> anyhow::Result<()> {
    let filter = packets::filter(args.filter.as_deref())?;
    let trace = captures::decode(&args.capture)?;
    let places = Places::of(&trace, &mut api::Silent)?;
    let rows = packets::select(&trace, &places, Rows::Frames, filter.as_ref())?;
    let frames: Vec<FrameId> = rows.into_iter().map(FrameId).collect();
    if frames.is_empty() && !args.capture.quiet {
        output::say("no frame passes: the file has none");
    }
    output::octets(args.out.as_ref(), |sink| Ok(api::write_frames(&trace, &frames, sink, &mut Bar::new("writing"))?))
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
    let Exported { recorded, left_out, copies, replies, .. } =
        output::octets(args.out.as_ref(), |sink| Ok(session.write_run(run, sink, &mut Bar::new("writing"))??))?;
    if !args.capture.quiet {
        output::say(&format!(
            "{recorded} frames as recorded, {left_out} left out; synthetic: {copies} copies, {replies} replies"
        ));
    }
    Ok(())
}
