//! Opening of captures, for every command.

use crate::args::{Assumption, CaptureArgs, Misuse, Secret};
use crate::clients::Clients;
use crate::output;
use crate::progress::Bar;
use anyhow::Context as _;
use api::view::{CaptureView, FileView};
use api::{
    Assumed, Assumptions, Capture, DecodeOptions, ImportOptions, KnownTimers, LinkKey, Opened, ReadOptions, Silent,
    Trace,
};
use std::io::Read as _;
use std::path::Path;

/// Returns the options of import and decoding that `args` state. Fails on a malformed context, key or address, and
/// where the file of keys cannot be read.
pub fn reading(args: &CaptureArgs) -> anyhow::Result<ReadOptions> {
    let mut import = ImportOptions::default().with_fcs(args.fcs.choice());
    if let Some(ratio) = args.unpack_ratio {
        import = import.with_unpack_ratio(ratio.max(1));
    }
    let decode = DecodeOptions {
        ports: args.ports.clone(),
        rc_option: args.rc_option,
        contexts: args.contexts.iter().map(|text| api::context(text)).collect::<Result<_, _>>()?,
        keys: keys(&args.keys, args.key_file.as_deref())?,
        addresses: args.addresses.iter().map(|text| api::address(text)).collect::<Result<_, _>>()?,
        learned: api::Learned::default(),
        drops_octets: false,
    };
    Ok(ReadOptions { import, decode })
}

/// Returns the keys of IEEE 802.15.4 security: those of the command line, then those of `file`, one on a line, in its
/// order. A `#` begins a comment. Fails on a malformed key, or where the file cannot be read.
pub fn keys(given: &[Secret], file: Option<&Path>) -> anyhow::Result<Vec<LinkKey>> {
    let mut keys = api::keys(given.iter().map(|key| key.0.as_str()))?;
    if let Some(path) = file {
        let text = read_text(path)?;
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let read = api::keys(lines.filter(|line| !line.is_empty())).with_context(|| path.display().to_string())?;
        keys.extend(read);
    }
    Ok(keys)
}

/// Reads a whole UTF-8 text file; `-` is standard input. Fails where it cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    if path.as_os_str() != "-" {
        return std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
    }
    let mut text = String::new();
    std::io::stdin().lock().read_to_string(&mut text).context("cannot read standard input")?;
    Ok(text)
}

/// Reads and decodes the captures, with a progress bar, applies the assumptions of `args` and prints notes. `-` is
/// standard input. Fails where a file cannot be imported, several files are given without `--merge`, or an assumption
/// names no client.
pub fn decode(args: &CaptureArgs) -> anyhow::Result<Trace> {
    Ok(read(args, false)?.0)
}

/// Returns the summary of the captures. Drops their octets while decoding, and so takes at most half the memory of
/// [`open`]. Fails as [`decode`] does.
pub fn summary(args: &CaptureArgs) -> anyhow::Result<CaptureView> {
    let mut reading = reading(args)?;
    reading.decode.drops_octets = true;
    let (trace, reading, files) = read_as(reading, args, true)?;
    Ok(api::summary(&trace, reading.import, &files, &mut Bar::new("indexing"))?)
}

/// Reads as `args` state. Returns the trace, the options that it was read with, and, where `hash` is set, name and
/// SHA-256 of each file (otherwise no files).
fn read(args: &CaptureArgs, hash: bool) -> anyhow::Result<(Trace, ReadOptions, Vec<FileView>)> {
    read_as(reading(args)?, args, hash)
}

/// Reads as [`read`] does, with the options of `reading` instead of those of `args`.
fn read_as(
    reading: ReadOptions,
    args: &CaptureArgs,
    hash: bool,
) -> anyhow::Result<(Trace, ReadOptions, Vec<FileView>)> {
    let paths: Vec<&Path> = args.files.iter().map(|path| path.as_path()).collect();
    if paths.len() > 1 && !args.merge {
        return Err(Misuse("several captures are read as one with --merge only".to_owned()).into());
    }
    if paths.len() > 1 && args.is_standard_input() {
        return Err(Misuse("the standard input cannot be merged".to_owned()).into());
    }
    let mut bar = Bar::new("reading");
    let (mut trace, files) = if args.is_standard_input() {
        // A pipe is read once: what is hashed is what was decoded.
        let name = "standard input".to_owned();
        let mut octets = Vec::new();
        std::io::stdin().lock().read_to_end(&mut octets)?;
        let mut files = Vec::new();
        if hash {
            files.push(FileView { name: name.clone(), path: None, sha256: api::sha256(&octets[..])? });
        }
        (api::decode_octets(&name, octets, &reading.import, &reading.decode, &mut bar)?, files)
    } else if hash {
        api::decode_and_hash(&paths, &reading, &mut bar)?
    } else {
        (api::decode_files(&paths, &reading, &mut bar)?, Vec::new())
    };
    drop(bar);
    assume(&mut trace, args)?;
    tell_notes(&trace, args);
    Ok((trace, reading, files))
}

/// Reads and decodes as [`decode`] does, with the hashes of the files and the indices that a replay needs. Fails as it
/// does.
pub fn open(args: &CaptureArgs) -> anyhow::Result<Opened> {
    let (trace, reading, files) = read(args, true)?;
    Ok(Opened::new(trace, reading.import, files, &mut Bar::new("indexing"))?)
}

/// Opens as [`open`] does; `sample:ID` is a bundled capture. Without `--rc-option` its own number of the
/// retransmission-count option is used. Fails where no bundled capture has this ID, too.
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
    Ok(Opened::of_sample(sample, trace, reading.import, &mut Bar::new("indexing"))?)
}

/// Returns the known timers of recorded copies, from the gaps between copies and from the mote log beside the capture.
/// Standard input and merged captures have no log. Fails as [`api::known_timers`] does.
pub fn timers(trace: &Trace, args: &CaptureArgs) -> anyhow::Result<KnownTimers> {
    let path = match &args.files[..] {
        [path] if !args.is_standard_input() => Some(path.as_path()),
        _ => None,
    };
    Ok(api::known_timers(trace, path, &mut Silent)?)
}

/// Returns the bundled capture with this ID. Fails with a [`Misuse`] that lists all IDs where there is none.
pub fn sample(id: &str) -> anyhow::Result<&'static api::SampleFile> {
    let known = || api::samples().iter().map(|sample| sample.id).collect::<Vec<_>>().join(", ");
    let found = api::samples().iter().find(|sample| sample.id == id);
    Ok(found.ok_or_else(|| Misuse(format!("there is no bundled capture `{id}`; there are: {}", known())))?)
}

/// Decodes an imported capture, rebuilds its exchanges and applies the assumptions of `args`. Prints no notes. Fails
/// where an assumption names no client.
pub fn judged(capture: Capture, reading: &ReadOptions, args: &CaptureArgs) -> anyhow::Result<Trace> {
    let mut trace = api::analyse(capture, &reading.decode, &mut Silent).map_err(api::Error::from)?;
    assume(&mut trace, args)?;
    Ok(trace)
}

/// Prints the notes of a trace on standard error, one line for each kind; nothing under `--quiet`.
pub fn tell_notes(trace: &Trace, args: &CaptureArgs) {
    if !args.quiet {
        output::notes(trace.notes.kinds());
    }
}

/// Judges `trace` again under the vantages, workloads and stack that `args` state; does nothing where they state none.
fn assume(trace: &mut Trace, args: &CaptureArgs) -> anyhow::Result<()> {
    if args.vantages.is_empty() && args.workloads.is_empty() && args.stack.is_none() {
        return Ok(());
    }
    let mut assumptions = Assumptions::default();
    let stack = args.stack.as_deref().map(api::stack).transpose();
    assumptions.all.stack = stack.map_err(|error| Misuse(error.to_string()))?;
    for Assumption { client, value } in &args.vantages {
        say(trace, &mut assumptions, client.as_deref(), |said| said.vantage = Some(value.vantage()))?;
    }
    for Assumption { client, value } in &args.workloads {
        say(trace, &mut assumptions, client.as_deref(), |said| said.workload = value.workload())?;
    }
    trace.assume(&assumptions, &mut api::Silent)?;
    Ok(())
}

/// Sets an assumption for all associations of `client`; for all clients where it is `None`.
fn say(
    trace: &Trace,
    assumptions: &mut Assumptions,
    client: Option<&str>,
    set: impl Fn(&mut Assumed),
) -> anyhow::Result<()> {
    let Some(client) = client else {
        set(&mut assumptions.all);
        return Ok(());
    };
    let found = Clients::from(trace).find(client)?;
    for association in trace.associations.iter().filter(|association| found.contains(&association.id)) {
        let ends = (association.client, association.server);
        match assumptions.each.iter_mut().find(|each| each.0 == ends) {
            Some((_, said)) => set(said),
            None => {
                let mut said = Assumed::default();
                set(&mut said);
                assumptions.each.push((ends, said));
            }
        }
    }
    Ok(())
}
