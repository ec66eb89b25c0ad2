//! `dissect`: frames in all their layers.

use crate::args::{CaptureArgs, Misuse, OutFile, TextFormat};
use crate::captures::decode;
use crate::numbers::whole;
use crate::output;
use api::view::{BufferView, DissectView};
use api::{FrameId, Places, Trace, printable};
use std::io::{self, Write};

/// `dissect`
#[derive(clap::Args, Debug)]
pub struct DissectArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    /// Frames by number, from 1, separated by commas.
    #[arg(long = "frame", value_name = "N,...", value_delimiter = ',', required_unless_present = "message", value_parser = whole::<u32>(0))]
    pub frames: Vec<u32>,
    /// A message on all its hops, by its number in `messages --hops`.
    #[arg(long, value_name = "N", conflicts_with = "frames", value_parser = whole::<u32>(0))]
    pub message: Option<u32>,
    /// Print the octets too.
    #[arg(long)]
    pub hex: bool,
    /// Say of every field which section of which standard defines it; JSON always says so.
    #[arg(long)]
    pub sources: bool,
    /// Form of the output.
    #[arg(long, value_enum, default_value = "text")]
    pub format: TextFormat,
    /// Write to this file instead of standard output (`-`).
    #[arg(long, value_name = "FILE")]
    pub out: Option<OutFile>,
}

/// Prints the decode trees of the chosen frames, or of all frames of one message. Fails as [`decode`] does, and on a
/// number of a frame or message that the capture lacks.
pub fn dissect(args: &DissectArgs) -> anyhow::Result<()> {
    let trace = decode(&args.capture)?;
    let places = Places::of(&trace, &mut api::Silent)?;
    let mut views = Vec::new();
    for id in wanted(&trace, args)? {
        views.push(api::dissection(&trace, &places, id)?);
    }
    if args.format == TextFormat::Json {
        return output::json(&serde_json::to_value(&views)?, args.out.as_ref());
    }
    let mut trees = Vec::new();
    for (index, view) in views.iter().enumerate() {
        if index > 0 {
            writeln!(trees)?;
        }
        text(&mut trees, view, (args.hex, args.sources))?;
    }
    output::text(&String::from_utf8(trees)?, args.out.as_ref())
}

/// Returns the chosen frames: those of `--message` on all its hops in order of time, otherwise those of `--frame` in
/// the order given.
fn wanted(trace: &Trace, args: &DissectArgs) -> anyhow::Result<Vec<FrameId>> {
    if let Some(number) = args.message {
        let message = trace.messages.get(number as usize).ok_or_else(|| {
            Misuse(format!("there is no message {number}; the capture has {}, from 0", trace.messages.len()))
        })?;
        let mut frames: Vec<FrameId> = message.hops().flat_map(|hop| hop.frames.iter().copied()).collect();
        frames.sort_unstable();
        return Ok(frames);
    }
    let id = |&number: &u32| number.checked_sub(1).map(FrameId).ok_or(Misuse("frames count from 1".to_owned()));
    Ok(args.frames.iter().map(id).collect::<Result<_, _>>()?)
}

/// Prints one line for each node of the tree, with buffer and range of its octets and, with `sources`, the standard
/// that defines it; then, with `hex`, all octets.
fn text(sink: &mut dyn Write, view: &DissectView, (hex, sources): (bool, bool)) -> io::Result<()> {
    write!(sink, "Frame {} at {} from {}", u64::from(view.frame.0) + 1, view.at, view.source)?;
    if let (Some(message), Some(hop), Some(hops)) = (view.message, view.hop, view.hops) {
        write!(sink, ", message {message} on hop {hop} of {hops}")?;
    }
    if let Some(exchange) = view.exchange {
        write!(sink, ", exchange {exchange}")?;
    }
    writeln!(sink)?;
    for comment in &view.comments {
        writeln!(sink, "Comment: {}", printable(comment))?;
    }
    for node in &view.nodes {
        let name = view.buffers.get(node.buffer as usize).map_or("", |buffer| buffer.name.as_str());
        let octets = if node.start < node.end { format!("{name} {}..{}", node.start, node.end) } else { String::new() };
        let source = node.source.as_ref().filter(|_| sources).map_or(String::new(), |source| format!("  [{source}]"));
        writeln!(
            sink,
            "{:octets_wide$} {:indent$}{}{source}",
            octets,
            "",
            printable(&node.label),
            octets_wide = 22,
            indent = node.depth as usize * 2
        )?;
        if let Some(finding) = &node.finding {
            writeln!(sink, "{:22} {:indent$}^ {}", "", "", printable(finding), indent = node.depth as usize * 2)?;
        }
    }
    if hex {
        for buffer in &view.buffers {
            dump(sink, buffer)?;
        }
    }
    Ok(())
}

/// Prints the octets of a buffer, sixteen a line, as `xxd` and Wireshark show them.
fn dump(sink: &mut dyn Write, buffer: &BufferView) -> io::Result<()> {
    writeln!(sink, "{}, {} octets", buffer.name, buffer.octets.len() / 2)?;
    let pairs: Vec<&str> = (0..buffer.octets.len()).step_by(2).filter_map(|at| buffer.octets.get(at..at + 2)).collect();
    for (line, pairs) in pairs.chunks(16).enumerate() {
        let printable = |pair: &&str| match u8::from_str_radix(pair, 16) {
            Ok(octet @ 0x20..=0x7e) => char::from(octet),
            _ => '.',
        };
        let characters: String = pairs.iter().map(printable).collect();
        writeln!(sink, "{:04x}  {:47}  {characters}", line * 16, pairs.join(" "))?;
    }
    Ok(())
}
