//! Records the replies of the core that a report shows. The page of the report answers its views from them.

use crate::view::{
    CaptureView, ChannelKind, CheckKeptRequest, MeasuredRequest, MeasuredRun, ReplayRequest, ReplayView, ReportReply,
    ReportTable, RunId, SessionCapture, SessionFigure, SessionFile, Startup,
};
use crate::{Code, Error, Opened, Progress, Reply, Session, comparison};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::sync::Arc;
use trace::Endpoint;

/// Greatest number of clients whose completion times are shown, as Compare shows them.
const CLIENTS: u32 = 12;

/// A session of its own, and its recorded replies. In it the capture is number 0 and runs count from 0.
#[derive(Debug)]
pub struct Recorder {
    session: Session,
    /// Session of the report, with one capture and without folders.
    pub(super) file: SessionFile,
    capture: SessionCapture,
    runs: Vec<RunId>,
    compared: Option<ReplayView>,
    measured: Vec<MeasuredRun>,
    /// Replies recorded so far, in the order of asking.
    pub(super) replies: Vec<ReportReply>,
}

impl Recorder {
    /// Begins a recording, with the replies that every report needs; errs for a session without a capture.
    pub(super) fn new(opened: Arc<Opened>, file: SessionFile) -> Result<Self, Error> {
        let capture = file.captures.first().cloned().ok_or_else(|| Error::request("The session has no capture."))?;
        let session = Session::default();
        let view = session.admit(opened);
        let (runs, measured, replies) = (Vec::new(), Vec::new(), Vec::new());
        let mut recorder = Self { session, capture, file, runs, compared: None, measured, replies };
        let startup = Startup {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            samples: Vec::new(),
            default_algorithms: recorder.file.algorithms.iter().map(|choice| choice.id.clone()).collect(),
            // A report has no packet lists.
            colour_rules: Vec::new(),
        };
        recorder.keep("startup", Value::Null, json_of(&startup)?);
        let view = recorder.anonymous(view);
        recorder.keep("captures", Value::Null, json_of(&[view])?);
        let algorithms = recorder.algorithms()?;
        recorder.keep("algorithms", Value::Null, algorithms);
        Ok(recorder)
    }

    /// Returns `view` without the parts that depend on the folder of the capture.
    fn anonymous(&self, mut view: CaptureView) -> CaptureView {
        view.name.clone_from(&self.capture.name);
        view.path = None;
        view.read_as.mote_log = None;
        view.associations.iter_mut().for_each(|association| association.application = None);
        for (file, named) in view.read_as.files.iter_mut().zip(&self.capture.files) {
            file.name.clone_from(&named.name);
            file.path = None;
        }
        view
    }

    /// Returns the registry in its order, which decides colours and dashes; algorithms not shown have only their names.
    fn algorithms(&self) -> Result<Value, Error> {
        let mut specs = json_of(self.session.algorithm_set().algorithms())?;
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

    /// Returns the session's question: its algorithms under its settings.
    fn question(&self) -> ReplayRequest {
        let place = |choice| self.file.algorithms.iter().position(|other| other == choice);
        let baseline = self.file.baseline.as_ref().and_then(place);
        ReplayRequest {
            capture: 0,
            algorithms: self.file.algorithms.clone(),
            channel: self.file.replay.channel,
            workload: self.file.replay.workload,
            seed: self.file.replay.seed,
            replicates: self.file.replay.replicates,
            baseline: baseline.and_then(|index| u32::try_from(index).ok()),
            part: self.capture.part(),
            bounds: true,
            policy: self.file.replay.policy,
        }
    }

    /// Replays the algorithms of the session and records the reply; nothing without algorithms. Errs as the command
    /// `replay`.
    pub(super) fn replay(&mut self, progress: &mut dyn Progress) -> Result<(), Error> {
        if self.file.algorithms.is_empty() {
            return Ok(());
        }
        let request = self.question();
        let reply = self.session.replay(&request, progress)?;
        self.runs = reply.runs.iter().map(|run| run.run).collect();
        self.keep("replay", json_of(&request)?, json_of(&reply)?);
        self.compared = Some(reply);
        Ok(())
    }

    /// Records the measured values of real runs of this network, and the verdict with them.
    ///
    /// # Errors
    /// As the commands `measured` and `verdict`.
    pub fn measured(&mut self, progress: &mut dyn Progress) -> Result<(), Error> {
        if self.file.algorithms.is_empty() {
            return Ok(());
        }
        let asked = MeasuredRequest { capture: 0, algorithms: self.file.algorithms.clone() };
        self.measured = self.session.measured(&asked, progress)?;
        let reply = json_of(&self.measured)?;
        self.keep("measured", json_of(&asked)?, reply);
        self.ask("verdict", json_of(&self.question())?, progress)
    }

    /// Records the completion times of all runs.
    ///
    /// # Errors
    /// As the command `distribution`.
    pub fn distribution(&mut self, progress: &mut dyn Progress) -> Result<(), Error> {
        if self.file.algorithms.is_empty() {
            return Ok(());
        }
        let request = json!({ "capture": 0, "runs": self.runs, "clients": CLIENTS });
        self.ask("distribution", request, progress)
    }

    /// Records kept predictions held against this capture. The report keeps only those of a timer that ran here, from
    /// other captures.
    ///
    /// # Errors
    /// As the command `check_kept`, but for predictions that it refuses.
    pub(super) fn checks(&mut self, progress: &mut dyn Progress) -> Result<(), Error> {
        for prediction in std::mem::take(&mut self.file.predictions) {
            let request = CheckKeptRequest { prediction, algorithm: None, capture: 0 };
            match self.session.check_kept(&request, progress) {
                Ok(view) => {
                    self.keep("check_kept", json_of(&request)?, json_of(&view)?);
                    self.file.predictions.push(request.prediction);
                }
                Err(error) if error.code == Code::Request => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Records the checks of the network twin, for the channels `auto` and `twin`.
    ///
    /// # Errors
    /// As the commands `trust` and `halves`.
    pub fn trust(&mut self, progress: &mut dyn Progress) -> Result<(), Error> {
        if !matches!(self.file.replay.channel, ChannelKind::Auto | ChannelKind::Twin) {
            return Ok(());
        }
        for command in ["trust", "halves"] {
            self.ask(command, json!({ "capture": 0 }), progress)?;
        }
        Ok(())
    }

    /// Records the sensitivity of the answers; nothing for a channel without a model.
    ///
    /// # Errors
    /// As the command `sensitivity`.
    pub fn sensitivity(&mut self, progress: &mut dyn Progress) -> Result<(), Error> {
        if self.file.algorithms.is_empty() || self.file.replay.channel == ChannelKind::Recorded {
            return Ok(());
        }
        let request = ReplayRequest { baseline: None, bounds: false, ..self.question() };
        let view = self.session.sensitivity(&request, progress)?;
        self.keep("sensitivity", json_of(&request)?, json_of(&view)?);
        Ok(())
    }

    /// Returns the capture of the session, and the state of the window for it.
    #[must_use]
    pub fn capture(&self) -> &SessionCapture {
        &self.capture
    }

    /// Returns the addresses of the clients, without their ports, in the order of the associations. Errs where the
    /// capture is not open.
    pub(super) fn clients(&self) -> Result<Vec<String>, Error> {
        let address = |client: Endpoint| {
            let port = format!(":{}", client.port);
            let text = client.to_string();
            text.strip_suffix(&port).map(str::to_owned).unwrap_or(text)
        };
        let opened = self.session.capture(0)?;
        Ok(opened.trace.associations.iter().map(|association| address(association.client)).collect())
    }

    /// Returns the addresses of hosts whose lanes the reader unfolded.
    pub(super) fn unfolded(&self) -> Vec<String> {
        self.capture.lanes.as_ref().map(|lanes| lanes.unfolded.clone()).unwrap_or_default()
    }

    /// Returns the requests for the figures of the report: this capture, under the session's algorithms and settings.
    pub fn figures(&self) -> Vec<Value> {
        let SessionFile { algorithms, replay, report, .. } = &self.file;
        let mut capture = json!({ "capture": 0, "name": self.capture.name, "tags": self.capture.tags });
        let part = self.capture.part();
        if let Some(fields) = capture.as_object_mut() {
            if !part.is_all() {
                fields.insert("part".to_owned(), json!(part));
            }
            if !self.capture.nodes.is_empty() {
                fields.insert("nodes".to_owned(), json!(self.capture.nodes));
            }
        }
        let request = |figure: &SessionFigure| {
            let mut asked = json!({
                "recipe": figure.recipe, "captures": [capture], "algorithms": algorithms, "params": figure.params,
                "channel": replay.channel, "workload": replay.workload, "seed": replay.seed,
                "replicates": replay.replicates,
            });
            if let Some(fields) = asked.as_object_mut()
                && !replay.policy.is_default()
            {
                fields.insert("policy".to_owned(), json!(replay.policy));
            }
            asked
        };
        report.figures.iter().map(request).collect()
    }

    /// Returns the behaviours as JSON: the recorded one (null) and the number of every run.
    pub fn behaviours(&self) -> Vec<Value> {
        std::iter::once(Value::Null).chain(self.runs.iter().map(|&run| run.into())).collect()
    }

    /// Asks the core and records the reply.
    ///
    /// # Errors
    /// As the command `name`.
    pub fn ask(&mut self, name: &str, request: Value, progress: &mut dyn Progress) -> Result<(), Error> {
        match self.session.call(name, request.clone(), progress)? {
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

    /// Returns the tables that a reader can save, as CSV and Parquet; empty without algorithms. Errs where they cannot
    /// be encoded.
    pub(super) fn tables(&self) -> Result<Vec<ReportTable>, Error> {
        let Some(reply) = &self.compared else { return Ok(Vec::new()) };
        let listing = comparison(reply, &self.measured, self.question().baseline);
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

/// Encodes octets as base64 (RFC 4648 §4).
fn base64(octets: &[u8]) -> String {
    STANDARD.encode(octets)
}

#[cfg(test)]
mod tests {
    use super::base64;

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
}
