//! Answers of tasks: one capture opened once, its tasks replayed in groups. A panic is caught here, at the edge of a
//! task, and nowhere else.

use super::ran::Ran;
use crate::Error;
use crate::opened::replay_of;
use crate::view::{ChannelKind, PolicyView, WorkloadKind};
use base::{AssociationId, Instant, Progress, Span};
use replay::{
    Algorithm, AnotherRun, Bounds, ChannelSpec, ChosenChannel, History, MetricName, Replay, RunResult, Scenario,
};
use serde_json::{Value, json};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use study::{Capture, CaptureSet, Content, Estimate, Plan, Row, State, Task};
use trace::{DecodeOptions, ImportOptions, Trace};

/// Reason why a task has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// State that the row of the task gets.
    pub state: State,
    /// Reason in words, a sentence for the row.
    pub reason: String,
}

/// End of work on a task without an answer.
pub enum Failed {
    /// The study was stopped: the task has no row.
    Cancelled,
    /// The task cannot be answered: its row says why.
    Refused(Refusal),
}

impl Failed {
    fn of(error: Error, state: State) -> Self {
        match error.code {
            crate::Code::Cancelled => Self::Cancelled,
            _ => Self::Refused(Refusal { state, reason: error.message }),
        }
    }
}

/// A capture that is ready for its tasks.
pub struct Ready {
    trace: Trace,
    replay: Replay,
    as_recorded: Vec<AssociationId>,
}

/// Runs `work`. Errs as it does; a panic in it becomes [`Failed::Refused`] with [`State::Crashed`].
pub fn guarded<T>(work: impl FnOnce() -> Result<T, Failed>) -> Result<T, Failed> {
    // Work that a panic leaves half done is either dropped with the task or a lock, whose next user panics in its turn.
    let panicked = |panic: Box<dyn Any + Send>| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Failed::Refused(Refusal { state: State::Crashed, reason: format!("a fault of this program: {text}") })
    };
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panicked(panic)))
}

impl Ready {
    /// Reads, decodes and prepares a capture, whose file is at `place`.
    ///
    /// # Errors
    /// Refused where the capture cannot be read or decoded, has no exchange, or lacks a named client; cancelled.
    pub fn open(plan: &Plan, capture: &Capture, place: &Path, progress: &mut dyn Progress) -> Result<Self, Failed> {
        if let Content::Unreadable(reason) = &capture.content {
            return Err(Failed::Refused(Refusal { state: State::Unreadable, reason: reason.clone() }));
        }
        let options = plan.spec.captures.get(capture.set).map(decoding).unwrap_or_default();
        let trace = crate::decode(place, &ImportOptions::default(), &options, progress);
        let trace = trace.map_err(|error| Failed::of(error, State::Unreadable))?;
        let refuse = |reason: &str| Failed::Refused(Refusal { state: State::Refused, reason: reason.to_owned() });
        if trace.exchanges.is_empty() {
            return Err(refuse("the capture has no confirmable exchange: there is nothing to replay"));
        }
        let mut as_recorded = Vec::new();
        for name in &plan.spec.part.as_recorded {
            let of = |association: &&trace::Association| {
                association.client_name == *name || association.client.addr.to_string() == *name
            };
            let found: Vec<AssociationId> = trace.associations.iter().filter(of).map(|found| found.id).collect();
            if found.is_empty() {
                return Err(refuse(&format!("the capture has no client `{name}`")));
            }
            as_recorded.extend(found);
        }
        let replay = replay_of(place, &trace, progress).map_err(|error| Failed::of(error, State::Unreadable))?;
        Ok(Self { trace, replay, as_recorded })
    }

    /// Answers tasks of one channel and seed together: they share the draws of each replicate. Returns one answer a
    /// task, in their order.
    ///
    /// # Errors
    /// Refused where one of them cannot be answered; cancelled.
    pub fn answer(&self, plan: &Plan, tasks: &[Task<'_>], progress: &mut dyn Progress) -> Result<Vec<Answer>, Failed> {
        let refused = |error: Error| Failed::of(error, State::Refused);
        let scenarios =
            tasks.iter().map(|task| self.scenario(plan, task)).collect::<Result<Vec<_>, _>>().map_err(refused)?;
        let channels = scenarios.iter().map(|scenario| scenario.channel).collect::<Vec<_>>();
        if channels.contains(&ChannelSpec::Auto) {
            self.replay.choose_channel(&self.trace, progress).map(drop).map_err(|error| refused(error.into()))?;
        } else if channels.contains(&ChannelSpec::Twin) {
            self.replay.learn_network(&self.trace, progress).map_err(|error| refused(error.into()))?;
        }
        let results = self.replay.run_all(&scenarios, progress).map_err(|error| refused(error.into()))?;
        let chosen = self.replay.chosen_channel().filter(|_| channels.contains(&ChannelSpec::Auto));
        Ok(results.into_iter().map(|result| Answer::of(&result, chosen)).collect())
    }

    fn scenario(&self, plan: &Plan, task: &Task<'_>) -> Result<Scenario, Error> {
        let spec = &plan.spec;
        let policy: PolicyView = serde_json::from_value(rules(&spec.rules))?;
        policy.check()?;
        let known = |kind: &ChannelKind| kind.spec().name() == task.channel;
        let channel = ChannelKind::ALL.into_iter().find(known).map(ChannelKind::spec);
        let channel = channel.or_else(|| ChannelSpec::from_name(task.channel)).unwrap_or(ChannelSpec::Auto);
        let params = Value::Object(task.timer.params.clone());
        // A timer that refuses its parameters says so before the channel is asked.
        rto::build(&task.timer.algorithm, &params).map_err(Error::request)?;
        let algorithm = Algorithm::Preset { id: task.timer.algorithm.clone(), params };
        let mut scenario = Scenario::new(algorithm, policy.at_the_bottleneck(channel));
        let workload: WorkloadKind = serde_json::from_value(json!(spec.workload))?;
        scenario.workload = workload.choice();
        scenario.seed = u64::from(task.seed);
        scenario.replicates = spec.replicates;
        scenario.as_recorded.clone_from(&self.as_recorded);
        scenario.bounds = Bounds::Skip;
        scenario.another = if spec.another_run { AnotherRun::Compute } else { AnotherRun::Skip };
        scenario.policy = policy.policy();
        if let Some(seconds) = spec.part.from {
            let from = Span::from_secs_f64(seconds).ok_or_else(|| Error::request("The time of `from` is too long."))?;
            let until = Instant::ZERO + from;
            if self.trace.capture.window().is_none_or(|(_, end)| until > end) {
                return Err(Error::request(format!("{seconds} s is beyond the end of the capture")));
            }
            scenario.history = if spec.part.cold { History::Forgotten { until } } else { History::Learned { until } };
        }
        Ok(scenario)
    }
}

/// Returns the rules as a request has them: times in nanoseconds instead of seconds.
fn rules(rules: &study::Rules) -> Value {
    let Value::Object(document) = rules.document() else { return json!({}) };
    let nanos = |(name, value): (String, Value)| match name.as_str() {
        "exchange_lifetime" | "state_lifetime" | "processing" => {
            let span = value.as_f64().and_then(Span::from_secs_f64).unwrap_or(Span::ZERO);
            (name, json!(span))
        }
        _ => (name, value),
    };
    Value::Object(document.into_iter().map(nanos).collect())
}

fn decoding(set: &CaptureSet) -> DecodeOptions {
    let usual = DecodeOptions::default();
    DecodeOptions {
        rc_option: set.rc_option.unwrap_or(usual.rc_option),
        ports: if set.ports.is_empty() { usual.ports.clone() } else { set.ports.clone() },
        ..usual
    }
}

/// Answer of a task: channel used, reason for its choice, support and share of collapsed replicates (0 to 1), measures.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    used: String,
    why: Option<String>,
    support: Option<f64>,
    collapse: Option<f64>,
    measures: Vec<(MetricName, Estimate)>,
}

impl Answer {
    fn of(result: &RunResult, chosen: Option<&ChosenChannel>) -> Self {
        let estimate = |(name, of): (MetricName, &replay::Summary)| {
            let estimate = Estimate {
                mean: of.mean,
                ninety: of.lo90.zip(of.hi90),
                another: of.another.map(|interval| (interval.lo, interval.hi)),
                recorded: of.recorded,
            };
            (name, estimate)
        };
        Self {
            used: result.scenario.channel.name().to_owned(),
            why: chosen.map(ToString::to_string),
            support: result.support,
            collapse: result.modes.as_ref().map(|modes| modes.slow),
            measures: result.metrics().map(estimate).collect(),
        }
    }
}

/// Makes the row of a task from its answer, or from the reason why it has none; `program` is the name of the program
/// with its commit.
pub fn row(plan: &Plan, task: &Task<'_>, ran: &Ran, program: &str, answer: Result<Answer, Refusal>) -> Row {
    let (spec, capture) = (&plan.spec, task.capture);
    let sha256 = match &capture.content {
        Content::Hash { sha256, .. } => sha256.clone(),
        Content::Unreadable(_) => String::new(),
    };
    let settings = json!({ "workload": spec.workload, "part": spec.part.document(), "rules": spec.rules.document() });
    let (answer, refusal) = match answer {
        Ok(answer) => (Some(answer), None),
        Err(refusal) => (None, Some(refusal)),
    };
    Row {
        task: task.key.clone(),
        scenario: capture.scenario().to_owned(),
        tags: capture.tags.clone(),
        path: capture.path.clone(),
        sha256,
        timer: task.timer.label.clone(),
        algorithm: task.timer.algorithm.clone(),
        params: Value::Object(task.timer.params.clone()).to_string(),
        ran: ran.is(task.timer),
        channel: task.channel.to_owned(),
        used: answer.as_ref().map(|answer| answer.used.clone()),
        why: answer.as_ref().and_then(|answer| answer.why.clone()),
        settings: settings.to_string(),
        seed: task.seed,
        replicates: spec.replicates,
        program: program.to_owned(),
        state: refusal.as_ref().map_or(State::Done, |refusal| refusal.state),
        reason: refusal.map(|refusal| refusal.reason),
        support: answer.as_ref().and_then(|answer| answer.support),
        collapse: answer.as_ref().and_then(|answer| answer.collapse),
        measures: answer.into_iter().flat_map(|answer| answer.measures).collect(),
    }
}
