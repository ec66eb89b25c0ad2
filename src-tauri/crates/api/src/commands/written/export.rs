//! Export of packets as pcapng: frames of a capture as they are, the packets that a run would have sent, and every
//! frame that the network twin simulated (`on_air`).
//!
//! A counterfactual file has the recorded frames that stay as they were on interfaces of their own, and on one more, as
//! raw IP, the packets that the other timer would have sent and the replies they would have met. `plan` decides on the
//! frames that stay, `synthetic` makes the new packets. `wireshark/README.md` states the claims of such a file and
//! their limits.

mod messages;
mod on_air;
mod plan;
mod synthetic;

use crate::opened::{Names, look, rows};
use crate::runs::Stored;
use crate::session::output;
use crate::view::{
    ExportPacketTableRequest, ExportPacketsRequest, ExportRunRequest, Exported, RowKind, RunFileKind, RunId,
};
use crate::{Error, Opened, Progress, Session};
use base::{FrameId, Part, SharedProgress};
use on_air::OnAir;
use plan::ExportPlan;
use std::io::{self, Write};
use synthetic::Synthetic;
use table::{Format, ListLabels, ShownColumn};
use trace::export::{FrameWriter, RAW_IP, Section, earliest, unix_nanos};
use trace::{Capture, Trace};

/// Name of the writing program in pcapng files.
const APPLICATION: &str = concat!("RTOscope ", env!("CARGO_PKG_VERSION"));

/// Writes frames of `trace` as pcapng, in the order given; an interface for each source and link type. `progress`
/// counts frames.
///
/// # Errors
/// When the sink fails; with [`base::Cancelled`] inside when `progress` breaks.
pub fn write_frames(
    trace: &Trace,
    frames: &[FrameId],
    sink: &mut dyn Write,
    progress: &mut dyn Progress,
) -> io::Result<()> {
    let mut shared = SharedProgress::new(progress, frames.len() as u64);
    shared.list(frames.len() as u64, frames.len()).map_err(io::Error::other)?;
    let capture = &trace.capture;
    let section = Section {
        application: APPLICATION.to_owned(),
        comments: capture.annotations.file.clone(),
        earliest: earliest(capture, frames),
    };
    let mut writer = FrameWriter::new(sink, &section, capture, frames, str::to_owned)?;
    for (index, &id) in frames.iter().enumerate() {
        shared.item(index).map_err(io::Error::other)?;
        writer.frame(id, at(capture, id))?;
    }
    writer.inner.flush()
}

/// Returns the Unix time of frame `id`, nanoseconds; 0 for one that does not exist.
fn at(capture: &Capture, id: FrameId) -> i64 {
    capture.frames.get(id.index()).map_or(0, |frame| unix_nanos(capture, frame))
}

/// Shares of the work on a file of a run, per cent: matching frames to messages; of the rest, planning, making new
/// packets, and writing. Chosen here by judgement; they move the progress bar only.
const PLACES: u64 = 5;
const PLANNING: u64 = 30;
const MAKING: u64 = 30;
const WRITING: u64 = 40;
const HUNDRED: u64 = 100;
/// Share of the work on a file of simulated frames before it is written, per cent, chosen likewise.
const COMPOSING: u64 = 85;

/// Writes the packets that `run` would have sent, as pcapng. Returns their numbers, without a path.
///
/// # Errors
/// When the sink fails; [`base::Cancelled`] inside when `progress` breaks.
fn write_run(opened: &Opened, run: &Stored, sink: &mut dyn Write, progress: &mut dyn Progress) -> io::Result<Exported> {
    let trace = &opened.trace;
    let places = opened.lists.places(trace, &mut Part::new(progress, 0, PLACES, HUNDRED)).map_err(io::Error::other)?;
    let mut progress = Part::new(progress, PLACES, HUNDRED, HUNDRED);
    let mut shared = SharedProgress::new(&mut progress, HUNDRED);
    shared.stage(PLANNING, ExportPlan::passes(trace, &run.steps)).map_err(io::Error::other)?;
    let plan =
        ExportPlan::new(trace, &run.steps, run.result.scenario.history.until(), &shared).map_err(io::Error::other)?;
    shared.list(MAKING, plan.plays.len()).map_err(io::Error::other)?;
    let made = synthetic::packets(trace, places, run, &plan, &shared).map_err(io::Error::other)?;
    shared.ask().map_err(io::Error::other)?;
    let recorded: Vec<FrameId> =
        (0..trace.capture.frames.len()).map(FrameId::at).filter(|&id| !plan.leaves(id)).collect();
    let copies = made.iter().filter(|packet| packet.is_copy).count();
    let exported = Exported {
        path: String::new(),
        recorded: count(recorded.len()),
        left_out: count(trace.capture.frames.len() - recorded.len()),
        copies: count(copies),
        replies: count(made.len() - copies),
        simulated: 0,
        notes: Vec::new(),
    };
    let first_made = made.iter().map(|packet| unix(&trace.capture, packet)).min();
    let section = Section {
        application: APPLICATION.to_owned(),
        comments: trace
            .capture
            .annotations
            .file
            .iter()
            .cloned()
            .chain([about(opened, run, &plan, &exported)])
            .collect(),
        earliest: first_made.unwrap_or(0).min(earliest(&trace.capture, &recorded)),
    };
    let one = trace.capture.sources.len() <= 1;
    let name = |source: &str| if one { "recorded".to_owned() } else { format!("recorded ({source})") };
    let mut writer = FrameWriter::new(sink, &section, &trace.capture, &recorded, name)?;
    let own = writer.inner.interface(
        RAW_IP,
        &format!("{} (counterfactual)", run.key.algorithm.id),
        "Synthetic: what this timer would have sent, and the replies it would have met. None of it was on the air.",
    )?;
    // Recorded frames before synthetic packets of the same time, each in their order.
    let mut order: Vec<(i64, bool, usize)> =
        recorded.iter().map(|&id| (at(&trace.capture, id), false, id.index())).collect();
    order.extend(made.iter().enumerate().map(|(index, packet)| (unix(&trace.capture, packet), true, index)));
    order.sort_unstable();
    shared.list(WRITING, order.len()).map_err(io::Error::other)?;
    for (place, (at, is_made, index)) in order.into_iter().enumerate() {
        shared.item(place).map_err(io::Error::other)?;
        match made.get(index).filter(|_| is_made) {
            Some(Synthetic { octets, comment, .. }) => {
                let len = u32::try_from(octets.len()).unwrap_or(u32::MAX);
                writer.inner.packet(own, at, octets, len, [comment.as_str()])?;
            }
            None => writer.frame(FrameId::at(index), at)?,
        }
    }
    writer.inner.flush()?;
    Ok(exported)
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn unix(capture: &Capture, packet: &Synthetic) -> i64 {
    capture.epoch_unix_nanos.unwrap_or(0).saturating_add(packet.at.nanos())
}

/// Returns the comment on the whole of a counterfactual file.
fn about(opened: &Opened, run: &Stored, plan: &ExportPlan, exported: &Exported) -> String {
    let scenario = &run.result.scenario;
    let key = &run.key;
    let params = match key.algorithm.params.is_empty() {
        true => String::new(),
        false => format!(" with {}", serde_json::to_string(&key.algorithm.params).unwrap_or_default()),
    };
    let (copies, supported) = plan.support();
    let rules = key.policy.said().map_or_else(String::new, |rules| format!(" Rules: {rules}."));
    let part = key.part.said(opened).map_or_else(String::new, |part| format!(" Replayed: {part}."));
    let epoch = match opened.trace.capture.epoch_unix_nanos {
        Some(_) => "",
        None => " Times count from the start of the simulation, not from 1970.",
    };
    format!(
        "Counterfactual, by {APPLICATION}: {} (SHA-256 {}) as it would have been under the timer {}{params}. \
         {} recorded frames are as they were; {} are left out: copies and replies that would not have been there or not \
         then, and their link-layer acknowledgements. {} copies and {} replies are synthetic, marked by a comment each, \
         on an interface of their own. Channel {}, workload {}, seed {}, replicate 0: one realisation of chance, not \
         the mean. {supported} of the fates of its {copies} copies are recorded ones.{rules}{part}{epoch}",
        opened.trace.capture.name,
        opened.sha256(),
        key.algorithm.id,
        exported.recorded,
        exported.left_out,
        exported.copies,
        exported.replies,
        scenario.channel.label(),
        key.workload.label(),
        scenario.seed,
    )
}

/// Returns the frames of a packet list; of a list of messages, all frames that carried them.
fn frames_of(trace: &Trace, kind: RowKind, rows: &[u32]) -> Vec<FrameId> {
    match kind {
        RowKind::Frames => rows.iter().map(|&row| FrameId(row)).collect(),
        RowKind::Messages => {
            let messages = rows.iter().filter_map(|&row| trace.messages.get(row as usize));
            let mut frames: Vec<FrameId> =
                messages.flat_map(|message| message.hops()).flat_map(|hop| hop.frames).copied().collect();
            frames.sort_unstable();
            frames.dedup();
            frames
        }
    }
}

/// Numbers of a file of `recorded` frames or rows of a list.
fn of_list(path: &str, recorded: u32) -> Exported {
    Exported { path: path.to_owned(), recorded, left_out: 0, copies: 0, replies: 0, simulated: 0, notes: Vec::new() }
}

/// Answers `export_packets`; errs where the capture is not open, for a mistake in the filter, and where the file cannot
/// be written.
pub(crate) fn packets(
    session: &Session,
    request: &ExportPacketsRequest,
    progress: &mut dyn Progress,
) -> Result<Exported, Error> {
    let opened = session.capture(request.list.capture)?;
    // Filtering takes about as long as writing all rows.
    let rows = rows(&opened, &request.list, &mut Part::new(progress, 0, 1, 2))?;
    let frames = frames_of(&opened.trace, request.list.rows, &rows);
    let mut writing = Part::new(progress, 1, 2, 2);
    output::write(session, &request.path, |sink| write_frames(&opened.trace, &frames, sink, &mut writing))?;
    let recorded = u32::try_from(frames.len()).unwrap_or(u32::MAX);
    Ok(of_list(&request.path, recorded))
}

/// Answers `export_packet_table`; errs where the capture is not open, for no or an unknown column, for a mistake in the
/// filter or in a rule of colour, and where the file cannot be written.
pub(crate) fn packet_table(
    session: &Session,
    request: &ExportPacketTableRequest,
    progress: &mut dyn Progress,
) -> Result<Exported, Error> {
    let opened = session.capture(request.list.capture)?;
    let column = |name: &String| ShownColumn::named(name).map_err(|error| Error::request(error.message));
    let columns: Vec<ShownColumn> = request.columns.iter().map(column).collect::<Result<_, _>>()?;
    if columns.is_empty() {
        return Err(Error::request("A table needs a column."));
    }
    let in_force = || request.rules.iter().filter(|rule| rule.on);
    let look = look([], in_force().map(|rule| &rule.filter))?;
    let rules: Vec<String> = in_force().map(|rule| rule.name.clone()).collect();
    let names = Names::of(&request.nodes);
    // Filtering takes about as long as reading all rows again.
    let rows = rows(&opened, &request.list, &mut Part::new(progress, 0, 1, 2))?;
    let mut reading = Part::new(progress, 1, 2, 2);
    let trace = &opened.trace;
    let places = opened.lists.places(trace, &mut reading)?;
    let labels = ListLabels { rules: &rules, say: &|text| names.say(text) };
    let kind = request.list.rows.rows();
    let listing = table::shown(trace, places, (kind, &rows), &columns, &look, &labels, &mut reading)?;
    output::write(session, &request.path, |sink| table::write(&listing, Format::Csv, sink).map_err(io::Error::other))?;
    let recorded = u32::try_from(listing.rows()).unwrap_or(u32::MAX);
    Ok(of_list(&request.path, recorded))
}

/// A file of a run, made but not yet written.
enum RunFile {
    /// The packets that the timer would have sent.
    Packets,
    /// Every frame of its simulation.
    Frames(OnAir),
}

impl RunFile {
    /// Makes the file of this `kind`; errs where the run simulates no frames and they are asked for, and when
    /// cancelled.
    fn make(kind: RunFileKind, opened: &Opened, run: &Stored, progress: &mut dyn Progress) -> Result<Self, Error> {
        Ok(match kind {
            RunFileKind::Packets => Self::Packets,
            RunFileKind::Frames => {
                Self::Frames(OnAir::compose(opened, run, &mut Part::new(progress, 0, COMPOSING, HUNDRED))?)
            }
        })
    }

    /// Writes it to `sink`; errs when the sink fails, or with [`base::Cancelled`] inside when `progress` breaks.
    fn write(
        &self,
        opened: &Opened,
        run: &Stored,
        sink: &mut dyn Write,
        progress: &mut dyn Progress,
    ) -> io::Result<Exported> {
        match self {
            Self::Packets => write_run(opened, run, sink, progress),
            Self::Frames(on_air) => {
                on_air.write(opened, run, sink, &mut Part::new(progress, COMPOSING, HUNDRED, HUNDRED))
            }
        }
    }
}

/// Answers `export_run`; errs where the run or its capture is not open, where it simulates no frames and they are asked
/// for, and where the file cannot be written.
pub(crate) fn run(
    session: &Session,
    request: &ExportRunRequest,
    progress: &mut dyn Progress,
) -> Result<Exported, Error> {
    let stored = session.run(request.run)?;
    let opened = session.capture(stored.key.capture)?;
    let file = RunFile::make(request.kind, &opened, &stored, progress)?;
    let exported = output::write(session, &request.path, |sink| file.write(&opened, &stored, sink, progress))?;
    Ok(Exported { path: request.path.clone(), ..exported })
}

impl Session {
    /// Writes the file of this `kind` about run `run` to `sink`, as pcapng, and returns its numbers: of simulated
    /// frames, those of the replicate that the run shows.
    ///
    /// # Errors
    /// [`crate::Code::Gone`] where the run is not open, [`crate::Code::Request`] where it simulates no frames and they
    /// are asked for, [`crate::Code::Cancelled`]; inside, the sink's own error, or [`base::Cancelled`] in one.
    pub fn write_run(
        &self,
        run: RunId,
        kind: RunFileKind,
        sink: &mut dyn Write,
        progress: &mut dyn Progress,
    ) -> Result<io::Result<Exported>, Error> {
        let stored = self.run(run)?;
        let opened = self.capture(stored.key.capture)?;
        let file = RunFile::make(kind, &opened, &stored, progress)?;
        Ok(file.write(&opened, &stored, sink, progress))
    }
}
