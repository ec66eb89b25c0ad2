//! Commands of the view *Study*.

use crate::figure::{format_of, write as write_table};
use crate::session::output;
use crate::study::{
    StudyFigureAsked, StudyPlace, StudyRequest, Tally, bundled_study, find_runs, may_hold_presets, study_figure_slowly,
    study_measures, study_report, write_study,
};
use crate::view::{
    FigureView, StudyBundledRequest, StudyFigureRequest, StudyFigureTableRequest, StudyFindRequest, StudyFoundView,
    StudyGridRequest, StudyGridView, StudyRanView, StudyReportRequest, StudyRequestView, StudyWriteRequest,
};
use crate::{Error, Progress, Session};
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use table::Listing;

/// Level of intervals and letters, as of the command line.
const LEVEL: f64 = 0.9;

pub(crate) fn find(
    _: &Session,
    request: &StudyFindRequest,
    progress: &mut dyn Progress,
) -> Result<StudyFoundView, Error> {
    find_runs(request, progress)
}

pub(crate) fn write(session: &Session, request: &StudyWriteRequest) -> Result<StudyRequestView, Error> {
    let files = write_study(request, &session.algorithm_set())?;
    if let Some((name, presets)) = &files.presets {
        let path = Path::new(&request.path).with_file_name(name);
        may_hold_presets(&path)?;
        output::write(session, &path.to_string_lossy(), |sink| sink.write_all(presets.as_bytes()))?;
    }
    save(session, &request.path, &files.text)
}

pub(crate) fn bundled(session: &Session, request: &StudyBundledRequest) -> Result<StudyRequestView, Error> {
    let text = bundled_study(request)?;
    save(session, &request.path, &text)
}

fn save(session: &Session, path: &str, text: &str) -> Result<StudyRequestView, Error> {
    output::write(session, path, |sink| sink.write_all(text.as_bytes()))?;
    Ok(StudyRequestView { path: path.to_owned() })
}

/// Runs a study on all cores. Progress is in rows of this run, of the tasks that had none.
pub(crate) fn run(
    session: &Session,
    request: &StudyRequestView,
    progress: &mut dyn Progress,
) -> Result<StudyRanView, Error> {
    let place = StudyPlace::of(Path::new(&request.path));
    let spec = place.spec.ok_or_else(|| {
        Error::request(format!(
            "{} does not say where the study's file and captures are: open the file of the study to go on.",
            place.out.display()
        ))
    })?;
    let program = session.program().to_owned();
    let request = StudyRequest { spec, out: place.out, threads: None, again: false, program };
    let progress = Mutex::new(progress);
    let watch = |tally: Tally| {
        let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
        let earlier = tally.earlier as u64;
        progress.tick((tally.rows as u64).saturating_sub(earlier), (tally.tasks as u64).saturating_sub(earlier))
    };
    let reply = crate::study::study_run(&request, &watch)?;
    if reply.stopped {
        return Err(Error::cancelled());
    }
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let Tally { tasks, rows, failed, .. } = reply.tally;
    Ok(StudyRanView { tasks: count(tasks), rows: count(rows), failed: count(failed), notes: reply.notes })
}

pub(crate) fn grid(
    _: &Session,
    request: &StudyGridRequest,
    progress: &mut dyn Progress,
) -> Result<StudyGridView, Error> {
    crate::study::study_grid(request, progress)
}

pub(crate) fn figure(
    _: &Session,
    request: &StudyFigureRequest,
    progress: &mut dyn Progress,
) -> Result<FigureView, Error> {
    Ok(drawn(request, progress)?.0)
}

fn drawn(request: &StudyFigureRequest, progress: &mut dyn Progress) -> Result<(FigureView, Listing<String>), Error> {
    let asked = StudyFigureAsked {
        kind: request.kind,
        measure: study_measures(request.measure.as_slice())?.first().copied(),
        over: request.over.clone(),
        level: LEVEL,
    };
    study_figure_slowly(&StudyPlace::of(Path::new(&request.path)).out, &asked, progress)
}

pub(crate) fn export_figure(
    session: &Session,
    request: &StudyFigureTableRequest,
    progress: &mut dyn Progress,
) -> Result<(), Error> {
    let format = format_of(&request.format)?;
    StudyPlace::of(Path::new(&request.figure.path)).check_output(Path::new(&request.path))?;
    let (view, listing) = drawn(&request.figure, progress)?;
    output::write(session, &request.path, |sink| write_table(&view, listing, format, sink).map_err(io::Error::other))
}

pub(crate) fn report(
    session: &Session,
    request: &StudyReportRequest,
    progress: &mut dyn Progress,
) -> Result<(), Error> {
    let place = StudyPlace::of(Path::new(&request.study));
    place.check_output(Path::new(&request.path))?;
    let document = study_report(&place.out, request.over.as_deref(), LEVEL, progress)?;
    let octets = document.file(request.form, session.report_page())?;
    output::write(session, &request.path, |sink| sink.write_all(&octets))
}
