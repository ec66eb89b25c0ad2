//! Labels of the choices of the bridge; the page has them as `ui/src/ipc/gen/labels.ts`.

use super::{ChannelKind, ContextHow, FcsKind, FitKind, PolicyView, VantageKind, WorkloadKind, params};
use base::Span;
use rto::{ParamSpec, ParamValue, Scale, Unit};
use serde::Serialize;
use serde_json::Value;

impl ChannelKind {
    /// Returns the label that follows the word "channel" ([`replay::ChannelSpec::label`]).
    #[must_use]
    pub const fn label(self) -> &'static str {
        self.spec().label()
    }

    /// Returns the name for narrow columns under the heading "Channel".
    #[must_use]
    pub const fn short(self) -> &'static str {
        match self {
            Self::Recorded => "Recorded",
            Self::Empirical => "Empirical",
            Self::GilbertElliott => "Gilbert–Elliott",
            Self::Loaded => "Loaded",
            Self::LoadedGilbertElliott => "Gilbert–Elliott, loaded",
            Self::Queued => "Bottleneck",
            Self::Twin => "Network twin",
            Self::Auto => "Chosen by the capture",
        }
    }

    /// Returns one sentence about the source of the fates of counterfactual copies.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Recorded => "No model: what was not recorded stays open, every number is a bound",
            Self::Empirical => "Fates sampled from recorded copies of the same path near in time",
            Self::GilbertElliott => {
                "Good and bad channel states, fitted to each path and drawn afresh in every replicate"
            }
            Self::Loaded => {
                "As Empirical, but copies that are sent more or less move losses and round trips of all clients, where the \
                 capture shows how"
            }
            Self::LoadedGilbertElliott => "As Gilbert–Elliott, moved by load likewise",
            Self::Queued => {
                "As Empirical, but copies and replies of all clients pass one node in order, wait, and are dropped where it has \
                 no room, where the capture shows how it works"
            }
            Self::Twin => {
                "Copies pass a simulation of the network that the capture shows: queues, cells, contention and link retries answer \
                 to the timers"
            }
            Self::Auto => {
                "The network twin where it is right about its own capture; else a bottleneck that the round trips show, or Empirical"
            }
        }
    }
}

impl WorkloadKind {
    /// Returns the label that follows the word "workload".
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Auto => "as detected",
            Self::Arrivals => "arrivals",
            Self::ThinkTime => "think time",
        }
    }
}

impl VantageKind {
    /// Returns the place of the capture on the path, or the part of the path that it shows.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Client => "at the client",
            Self::Server => "at the server",
            Self::Between => "in between",
            Self::Everywhere => "every hop",
        }
    }
}

impl FcsKind {
    /// Returns the label that follows "check sequence:".
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Auto => "found from the frames",
            Self::None => "none",
            Self::Crc16 => "CRC-16",
            Self::Ti => "TI status (RSSI and correlation)",
        }
    }
}

impl ContextHow {
    /// Returns the source of a 6LoWPAN context, to be written after it.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Announced => "announced by a router",
            Self::Rpl => "the prefix that RPL announces",
        }
    }
}

impl FitKind {
    /// Returns the verdict for a column of a table of paths.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::TooFew => "too few copies",
            Self::OneState => "one state",
            Self::TwoStates => "two states",
            Self::DoesNotFit => "does not fit",
        }
    }
}

/// Returns the methods: code, as `0.01`, and name (RFC 7252 §12.1.1, RFC 8132 §6), in order of code.
pub fn methods() -> impl Iterator<Item = (String, &'static str)> {
    let codes = (0..=u8::MAX).map(trace::Code).filter(|code| code.is_request());
    codes.filter_map(|code| Some((code.to_string(), code.name()?)))
}

/// A rule besides timeouts ([`PolicyView`]) as data. Not given: as in RFC 7252 §4.8 or as the capture shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RuleSpec {
    /// Declaration: field of [`PolicyView`], label, group, range (times in seconds), source; choices of a switch: `no`,
    /// `yes`.
    #[serde(flatten)]
    #[cfg_attr(feature = "ts", ts(flatten))]
    pub spec: ParamSpec,
    /// Placeholder of the form's field while the rule is not given; `None`: its default is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub blank: Option<&'static str>,
}

const SENDER: &str = "sender";
const SERVER: &str = "server";
/// Rules of this group are of channel `queued` alone.
const BOTTLENECK: &str = "bottleneck";

/// A whole number: default, least and, if there is one, greatest.
struct Whole(f64, f64, Option<f64>);

impl RuleSpec {
    fn new(
        group: &'static str,
        (name, label): (&'static str, &'static str),
        citation: &'static str,
        doc: &str,
    ) -> Self {
        let spec = params::choice((name, label, group), doc, &["no", "yes"], citation);
        Self { spec, blank: None }
    }

    fn number(self, unit: Unit, default: f64, min: Option<f64>, max: Option<f64>) -> Self {
        let spec = ParamSpec { unit, default: ParamValue::Number(default), min, max, choices: Vec::new(), ..self.spec };
        Self { spec, ..self }
    }

    fn count(self, Whole(default, min, max): Whole) -> Self {
        self.number(Unit::Count, default, Some(min), max)
    }

    fn seconds(self, default: f64, min: f64, max: f64) -> Self {
        self.number(Unit::Seconds, default, Some(min), Some(max))
    }

    /// Makes the rule a choice; the first of `choices` holds when nothing is given.
    fn choice(self, choices: &[&'static str]) -> Self {
        let ParamSpec { name, label, group, doc, citation, .. } = self.spec;
        Self { spec: params::choice((name, label, group), &doc, choices, citation), ..self }
    }

    fn log(mut self) -> Self {
        self.spec.scale = Scale::Log;
        self
    }

    fn blank(mut self, blank: &'static str) -> Self {
        self.blank = Some(blank);
        self
    }

    /// Returns the rule with its value in words; `value` is as [`PolicyView`] crosses the bridge, times in nanoseconds.
    fn said(&self, value: &Value) -> String {
        let label = self.spec.label;
        match (self.spec.unit, value) {
            (_, Value::Bool(_)) => label.to_owned(),
            (Unit::Seconds, value) => {
                let span = Span::from_nanos(value.as_i64().unwrap_or_default());
                format!("{label} {} s", span.secs_f64())
            }
            (_, Value::String(text)) => format!("{label} {text}"),
            (_, value) => format!("{label} {value}"),
        }
    }
}

/// Every rule, in the order of forms and sentences.
#[must_use]
pub fn rules() -> Vec<RuleSpec> {
    [sender_rules(), server_rules(), bottleneck_rules()].concat()
}

fn sender_rules() -> Vec<RuleSpec> {
    vec![
        RuleSpec::new(
            SENDER,
            ("nstart", "NSTART"),
            "RFC 7252 §4.7",
            "Most exchanges open at once towards one server. Without: as many as the trace shows.",
        )
        .count(Whole(1.0, 1.0, Some(255.0)))
        .log()
        .blank("trace"),
        RuleSpec::new(
            SENDER,
            ("max_retransmit", "MAX_RETRANSMIT"),
            "RFC 7252 §4.8",
            "Retransmissions before a client gives up.",
        )
        .count(Whole(4.0, 0.0, Some(20.0))),
        RuleSpec::new(
            SENDER,
            ("exchange_lifetime", "EXCHANGE_LIFETIME"),
            "RFC 7252 §4.8.2",
            "An exchange is given up after this long, whatever its timers say.",
        )
        .seconds(247.0, 0.001, 86_400.0)
        .log(),
        RuleSpec::new(
            SENDER,
            ("queue", "Most that wait"),
            "Ancillotti & Bruno 2017",
            "Most requests that wait for a place (NSTART); more are dropped, with 0 whatever would wait. Without: as many as the \
             mote log beside the capture tells of, or all.",
        )
        .count(Whole(8.0, 0.0, None))
        .blank("log"),
        RuleSpec::new(
            SENDER,
            ("blind", "Blind timeouts"),
            "draft-ietf-core-cocoa-03 §4.1",
            "First timeouts before the first sample, with other exchanges open: as the algorithm does, as with none open, times \
             their number, or doubled for each.",
        )
        .choice(&["algorithm", "ignore", "linear", "power"]),
        RuleSpec::new(
            SENDER,
            ("state_lifetime", "State is kept"),
            "draft-ietf-core-cocoa-03 §4.3",
            "How long what was learned about a server is kept when nothing is sent to it. Without: for ever.",
        )
        .seconds(255.0, 0.001, 86_400.0)
        .log()
        .blank("ever"),
        RuleSpec::new(
            SENDER,
            ("destinations", "Servers remembered"),
            "draft-ietf-core-cocoa-03 §4.3",
            "How many servers a client keeps state of. Without: all.",
        )
        .count(Whole(4.0, 1.0, Some(65_535.0)))
        .log()
        .blank("all"),
        RuleSpec::new(
            SENDER,
            ("plimit", "PLIMIT"),
            "draft-bormann-core-cocoa-03",
            "Limits the exchanges that one client has open to all its servers together, as the early CoCoA drafts did.",
        ),
        RuleSpec::new(
            SENDER,
            ("probing_rate", "PROBING_RATE"),
            "RFC 7252 §4.8",
            "Octets a second to a server that does not answer. Without: not limited.",
        )
        .count(Whole(1.0, 1.0, Some(1_000_000.0)))
        .log()
        .blank("off"),
    ]
}

fn server_rules() -> Vec<RuleSpec> {
    vec![
        RuleSpec::new(
            SERVER,
            ("processing", "Longer processing"),
            "RFC 7252 §4.8.2",
            "How much longer the server works on a request than it did.",
        )
        .seconds(0.0, 0.0, 60.0),
        RuleSpec::new(
            SERVER,
            ("repeats", "Repeats"),
            "RFC 7252 §4.5",
            "The server takes a copy for a new request and works on it again: no de-duplication.",
        ),
    ]
}

fn bottleneck_rules() -> Vec<RuleSpec> {
    vec![
        RuleSpec::new(
            BOTTLENECK,
            ("service", "Service time"),
            "",
            "How long the bottleneck serves a message of mean airtime. Without: as the capture shows.",
        )
        .seconds(0.1, 0.000_1, 60.0)
        .log()
        .blank("found"),
        RuleSpec::new(
            BOTTLENECK,
            ("room", "Room"),
            "",
            "For how many messages the bottleneck has room, the one that is served included. Without: as the capture shows, if \
             it does.",
        )
        .count(Whole(16.0, 1.0, None))
        .blank("found"),
    ]
}

impl PolicyView {
    /// Returns the given rules in the order of [`rules`], each with its value as it crosses the bridge (times in ns).
    pub(crate) fn given(&self) -> Vec<(RuleSpec, Value)> {
        let fields = serde_json::to_value(self).unwrap_or_default();
        let value = |rule: RuleSpec| Some((fields.get(rule.spec.name)?.clone(), rule));
        rules().into_iter().filter_map(value).map(|(value, rule)| (rule, value)).collect()
    }

    /// Returns the given rules in words, times in seconds: `NSTART 4, Service time 0.1 s`. `None` where none is.
    #[must_use]
    pub fn said(&self) -> Option<String> {
        let words: Vec<String> = self.given().iter().map(|(rule, value)| rule.said(value)).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::BlindKind;
    use rto::Choice;
    use serde_json::json;

    /// Every rule is given.
    fn all() -> PolicyView {
        PolicyView {
            nstart: Some(4),
            max_retransmit: Some(0),
            exchange_lifetime: Span::from_secs_f64(30.5),
            queue: Some(0),
            blind: Some(BlindKind::Power),
            state_lifetime: Span::from_secs_f64(255.0),
            destinations: Some(1),
            plimit: true,
            probing_rate: Some(10),
            processing: Span::from_secs_f64(0.25),
            repeats: true,
            service: Span::from_secs_f64(0.000_1),
            room: Some(16),
        }
    }

    #[test]
    fn every_rule_of_a_policy_is_declared_and_said() {
        let serde_json::Value::Object(fields) = serde_json::to_value(all()).unwrap() else { panic!("an object") };
        let declared: Vec<&str> = rules().iter().map(|rule| rule.spec.name).collect();
        assert_eq!(fields.len(), declared.len());
        assert!(fields.keys().all(|field| declared.contains(&field.as_str())), "{declared:?}");
        assert_eq!(
            all().said().unwrap(),
            "NSTART 4, MAX_RETRANSMIT 0, EXCHANGE_LIFETIME 30.5 s, Most that wait 0, Blind timeouts power, State is kept 255 s, \
             Servers remembered 1, PLIMIT, PROBING_RATE 10, Longer processing 0.25 s, Repeats, Service time 0.0001 s, Room 16"
        );
        assert_eq!(PolicyView::default().said(), None);
    }

    #[test]
    fn choices_are_those_of_the_bridge() {
        for rule in rules().iter().filter(|rule| rule.spec.unit == Unit::Choice) {
            for Choice { name: choice, .. } in &rule.spec.choices {
                let given = if ["no", "yes"].contains(choice) { json!(*choice == "yes") } else { json!(choice) };
                let policy = serde_json::from_value::<PolicyView>(json!({ rule.spec.name: given }));
                assert!(policy.is_ok(), "{}: {choice}", rule.spec.name);
            }
        }
        assert!(rules().iter().any(|rule| rule.spec.choices.iter().any(|choice| choice.name == BlindKind::Power.id())));
    }
}
