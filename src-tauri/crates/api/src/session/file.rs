//! Session files: read, checked, completed, written. The schema is [`SessionFile`]; the meaning of its fields is known
//! to ui/src/state.

use crate::opened::samples::samples;
use crate::opened::{file_sha256, window};
use crate::session::output;
use crate::view::{
    CaptureId, ChannelKind, ContextHow, FoundCapture, FoundKind, PolicyView, SectionKind, SessionCapture,
    SessionDecode, SessionFigures, SessionFile, SessionFileRef, SessionReadRequest, SessionReplay, SessionReport,
    SessionSweep, SessionView, SessionWriteRequest, WorkloadKind,
};
use crate::{Error, Opened, Progress, Session, report_page, runs, sha256};
use base::{AssociationId, Cancelled, Part};
use rto::AlgorithmSet;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Value of `format` in a session file.
pub const FORMAT: &str = "rtoscope-session";
/// Version of the schema; files of other versions are refused.
pub const VERSION: u32 = 1;
/// Number of replicates of a session in which nothing was set, as in the window (ui/src/state/window/prefs.svelte.ts).
const FIRST_REPLICATES: u32 = 200;
/// Greatest size of a session file or report, octets. Chosen here: anything longer is neither. It bounds the memory
/// that a wrong file takes.
const MAX_FILE: u64 = 256 << 20;

impl SessionFile {
    /// Reads the text of a session file, or of a report, which has one inside.
    ///
    /// # Errors
    /// [`crate::Code::Request`] that names the mistake: not a session file, another version, an unknown or missing
    /// field, a value out of range.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let embedded;
        let text = if text.trim_start().starts_with('<') {
            embedded = report_page::embedded(text)?.to_string();
            &embedded
        } else {
            text
        };
        let refuse =
            |error| Error { detail: Some(format!("{error}")), ..Error::request("This is no session file: no JSON.") };
        let value: Value = serde_json::from_str(text).map_err(refuse)?;
        let format = value.get("format").and_then(Value::as_str);
        if format != Some(FORMAT) {
            return Err(Error::request(format!("This is no session file: its `format` is not `{FORMAT}`.")));
        }
        match value.get("version").and_then(|version| version.as_f64()) {
            Some(version) if version == f64::from(VERSION) => {}
            Some(version) => {
                return Err(Error::request(format!(
                    "This session file has version {version} of the format; this program reads version {VERSION}."
                )));
            }
            None => return Err(Error::request("This session file does not say the version of its format.")),
        }
        // From the text, not from `value`: the error then says in which line it is.
        let file: Self = match serde_json::from_str(text) {
            Ok(file) => file,
            Err(_) => serde_json::from_str(&whole_numbers(text)).map_err(|error| mistake(&error))?,
        };
        file.check()?;
        Ok(file)
    }

    fn check(&self) -> Result<(), Error> {
        runs::check_replicates(self.replay.replicates)?;
        self.replay.policy.check()?;
        if self.current as usize >= self.captures.len().max(1) {
            return Err(Error::request(format!("The session file has no capture {}.", self.current)));
        }
        if self.baseline.as_ref().is_some_and(|baseline| !self.algorithms.contains(baseline)) {
            return Err(Error::request("The baseline of the session file is none of its algorithms."));
        }
        check_sections(&self.report.sections)
    }

    /// Returns the session of the just opened capture `opened`: the algorithms of a first comparison, nothing set.
    #[must_use]
    pub fn first(opened: &Opened) -> Self {
        let trace = &opened.trace;
        let capture = SessionCapture {
            name: trace.capture.name.clone(),
            sample: None,
            folder: None,
            files: files_of(opened),
            decode: decode_of(opened),
            window: window(&trace.capture),
            selection: None,
            playhead: window(&trace.capture).0,
            association: AssociationId(0),
            tags: BTreeMap::new(),
            flags: Vec::new(),
            as_recorded: Vec::new(),
            start: None,
            nodes: Vec::new(),
            lanes: None,
        };
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: program(),
            captures: vec![capture],
            current: 0,
            view: "compare".to_owned(),
            algorithms: runs::first_algorithms(&AlgorithmSet::default()),
            baseline: None,
            replay: SessionReplay {
                channel: ChannelKind::Auto,
                workload: WorkloadKind::Auto,
                seed: 1,
                replicates: FIRST_REPLICATES,
                policy: PolicyView::default(),
            },
            metrics: None,
            packet_columns: None,
            colour_rules: None,
            what_if: None,
            kept: Vec::new(),
            sweep: SessionSweep::default(),
            predictions: Vec::new(),
            figures: SessionFigures::default(),
            report: SessionReport::default(),
        }
    }

    /// Returns the text of the session file: JSON, indented, with a line end.
    ///
    /// # Errors
    /// [`crate::Code::Internal`] where it cannot be written as JSON.
    pub fn text(&self) -> Result<String, Error> {
        let mut text = serde_json::to_string_pretty(self).map_err(Error::internal)?;
        text.push('\n');
        Ok(text)
    }
}

/// Checks the names of sections of a report.
///
/// # Errors
/// [`crate::Code::Request`] for an unknown section.
fn check_sections(ids: &[String]) -> Result<(), Error> {
    let known = SectionKind::ALL.map(SectionKind::id);
    match ids.iter().find(|id| !known.contains(id)) {
        Some(id) => Err(Error::request(format!("A report has no section `{id}`; there are: {}.", known.join(", ")))),
        None => Ok(()),
    }
}

/// Describes a mistake in a session file: its place, and the remedy.
fn mistake(error: &serde_json::Error) -> Error {
    let said = error.to_string();
    let how = match said.contains("floating point") {
        true => " Times are whole nanoseconds, and counts whole numbers.",
        false => "",
    };
    Error::request(format!("The session file has a mistake: {said}.{how}"))
}

/// Returns `text` with whole numbers written as such: other programs write `3.0` or `3e2` where a count or a time is
/// meant. Lines stay the same.
fn whole_numbers(text: &str) -> String {
    /// Magnitude above which not every whole number is one of f64: 2^53.
    const EXACT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
    let mut out = String::with_capacity(text.len());
    let (mut quoted, mut escaped) = (false, false);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if quoted || !(c.is_ascii_digit() || c == '-') {
            quoted ^= c == '"' && !escaped;
            escaped = quoted && c == '\\' && !escaped;
            out.push(c);
            continue;
        }
        let mut number = String::from(c);
        while let Some(c) = rest.next_if(|c| c.is_ascii_digit() || "+-.eE".contains(*c)) {
            number.push(c);
        }
        match number.parse::<f64>() {
            Ok(value) if number.contains(['.', 'e', 'E']) && value.fract() == 0.0 && value.abs() <= EXACT => {
                out.push_str(&(value as i64).to_string());
            }
            _ => out.push_str(&number),
        }
    }
    out
}

/// Reads a session file, or the session in a report, at `path`.
///
/// # Errors
/// [`crate::Code::Request`] where it cannot be read, or as [`SessionFile::parse`].
pub fn read_session(path: &Path) -> Result<SessionFile, Error> {
    let mut text = String::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(MAX_FILE + 1).read_to_string(&mut text));
    let name = path.display();
    match read {
        Ok(octets) if octets as u64 > MAX_FILE => {
            Err(Error::request(format!("{name} is too large for a session file.")))
        }
        Ok(_) => {
            SessionFile::parse(&text).map_err(|error| Error { message: format!("{name}: {}", error.message), ..error })
        }
        Err(error) => Err(Error::request(format!("{name} cannot be read: {error}."))),
    }
}

/// Answers `session_read`: reads a session file and looks for its captures where they were, then beside it. `progress`
/// counts captures. Errs as [`read_session`], and when cancelled.
pub(crate) fn read(
    _: &Session,
    request: &SessionReadRequest,
    progress: &mut dyn Progress,
) -> Result<SessionView, Error> {
    let path = Path::new(&request.path);
    let file = read_session(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let all = file.captures.len() as u64;
    let find = |(at, capture)| find(capture, folder, &mut Part::new(progress, at, at + 1, all));
    let found = (0..).zip(&file.captures).map(find).collect::<Result<_, _>>()?;
    Ok(SessionView { file, found })
}

fn find(capture: &SessionCapture, folder: &Path, progress: &mut dyn Progress) -> Result<FoundCapture, Cancelled> {
    if let Some(id) = &capture.sample {
        let bundled = samples().iter().find(|sample| sample.id == id);
        let state = match bundled.map(|sample| sha256(sample.octets)) {
            Some(Ok(hash)) if capture.files.iter().all(|file| file.sha256 == hash) => FoundKind::Same,
            Some(_) => FoundKind::Differs,
            None => FoundKind::Missing,
        };
        return Ok(FoundCapture { state, paths: Vec::new() });
    }
    let all = capture.files.len() as u64;
    let find = |(at, file)| find_file(file, folder, &mut Part::new(progress, at, at + 1, all));
    let files: Vec<(FoundKind, Option<String>)> = (0..).zip(&capture.files).map(find).collect::<Result<_, _>>()?;
    // The kinds are ordered from best to worst.
    let state = files.iter().map(|file| file.0).max().unwrap_or(FoundKind::Missing);
    Ok(FoundCapture { state, paths: files.into_iter().map(|file| file.1).collect() })
}

fn find_file(
    file: &SessionFileRef,
    folder: &Path,
    progress: &mut dyn Progress,
) -> Result<(FoundKind, Option<String>), Cancelled> {
    // A name is a name: a session file from somewhere else does not send this program through folders.
    let beside = Path::new(&file.name).file_name().map(|name| folder.join(name));
    let places: Vec<PathBuf> =
        file.path.iter().map(PathBuf::from).chain(beside).filter(|place| place.is_file()).collect();
    let mut same = None;
    for (at, place) in (0..).zip(&places) {
        let mut reading = Part::new(progress, at, at + 1, places.len() as u64);
        if same.is_none() && file_sha256(place, &mut reading)?.is_ok_and(|sha256| sha256 == file.sha256) {
            same = Some(place);
        }
    }
    Ok(match same.or(places.first()) {
        Some(place) => {
            let state = if same.is_some() { FoundKind::Same } else { FoundKind::Differs };
            (state, Some(place.display().to_string()))
        }
        None => (FoundKind::Missing, None),
    })
}

/// Answers `session_write`: completes a session, and writes it where a path is given. Errs as [`complete`], and where
/// the file cannot be written.
pub(crate) fn write(session: &Session, request: &SessionWriteRequest) -> Result<SessionFile, Error> {
    let file = complete(session, &request.file, &request.captures)?;
    if let Some(path) = &request.path {
        let text = file.text()?;
        output::write(session, path, |sink| sink.write_all(text.as_bytes()))?;
    }
    Ok(file)
}

/// Returns `file` with names, files and decode options of the open captures `ids`, and algorithms in terms of the
/// registry. Errs where a capture is not open, their number differs from that of the file, or a value is out of range.
pub(crate) fn complete(session: &Session, file: &SessionFile, ids: &[CaptureId]) -> Result<SessionFile, Error> {
    if ids.len() != file.captures.len() {
        return Err(Error::request("A session names each of its captures once."));
    }
    let algorithm_set = session.algorithm_set();
    let resolve = |choice| crate::runs::resolve(&algorithm_set, choice);
    let mut done = SessionFile {
        format: FORMAT.to_owned(),
        version: VERSION,
        program: program(),
        algorithms: file.algorithms.iter().map(resolve).collect::<Result<_, _>>()?,
        baseline: file.baseline.as_ref().map(resolve).transpose()?,
        what_if: file.what_if.as_ref().map(resolve).transpose()?,
        kept: file.kept.iter().map(resolve).collect::<Result<_, _>>()?,
        ..file.clone()
    };
    for (capture, &id) in done.captures.iter_mut().zip(ids) {
        let opened = session.capture(id)?;
        // A capture that a session was restored with keeps the name it has there.
        if capture.name.is_empty() {
            capture.name.clone_from(&opened.trace.capture.name);
        }
        capture.files = files_of(&opened);
        capture.decode = decode_of(&opened);
    }
    done.check()?;
    Ok(done)
}

/// Returns the name and version of this program: `RTOscope 0.1.0`.
pub(crate) fn program() -> String {
    concat!("RTOscope ", env!("CARGO_PKG_VERSION")).to_owned()
}

/// Returns the files of `opened`, as a session file names them.
pub(crate) fn files_of(opened: &Opened) -> Vec<SessionFileRef> {
    let length = |path: &Option<String>| match path {
        Some(path) => std::fs::metadata(path).map_or(0, |meta| meta.len()),
        None => opened.trace.capture.file_len,
    };
    let file = |file: &crate::view::FileView| SessionFileRef {
        name: file.name.clone(),
        path: file.path.clone(),
        sha256: file.sha256.clone(),
        octets: length(&file.path),
    };
    opened.files.iter().map(file).collect()
}

/// Returns the decode options of `opened` as a session file has them, without keys.
pub(crate) fn decode_of(opened: &Opened) -> SessionDecode {
    let read = opened.read_as();
    let address = |(short, extended): &(u16, [u8; 8])| {
        let octets: Vec<String> = extended.iter().map(|octet| format!("{octet:02x}")).collect();
        format!("0x{short:04x}={}", octets.join(":"))
    };
    SessionDecode {
        fcs: read.fcs,
        ports: read.ports,
        rc_option: Some(read.rc_option),
        contexts: read
            .contexts
            .iter()
            .filter(|context| context.how == ContextHow::Given)
            .map(|context| format!("{}={}", context.id, context.prefix))
            .collect(),
        keys: read.keys,
        addresses: opened.trace.options.addresses.iter().map(address).collect(),
        unpack_ratio: Some(read.unpack_ratio),
    }
}
