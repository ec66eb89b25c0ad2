//! Sections of reports ([`SectionKind`]): the requests of each. ui/src/views/report/sections.ts draws the section with
//! the same id.

use super::Recorder;
use crate::view::SectionKind;
use crate::{Error, Progress};
use serde_json::json;

/// Width of lanes in a report, pixels. Chosen here: twice that of a wide window, so that little is binned.
const PX: u32 = 2_400;
/// Number of bins of the navigator: as many as the page asks for (`BINS` in `ui/src/state/capture/capture.svelte.ts`).
const BINS: u32 = 872;

/// Returns the sections with these ids, in the order of reports; all where `ids` is empty. Unknown ids are left out.
pub(super) fn chosen(ids: &[String]) -> Vec<SectionKind> {
    SectionKind::ALL.into_iter().filter(|section| ids.is_empty() || ids.contains(&section.id())).collect()
}

/// Asks the core for the replies of a section, beside those that every report has: the capture, the algorithms, the
/// replay.
///
/// # Errors
/// As the commands that it asks.
pub(super) fn record(section: SectionKind, report: &mut Recorder, progress: &mut dyn Progress) -> Result<(), Error> {
    match section {
        SectionKind::Compare => {
            report.measured(progress)?;
            report.distribution(progress)
        }
        SectionKind::Check => report.checks(progress),
        SectionKind::Trust => report.trust(progress),
        SectionKind::Timeline => timeline(report, progress),
        SectionKind::Sensitivity => report.sensitivity(progress),
        SectionKind::Figures => figures(report, progress),
        SectionKind::Rto => rto(report, progress),
        SectionKind::Summary | SectionKind::Notes | SectionKind::Parameters | SectionKind::Reproduce => Ok(()),
    }
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
