//! The only mutable state: open captures and their runs.

use crate::kept::{Kept, MOST_OCTETS};
use crate::reading::{self, Reading};
use crate::view::{
    AssumeRequest, CaptureId, CaptureRequest, CaptureView, IdentifyRequest, IdentifyView, OpenRequest, ReplayRequest,
    ReplayView, RunId, Sample, SensitivityView, Startup, WeatherView,
};
use crate::{
    Error, Opened, Progress, dissect, export, figure, identify, ladder, network, packets, queries, recording, report,
    runs, samples, sensitivity, session_file, step, weather,
};
use base::FrameId;
use rto::AlgorithmSet;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use trace::{DecodeOptions, Format};

/// What a command answers.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// A JSON value.
    Json(Value),
    /// An Arrow IPC stream.
    Bytes(Vec<u8>),
}

/// Runs kept per session, where they are small. Enough for every algorithm shown and a long walk along a slider; a run of
/// 10,000 exchanges takes some megabytes.
const KEPT_RUNS: usize = 96;
/// Runs kept for figures: twelve algorithms over five captures, drawn again when a switch is set.
const DRAWN_RUNS: usize = 64;

/// A window's captures and runs. Methods take `&self`: a session is shared between threads.
#[derive(Debug, Default)]
pub struct Session {
    state: Mutex<State>,
    live: recording::Slot,
    options: DecodeOptions,
    report_page: &'static str,
}

#[derive(Debug)]
struct State {
    captures: BTreeMap<CaptureId, Arc<Opened>>,
    runs: Kept,
    /// Runs that only figures look at: they take no place from those on the screen.
    drawn: Kept,
    roster: Arc<AlgorithmSet>,
    next_capture: CaptureId,
}

impl Default for State {
    fn default() -> Self {
        Self {
            captures: BTreeMap::new(),
            runs: Kept::new(KEPT_RUNS, MOST_OCTETS),
            drawn: Kept::new(DRAWN_RUNS, MOST_OCTETS),
            roster: Arc::default(),
            next_capture: 0,
        }
    }
}

impl State {
    fn forget_runs(&mut self, id: CaptureId) {
        self.runs.retain(|run| run.key.capture != id);
        self.drawn.retain(|run| run.key.capture != id);
    }
}

impl Session {
    /// A session that decodes with `options`.
    #[must_use]
    pub fn new(options: DecodeOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// This session, which writes reports into `page`, as it was built from ui/report.html.
    #[must_use]
    pub fn with_report_page(self, page: &'static str) -> Self {
        Self { report_page: page, ..self }
    }

    pub(crate) const fn report_page(&self) -> &'static str {
        self.report_page
    }

    /// Every critical section leaves the maps whole, so a poisoned lock is as good as a clean one.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answer the command `name` of [`crate::COMMANDS`].
    ///
    /// # Errors
    /// [`crate::Code::Request`] for an unknown command or a malformed request, else as the command says.
    pub fn call(&self, name: &str, request: Value, progress: &mut dyn Progress) -> Result<Reply, Error> {
        match name {
            "startup" => json(&startup()),
            "algorithms" => json(self.roster().algorithms()),
            "catalogue" => json(rto::unimplemented_proposals()),
            "presets" => json(&self.presets(&parse(request)?)?),
            "outlook" => json(&self.outlook(&parse(request)?)?),
            "open" => json(&self.open(&parse(request)?, progress)?),
            "close" => {
                self.close(parse::<CaptureRequest>(request)?.capture);
                Ok(Reply::Json(Value::Null))
            }
            "assume" => json(&self.assume(&parse(request)?, progress)?),
            "captures" => json(&self.captures()),
            "live_devices" => json(&recording::devices()),
            "live_start" => json(&recording::start(self, &parse(request)?)?),
            "live_stop" => json(&recording::stop(self)),
            "live_state" => json(&recording::state(self)),
            "live_channel" => json(&recording::set_channel(self, &parse(request)?)?),
            "live_refresh" => json(&recording::refresh(self, &self.options, progress)?),
            "replay" => json(&self.replay(&parse(request)?, progress)?),
            "sweep" => json(&runs::sweep(self, &parse(request)?, progress)?),
            "optimise" => json(&self.optimise(&parse(request)?, progress)?),
            "sensitivity" => json(&self.sensitivity(&parse(request)?, progress)?),
            "weather" => json(&self.weather(parse::<CaptureRequest>(request)?.capture, progress)?),
            "weather_series" => json(&weather::series(self, &parse(request)?, progress)?),
            "identify" => json(&self.identify(&parse(request)?, progress)?),
            "exchange" => json(&queries::exchange(self, &parse(request)?)?),
            "ladder" => json(&ladder::ladder(self, &parse(request)?)?),
            "state" => json(&queries::state(self, &parse(request)?)?),
            "step" => json(&step::step(self, &parse(request)?)?),
            "exchange_count" => json(&queries::exchange_count(self, &parse(request)?)?),
            "fields" => json(&packets::fields()),
            "packet_count" => json(&packets::count(self, &parse(request)?, progress)?),
            "packet_row" => json(&packets::row(self, &parse(request)?, progress)?),
            "packets" => packets::page(self, &parse(request)?, progress).map(Reply::Bytes),
            "dissect" => json(&dissect::frame(self, &parse(request)?, progress)?),
            "network" => json(&network::view(self, &parse(request)?, progress)?),
            "network_load" => network::load(self, &parse(request)?, progress).map(Reply::Bytes),
            "network_series" => network::series(self, &parse(request)?, progress).map(Reply::Bytes),
            "export_packets" => json(&export::packets(self, &parse(request)?, progress)?),
            "export_run" => json(&export::run(self, &parse(request)?, progress)?),
            "recipes" => json(&figure::recipes()),
            "proposed_tags" => {
                let opened = self.capture(parse::<CaptureRequest>(request)?.capture)?;
                json(&figure::proposed_tags(&opened))
            }
            "figure" => json(&self.figure(&parse(request)?, progress)?.0),
            "figure_line" => json(&self.figure_line(&parse(request)?)?),
            "export_figure" => json(&figure::table_file(self, &parse(request)?, progress)?),
            "export_picture" => json(&figure::picture(&parse(request)?)?),
            "session_read" => json(&session_file::read(&parse(request)?, progress)?),
            "session_write" => json(&session_file::write(self, &parse(request)?)?),
            "report" => json(&report::report(self, &parse(request)?, progress)?),
            "navigator" => queries::navigator(self, &parse(request)?).map(Reply::Bytes),
            "lanes" => queries::lanes(self, &parse(request)?).map(Reply::Bytes),
            "rto" => queries::timeouts(self, &parse(request)?).map(Reply::Bytes),
            "exchanges" => queries::exchanges(self, &parse(request)?).map(Reply::Bytes),
            other => Err(Error::request(format!("There is no command `{other}`."))),
        }
    }

    /// Open a file or a bundled capture.
    ///
    /// # Errors
    /// [`crate::Code::Capture`], [`crate::Code::Cancelled`], [`crate::Code::Request`].
    pub fn open(&self, request: &OpenRequest, progress: &mut dyn Progress) -> Result<CaptureView, Error> {
        let reading = request.decode.as_ref().map(|asked| Reading::of(asked, &self.options)).transpose()?;
        let usual = || Reading { decode: self.options.clone(), ..Reading::default() };
        let merge: Vec<&Path> = request.merge.iter().flatten().map(Path::new).collect();
        let opened = match (&request.path, &request.sample, &merge[..]) {
            (Some(path), None, []) => Opened::files(&[Path::new(path)], &reading.unwrap_or_else(usual), progress)?,
            (None, Some(id), []) => {
                let sample = samples().iter().find(|s| s.id == id);
                let sample = sample.ok_or_else(|| Error::request(format!("There is no sample `{id}`.")))?;
                // A bundled capture knows the number of its RC option.
                let mut usual = self.options.clone();
                usual.rc_option = sample.rc_option.unwrap_or(usual.rc_option);
                let asked = request.decode.as_ref().map(|asked| Reading::of(asked, &usual)).transpose()?;
                Opened::sample(sample, asked.as_ref(), progress)?
            }
            (None, None, [_, _, ..]) => Opened::files(&merge, &reading.unwrap_or_else(usual), progress)?,
            _ => return Err(Error::request("Name either a path, a sample, or several captures to merge.")),
        };
        Ok(self.adopt(opened))
    }

    /// The file that frame `frame` came from and its number there, counted from 1: for Wireshark, so `None` where there is
    /// no such file or Wireshark does not read its format ([`Session::write_capture`] makes one that it does).
    ///
    /// # Errors
    /// [`crate::Code::Gone`].
    pub fn file_of(&self, id: CaptureId, frame: FrameId) -> Result<Option<(String, u64)>, Error> {
        let opened = self.capture(id)?;
        if !matches!(opened.trace.capture.format, Format::Pcap { .. } | Format::Pcapng) {
            return Ok(None);
        }
        Ok(reading::place(&opened, frame).and_then(|(file, number)| Some((file.path.clone()?, number))))
    }

    /// Every frame of a capture to `sink`, as pcapng: frame `n` is packet `n + 1`.
    ///
    /// # Errors
    /// [`crate::Code::Gone`]; the sink's own error inside.
    pub fn write_capture(&self, id: CaptureId, sink: &mut dyn Write) -> Result<io::Result<()>, Error> {
        let opened = self.capture(id)?;
        let frames: Vec<FrameId> = (0..opened.trace.capture.frames.len()).map(FrameId::at).collect();
        Ok(export::write_frames(&opened.trace, &frames, sink))
    }

    /// Put an opened capture into the session.
    #[must_use]
    pub fn adopt(&self, opened: Opened) -> CaptureView {
        self.admit(Arc::new(opened))
    }

    /// Put a capture that is open elsewhere too into the session.
    #[must_use]
    pub fn admit(&self, opened: Arc<Opened>) -> CaptureView {
        let mut state = self.state();
        let id = state.next_capture;
        state.next_capture = state.next_capture.wrapping_add(1);
        state.captures.insert(id, Arc::clone(&opened));
        opened.view(id)
    }

    pub(crate) const fn live(&self) -> &recording::Slot {
        &self.live
    }

    /// Put an opened capture in the place of `id`, whose runs are of what it was; a new one where that was closed.
    pub(crate) fn replace(&self, id: Option<CaptureId>, opened: Opened) -> CaptureView {
        let mut state = self.state();
        let Some(id) = id.filter(|id| state.captures.contains_key(id)) else {
            drop(state);
            return self.adopt(opened);
        };
        let opened = Arc::new(opened);
        state.captures.insert(id, Arc::clone(&opened));
        state.forget_runs(id);
        opened.view(id)
    }

    /// Forget a capture and its runs.
    pub fn close(&self, id: CaptureId) {
        let mut state = self.state();
        state.captures.remove(&id);
        state.forget_runs(id);
    }

    /// Judge a capture by what is said of it: it goes on under a new number.
    ///
    /// # Errors
    /// [`crate::Code::Gone`], [`crate::Code::Request`] for an association that is not there, [`crate::Code::Cancelled`].
    pub fn assume(&self, request: &AssumeRequest, progress: &mut dyn Progress) -> Result<CaptureView, Error> {
        let judged = self.capture(request.capture)?.assuming(request, progress)?;
        let view = self.adopt(judged);
        self.close(request.capture);
        Ok(view)
    }

    /// All open captures.
    #[must_use]
    pub fn captures(&self) -> Vec<CaptureView> {
        self.state().captures.iter().map(|(&id, opened)| opened.view(id)).collect()
    }

    /// Replay a capture under other algorithms.
    ///
    /// # Errors
    /// [`crate::Code::Gone`], [`crate::Code::Request`], [`crate::Code::Cancelled`].
    pub fn replay(&self, request: &ReplayRequest, progress: &mut dyn Progress) -> Result<ReplayView, Error> {
        runs::replay(self, request, progress)
    }

    /// What the answer to a replay depends on.
    ///
    /// # Errors
    /// As [`Session::replay`].
    pub fn sensitivity(&self, request: &ReplayRequest, progress: &mut dyn Progress) -> Result<SensitivityView, Error> {
        sensitivity::sensitivity(self, request, progress)
    }

    /// The weather of capture `id`: fitted parameters of every path, and how far they can be believed.
    ///
    /// # Errors
    /// [`crate::Code::Gone`], [`crate::Code::Cancelled`].
    pub fn weather(&self, id: CaptureId, progress: &mut dyn Progress) -> Result<WeatherView, Error> {
        weather::weather(self, id, progress)
    }

    /// Find out which algorithm was running.
    ///
    /// # Errors
    /// [`crate::Code::Gone`], [`crate::Code::Request`] for a client that is not there, [`crate::Code::Cancelled`].
    pub fn identify(&self, request: &IdentifyRequest, progress: &mut dyn Progress) -> Result<IdentifyView, Error> {
        identify::identify(self, request, progress)
    }

    /// Every algorithm there is to choose from.
    #[must_use]
    pub fn roster(&self) -> Arc<AlgorithmSet> {
        Arc::clone(&self.state().roster)
    }

    /// Puts a roster in place of the one `change` was shown; tried again when another thread was faster.
    pub(crate) fn change_roster(
        &self,
        change: impl Fn(&AlgorithmSet) -> Result<AlgorithmSet, Error>,
    ) -> Result<Arc<AlgorithmSet>, Error> {
        loop {
            let before = self.roster();
            let after = Arc::new(change(&before)?);
            let mut state = self.state();
            if Arc::ptr_eq(&state.roster, &before) {
                state.roster = Arc::clone(&after);
                return Ok(after);
            }
        }
    }

    pub(crate) fn capture(&self, id: CaptureId) -> Result<Arc<Opened>, Error> {
        self.state().captures.get(&id).cloned().ok_or_else(|| Error::gone(format!("Capture {id}")))
    }

    pub(crate) fn run(&self, id: RunId) -> Result<Arc<runs::Stored>, Error> {
        self.state().runs.ask(id).ok_or_else(|| Error::gone(format!("Run {id}")))
    }

    /// The run with these settings, if it is kept.
    pub(crate) fn kept(&self, key: &runs::Key) -> Option<(RunId, Arc<runs::Stored>)> {
        self.state().runs.find(key)
    }

    /// A run with these settings that was made for the screen or for a figure.
    pub(crate) fn drawn(&self, key: &runs::Key) -> Option<Arc<runs::Stored>> {
        let mut state = self.state();
        state.runs.find(key).or_else(|| state.drawn.find(key)).map(|(_, run)| run)
    }

    /// A run whose first replicate is that of `key`, if one is kept.
    pub(crate) fn begun(&self, key: &runs::Key) -> Option<Arc<runs::Stored>> {
        let state = self.state();
        state.runs.runs().chain(state.drawn.runs()).find(|run| run.key.begins_as(key)).map(Arc::clone)
    }

    pub(crate) fn keep_drawn(&self, run: runs::Stored) -> Arc<runs::Stored> {
        let run = Arc::new(run);
        let mut state = self.state();
        state.drawn.add(Arc::clone(&run));
        state.drawn.make_room(&[]);
        run
    }

    pub(crate) fn keep(&self, run: runs::Stored) -> (RunId, Arc<runs::Stored>) {
        let run = Arc::new(run);
        (self.state().runs.add(Arc::clone(&run)), run)
    }

    /// Forgets runs that there is no room for; `in_use` stay.
    pub(crate) fn make_room(&self, in_use: &[RunId]) {
        self.state().runs.make_room(in_use);
    }
}

/// Shown beside the recorded behaviour until somebody chooses: one of each kind of estimator. All
/// defaults at once would fill the window with lanes.
const SHOWN_FIRST: [&str; 3] = ["cocoa_plus", "rfc6298_coap", "lee2016"];

fn startup() -> Startup {
    Startup {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        samples: samples()
            .iter()
            .map(|s| Sample { id: s.id.to_owned(), name: s.name.clone(), about: s.about.clone(), nodes: s.nodes })
            .collect(),
        default_algorithms: SHOWN_FIRST.map(str::to_owned).to_vec(),
    }
}

fn parse<T: DeserializeOwned>(request: Value) -> Result<T, Error> {
    Ok(serde_json::from_value(request)?)
}

fn json<T: Serialize + ?Sized>(value: &T) -> Result<Reply, Error> {
    serde_json::to_value(value).map(Reply::Json).map_err(Error::internal)
}
