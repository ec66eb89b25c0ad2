//! What a report can hold. A section is an entry here, with what the page will ask the core for it, and one of the same
//! id in ui/src/report/sections.ts, which draws it.

use super::Recorder;
use crate::{Error, Progress};
use serde_json::json;

/// One section.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Its name in session files.
    pub id: &'static str,
    /// Asks the core for what it shows, beside what every report has: the capture, the algorithms, the replay.
    pub record: fn(&mut Recorder, &mut dyn Progress) -> Result<(), Error>,
}

/// Every section, in the order of a report.
pub const SECTIONS: &[Section] = &[
    Section { id: "summary", record: nothing },
    Section { id: "notes", record: nothing },
    Section { id: "timeline", record: timeline },
    Section { id: "compare", record: nothing },
    Section { id: "sensitivity", record: Recorder::sensitivity },
    Section { id: "figures", record: figures },
    Section { id: "rto", record: rto },
    Section { id: "parameters", record: nothing },
    Section { id: "reproduce", record: nothing },
];

/// Pixels of a window that is drawn in a page: twice those of a wide one, so that little is binned.
const PX: u32 = 2_400;
/// Bins of the navigator, as the page asks for them.
const BINS: u32 = 872;

/// The sections called `ids`, in the order of [`SECTIONS`]; all of them where none is called.
pub(crate) fn chosen(ids: &[String]) -> Vec<&'static Section> {
    SECTIONS.iter().filter(|section| ids.is_empty() || ids.iter().any(|id| id == section.id)).collect()
}

/// # Errors
/// [`crate::Code::Request`] for a section that there is not.
pub(crate) fn check(ids: &[String]) -> Result<(), Error> {
    match ids.iter().find(|id| SECTIONS.iter().all(|section| section.id != **id)) {
        Some(id) => {
            let known: Vec<&str> = SECTIONS.iter().map(|section| section.id).collect();
            Err(Error::request(format!("A report has no section `{id}`; there are: {}.", known.join(", "))))
        }
        None => Ok(()),
    }
}

fn nothing(_: &mut Recorder, _: &mut dyn Progress) -> Result<(), Error> {
    Ok(())
}

fn timeline(report: &mut Recorder, progress: &mut dyn Progress) -> Result<(), Error> {
    report.ask("navigator", json!({ "capture": 0, "bins": BINS }), progress)?;
    let (t0, t1) = report.capture().window;
    let lanes = json!({ "capture": 0, "runs": report.behaviours(), "t0": t0, "t1": t1, "px": PX });
    report.ask("lanes", lanes, progress)
}

fn figures(report: &mut Recorder, progress: &mut dyn Progress) -> Result<(), Error> {
    for request in report.figures() {
        report.ask("figure", request, progress)?;
    }
    Ok(())
}

fn rto(report: &mut Recorder, progress: &mut dyn Progress) -> Result<(), Error> {
    let (t0, t1) = report.capture().window;
    let association = report.capture().association;
    let at = report.capture().playhead;
    for run in report.behaviours() {
        report.ask(
            "rto",
            json!({ "capture": 0, "run": run, "association": association, "t0": t0, "t1": t1 }),
            progress,
        )?;
        if !run.is_null() {
            report.ask("state", json!({ "capture": 0, "run": run, "association": association, "at": at }), progress)?;
        }
    }
    Ok(())
}
