//! *Check again*: a prediction that was made before a timer was changed, held against a capture that was taken after
//! it.

mod changes;
mod own_table;
mod prediction;

pub use prediction::read_prediction;

use super::measured::ran;
use crate::view::{
    AlgorithmChoice, CaptureId, CaptureRequest, ChangeView, ChannelKind, CheckAgainView, CheckKeptRequest,
    CheckRunRequest, ConditionsView, HeldView, KeepPredictionRequest, KeptPrediction, MeasuredRun, PredictedCapture,
    PredictedRun, TimerKnown,
};
use crate::{Error, Progress, Session};
use base::Part;
use prediction::{Prediction, predicted};
use replay::MetricName;

/// Nominal coverage of a 90 % interval.
const COVERAGE: f64 = 0.9;
/// Nominal coverage of an interval without width: there all replicates agree.
const CERTAIN: f64 = 1.0;
/// Share of reading the network of the first capture, where it is open, in the whole work, per cent. Chosen here by
/// judgement; it moves the progress bar only.
const FIRST: u64 = 20;
/// Share of finding the timer that ran in the rest of the work, per cent; the remainder is reading the network.
/// Chosen here by judgement; it moves the progress bar only.
const TIMER: u64 = 60;
const HUNDRED: u64 = 100;

impl Session {
    /// Returns the conditions of a capture besides the timers of its clients, which a prediction keeps.
    ///
    /// # Errors
    /// [`crate::Code::Gone`] where the capture is not open, [`crate::Code::Cancelled`].
    pub fn conditions(&self, request: &CaptureRequest, progress: &mut dyn Progress) -> Result<ConditionsView, Error> {
        Ok(self.capture(request.capture)?.conditions(progress)?)
    }

    /// Keeps the predictions of runs, all of one capture, with the conditions of that capture.
    ///
    /// # Errors
    /// [`crate::Code::Request`]: no run, or runs of several captures; [`crate::Code::Gone`],
    /// [`crate::Code::Cancelled`].
    pub fn keep_prediction(
        &self,
        request: &KeepPredictionRequest,
        progress: &mut dyn Progress,
    ) -> Result<KeptPrediction, Error> {
        let runs = request.runs.iter().map(|&id| self.run(id)).collect::<Result<Vec<_>, _>>()?;
        let Some(of) = runs.first().map(|run| run.key.capture) else {
            return Err(Error::request("There is no prediction to keep: replay the capture first."));
        };
        if runs.iter().any(|run| run.key.capture != of) {
            return Err(Error::request("These predictions are of several captures: keep those of each by themselves."));
        }
        let capture = self.capture(of)?;
        Ok(KeptPrediction {
            capture: PredictedCapture { name: capture.trace.capture.name.clone(), sha256: capture.sha256() },
            runs: runs.iter().map(|run| predicted(run)).collect(),
            conditions: Some(capture.conditions(progress)?),
        })
    }

    /// Holds a kept prediction against a second capture: measures inside their 90 % intervals, and what changed besides
    /// the timer.
    ///
    /// # Errors
    /// [`crate::Code::Request`]: no prediction of the timer, or one of this very capture; [`crate::Code::Gone`],
    /// [`crate::Code::Cancelled`].
    pub fn check_kept(&self, request: &CheckKeptRequest, progress: &mut dyn Progress) -> Result<CheckAgainView, Error> {
        let kept = &request.prediction;
        let ran = match &request.algorithm {
            None if kept.runs.len() > 1 && self.capture(request.capture)?.sha256() != kept.capture.sha256 => {
                self.timer_that_ran(kept, request.capture, &mut Part::new(progress, 0, TIMER, HUNDRED))?
            }
            named => named.clone(),
        };
        let prediction = Prediction::of(kept.clone(), ran.as_ref())?;
        self.hold(prediction, request.capture, &mut Part::new(progress, TIMER, HUNDRED, HUNDRED))
    }

    /// Returns the predicted timer that ran in a capture: that very timer, else one of its algorithm; `None` where none
    /// did or it is not known.
    fn timer_that_ran(
        &self,
        kept: &KeptPrediction,
        capture: CaptureId,
        progress: &mut dyn Progress,
    ) -> Result<Option<AlgorithmChoice>, Error> {
        let timers = u64::try_from(kept.runs.len()).unwrap_or(u64::MAX);
        let mut alike = None;
        for (at, timer) in (0..).zip(kept.runs.iter().map(PredictedRun::timer)) {
            let found = ran(self, capture, &timer, &mut Part::new(progress, at, at + 1, timers))?;
            if found.known != TimerKnown::Unknown && !found.same.is_empty() {
                return Ok(Some(timer));
            }
            if !found.alike.is_empty() {
                alike = alike.or(Some(timer));
            }
        }
        Ok(alike)
    }

    /// Holds a run of this session against a second capture.
    ///
    /// # Errors
    /// As [`Self::check_kept`].
    pub fn check_run(&self, request: &CheckRunRequest, progress: &mut dyn Progress) -> Result<CheckAgainView, Error> {
        let run = self.run(request.run)?;
        let first = self.capture(run.key.capture)?;
        let conditions = Some(first.conditions(&mut Part::new(progress, 0, FIRST, HUNDRED))?);
        let prediction = Prediction { sha256: first.sha256(), run: predicted(&run), conditions };
        self.hold(prediction, request.capture, &mut Part::new(progress, FIRST, HUNDRED, HUNDRED))
    }

    fn hold(
        &self,
        prediction: Prediction,
        capture: CaptureId,
        progress: &mut dyn Progress,
    ) -> Result<CheckAgainView, Error> {
        let second = self.capture(capture)?;
        if second.sha256() == prediction.sha256 {
            let why =
                "The prediction was made from this very capture: check it with one that was taken after the change.";
            return Err(Error::request(why));
        }
        if second.trace.exchanges.is_empty() {
            return Err(Error::request("The capture has no confirmable exchange: there is nothing to check."));
        }
        let algorithm = prediction.run.timer();
        let ran = ran(self, capture, &algorithm, &mut Part::new(progress, 0, TIMER, HUNDRED))?;
        let conditions = second.conditions(&mut Part::new(progress, TIMER, HUNDRED, HUNDRED))?;
        let changes = prediction.conditions.as_ref().map(|before| changes::changes(before, &conditions));
        let measures = held(&prediction, &ran);
        let count = |wanted: &dyn Fn(bool) -> bool| {
            u32::try_from(measures.iter().filter(|m| m.held.is_some_and(wanted)).count()).unwrap_or(u32::MAX)
        };
        let (compared, inside) = (count(&|_| true), count(&|held| held));
        let expected = measures.iter().filter_map(HeldView::coverage).sum();
        Ok(CheckAgainView {
            verdict: verdict(inside, compared, expected),
            timer: timer(&algorithm, &ran),
            channel: prediction.run.channel,
            second: second.sha256(),
            known: ran.known,
            same: same(&ran),
            compared,
            held: inside,
            expected,
            measures,
            reservations: reservations(&prediction, &ran, changes.as_deref()),
            changes: changes.unwrap_or_default(),
            first: prediction.sha256,
            algorithm,
        })
    }
}

impl HeldView {
    /// Probability that a right prediction has the measure inside its interval; `None` where it is not compared.
    fn coverage(&self) -> Option<f64> {
        self.held?;
        Some(if self.lo90 == self.hi90 { CERTAIN } else { COVERAGE })
    }
}

/// Returns predicted measures beside measured ones. The number of exchanges is load, not an effect of the timer.
fn held(prediction: &Prediction, ran: &MeasuredRun) -> Vec<HeldView> {
    let names = MetricName::ALL.into_iter().filter(|name| *name != MetricName::Exchanges).map(MetricName::name);
    names
        .filter_map(|name| {
            let predicted = prediction.run.metrics.get(name)?;
            let measured = ran.metrics.get(name).copied();
            let interval = predicted.interval();
            Some(HeldView {
                name: name.to_owned(),
                before: predicted.recorded,
                mean: predicted.mean,
                lo90: interval.map(|(lo, _)| lo),
                hi90: interval.map(|(_, hi)| hi),
                measured,
                held: interval.zip(measured).map(|((lo, hi), value)| (lo..=hi).contains(&value)),
            })
        })
        .collect()
}

fn verdict(held: u32, compared: u32, expected: f64) -> String {
    match compared {
        0 => "No measure was predicted with an interval, so none can be held against the second capture.".to_owned(),
        1 => format!("The one measure fell {} its 90 % interval.", if held == 1 { "inside" } else { "outside" }),
        all => format!("{held} of {all} measures fell inside their 90 % intervals; expected {expected:.1}."),
    }
}

/// Whether the predicted timer ran; `None` where unknown. Timeouts tell an algorithm here, not its parameters.
fn same(ran: &MeasuredRun) -> Option<bool> {
    match ran.known {
        TimerKnown::Unknown => None,
        TimerKnown::Identified if ran.same.is_empty() && !ran.alike.is_empty() => None,
        _ => Some(!ran.same.is_empty()),
    }
}

/// Returns a sentence about the timer of the second capture, beside the predicted one.
fn timer(predicted: &AlgorithmChoice, ran: &MeasuredRun) -> String {
    let predicted = worded(predicted);
    let known = match ran.known {
        TimerKnown::Bundled => "on record",
        TimerKnown::Named => "named beside the capture",
        TimerKnown::Identified => "found from its timeouts",
        TimerKnown::Unknown => {
            return format!("Its timeouts do not tell whether the second capture ran {predicted}.");
        }
    };
    match same(ran) {
        Some(true) => return format!("The second capture ran {predicted} ({known})."),
        None => {
            return format!(
                "The second capture ran the algorithm of {predicted} ({known}); `rtoscope identify` shows its parameters."
            );
        }
        Some(false) => {}
    }
    let other = ran.algorithm.as_ref().map(worded).unwrap_or_default();
    format!("The second capture ran {other} ({known}), not {predicted}.")
}

/// Returns a timer as the command line writes it: `coap_default:ack_timeout=4`.
fn worded(choice: &AlgorithmChoice) -> String {
    let value = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let params: Vec<String> = choice.params.iter().map(|(name, given)| format!("{name}={}", value(given))).collect();
    if params.is_empty() { choice.id.clone() } else { format!("{}:{}", choice.id, params.join(",")) }
}

/// Returns reasons to read the verdict with care, a sentence or two each.
fn reservations(prediction: &Prediction, ran: &MeasuredRun, changes: Option<&[ChangeView]>) -> Vec<String> {
    let mut all = Vec::new();
    if same(ran) == Some(false) {
        all.push(if ran.alike.is_empty() {
            "Another timer ran than was predicted: this does not check the prediction.".to_owned()
        } else {
            "The predicted algorithm ran with other parameters: differences may be due to these.".to_owned()
        });
    }
    let changed: Vec<&str> =
        changes.unwrap_or_default().iter().filter(|change| change.changed).map(|change| change.what.as_str()).collect();
    if !changed.is_empty() {
        let what = changed.join(", ");
        all.push(format!("More changed than the timer ({what}): a measure outside its interval may be due to that."));
    }
    if changes.is_none() {
        all.push(
            "The prediction does not keep the conditions of its capture, so what else changed is not known: make it again."
                .to_owned(),
        );
    }
    // Their numbers are those of the first capture, so that they have no names here.
    let stay = prediction.run.as_recorded.len();
    if stay > 0 {
        all.push(format!("The prediction left {stay} clients as recorded."));
    }
    if let Some(begins) = prediction.part().begins() {
        all.push(format!("The prediction replays {begins}."));
    }
    if let Some(rules) = prediction.run.policy.said() {
        all.push(format!("The prediction was made under these rules of the sender: {rules}."));
    }
    if prediction.run.channel == ChannelKind::Recorded {
        all.push("Channel `recorded` gives bounds and no intervals: predict with another channel.".to_owned());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{MeasuredRun, TimerKnown, reservations, same, timer, verdict};
    use crate::view::AlgorithmChoice;
    use serde_json::json;
    use std::collections::BTreeMap;

    fn choice(params: &serde_json::Value) -> AlgorithmChoice {
        AlgorithmChoice { id: "coap_default".to_owned(), params: params.as_object().cloned().unwrap_or_default() }
    }

    fn ran(known: TimerKnown, same: &[u32], alike: &[u32]) -> MeasuredRun {
        let (algorithm, metrics) = (Some(choice(&json!({}))), BTreeMap::new());
        let (same, alike) = (same.to_vec(), alike.to_vec());
        MeasuredRun { name: "after".to_owned(), capture: Some(1), algorithm, known, same, alike, metrics }
    }

    /// Only what is known is claimed: timeouts that tell an algorithm do not tell that its parameters are others.
    #[test]
    fn the_timer_that_ran_is_said_as_far_as_it_is_known() {
        let predicted = choice(&json!({ "ack_timeout": 4 }));
        for (run, known, said) in [
            (ran(TimerKnown::Bundled, &[0], &[]), Some(true), "ran coap_default:ack_timeout=4 (on record)."),
            (
                ran(TimerKnown::Named, &[], &[0]),
                Some(false),
                "(named beside the capture), not coap_default:ack_timeout=4.",
            ),
            (ran(TimerKnown::Identified, &[], &[0]), None, "ran the algorithm of coap_default:ack_timeout=4"),
            (ran(TimerKnown::Identified, &[], &[]), Some(false), "(found from its timeouts), not"),
            (ran(TimerKnown::Unknown, &[], &[]), None, "do not tell whether"),
        ] {
            assert_eq!(same(&run), known, "{said}");
            assert!(timer(&predicted, &run).contains(said), "{}", timer(&predicted, &run));
        }
    }

    #[test]
    fn a_prediction_of_a_part_says_so() {
        let text = json!({
            "capture": { "sha256": "0" },
            "runs": [{
                "algorithm": "coap_default", "params": {}, "channel": "recorded", "as_recorded": [2, 3],
                "start": { "at": 60_000_000_000_u64, "warm": false }, "policy": { "nstart": 4 }, "metrics": {},
            }],
        });
        let prediction = super::read_prediction(&text.to_string())
            .and_then(|kept| super::Prediction::of(kept, None))
            .expect("a prediction");
        let said = reservations(&prediction, &ran(TimerKnown::Bundled, &[0], &[]), None).join(" ");
        for part in ["left 2 clients as recorded", "replays from 60 s on", "NSTART 4", "gives bounds", "make it again"]
        {
            assert!(said.contains(part), "{part}: {said}");
        }
    }

    #[test]
    fn verdicts_are_one_sentence() {
        assert_eq!(verdict(7, 9, 8.1), "7 of 9 measures fell inside their 90 % intervals; expected 8.1.");
        assert_eq!(verdict(0, 1, 0.9), "The one measure fell outside its 90 % interval.");
        assert!(verdict(0, 0, 0.0).starts_with("No measure"));
    }
}
