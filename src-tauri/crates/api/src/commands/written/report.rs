//! Reports: one self-contained HTML file. It shows the page's own views over recorded replies of this core, so that
//! there is one renderer. Its data is a function of capture, session and program alone.

mod recorder;
mod sections;

use crate::report_page::page;
use crate::session::file::{self as session_file, FORMAT as SESSION_FORMAT};
use crate::session::output;
use crate::shell::{self, quoted};
use crate::view::{ReportRequest, ReportView, SessionCapture, SessionFile};
use crate::{Error, Opened, Progress, Session};
use std::sync::Arc;

pub use recorder::Recorder;

/// Value of `format` in the data of a report.
const FORMAT: &str = "rtoscope-report";
/// Version of the schema of that data.
const VERSION: u32 = 1;
/// Answers `report`: makes the data of a report of `request.capture`, which is the current one of the session, and
/// writes the page where a path is given. Errs where the capture is not open, the session does not fit it, or the file
/// cannot be written.
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
        let page = page(session.report_page(), &view)?;
        output::write(session, path, |sink| sink.write_all(page.as_bytes()))?;
    }
    Ok(view)
}

/// Makes the data of a report of `opened` under the session `file`.
///
/// # Errors
/// [`crate::Code::Request`] where the session has no capture or cannot be replayed, [`crate::Code::Cancelled`].
pub fn data(opened: Arc<Opened>, file: &SessionFile, progress: &mut dyn Progress) -> Result<ReportView, Error> {
    let session = reduced(&opened, file)?;
    let is_first = session == reduced(&opened, &SessionFile::first(&opened))?;
    let mut recorder = Recorder::new(opened, session)?;
    recorder.replay(progress)?;
    for section in sections::chosen(&recorder.file.report.sections) {
        sections::record(section, &mut recorder, progress)?;
    }
    let command = command(&recorder.file, is_first);
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

/// Reduces `file` to what a report depends on: the current capture alone, without folders.
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
    capture.folder = None;
    file.captures = vec![capture];
    file.current = 0;
    // Figures of a report name their own recipes, and there is no other capture to leave out.
    file.figures.without.clear();
    file.figures.without_by_recipe.clear();
    file.program = session_file::program();
    // The open view of the window does not belong to the report.
    "report".clone_into(&mut file.view);
    Ok(file)
}

/// Returns the line that makes this report again from `session.rtoscope.json`, or from the report itself, beside the
/// capture; a report in which nothing was set (`is_first`) needs the capture alone.
fn command(file: &SessionFile, is_first: bool) -> String {
    let mut words = vec!["rtoscope".to_owned(), "report".to_owned()];
    for capture in &file.captures {
        match &capture.sample {
            Some(id) => words.extend(["--sample".to_owned(), quoted(id)]),
            None => words.extend(capture.files.iter().map(|file| quoted(&shell::file(&file.name)))),
        }
        if capture.decode.keys > 0 {
            words.extend(["--key-file".to_owned(), "keys.txt".to_owned()]);
        }
    }
    if !is_first {
        words.extend(["--spec", "session.rtoscope.json"].map(str::to_owned));
    }
    words.extend(["--out", "report.html"].map(str::to_owned));
    words.join(" ")
}
