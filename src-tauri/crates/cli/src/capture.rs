//! `info`, `exchanges`, and how every command opens its capture.

use crate::args::{CaptureArgs, ExchangesArgs, FcsArg, Format, InfoArgs};
use crate::output;
use crate::progress::Bar;
use anyhow::Context as _;
use api::{Cells, DecodeOptions, FcsChoice, ImportOptions, Listing, Opened, Trace};
use std::io::{Read as _, Write as _};

fn options(args: &CaptureArgs) -> DecodeOptions {
    DecodeOptions {
        ports: args.ports.clone(),
        rc_option: args.rc_option,
        contexts: args.contexts.iter().map(|c| (c.id, c.prefix, c.len)).collect(),
        ..DecodeOptions::default()
    }
}

/// Read and decode, with a bar and, afterwards, the notes. `-` is standard input.
pub fn decode(args: &CaptureArgs) -> anyhow::Result<Trace> {
    Ok(decode_and_hash(args, false)?.0)
}

fn decode_and_hash(args: &CaptureArgs, hash: bool) -> anyhow::Result<(Trace, String)> {
    let fcs = match args.fcs {
        FcsArg::Auto => FcsChoice::Auto,
        FcsArg::None => FcsChoice::None,
        FcsArg::Crc16 => FcsChoice::Crc16,
        FcsArg::Ti => FcsChoice::TiMetadata,
    };
    let import = ImportOptions::default().with_fcs(fcs);
    let mut bar = Bar::new("reading");
    let mut sha256 = String::new();
    let trace = if args.is_standard_input() {
        // A pipe is read once: what is hashed is what was decoded.
        let mut octets = Vec::new();
        std::io::stdin().lock().read_to_end(&mut octets)?;
        if hash {
            sha256 = api::sha256(&octets[..])?;
        }
        api::decode_octets("standard input", octets, &import, &options(args), &mut bar)?
    } else {
        if hash {
            sha256 = api::sha256(std::fs::File::open(&args.file).with_context(|| args.file.display().to_string())?)?;
        }
        api::decode(&args.file, &import, &options(args), &mut bar)?
    };
    drop(bar);
    if !args.quiet {
        for note in trace.notes.kinds() {
            eprintln!("note: {note}");
        }
    }
    Ok((trace, sha256))
}

/// As [`decode`], ready for replay.
pub fn open(args: &CaptureArgs) -> anyhow::Result<Opened> {
    let (trace, sha256) = decode_and_hash(args, true)?;
    let path = (!args.is_standard_input()).then(|| args.file.display().to_string());
    Ok(Opened::new(trace, sha256, path))
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
        ("sha256".into(), view.sha256.clone()),
        ("epoch".into(), view.epoch.clone().unwrap_or_else(|| "simulated time".into())),
        ("start".into(), seconds(view.start.nanos())),
        ("end".into(), seconds(view.end.nanos())),
        ("frames".into(), view.frames.to_string()),
        ("messages".into(), view.messages.to_string()),
        ("exchanges".into(), view.exchanges.to_string()),
        ("copies".into(), view.copies.to_string()),
    ];
    for a in &view.associations {
        let hops = a.hops.map_or_else(String::new, |h| format!(", {h} hops"));
        rows.push((
            format!("{} -> {}", a.client_name, a.server_name),
            format!(
                "{} exchanges, {} copies, {} needless, vantage {:?}, workload {:?}, NSTART {}{hops}",
                a.exchanges, a.copies, a.needless, a.vantage, a.workload, a.nstart
            ),
        ));
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
    let listing = if args.copies { api::copies(&trace) } else { api::exchanges(&trace) };
    output::listing(&listing, &args.output)
}
