//! Rules: conditions at which an alert begins and ends.
//!
//! ```text
//! rule       = threshold | event | event "then" event "within" TIME
//! threshold  = MEASURE [ "per client" ] [ "of" FILTER ] COMPARISON VALUE "for" TIME [ "with" N ]
//! event      = "timer-changed" | "parent-changed" | "storm"
//! COMPARISON = ">" | ">=" | "<" | "<="
//! ```
//!
//! Words are separated by spaces; FILTER is an expression of `table::filter`.

use crate::measure::{Form, Measure};
use base::{Span, read_span};
use serde::{Deserialize, Serialize};
use std::fmt;
use table::filter::{Filter, nearest};

/// Number of observations that a share or a mean needs where a rule names none. Chosen here: with fewer, one copy moves
/// a share by more than a twentieth.
const WITH: u64 = 20;

/// Shortest time that a rule may look back. Chosen here: its [`PARTS`](crate::sliding::PARTS) are then a sixth of a
/// second.
const SHORTEST: Span = Span::from_secs(10);

/// Longest time that a rule may look back, or wait. Chosen here: its parts are then 24 minutes.
const LONGEST: Span = Span::from_secs(86_400);

/// Error in the text of a rule: a sentence for a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleError(pub String);

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RuleError {}

/// Event that rules may wait for; it has a moment and no duration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// The retransmissions of a client fit another algorithm than those before.
    TimerChanged,
    /// A node has another RPL parent.
    ParentChanged,
    /// A storm began; see [`Rule::storm`].
    Storm,
}

impl EventKind {
    /// All events, in the order of documentation.
    pub const ALL: [Self; 3] = [Self::TimerChanged, Self::ParentChanged, Self::Storm];

    /// Name of the event in files of rules.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TimerChanged => "timer-changed",
            Self::ParentChanged => "parent-changed",
            Self::Storm => "storm",
        }
    }
}

/// Direction in which a value is beyond its threshold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    Above,
    AtLeast,
    Below,
    AtMost,
}

/// Share of a threshold by which a value must have come back before an alert ends. Chosen here: a tenth keeps a value
/// that swings about its threshold from beginning an alert each time.
const HYSTERESIS: f64 = 0.1;

impl Comparison {
    /// Returns whether an alert begins at `value`.
    pub fn begins(self, value: f64, threshold: f64) -> bool {
        match self {
            Self::Above => value > threshold,
            Self::AtLeast => value >= threshold,
            Self::Below => value < threshold,
            Self::AtMost => value <= threshold,
        }
    }

    /// Returns whether an alert that began goes on at `value`.
    pub fn goes_on(self, value: f64, threshold: f64) -> bool {
        match self {
            Self::Above | Self::AtLeast => value > threshold * (1.0 - HYSTERESIS) || self.begins(value, threshold),
            Self::Below | Self::AtMost => value < threshold * (1.0 + HYSTERESIS) || self.begins(value, threshold),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Above => ">",
            Self::AtLeast => ">=",
            Self::Below => "<",
            Self::AtMost => "<=",
        }
    }
}

/// Condition on a measure: beyond a value, over some time.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Threshold {
    /// Measure that is compared.
    pub measure: Measure,
    /// True to compare the measure of each client, false for all together.
    pub per_client: bool,
    /// Filter that the first copy of an exchange must pass; `None` for all exchanges.
    pub filter: Option<Filter>,
    /// Direction of the comparison.
    pub comparison: Comparison,
    /// Threshold, in the unit of the measure: a share is 0 to 1, a time seconds.
    pub value: f64,
    /// Time that the rule looks back.
    pub time: Span,
    /// Least number of observations at which an alert may begin.
    pub with: u64,
}

/// Condition of an alert.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Condition {
    /// A measure beyond a value.
    Threshold(Threshold),
    /// An event of this kind.
    Event(EventKind),
    /// Second event after the first, within a time.
    Sequence(EventKind, EventKind, Span),
}

/// A rule with its name.
#[derive(Clone, PartialEq, Debug)]
pub struct Rule {
    /// Name in alerts: the text of the rule, unless it was given another.
    pub name: String,
    /// Text of the rule, with single spaces.
    pub text: String,
    /// Condition at which an alert begins or happens.
    pub(crate) condition: Condition,
}

impl Rule {
    /// Reads a rule, of the form above.
    ///
    /// # Errors
    /// [`RuleError`] that says which form or word would do.
    pub fn read(text: &str) -> Result<Self, RuleError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let condition = match words[..] {
            [one] if event(one).is_ok() => Condition::Event(event(one)?),
            [first, "then", then, "within", within] => Condition::Sequence(event(first)?, event(then)?, time(within)?),
            _ => Condition::Threshold(threshold(text)?),
        };
        let text = words.join(" ");
        Ok(Self { name: text.clone(), text, condition })
    }

    /// Returns the rule under another name.
    #[must_use]
    pub fn named(self, name: String) -> Self {
        Self { name, ..self }
    }

    /// Returns the rule whose beginning is the event [`EventKind::Storm`]: over a minute more than two in five copies
    /// are needless. The app calls the same share a storm (`api/src/comparison/verdict.rs`).
    #[must_use]
    pub fn storm() -> Self {
        let threshold = Threshold {
            measure: Measure::Needless,
            per_client: false,
            filter: None,
            comparison: Comparison::Above,
            value: 0.4,
            time: Span::from_secs(60),
            with: WITH,
        };
        let text = "needless > 40% for 1min".to_owned();
        Self { name: "storm".to_owned(), text, condition: Condition::Threshold(threshold) }
    }

    /// Returns whether the rule needs to know of events of this kind.
    pub(crate) fn waits_for(&self, kind: EventKind) -> bool {
        match self.condition {
            Condition::Threshold(_) => false,
            Condition::Event(own) => own == kind,
            Condition::Sequence(first, then, _) => first == kind || then == kind,
        }
    }

    /// Comparison and threshold in words.
    pub(crate) fn limit(threshold: &Threshold) -> String {
        format!("{} {}", threshold.comparison.name(), worded(threshold.measure, threshold.value))
    }
}

/// Value of a measure in words, as rules have it.
pub(crate) fn worded(measure: Measure, value: f64) -> String {
    match measure.form() {
        Form::Share => format!("{}%", (value * 1_000.0).round() / 10.0),
        Form::Time => format!("{}s", (value * 1_000.0).round() / 1_000.0),
        Form::Number => format!("{}", (value * 1_000.0).round() / 1_000.0),
    }
}

/// Reads the `[[alert]]` tables of a TOML file, in its order: `when`, the rule, and `name`, if it has one.
///
/// # Errors
/// [`RuleError`] for a file that is not TOML or has other keys, and for a wrong rule, with the number of its table.
pub fn rules_of_file(text: &str) -> Result<Vec<Rule>, RuleError> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        alert: Vec<Table>,
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Table {
        when: String,
        name: Option<String>,
    }
    // In one line: the error's own text draws the line of the file below its message.
    let error = |error: toml::de::Error| match error.span().and_then(|span| text.get(..span.start)) {
        Some(before) => RuleError(format!("line {}: {}", before.split('\n').count(), error.message())),
        None => RuleError(error.message().to_owned()),
    };
    let file: File = toml::from_str(text).map_err(error)?;
    let rule = |(at, table): (usize, Table)| {
        let rule = Rule::read(&table.when).map_err(|error| RuleError(format!("alert {}: {error}", at + 1)))?;
        Ok(match table.name {
            Some(name) => rule.named(name),
            None => rule,
        })
    };
    file.alert.into_iter().enumerate().map(rule).collect()
}

/// Checks that no rule is there twice: what both need is kept once, by their text.
///
/// # Errors
/// Position of the second of two equal rules, from 0, and a [`RuleError`] that says so.
pub fn distinct(rules: &[Rule]) -> Result<(), (usize, RuleError)> {
    let is_again = |&(at, own): &(usize, &Rule)| rules.iter().take(at).any(|before| before.text == own.text);
    match rules.iter().enumerate().find(is_again) {
        Some((at, _)) => Err((at, RuleError("this rule is there already".to_owned()))),
        None => Ok(()),
    }
}

fn event(word: &str) -> Result<EventKind, RuleError> {
    EventKind::ALL.into_iter().find(|kind| kind.name() == word).ok_or_else(|| {
        RuleError(format!("`{word}` is no event; there are {}", EventKind::ALL.map(EventKind::name).join(", ")))
    })
}

fn threshold(text: &str) -> Result<Threshold, RuleError> {
    let form = || {
        RuleError(format!(
            "`{text}` has not the form MEASURE [per client] [of FILTER] > VALUE for TIME, as in `needless > 20% for 5min`, and is no \
             event"
        ))
    };
    let (rest, duration) = text.trim().rsplit_once(" for ").ok_or_else(form)?;
    let duration: Vec<&str> = duration.split_whitespace().collect();
    let (duration, with) = match duration[..] {
        [duration] => (time(duration)?, WITH),
        [duration, "with", with] => {
            let with = with.parse().map_err(|_| RuleError(format!("`{with}` is no number of observations")))?;
            (time(duration)?, with)
        }
        _ => return Err(form()),
    };
    let (rest, value) = rest.trim_end().rsplit_once(char::is_whitespace).ok_or_else(form)?;
    let (rest, comparison) = rest.trim_end().rsplit_once(char::is_whitespace).ok_or_else(form)?;
    let comparison = match comparison {
        ">" => Comparison::Above,
        ">=" => Comparison::AtLeast,
        "<" => Comparison::Below,
        "<=" => Comparison::AtMost,
        _ => return Err(RuleError(format!("`{comparison}` is no comparison; there are >, >=, < and <="))),
    };
    let rest = rest.trim();
    let (measure, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let measure = Measure::of(measure).ok_or_else(|| {
        let names = Measure::ALL.map(Measure::name).join(", ");
        let near = nearest(measure, Measure::ALL.map(Measure::name));
        let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        RuleError(format!("`{measure}` is no measure; there are {names}{hint}"))
    })?;
    let rest = rest.trim();
    let (per_client, rest) = match rest.strip_prefix("per client") {
        Some(rest) => (true, rest.trim()),
        None => (false, rest),
    };
    let filter = match rest.strip_prefix("of ") {
        Some(filter) => {
            let wrong = |error| RuleError(format!("the filter `{}`: {error}", filter.trim()));
            Some(filter.trim().parse::<Filter>().map_err(wrong)?)
        }
        None if rest.is_empty() => None,
        None => return Err(form()),
    };
    Ok(Threshold { measure, per_client, filter, comparison, value: number(measure, value)?, time: duration, with })
}

/// Reads a value of a measure.
fn number(measure: Measure, text: &str) -> Result<f64, RuleError> {
    let plain = |text: &str| text.parse::<f64>().ok().filter(|value| value.is_finite() && *value >= 0.0);
    let (value, forms) = match measure.form() {
        Form::Share => {
            let value =
                text.strip_suffix('%').map_or_else(|| plain(text), |hundredths| Some(plain(hundredths)? / 100.0));
            (value.filter(|value| *value <= 1.0), "a share such as 20% or 0.2")
        }
        Form::Time => (read_span(text).ok().map(Span::secs_f64), "a time such as 2s or 500ms"),
        Form::Number => (plain(text), "a number such as 3 or 0.5"),
    };
    value.ok_or_else(|| RuleError(format!("`{text}` is no value of {}, which is {forms}", measure.name())))
}

/// Reads the time that a rule looks back, or waits.
fn time(text: &str) -> Result<Span, RuleError> {
    let span = read_span(text).map_err(RuleError)?;
    if (SHORTEST..=LONGEST).contains(&span) {
        return Ok(span);
    }
    Err(RuleError(format!("a rule looks back for 10s to 24h, not for {text}")))
}

#[cfg(test)]
mod tests;
