//! Reports: one HTML file that needs nothing else. What it shows is the page's own views over recorded answers of this
//! core, so that there is one renderer; its data is a function of capture, session and program alone.

mod sections;

use crate::session_file::{self, FORMAT as SESSION_FORMAT};
use crate::view::{
    CaptureView, ReplayRequest, ReplayView, ReportReply, ReportRequest, ReportTable, ReportView, RunId, SessionCapture,
    SessionFile, Startup,
};
use crate::{Error, Opened, Progress, Reply, Session, comparison};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

pub(crate) use sections::check as check_sections;
pub use sections::{SECTIONS, Section};

/// What the data of a report calls itself.
const FORMAT: &str = "rtoscope-report";
/// Version of the schema.
const VERSION: u32 = 1;
/// Where the page keeps its data: the element whose content is replaced.
const OPENING: &str = "<script type=\"application/json\" id=\"rtoscope-report\">";
const CLOSING: &str = "</script>";

/// Makes the data of a report of `request.capture`, which is the current one of the session, and writes the page
/// where a path is given.
pub(crate) fn report(
    session: &Session,
    request: &ReportRequest,
    progress: &mut dyn Progress,
) -> Result<ReportView, Error> {
    let opened = session.capture(request.capture)?;
    let mut file = request.file.clone();
    file.captures = file.captures.get(file.current as usize).cloned().into_iter().collect();
    file.current = 0;
    let file = session_file::complete(session, &file, &[request.capture])?;
    let view = data(opened, &file, progress)?;
    if let Some(path) = &request.path {
        session_file::save(Path::new(path), page(session.report_page(), &view)?.as_bytes())?;
    }
    Ok(view)
}

/// The data of a report of `opened` under the session `file`.
///
/// # Errors
/// [`crate::Code::Request`] where the session does not fit the capture, [`crate::Code::Cancelled`].
pub fn data(opened: Arc<Opened>, file: &SessionFile, progress: &mut dyn Progress) -> Result<ReportView, Error> {
    let session = reduced(&opened, file)?;
    let mut recorder = Recorder::new(opened, session)?;
    recorder.replay(progress)?;
    for section in sections::chosen(&recorder.file.report.sections) {
        (section.record)(&mut recorder)?;
    }
    let command = command(&recorder.file);
    let tables = recorder.tables()?;
    Ok(ReportView {
        format: FORMAT.to_owned(),
        version: VERSION,
        program: session_file::program(),
        command,
        replies: recorder.replies,
        tables,
        session: recorder.file,
    })
}

/// `view` in the page `template`, which is built from ui/report.html.
///
/// # Errors
/// [`crate::Code::Internal`] where this program was built without that page.
pub fn page(template: &str, view: &ReportView) -> Result<String, Error> {
    let missing = || Error::internal("This program was built without its report page (`npm start` builds it).");
    let (before, rest) = template.split_once(OPENING).ok_or_else(missing)?;
    let (_, after) = rest.split_once(CLOSING).ok_or_else(missing)?;
    // In a script element only `<` could end it; in JSON it only stands in texts, where it may be escaped.
    let text = serde_json::to_string(view).map_err(Error::internal)?.replace('<', "\\u003c");
    Ok([before, OPENING, &text, CLOSING, after].concat())
}

/// The data in a report, as it stands there.
#[must_use]
pub fn data_of(html: &str) -> Option<&str> {
    html.split_once(OPENING)?.1.split_once(CLOSING).map(|(text, _)| text)
}

/// The session in a report.
pub(crate) fn embedded(html: &str) -> Result<Value, Error> {
    let refuse = || Error::request("This is no session file, and no report of RTOscope either.");
    let mut data: Value = serde_json::from_str(data_of(html).ok_or_else(refuse)?).map_err(|_| refuse())?;
    let session = data.get_mut("session").ok_or_else(refuse)?.take();
    Ok(session)
}

/// `file` with the current capture alone, without folders: what a report depends on.
fn reduced(opened: &Opened, file: &SessionFile) -> Result<SessionFile, Error> {
    let mut file = file.clone();
    if file.format != SESSION_FORMAT {
        return Err(Error::request("A report needs a session."));
    }
    let current = file.captures.get(file.current as usize).cloned();
    let mut capture: SessionCapture = current.ok_or_else(|| Error::request("The session has no capture."))?;
    if capture.files.is_empty() {
        capture.files = session_file::files_of(opened);
        capture.decode = session_file::decode_of(opened);
    }
    if capture.name.is_empty() {
        capture.name.clone_from(&opened.trace.capture.name);
    }
    capture.files.iter_mut().for_each(|file| file.path = None);
    file.captures = vec![capture];
    file.current = 0;
    file.program = session_file::program();
    // Where the reader was in the window is not what the report says.
    "report".clone_into(&mut file.view);
    Ok(file)
}

/// The line that makes this report again from `session.rtoscope.json`, or from the report itself, beside the capture.
fn command(file: &SessionFile) -> String {
    let mut words = vec!["rtoscope".to_owned(), "report".to_owned()];
    for capture in &file.captures {
        match &capture.sample {
            Some(id) => words.extend(["--sample".to_owned(), quoted(id)]),
            None => words.extend(capture.files.iter().map(|file| quoted(&file.name))),
        }
        if capture.decode.keys > 0 {
            words.extend(["--key-file".to_owned(), "keys.txt".to_owned()]);
        }
    }
    words.extend(["--spec", "session.rtoscope.json", "--out", "report.html"].map(str::to_owned));
    words.join(" ")
}

/// As a POSIX shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:+@%".contains(c);
    let is_plain = !word.is_empty() && !word.starts_with('-') && word.chars().all(plain);
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// A session of its own, in which the capture is 0 and runs count from 0 whatever was run before, and what it answered.
#[derive(Debug)]
pub struct Recorder {
    session: Session,
    file: SessionFile,
    capture: SessionCapture,
    runs: Vec<RunId>,
    compared: Option<ReplayView>,
    replies: Vec<ReportReply>,
}

impl Recorder {
    fn new(opened: Arc<Opened>, file: SessionFile) -> Result<Self, Error> {
        let capture = file.captures.first().cloned().ok_or_else(|| Error::request("The session has no capture."))?;
        let session = Session::default();
        let view = session.admit(opened);
        let mut recorder = Self { session, capture, file, runs: Vec::new(), compared: None, replies: Vec::new() };
        let startup = Startup {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            samples: Vec::new(),
            default_algorithms: recorder.file.algorithms.iter().map(|choice| choice.id.clone()).collect(),
        };
        recorder.keep("startup", Value::Null, json_of(&startup)?);
        let view = recorder.anonymous(view);
        recorder.keep("captures", Value::Null, json_of(&[view])?);
        let algorithms = recorder.algorithms()?;
        recorder.keep("algorithms", Value::Null, algorithms);
        Ok(recorder)
    }

    /// `view` without what depends on the folder that the capture is in.
    fn anonymous(&self, mut view: CaptureView) -> CaptureView {
        view.name.clone_from(&self.capture.name);
        view.path = None;
        view.read_as.mote_log = None;
        for (file, told) in view.read_as.files.iter_mut().zip(&self.capture.files) {
            file.name.clone_from(&told.name);
            file.path = None;
        }
        view
    }

    /// The registry in its order, which decides colours and dashes; those not shown with their names only.
    fn algorithms(&self) -> Result<Value, Error> {
        let mut specs = json_of(self.session.roster().algorithms())?;
        let shown = |id: &Value| self.file.algorithms.iter().any(|choice| Some(choice.id.as_str()) == id.as_str());
        for spec in specs.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
            if spec.get("id").is_some_and(shown) {
                continue;
            }
            for field in ["params", "state", "warnings", "assumptions"] {
                spec.insert(field.to_owned(), json!([]));
            }
            spec.insert("summary".to_owned(), json!(""));
            spec.insert("citation".to_owned(), json!(""));
            spec.insert("diagram".to_owned(), Value::Null);
        }
        Ok(specs)
    }

    fn replay(&mut self, progress: &mut dyn Progress) -> Result<(), Error> {
        if self.file.algorithms.is_empty() {
            return Ok(());
        }
        let place = |choice| self.file.algorithms.iter().position(|other| other == choice);
        let baseline = self.file.baseline.as_ref().and_then(place);
        let request = ReplayRequest {
            capture: 0,
            algorithms: self.file.algorithms.clone(),
            channel: self.file.replay.channel,
            workload: self.file.replay.workload,
            seed: self.file.replay.seed,
            replicates: self.file.replay.replicates,
            baseline: baseline.and_then(|index| u32::try_from(index).ok()),
            as_recorded: Vec::new(),
            bounds: true,
            policy: crate::view::PolicyView::default(),
        };
        let reply = self.session.replay(&request, progress)?;
        self.runs = reply.runs.iter().map(|run| run.run).collect();
        let mut asked = json_of(&request)?;
        if let Some(fields) = asked.as_object_mut() {
            // The page does not know of it.
            fields.remove("policy");
        }
        self.keep("replay", asked, json_of(&reply)?);
        self.compared = Some(reply);
        Ok(())
    }

    /// What the section may look at: the capture and what was looked at in it.
    #[must_use]
    pub fn capture(&self) -> &SessionCapture {
        &self.capture
    }

    /// Recorded behaviour (null) and every run.
    pub fn behaviours(&self) -> Vec<Value> {
        std::iter::once(Value::Null).chain(self.runs.iter().map(|&run| run.into())).collect()
    }

    /// Ask the core, and keep what it says for the page.
    ///
    /// # Errors
    /// As the command says.
    pub fn ask(&mut self, name: &str, request: Value) -> Result<(), Error> {
        match self.session.call(name, request.clone(), &mut crate::Silent)? {
            Reply::Json(reply) => self.keep(name, request, reply),
            Reply::Bytes(octets) => self.replies.push(ReportReply {
                name: name.to_owned(),
                request,
                json: Value::Null,
                arrow: Some(base64(&octets)),
            }),
        }
        Ok(())
    }

    fn keep(&mut self, name: &str, request: Value, reply: Value) {
        self.replies.push(ReportReply { name: name.to_owned(), request, json: reply, arrow: None });
    }

    fn tables(&self) -> Result<Vec<ReportTable>, Error> {
        let Some(reply) = &self.compared else { return Ok(Vec::new()) };
        let listing = comparison(reply);
        let written = |format| -> Result<Vec<u8>, Error> {
            let mut octets = Vec::new();
            table::write(&listing, format, &mut octets).map_err(Error::internal)?;
            Ok(octets)
        };
        let csv = String::from_utf8(written(table::Format::Csv)?).map_err(Error::internal)?;
        let parquet = base64(&written(table::Format::Parquet)?);
        Ok(vec![ReportTable { name: "compare".to_owned(), csv, parquet }])
    }
}

fn json_of<T: serde::Serialize + ?Sized>(value: &T) -> Result<Value, Error> {
    serde_json::to_value(value).map_err(Error::internal)
}

/// RFC 4648 §4.
fn base64(octets: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(octets.len().div_ceil(3) * 4);
    for chunk in octets.chunks(3) {
        let octet = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let word = octet(0) << 16 | octet(1) << 8 | octet(2);
        for place in 0..4 {
            let digit = DIGITS.get((word >> (18 - 6 * place) & 63) as usize).copied().unwrap_or(b'=');
            text.push(if place <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{base64, quoted};

    #[test]
    fn rfc4648_test_vectors() {
        // RFC 4648 §10.
        let vectors =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")];
        for (octets, text) in vectors {
            assert_eq!(base64(octets.as_bytes()), text);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xbf]), "+/+/");
    }

    #[test]
    fn words_of_a_shell() {
        assert_eq!(quoted("a-b_1.pcap.gz"), "a-b_1.pcap.gz");
        assert_eq!(quoted("it's here.pcap"), r"'it'\''s here.pcap'");
        assert_eq!(quoted("--out"), "'--out'");
        assert_eq!(quoted(""), "''");
    }
}
