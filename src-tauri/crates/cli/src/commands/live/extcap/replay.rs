//! The interface "RTOscope replay": plays a capture into Wireshark at its recorded speed or a multiple of it.

use super::ExtcapArgs;
use super::control::{self, Change, Toolbar};
use super::pace::{Pace, Speed};
use crate::args::{Misuse, OutFile};
use anyhow::Context as _;
use api::pcapng::{FrameWriter, Section, unix_nanos};
use api::{Capture, FrameId, ImportOptions, OutputFile, Silent};
use std::io::Write;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// Numbers of the toolbar's controls.
const SPEED: u8 = 0;
const PAUSE: u8 = 1;

/// Time from the last packet to the first of the next round under `--loop`, nanoseconds. Chosen here by judgement: no
/// experiment decides it; rounds stay apart for the eye, and no exchange of one waits for the next.
const BETWEEN: i64 = 1_000_000_000;

/// Returns the lines of settings that Wireshark asks for before it starts a capture.
pub fn settings(_: &str) -> Vec<String> {
    let mut lines = vec![
        "arg {number=0}{call=--file}{display=Capture}{type=fileselect}{mustexist=true}{required=true}\
         {tooltip=Whatever RTOscope opens: pcap, pcapng, Cooja radio logs and others}"
            .to_owned(),
        "arg {number=1}{call=--speed}{display=Speed}{type=selector}{default=1}\
         {tooltip=How much faster than it was recorded}"
            .to_owned(),
        "arg {number=2}{call=--loop}{display=Begin again at the end}{type=boolflag}{default=false}".to_owned(),
    ];
    lines.extend(Speed::OFFERED.map(|speed| {
        let default = speed == "1";
        format!("value {{arg=1}}{{value={speed}}}{{display={speed}}}{{default={default}}}")
    }));
    lines
}

/// Returns the lines that declare the controls of Wireshark's toolbar.
pub fn controls() -> Vec<String> {
    let mut lines = vec![
        format!(
            "control {{number={SPEED}}}{{type=selector}}{{display=Speed}}{{tooltip=How much faster than it was recorded}}"
        ),
        format!(
            "control {{number={PAUSE}}}{{type=boolean}}{{display=Pause}}{{default=false}}{{tooltip=Send nothing for now}}"
        ),
    ];
    lines.extend(Speed::OFFERED.map(|speed| {
        let default = speed == "1";
        format!("value {{control={SPEED}}}{{value={speed}}}{{display={speed} ×}}{{default={default}}}")
    }));
    lines
}

/// Plays the capture of `--file` into Wireshark's pipe. Fails where an option is missing, the capture cannot be
/// imported, or the pipe closes.
pub fn capture(args: &ExtcapArgs, _: &str) -> anyhow::Result<()> {
    let fifo = args.fifo.as_ref().and_then(OutFile::path).ok_or_else(|| Misuse("--capture needs --fifo".to_owned()))?;
    let file = args.file.as_deref().ok_or_else(|| Misuse("--capture needs --file".to_owned()))?;
    let capture = api::import(file, &ImportOptions::default(), &mut Silent)?;
    let refused = || fifo.display().to_string();
    let mut pipe = OutputFile::create(fifo).with_context(refused)?;
    let (sender, changes) = mpsc::channel();
    if let Some(path) = args.extcap_control_in.clone() {
        control::listen(path, sender.clone());
    }
    let mut toolbar = args.extcap_control_out.as_ref().and_then(|out| Toolbar::open(out.path()?).ok());
    if let (Some(toolbar), Speed::Times(times)) = (&mut toolbar, args.speed) {
        // A toolbar that is gone is no reason to stop.
        let _ = toolbar.set(SPEED, &times.to_string());
    }
    let done = play(&capture, &mut pipe, args.speed, args.again, &changes);
    if let Some(toolbar) = &mut toolbar {
        let _ = toolbar.status("RTOscope replay: the end of the capture");
    }
    drop(sender);
    done?;
    pipe.commit().with_context(refused)
}

/// Writes the frames in order of time, each when it is due, as pcapng. `changes` may change the `speed` and pause; its
/// sender must live as long as this runs. With `again` it goes on until the sink closes. Fails where the sink does.
#[expect(clippy::disallowed_methods, reason = "the pace of a replay is that of a clock")]
fn play(
    capture: &Capture,
    sink: impl Write,
    speed: Speed,
    again: bool,
    changes: &Receiver<Change>,
) -> anyhow::Result<()> {
    // A radio log has records in the order in which transmissions end.
    let mut order: Vec<(i64, FrameId)> =
        capture.frames.iter().enumerate().map(|(at, frame)| (unix_nanos(capture, frame), FrameId::at(at))).collect();
    order.sort_unstable();
    let (Some(&(first, _)), Some(&(last, _))) = (order.first(), order.last()) else { return Ok(()) };
    let application = concat!("RTOscope ", env!("CARGO_PKG_VERSION")).to_owned();
    let section = Section { application, comments: vec![format!("Replay of {}", capture.name)], earliest: first };
    let frames: Vec<FrameId> = order.iter().map(|&(_, id)| id).collect();
    let mut writer = FrameWriter::new(sink, &section, capture, &frames, str::to_owned)?;
    let mut pace = Pace::new(speed, Instant::now(), first);
    let mut shift = 0_i64;
    loop {
        for &(at, id) in &order {
            let at = at.saturating_add(shift);
            while let Some(change) = next_change(&pace, at, changes, || writer.inner.flush())? {
                apply(&mut pace, &change, Instant::now());
            }
            pace.passed(at, Instant::now());
            writer.frame(id, at)?;
        }
        if !again {
            return Ok(writer.inner.flush()?);
        }
        // The next round's times go on where this one's ended.
        shift = shift.saturating_add(last - first).saturating_add(BETWEEN);
    }
}

/// Waits until a packet of the capture's time `at`, nanoseconds, is due (`None`), or for the next change of the
/// toolbar, whichever is first. Calls `before` before it waits, and fails where that does.
#[expect(clippy::disallowed_methods, reason = "the pace of a replay is that of a clock")]
fn next_change(
    pace: &Pace,
    at: i64,
    changes: &Receiver<Change>,
    before: impl FnOnce() -> std::io::Result<()>,
) -> std::io::Result<Option<Change>> {
    let wait = pace.wait(at, Instant::now());
    if wait == Some(Duration::ZERO) {
        return Ok(changes.try_recv().ok());
    }
    before()?;
    // The sender lives as long as this runs: only time ends the wait.
    Ok(match wait {
        Some(wait) => changes.recv_timeout(wait).ok(),
        None => changes.recv().ok(),
    })
}

/// Applies a message of the toolbar; an invalid value changes nothing.
fn apply(pace: &mut Pace, (control, value): &Change, now: Instant) {
    let text = String::from_utf8_lossy(value);
    match *control {
        SPEED => {
            if let Ok(speed) = Speed::parse(&text) {
                pace.set_speed(speed, now);
            }
        }
        // A boolean is one octet, 0 or 1.
        PAUSE => pace.pause(!matches!(value.first(), None | Some(0 | b'0')), now),
        _ => {}
    }
}
