//! `report`: one HTML file from a session and its capture.

use crate::args::{Misuse, OutFile, Secret};
use crate::progress::Bar;
use crate::{captures, output};
use anyhow::bail;
use api::view::{SessionCapture, SessionDecode, SessionFile};
use api::{DecodeOptions, Opened, ReadOptions, Silent};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// `report`
#[derive(clap::Args, Debug)]
pub struct ReportArgs {
    /// The capture of the session; several where it was merged from several.
    #[arg(value_name = "F", required_unless_present = "sample")]
    pub files: Vec<PathBuf>,
    /// A bundled capture instead of a file.
    #[arg(long, value_name = "ID", conflicts_with = "files")]
    pub sample: Option<String>,
    /// Session file of the app, or a report, which has one inside; without, the capture as it is when it was just
    /// opened.
    #[arg(long, value_name = "SESSION")]
    pub spec: Option<PathBuf>,
    /// The report; without, it goes to standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<OutFile>,
    /// Only the data of the report, as JSON.
    #[arg(long)]
    pub data: bool,
    /// Take the capture although its octets are not those that the session names.
    #[arg(long)]
    pub other_capture: bool,
    /// Key of 802.15.4 security, as elsewhere (repeatable): a session has none.
    #[arg(long = "key", value_name = "HEX[:INDEX]")]
    pub keys: Vec<Secret>,
    /// File with such keys, one on a line.
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,
    /// Do not print notes on standard error.
    #[arg(long, short)]
    pub quiet: bool,
}

/// Writes the report of a session as one HTML file, or its data as JSON. Fails where the session or capture cannot be
/// read, the octets of the capture are not those of the session, or the program was built without its report page.
pub fn report(args: &ReportArgs) -> anyhow::Result<()> {
    if page::REPORT.is_empty() && !args.data {
        bail!("this program was built without its report page; `npm run -s rtoscope -- report …` builds both");
    }
    let (opened, file) = match &args.spec {
        Some(spec) => of_session(args, spec)?,
        None => {
            let opened = open(args, &SessionDecode::default())?;
            let mut file = SessionFile::first(&opened);
            if let Some(capture) = file.captures.first_mut() {
                capture.sample.clone_from(&args.sample);
            }
            (opened, file)
        }
    };
    if opened.trace.exchanges.is_empty() {
        output::say("the capture has no confirmable exchange: the report has no measures");
    }
    let view = api::report_data(Arc::new(opened), &file, &mut Bar::new("replaying"))?;
    let text = if args.data {
        api::printable_json(&serde_json::to_string(&view)?).into_owned()
    } else {
        api::report_page(page::REPORT, &view)?
    };
    output::octets(args.out.as_ref(), |sink| Ok(sink.write_all(text.as_bytes())?))
}

/// Returns the capture that the session file at `spec` names, and the session.
fn of_session(args: &ReportArgs, spec: &Path) -> anyhow::Result<(Opened, SessionFile)> {
    let mut file = match spec.as_os_str() == "-" {
        true => SessionFile::parse(&captures::read_text(spec)?)?,
        false => api::read_session(spec)?,
    };
    let hashes = match &args.sample {
        Some(id) => vec![api::sha256(captures::sample(id)?.octets)?],
        None => args
            .files
            .iter()
            .map(|path| Ok(api::file_view(path, &mut Silent)?.sha256))
            .collect::<anyhow::Result<_>>()?,
    };
    choose(&mut file, &hashes, args)?;
    let session = &mut file.captures[file.current as usize];
    let opened = open(args, &session.decode)?;
    if args.other_capture && !names(session, &hashes) {
        // The report is then of this one.
        (session.files, session.sample, session.name) = (Vec::new(), args.sample.clone(), String::new());
    }
    Ok((opened, file))
}

/// Whether the capture of a session has files with these SHA-256 hashes, in this order.
fn names(capture: &SessionCapture, hashes: &[String]) -> bool {
    capture.files.iter().map(|file| &file.sha256).eq(hashes)
}

/// Makes the capture with these hashes the current one of the session. Fails where the session has none, unless
/// `--other-capture` is given.
fn choose(file: &mut SessionFile, hashes: &[String], args: &ReportArgs) -> anyhow::Result<()> {
    if let Some(index) = file.captures.iter().position(|capture| names(capture, hashes)) {
        file.current = u32::try_from(index)?;
        return Ok(());
    }
    let Some(wanted) = file.captures.get(file.current as usize) else { bail!("the session names no capture") };
    if args.other_capture {
        return Ok(());
    }
    let named = args
        .sample
        .clone()
        .unwrap_or_else(|| args.files.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" + "));
    let wanted: Vec<String> = wanted
        .files
        .iter()
        .map(|file| format!("{} ({} octets, sha256 {})", file.name, file.octets, file.sha256))
        .collect();
    bail!(
        "{named} is not what the session was made with (the session: {}; this: sha256 {}); with --other-capture it is taken all the \
         same, and the report is of this one",
        wanted.join(" + "),
        hashes.join(" + ")
    )
}

fn open(args: &ReportArgs, decode: &SessionDecode) -> anyhow::Result<Opened> {
    let mut reading = ReadOptions::of(&decode.with_keys(Vec::new()), &DecodeOptions::default())?;
    reading.decode.keys = captures::keys(&args.keys, args.key_file.as_deref())?;
    if decode.keys > 0 && reading.decode.keys.is_empty() && !args.quiet {
        let keys = decode.keys;
        output::say(&format!("note: the session was made with {keys} keys, which no file holds; see --key-file"));
    }
    let mut bar = Bar::new("reading");
    let opened = match &args.sample {
        Some(id) => Opened::sample(captures::sample(id)?, Some(&reading), &mut bar)?,
        None if args.files.iter().any(|file| file.as_os_str() == "-") => {
            return Err(Misuse("a report names its capture by its file: standard input has none".to_owned()).into());
        }
        None => {
            let paths: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
            Opened::files(&paths, &reading, &mut bar)?
        }
    };
    drop(bar);
    if !args.quiet {
        output::notes(opened.trace.notes.kinds());
    }
    Ok(opened)
}
