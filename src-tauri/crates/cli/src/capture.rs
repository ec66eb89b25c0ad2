//! `info`, `exchanges`, and how every command opens its capture.

use crate::args::{CaptureArgs, ExchangesArgs, FcsArg, Format, InfoArgs, Misuse, Secret};
use crate::assume::assume;
use crate::output;
use crate::progress::Bar;
use anyhow::Context as _;
use api::view::{
    ApplicationView, AssociationView, CaptureView, ClockView, CorrectionView, DelayView, FcsKind, FileView, SourceView,
    WorkloadKind,
};
use api::{Cells, DecodeOptions, ExchangeId, FcsChoice, ImportOptions, LinkKey, Listing, Opened, Reading, Span, Trace};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::path::Path;

fn reading(args: &CaptureArgs) -> anyhow::Result<Reading> {
    let fcs = match args.fcs {
        FcsArg::Auto => FcsChoice::Auto,
        FcsArg::None => FcsChoice::None,
        FcsArg::Crc16 => FcsChoice::Crc16,
        FcsArg::Ti => FcsChoice::TiMetadata,
    };
    let mut import = ImportOptions::default().with_fcs(fcs);
    if let Some(ratio) = args.unpack_ratio {
        import = import.with_unpack_ratio(ratio.max(1));
    }
    let decode = DecodeOptions {
        ports: args.ports.clone(),
        rc_option: args.rc_option,
        contexts: args.contexts.iter().map(|text| api::context(text)).collect::<Result<_, _>>()?,
        keys: keys(&args.keys, args.key_file.as_deref())?,
        addresses: args.addresses.iter().map(|text| api::address(text)).collect::<Result<_, _>>()?,
    };
    Ok(Reading { import, decode })
}

/// Keys of the command line, then those of a file.
pub fn keys(given: &[Secret], file: Option<&Path>) -> anyhow::Result<Vec<LinkKey>> {
    let mut keys = api::keys(given.iter().map(|key| key.0.as_str()))?;
    if let Some(path) = file {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let read = api::keys(lines.filter(|line| !line.is_empty())).with_context(|| path.display().to_string())?;
        keys.extend(read);
    }
    Ok(keys)
}

/// Read and decode, with a bar and, afterwards, the notes. `-` is standard input.
pub fn decode(args: &CaptureArgs) -> anyhow::Result<Trace> {
    Ok(read(args, false)?.0)
}

/// The capture, decoded; how it was read; and its files where they are to be hashed.
fn read(args: &CaptureArgs, hash: bool) -> anyhow::Result<(Trace, Reading, Vec<FileView>)> {
    let reading = reading(args)?;
    let paths: Vec<&Path> = args.files.iter().map(|path| path.as_path()).collect();
    if paths.len() > 1 && !args.merge {
        return Err(Misuse("several captures are read as one with --merge only".to_owned()).into());
    }
    if paths.len() > 1 && args.is_standard_input() {
        return Err(Misuse("the standard input cannot be merged".to_owned()).into());
    }
    let mut bar = Bar::new("reading");
    let mut files = Vec::new();
    let mut trace = match &paths[..] {
        _ if args.is_standard_input() => {
            // A pipe is read once: what is hashed is what was decoded.
            let name = "standard input".to_owned();
            let mut octets = Vec::new();
            std::io::stdin().lock().read_to_end(&mut octets)?;
            if hash {
                files.push(FileView { name: name.clone(), path: None, sha256: api::sha256(&octets[..])? });
            }
            api::decode_octets(&name, octets, &reading.import, &reading.decode, &mut bar)?
        }
        [path] => api::decode(path, &reading.import, &reading.decode, &mut bar)?,
        paths => api::decode_merged(paths, &reading, &mut bar)?,
    };
    drop(bar);
    assume(&mut trace, args)?;
    if hash && files.is_empty() {
        files = paths.iter().map(|path| api::file_view(path)).collect::<Result<_, _>>()?;
    }
    tell_notes(&trace, args);
    Ok((trace, reading, files))
}

/// As [`decode`], ready for replay.
pub fn open(args: &CaptureArgs) -> anyhow::Result<Opened> {
    let (trace, reading, files) = read(args, true)?;
    Ok(Opened::new(trace, reading.import, files))
}

/// As [`open`]; `sample:ID` is a bundled capture, which knows the number of its retransmission-count option.
pub fn open_or_sample(args: &CaptureArgs) -> anyhow::Result<Opened> {
    let Some(id) = args.files.first().and_then(|file| file.to_str()?.strip_prefix("sample:")) else {
        return open(args);
    };
    let sample = sample(id)?;
    let mut reading = reading(args)?;
    if reading.decode.rc_option == DecodeOptions::default().rc_option {
        reading.decode.rc_option = sample.rc_option.unwrap_or(reading.decode.rc_option);
    }
    let octets = sample.octets.to_vec();
    let mut bar = Bar::new("reading");
    let mut trace = api::decode_octets(sample.file, octets, &reading.import, &reading.decode, &mut bar)?;
    drop(bar);
    assume(&mut trace, args)?;
    tell_notes(&trace, args);
    let file = FileView { name: sample.file.to_owned(), path: None, sha256: api::sha256(sample.octets)? };
    Ok(Opened::new(trace, reading.import, vec![file]))
}

/// The bundled capture called `id`.
pub fn sample(id: &str) -> anyhow::Result<&'static api::SampleFile> {
    let known = || api::samples().iter().map(|sample| sample.id).collect::<Vec<_>>().join(", ");
    let found = api::samples().iter().find(|sample| sample.id == id);
    Ok(found.ok_or_else(|| Misuse(format!("there is no bundled capture `{id}`; there are: {}", known())))?)
}

fn tell_notes(trace: &Trace, args: &CaptureArgs) {
    if !args.quiet {
        for note in trace.notes.kinds() {
            eprintln!("note: {note}");
        }
    }
}

/// How the capture was read: files, link types, sources, clocks, contexts, ports, what is written beside it.
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
    if read.twins > 0 {
        say(
            "heard twice",
            format!("{} frames show a transmission that another source heard; each counts once", read.twins),
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
        say("comment", one_line(comment));
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

/// A comment may have several lines, and come from anyone.
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
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

/// What a capture holds.
pub fn info(args: &InfoArgs) -> anyhow::Result<()> {
    let quiet = CaptureArgs { quiet: true, ..args.capture.clone() };
    let view = open(&quiet)?.view(0);
    if args.output.format == Format::Json {
        return output::json(&serde_json::to_value(&view)?, args.output.out.as_deref());
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
        let mut sink = output::sink(args.output.out.as_deref())?;
        let width = rows.iter().map(|r| r.0.chars().count()).max().unwrap_or(0);
        for (key, value) in rows {
            writeln!(sink, "{key:<width$}  {value}")?;
        }
        return Ok(sink.flush()?);
    }
    let (keys, values): (Vec<_>, Vec<_>) = rows.into_iter().map(|(k, v)| (Some(k), Some(v))).unzip();
    let listing = Listing { columns: vec![("key", Cells::Text(keys)), ("value", Cells::Text(values))] };
    output::listing(&listing, &args.output)
}

/// Confirmable exchanges.
pub fn exchanges(args: &ExchangesArgs) -> anyhow::Result<()> {
    let trace = decode(&args.capture)?;
    let related = args.related.map(|id| related(&trace, ExchangeId(id))).transpose()?;
    let listing = match (args.copies, args.hops) {
        (_, true) => api::copy_hops(&trace),
        (true, false) => api::copies(&trace),
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
    Ok(parts.of(id).flat_map(|kin| trace.relations.members(kin)).chain([id]).collect())
}

/// What is claimed of a client beside its exchanges, each with its error.
fn claims(a: &AssociationView) -> Vec<(String, String)> {
    let (CorrectionView { request, reply, error }, mut rows) = (a.correction, Vec::new());
    let given = |given: bool| if given { " (given)" } else { "" };
    rows.push(("  vantage".to_owned(), format!("{}{}", a.vantage.label(), given(a.vantage_given))));
    if error != Span::ZERO {
        rows.push((
            "  correction".to_owned(),
            format!("copies {request} before they were captured, replies {reply} after; each within {error}"),
        ));
    }
    let delay = |d: &DelayView| format!("{} (nine in ten {} to {}; {} measured)", d.median, d.low, d.high, d.samples);
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
