//! `info`: summary of a capture and of the way in which it was read.

use crate::args::{CaptureArgs, Format, OutputArgs};
use crate::captures::summary;
use crate::output;
use api::view::{
    ApplicationView, AssociationView, CaptureView, ClockView, Correction, Delay, FcsKind, SourceView, WorkloadKind,
};
use api::{Cells, Listing, Span, printable};
use std::fmt::Write as _;

/// `info`
#[derive(clap::Args, Debug)]
pub struct InfoArgs {
    #[command(flatten)]
    pub capture: CaptureArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Prints the summary of a capture. Fails where it cannot be read or decoded.
pub fn info(args: &InfoArgs) -> anyhow::Result<()> {
    let quiet = CaptureArgs { quiet: true, ..args.capture.clone() };
    let view = summary(&quiet)?;
    if args.output.format == Format::Json {
        return output::json(&serde_json::to_value(&view)?, args.output.out.as_ref());
    }
    let seconds = |nanos: i64| format!("{:.6} s", nanos as f64 / 1e9);
    let mut rows: Vec<(String, String)> = vec![
        ("name".into(), view.name.clone()),
        ("format".into(), view.format.clone()),
        ("octets".into(), view.file_len.to_string()),
    ];
    for file in &view.read_as.files {
        let name = if view.read_as.files.len() > 1 { format!("  {}", file.name) } else { String::new() };
        rows.push(("sha256".into(), format!("{}{name}", file.sha256)));
    }
    rows.extend(read_as(&view));
    rows.extend([
        (
            "epoch".into(),
            view.epoch
                .clone()
                .unwrap_or_else(|| "none: times count from the start of the capture or simulation".into()),
        ),
        ("start".into(), seconds(view.start.nanos())),
        ("end".into(), seconds(view.end.nanos())),
        ("frames".into(), view.frames.to_string()),
        ("messages".into(), view.messages.to_string()),
        ("exchanges".into(), view.exchanges.to_string()),
        ("copies".into(), view.copies.to_string()),
    ]);
    for a in &view.associations {
        let hops = a.hops.map_or_else(String::new, |h| format!(", {h} hops"));
        rows.push((
            "client".into(),
            format!(
                "{} -> {}: {} exchanges, {} copies, {} needless, vantage {}, workload {}, NSTART {}{hops}",
                a.client_name,
                a.server_name,
                a.exchanges,
                a.copies,
                a.needless,
                a.vantage.label(),
                a.workload.label(),
                a.nstart
            ),
        ));
        rows.extend(claims(a));
    }
    for note in &view.notes {
        rows.push(("note".into(), note.to_string()));
    }
    if args.output.format == Format::Table {
        let mut text = String::new();
        let width = rows.iter().map(|r| r.0.chars().count()).max().unwrap_or(0);
        for (key, value) in rows {
            let _ = writeln!(text, "{key:<width$}  {}", printable(&value));
        }
        return output::text(&text, args.output.out.as_ref());
    }
    let (keys, values): (Vec<_>, Vec<_>) = rows.into_iter().map(|(k, v)| (Some(k), Some(v))).unzip();
    let listing = Listing { columns: vec![("key", Cells::Text(keys)), ("value", Cells::Text(values))] };
    output::listing(&listing, &args.output, "")
}

/// Rows on the reading of the capture: link types, sources, clocks, contexts, ports, comments, mote log. Each is a key
/// and a value.
fn read_as(view: &CaptureView) -> Vec<(String, String)> {
    let read = &view.read_as;
    let mut rows: Vec<(String, String)> = Vec::new();
    let mut say = |key: &str, value: String| rows.push((key.to_owned(), value));
    say("link types", read.links.join(", "));
    let given = if read.fcs == FcsKind::Auto { "found" } else { "given" };
    for SourceView { name, frames, fcs } in &read.sources {
        let fcs = fcs.map_or_else(String::new, |fcs| format!(", check sequence: {} ({given})", fcs.label()));
        say("source", format!("{name}: {frames} frames{fcs}"));
    }
    for clock in &read.clocks {
        say("clock", clock_line(clock));
    }
    if read.duplicates > 0 {
        say(
            "heard twice",
            format!("{} frames show a transmission that another source heard; each counts once", read.duplicates),
        );
    }
    for context in &read.contexts {
        say("context", format!("{} = {}, {}", context.id, context.prefix, context.how.label()));
    }
    let mut ports: Vec<String> = read.ports.iter().map(|port| format!("{port} (named)")).collect();
    let guessed = read.guessed.iter().map(|p| format!("{} (guessed: {} requests acknowledged)", p.port, p.answered));
    ports.extend(guessed);
    say("CoAP ports", ports.join(", "));
    if read.keys > 0 || read.addresses > 0 {
        say("keys", format!("{} given, with {} pairs of addresses", read.keys, read.addresses));
    }
    for comment in &read.comments {
        say("comment", printable(comment).into_owned());
    }
    if read.frame_comments > 0 {
        say("frame comments", read.frame_comments.to_string());
    }
    if read.names > 0 {
        say("names", format!("{} names of addresses", read.names));
    }
    if let Some(log) = &read.mote_log {
        say("mote log", format!("{} beside it: {} lines, {} events of CoAP nodes", log.name, log.lines, log.events));
    }
    rows
}

fn clock_line(clock: &ClockView) -> String {
    let ClockView { source, frames, common, .. } = clock;
    let micros = |nanos: f64| format!("{:.3} µs", nanos / 1e3);
    match (clock.aligned, clock.offset, clock.drift_ppb, clock.residual_median, clock.residual_p99) {
        (false, ..) => format!("{source} ({frames} frames): {common} common frames are too few to align it"),
        (true, Some(offset), Some(drift), Some(median), Some(p99)) => format!(
            "{source} ({frames} frames): {:+.6} s, drift {drift:+.0} ppb, {common} common frames, residual {} median, {} p99",
            offset / 1e9,
            micros(median),
            micros(p99)
        ),
        _ => format!("{source} ({frames} frames): the reference"),
    }
}

/// Rows of the estimates on the client of an association, each with its error: vantage, correction, wait, workload,
/// application.
fn claims(a: &AssociationView) -> Vec<(String, String)> {
    let (Correction { request, reply, error }, mut rows) = (a.correction, Vec::new());
    let given = |given: bool| if given { " (given)" } else { "" };
    rows.push(("  vantage".to_owned(), format!("{}{}", a.vantage.label(), given(a.vantage_given))));
    if error != Span::ZERO {
        rows.push((
            "  correction".to_owned(),
            format!("copies {request} before they were captured, replies {reply} after; each within {error}"),
        ));
    }
    let delay = |d: &Delay| format!("{} (nine in ten {} to {}; {} measured)", d.median, d.low, d.high, d.samples);
    if let Some(queueing) = &a.queueing {
        rows.push(("  wait in client".to_owned(), delay(queueing)));
    }
    let mut rhythm = format!("{}{}", a.workload.label(), given(a.workload_given));
    if let Some(gap) = &a.rhythm.gap {
        let what = if a.workload == WorkloadKind::ThinkTime { "end to start" } else { "start to start" };
        let _ = write!(rhythm, ", {what} {}", delay(gap));
    }
    let _ = write!(rhythm, ", {} of {} sent the moment the one before ended", a.rhythm.at_once, a.exchanges);
    if a.rhythm.backlog {
        rhythm.push_str(", with a backlog");
    }
    if a.rhythm.in_events > 0 {
        let _ = write!(rhythm, ", {} in events that others saw too", a.rhythm.in_events);
    }
    rows.push(("  workload".to_owned(), rhythm));
    if let Some(ApplicationView { issued, before_others, most_waiting, dropped, queue }) = &a.application {
        let mut log =
            format!("{issued} requests, {before_others} of them before others that waited (at most {most_waiting})");
        let _ = write!(log, ", {dropped} dropped");
        if let Some(queue) = queue {
            let _ = write!(log, ": it lets at most {queue} wait");
        }
        rows.push(("  application".to_owned(), log));
    }
    rows
}
