//! Following a file that grows: any capture or log on disk, and the file of a recording.

use crate::opened::{ReadOptions, file_view};
use crate::session::following::Following;
use crate::view::{CaptureId, CaptureView, FollowRequest, FollowView};
use crate::{Code, Error, Opened, Progress, Session};
use base::Part;
use std::path::Path;
use trace::{Growth, Tail};

/// Answers `follow_start`: begins to follow a file, in place of the one before. Errs for a path that is no file, a
/// malformed option, and where the capture to replace is not open.
pub(crate) fn start(session: &Session, request: &FollowRequest) -> Result<FollowView, Error> {
    let reading = request.decode.as_ref().map(|asked| ReadOptions::of(asked, session.options())).transpose()?;
    let reading =
        reading.unwrap_or_else(|| ReadOptions { decode: session.options().clone(), ..ReadOptions::default() });
    if let Some(id) = request.capture {
        session.capture(id)?;
    }
    if request.path.is_empty() || request.path == "-" {
        return Err(Error::request("Only a file can be followed."));
    }
    let following = Following::new(Path::new(&request.path), reading, request.capture);
    Ok(view(session.followed().lock().insert(following)))
}

/// Answers `follow_state`: the file that is followed; `None` without one. Never errs.
pub(crate) fn state(session: &Session, _: &()) -> Result<Option<FollowView>, Error> {
    Ok(session.followed().lock().as_ref().map(view))
}

fn view(following: &Following) -> FollowView {
    FollowView { path: following.path.display().to_string(), capture: following.capture }
}

/// Answers `follow_refresh`: the capture as it is now; `None` where nothing is new. Errs as [`grown`] does.
pub(crate) fn refresh(session: &Session, _: &(), progress: &mut dyn Progress) -> Result<Option<CaptureView>, Error> {
    grown(session, &|act| session.followed().lock().as_mut().map(act).unwrap_or_default(), progress)
}

/// Answers `follow_stop`: ends following, unless it is cancelled. Reads the file a last time as one that is whole, so
/// that what its writer left unfinished at the end is noted; `None` where nothing was ever read of it, or its capture
/// was closed. Errs where the file cannot be read or is no capture, and when cancelled.
pub(crate) fn stop(session: &Session, _: &(), progress: &mut dyn Progress) -> Result<Option<CaptureView>, Error> {
    let following = session.followed().lock().clone();
    let last = following.and_then(|following| {
        let capture = following.capture.filter(|&id| session.capture(id).is_ok())?;
        Some((capture, Opened::files(&[&following.path], &following.reading, progress)))
    });
    match last {
        Some((_, Err(error))) if error.code == Code::Cancelled => Err(error),
        last => {
            *session.followed().lock() = None;
            last.map(|(capture, opened)| Ok(session.replace(Some(capture), opened?))).transpose()
        }
    }
}

/// Action of [`grown`] on the followed file, under its lock; not called where none is followed any more.
pub(super) type Act<'a> = &'a mut dyn FnMut(&mut Following) -> Option<Following>;

/// Reads what is new in the file that `with` gives access to. The capture as it is now takes the place of the one
/// before; `None` where nothing is new, or another thread is reading. Errs where the file cannot be read or is no
/// capture, and when cancelled.
pub(super) fn grown(
    session: &Session,
    with: &dyn Fn(Act<'_>) -> Option<Following>,
    progress: &mut dyn Progress,
) -> Result<Option<CaptureView>, Error> {
    let taken = with(&mut |following| {
        let tail = following.tail.take()?;
        Some(Following { tail: Some(tail), ..following.clone() })
    });
    let Some(Following { tail: Some(mut tail), path, reading, capture: before }) = taken else { return Ok(None) };
    let read = read(&mut tail, &path, &reading, progress);
    let view = read.map(|opened| opened.map(|opened| session.replace(before, opened)));
    let now: Option<CaptureId> = view.as_ref().ok().and_then(Option::as_ref).map(|view| view.id).or(before);
    let mut tail = Some(tail);
    // Unless another file is followed by now, or the same one from the start.
    with(&mut |following| {
        if following.path == path && following.tail.is_none() {
            following.tail = tail.take();
            following.capture = now;
        }
        None
    });
    view
}

fn read(
    tail: &mut Tail,
    path: &Path,
    reading: &ReadOptions,
    progress: &mut dyn Progress,
) -> Result<Option<Opened>, Error> {
    let before = tail.clone();
    let capture = match tail.poll(progress)? {
        Growth::None => return Ok(None),
        Growth::More { capture, .. } | Growth::Restarted { capture } => *capture,
    };
    let opened = (|| {
        // Hundredths of the work.
        let [decoded, read, all] = [60, 70, 100];
        let trace = trace::analyse(capture, &reading.decode, &mut Part::new(progress, 0, decoded, all))?;
        // The hash is that of the file as it is now, which may have grown since.
        let files = vec![file_view(path, &mut Part::new(progress, decoded, read, all))?];
        let mut indexing = Part::new(progress, read, all, all);
        Opened::new(trace, reading.import, files, &mut indexing)
    })();
    if opened.is_err() {
        // Growth that was not shown is still new to the next look.
        *tail = before;
    }
    opened.map(Some)
}
