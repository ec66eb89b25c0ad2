//! Alerts: rules checked against exchanges and events, in the order of the capture.

use crate::exchange::SeenExchange;
use crate::measure::Sums;
use crate::rule::{Condition, EventKind, Rule, Threshold, worded};
use crate::sliding::{PARTS, Sliding};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Largest number of clients that a rule is checked for one by one. Chosen here: more than a mesh has.
const MOST_CLIENTS: usize = 4_096;

/// Stage of an alert.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AlertKind {
    /// Value of a measure passed its threshold.
    Begin,
    /// Value came back, or nothing is left to measure.
    End,
    /// Event, which has a moment and no end.
    Event,
}

/// Number of observations behind an alert. For an alert of a changed timer `copies` counts retransmissions; for one of
/// a changed parent all are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Number of exchanges that began in the time that the rule looks back.
    pub exchanges: u64,
    /// Number of copies of these exchanges.
    pub copies: u64,
    /// Number of these copies that were sent while an earlier one is answered anyway.
    pub needless: u64,
    /// Number of these copies that are known to have been lost, or whose replies were.
    pub lost: u64,
    /// Number of these exchanges that were given up.
    pub failed: u64,
}

impl Evidence {
    const fn of(sums: &Sums) -> Self {
        let Sums { exchanges, copies, needless, lost, failed, .. } = *sums;
        Self { exchanges, copies, needless, lost, failed }
    }
}

/// An alert of a rule: that it begins, ends, or happened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alert {
    /// Number of the alert in its watch, from 1; one that is said again after a restart keeps its number.
    pub number: u64,
    /// Name of the rule.
    pub alert: String,
    /// Stage of the alert.
    pub kind: AlertKind,
    /// Time in the capture, nanoseconds from the Unix epoch.
    pub time: i64,
    /// Name of the client or node; `None` for an alert of all clients together.
    pub client: Option<String>,
    /// Value of the measure, in its unit ([`Measure`](crate::Measure)); `None` for events, and where nothing is left to
    /// measure.
    pub value: Option<f64>,
    /// Threshold, in the same unit; `None` for events.
    pub threshold: Option<f64>,
    /// Time at which it began, for one that ends, or time of the first event of a sequence; nanoseconds from the Unix
    /// epoch; `None` for a single event.
    pub since: Option<i64>,
    /// Numbers of observations behind the alert.
    pub evidence: Evidence,
    /// Alert in words, without its time.
    pub text: String,
}

/// An alert that goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenAlert<'a> {
    /// Position of its rule in those of the watch, from 0.
    pub rule: usize,
    /// Name of the client; `None` for a rule about all clients together.
    pub client: Option<&'a str>,
    /// Time at which it began, nanoseconds from the Unix epoch.
    pub since: i64,
}

/// Event, as rules get it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Happening {
    /// Event that happened, as rules name it.
    pub kind: EventKind,
    /// Time that never runs back ([`crate::clock::Clock`]), nanoseconds from the Unix epoch.
    pub time: i64,
    /// Name of the client or node; `None` for all clients together.
    pub client: Option<String>,
    /// Event in words, one sentence.
    pub text: String,
    /// Numbers of observations behind the event.
    pub evidence: Evidence,
}

/// All rules, with their state.
#[derive(Debug)]
pub(crate) struct Alerts {
    rules: Vec<Rule>,
    /// State of the rules, which survives a restart.
    pub state: AlertsState,
    /// Alerts that were not taken yet, without numbers.
    said: Vec<Alert>,
    /// True if the last of `rules` is [`Rule::storm`], whose alerts become events for the other rules.
    has_storm: bool,
}

/// State of the rules; rules are recognised by their text after a restart.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AlertsState {
    /// Number of alerts so far.
    numbers: u64,
    /// Time of the first record, nanoseconds from the Unix epoch.
    begun: Option<i64>,
    /// Nanoseconds to take from times of this watch for those of the capture.
    shift: i64,
    rules: BTreeMap<String, RuleState>,
    /// Number of exchanges whose client was not checked, because a rule had too many.
    pub left_out: u64,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleState {
    /// Number of the last part of time that was judged: time divided by the length of the rule's parts.
    judged: Option<i64>,
    /// Observations by client; by the empty name where the rule is about all.
    watched: BTreeMap<String, Watched>,
    /// Latest first event of a sequence, which waits for the second.
    first: Option<Happening>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Watched {
    sums: Sliding,
    /// Time since which its alert goes on, nanoseconds from the Unix epoch; `None` for none.
    since: Option<i64>,
}

impl Alerts {
    /// Makes the alerts of `rules`; state of rules that are not among them is dropped.
    pub fn new(mut rules: Vec<Rule>, mut state: AlertsState) -> Self {
        let has_storm = rules.iter().any(|rule| rule.waits_for(EventKind::Storm));
        if has_storm {
            let storm = Rule::storm();
            // A rule of a person may have the same text; its state is its own.
            rules.push(Rule { text: format!("storm: {}", storm.text), ..storm });
        }
        state.rules.retain(|text, _| rules.iter().any(|rule| rule.text == *text));
        Self { rules, state, said: Vec::new(), has_storm }
    }

    /// Returns whether some rule waits for events of this kind.
    pub fn wait_for(&self, kind: EventKind) -> bool {
        self.rules.iter().any(|rule| rule.waits_for(kind))
    }

    /// Filter of each rule, in their order, for [`Self::exchange`]; `None` for rules about all exchanges.
    pub fn filters(&self) -> impl Iterator<Item = Option<&table::filter::Filter>> {
        self.rules.iter().map(|rule| match &rule.condition {
            Condition::Threshold(threshold) => threshold.filter.as_ref(),
            Condition::Event(_) | Condition::Sequence(..) => None,
        })
    }

    /// Number of clients whose alert goes on now, by name of the rule.
    pub fn going_on(&self) -> BTreeMap<&str, u64> {
        let open = |rule: &Rule| {
            let state = self.state.rules.get(&rule.text);
            state.map_or(0, |state| state.watched.values().filter(|one| one.since.is_some()).count() as u64)
        };
        let own = self.rules.len() - usize::from(self.has_storm);
        let is_threshold = |rule: &&Rule| matches!(rule.condition, Condition::Threshold(_));
        self.rules.iter().take(own).filter(is_threshold).map(|rule| (rule.name.as_str(), open(rule))).collect()
    }

    /// Alerts that go on, by the position of their rule, then by client.
    pub fn open(&self) -> Vec<OpenAlert<'_>> {
        let own = self.rules.len() - usize::from(self.has_storm);
        let shift = self.state.shift;
        let of_rule = |(rule, own): (usize, &Rule)| {
            let watched = self.state.rules.get(&own.text).into_iter().flat_map(|state| &state.watched);
            watched.filter_map(move |(client, watched)| {
                let client = Some(client.as_str()).filter(|client| !client.is_empty());
                Some(OpenAlert { rule, client, since: watched.since?.saturating_sub(shift) })
            })
        };
        self.rules.iter().take(own).enumerate().flat_map(of_rule).collect()
    }

    /// Takes the alerts since the last call, numbered in order of time.
    pub fn take(&mut self) -> Vec<Alert> {
        let mut said = std::mem::take(&mut self.said);
        said.sort_by_key(|alert| alert.time);
        for alert in &mut said {
            self.state.numbers += 1;
            alert.number = self.state.numbers;
        }
        said
    }

    /// Takes in an exchange; `passes` says for each rule whether the exchange passes its filter. `shift`: nanoseconds
    /// to take from times for those of the capture.
    pub fn exchange(&mut self, seen: &SeenExchange, passes: &[bool], shift: i64) {
        self.state.shift = shift;
        self.advance(seen.time);
        let mut sums = Sums::default();
        sums.add(seen);
        let Self { rules, state, .. } = self;
        for (rule, _) in rules.iter().zip(passes).filter(|(_, passes)| **passes) {
            let Condition::Threshold(threshold) = &rule.condition else { continue };
            let client = if threshold.per_client { seen.client.as_str() } else { "" };
            let own = state.rules.entry(rule.text.clone()).or_default();
            if own.watched.len() >= MOST_CLIENTS && !own.watched.contains_key(client) {
                state.left_out += 1;
                continue;
            }
            let part = seen.time.div_euclid(length(threshold)).max(own.judged.map_or(i64::MIN, |judged| judged + 1));
            own.watched.entry(client.to_owned()).or_default().sums.add(part, &sums);
        }
    }

    /// Takes in an event.
    pub fn happen(&mut self, happening: &Happening) {
        self.advance(happening.time);
        self.happened(happening);
    }

    /// Declares that all exchanges and events before `time` were taken in, and judges the parts of time that are over.
    pub fn advance(&mut self, time: i64) {
        self.state.begun.get_or_insert(time);
        for at in 0..self.rules.len() {
            let Some(Rule { text, condition: Condition::Threshold(threshold), .. }) = self.rules.get(at) else {
                continue;
            };
            let now = time.div_euclid(length(threshold));
            let judged = self.state.rules.get(text).and_then(|own| own.judged);
            if judged.is_some_and(|judged| judged >= now - 1) {
                continue;
            }
            let own = self.state.rules.entry(text.clone()).or_default();
            own.judged = Some(now - 1);
            if !threshold.per_client {
                own.watched.entry(String::new()).or_default();
            }
            let first = judged.map_or(now, |judged| judged + 1);
            let threshold = threshold.clone();
            // Once that many parts are empty, more of them change nothing.
            for part in first..now.min(first.saturating_add(PARTS + 1)) {
                self.judge(at, &threshold, part);
            }
        }
    }

    /// Judges a rule at the end of a part.
    fn judge(&mut self, at: usize, threshold: &Threshold, part: i64) {
        let Some(rule) = self.rules.get(at) else { return };
        let AlertsState { begun, rules, shift, .. } = &mut self.state;
        let Some(own) = rules.get_mut(&rule.text) else { return };
        let length = length(threshold);
        let time = (part + 1).saturating_mul(length);
        let is_whole = begun.is_some_and(|begun| time.saturating_sub(begun) >= threshold.time.nanos());
        let mut changes = Vec::new();
        for (client, watched) in &mut own.watched {
            watched.sums.advance(part);
            let total = &watched.sums.total;
            let value = threshold.measure.value(total, threshold.time.secs_f64());
            let enough = value.filter(|(_, n)| n.is_none_or(|n| n >= threshold.with)).map(|(value, _)| value);
            let kind = match watched.since {
                None if is_whole && enough.is_some_and(|value| threshold.comparison.begins(value, threshold.value)) => {
                    watched.since = Some(time);
                    AlertKind::Begin
                }
                Some(_) if !value.is_some_and(|(value, _)| threshold.comparison.goes_on(value, threshold.value)) => {
                    AlertKind::End
                }
                _ => continue,
            };
            let since = if kind == AlertKind::End { watched.since.take() } else { None };
            let value = value.map(|(value, _)| value);
            let worded =
                value.map_or("nothing is left to measure".to_owned(), |value| worded(threshold.measure, value));
            let over = threshold.time.secs_f64();
            let limit = Rule::limit(threshold);
            let text = match kind {
                AlertKind::End => format!("{}: {worded}, no longer {limit}", threshold.measure.name()),
                _ => format!("{}: {worded}, {limit} over {over} s", threshold.measure.name()),
            };
            changes.push(Alert {
                number: 0,
                alert: rule.name.clone(),
                kind,
                time: time.saturating_sub(*shift),
                client: (!client.is_empty()).then(|| client.clone()),
                value,
                threshold: Some(threshold.value),
                since: since.map(|since| since.saturating_sub(*shift)),
                evidence: Evidence::of(total),
                text,
            });
        }
        own.watched.retain(|client, one| client.is_empty() || one.since.is_some() || !one.sums.is_empty());
        if !(self.has_storm && at + 1 == self.rules.len()) {
            self.said.append(&mut changes);
            return;
        }
        for alert in changes.into_iter().filter(|alert| alert.kind == AlertKind::Begin) {
            let Alert { client, text, evidence, .. } = alert;
            self.happened(&Happening { kind: EventKind::Storm, time, client, text, evidence });
        }
    }

    fn happened(&mut self, happening: &Happening) {
        let Self { rules, state, said, .. } = self;
        let shift = state.shift;
        for rule in rules.iter() {
            let (text, since) = match rule.condition {
                Condition::Event(kind) if kind == happening.kind => (happening.text.clone(), None),
                Condition::Sequence(first, then, within) => {
                    let own = state.rules.entry(rule.text.clone()).or_default();
                    let is_in_time = |before: &Happening| happening.time.saturating_sub(before.time) <= within.nanos();
                    let before = own.first.take_if(|_| then == happening.kind).filter(is_in_time);
                    if first == happening.kind {
                        own.first = Some(happening.clone());
                    }
                    let Some(before) = before else { continue };
                    let after = happening.time.saturating_sub(before.time) as f64 / 1e9;
                    (format!("{}; {after:.1} s later {}", before.text, happening.text), Some(before.time))
                }
                Condition::Event(_) | Condition::Threshold(_) => continue,
            };
            said.push(Alert {
                number: 0,
                alert: rule.name.clone(),
                kind: AlertKind::Event,
                time: happening.time.saturating_sub(shift),
                client: happening.client.clone(),
                value: None,
                threshold: None,
                since: since.map(|since| since.saturating_sub(shift)),
                evidence: happening.evidence,
                text,
            });
        }
    }
}

/// Length of the parts of a rule, nanoseconds.
const fn length(threshold: &Threshold) -> i64 {
    threshold.time.nanos() / PARTS
}

#[cfg(test)]
mod tests;
