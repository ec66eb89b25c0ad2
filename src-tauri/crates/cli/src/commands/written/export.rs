//! `export`: packets as pcapng, recorded ones, those that another timer would have sent, or every frame of a
//! simulation.

use crate::args::{CaptureArgs, OutFile};
use crate::choices::session;
use crate::commands::packets;
use crate::one_run::OneRunArgs;
use crate::progress::Bar;
use crate::{captures, output};
use api::view::{Exported, RunFileKind};
use api::{DecodeOptions, FrameId, Places, Rows};

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
    /// Write every frame that the network twin simulated instead, with link-layer retries, acknowledgements and other
    /// traffic.
    #[arg(long, requires = "algorithm")]
    pub frames: bool,
    #[command(flatten)]
    pub run: OneRunArgs,
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
    let session = session(DecodeOptions::default(), &args.run.presets)?;
    let view = session.adopt(captures::open(&args.capture)?);
    let run = args.run.replay(&session, &view, algorithm)?.run;
    let kind = if args.frames { RunFileKind::Frames } else { RunFileKind::Packets };
    let Exported { recorded, left_out, copies, replies, simulated, notes, .. } =
        output::octets(args.out.as_ref(), |sink| {
            Ok(session.write_run(run, kind, sink, &mut Bar::new("writing"))??)
        })?;
    if args.capture.quiet {
        return Ok(());
    }
    match kind {
        RunFileKind::Frames => output::say(&format!(
            "{simulated} simulated frames of {copies} copies, {replies} replies and other traffic; {left_out} left out"
        )),
        RunFileKind::Packets => output::say(&format!(
            "{recorded} frames as recorded, {left_out} left out; synthetic: {copies} copies, {replies} replies"
        )),
    }
    notes.iter().for_each(|note| output::say(note));
    Ok(())
}
