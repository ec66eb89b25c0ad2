//! Runs worked examples: JSON in, the same JSON with the outputs filled in.
//!
//! The input is `{"vectors": [{"id", "preset", "unit", "steps": […]}, …]}`. `unit` is `s`, `ms` or
//! `tick` (1/128 s; anything may follow the word) and holds for every time of the vector. An object
//! `params` overrides the preset's parameters. A step happens at `t` with the draw `u`; its `op` is one of:
//!
//! * `exchange`: sent at `t`, retransmitted `k` times as its timers expire, acknowledged
//!   `after_last_tx` after the last copy. `rc` is the copy the answer names; without it the answer to
//!   an exchange that was never retransmitted names the original, any other is ambiguous.
//!   Fills in `first_rto`, `last_rto`, `rtt_from_first` and `state`.
//! * `fail`: sent at `t` and never acknowledged, `max_retransmit` (4) retransmissions. Fills in `timers` (the last is 0
//!   when the algorithm does not wait after the last copy), `gave_up_after` and `state`.
//! * `send`: sent at `t` and still open when the vector ends. Fills in `rto`.
//!
//! `inflight` is the number of other exchanges open. `state` is the state after the event, not aged; of an
//! algorithm that is a state machine it has a `state` as well.
//! Outputs that the input has are ignored, as are `note` and what lies beside `vectors`; null is as good as absent. A
//! vector that cannot be read or run, or has a field that is none of these, gets an `error` in place of its steps,
//! which names step and field, and the others go on.
//!
//! [`ClosedLoop`] runs a scripted link instead, where the estimator's own timers decide what is sent.

mod closed_loop;

pub use closed_loop::{ClosedLoop, End, Played, Scripted};

use crate::exchange::{ClientExchange, Expiry, SenderRules};
use crate::{AlgorithmSet, AlgorithmSpec, Dither, Estimator, EstimatorState, Unit};
use base::{Instant, Span};
use serde_json::{Map, Value, json};
use std::fmt;

/// Inputs of every step, which the output repeats.
const INPUTS: [&str; 4] = ["op", "t", "u", "inflight"];
/// Further inputs of an `exchange`.
const OF_EXCHANGE: [&str; 3] = ["k", "after_last_tx", "rc"];
/// Further inputs of a `fail`.
const OF_FAIL: [&str; 1] = ["max_retransmit"];

/// Outputs of a step, and comments on it.
const OUTPUTS: [&str; 9] =
    ["first_rto", "last_rto", "rtt_from_first", "timers", "gave_up_after", "rto", "state", "late", "note"];
/// Fields of a vector.
const FIELDS: [&str; 7] = ["id", "preset", "unit", "params", "steps", "error", "note"];

/// Refusal of an input without worked examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DriveError;

impl fmt::Display for DriveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an object with an array `vectors`")
    }
}

impl std::error::Error for DriveError {}

/// Runs every vector on a fresh estimator of the registry.
///
/// ```
/// let input = serde_json::json!({ "vectors": [{
///     "id": "mine", "preset": "coap_default", "unit": "s",
///     "steps": [{ "op": "fail", "t": 0, "u": 0.5 }],
/// }]});
/// let output = rto::drive::drive(&input)?;
/// assert_eq!(output["vectors"][0]["steps"][0]["gave_up_after"], 77.5);
/// # Ok::<(), rto::drive::DriveError>(())
/// ```
///
/// # Errors
/// [`DriveError`] when the input has no array `vectors`.
pub fn drive(input: &Value) -> Result<Value, DriveError> {
    drive_with(&AlgorithmSet::default(), input)
}

/// Runs every vector as [`drive`] does, with the presets of `set`, a user's among them.
///
/// # Errors
/// The same as [`drive`].
pub fn drive_with(set: &AlgorithmSet, input: &Value) -> Result<Value, DriveError> {
    let vectors = input.get("vectors").and_then(Value::as_array).ok_or(DriveError)?;
    let mut output = Map::new();
    if let Some(format) = input.get("format") {
        output.insert("format".to_owned(), format.clone());
    }
    output.insert("vectors".to_owned(), vectors.iter().map(|input| vector(set, input)).collect());
    Ok(Value::Object(output))
}

/// Runs one vector.
fn vector(set: &AlgorithmSet, input: &Value) -> Value {
    let mut output = Map::new();
    for name in ["id", "preset", "unit"] {
        if let Some(value) = input.get(name) {
            output.insert(name.to_owned(), value.clone());
        }
    }
    match steps(set, input) {
        Ok(steps) => output.insert("steps".to_owned(), Value::Array(steps)),
        Err(error) => output.insert("error".to_owned(), Value::String(error)),
    };
    Value::Object(output)
}

/// Fails where `object` has a field that is not among `known`: a misspelt one would count as absent.
fn no_others(object: &Value, known: &[&[&str]]) -> Result<(), String> {
    let is_known = |name: &str| known.iter().any(|names| names.contains(&name));
    match object.as_object().and_then(|fields| fields.keys().find(|name| !is_known(name))) {
        Some(name) => Err(format!("there is no field `{name}`; there are {}", known[0].join(", "))),
        None => Ok(()),
    }
}

fn steps(set: &AlgorithmSet, input: &Value) -> Result<Vec<Value>, String> {
    no_others(input, &[&FIELDS])?;
    let text = |name: &str| match input.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(other) => Err(format!("`{name}` is {other}, not a text")),
    };
    let id = text("preset")?.ok_or("no `preset`")?;
    let spec = set.spec(id).ok_or_else(|| format!("no algorithm is called `{id}`"))?;
    let estimator = set.build(id, input.get("params").unwrap_or(&Value::Null)).map_err(|error| error.to_string())?;
    let scale = Scale::of(text("unit")?.unwrap_or("s"))?;
    let mut run = Run { spec, estimator, scale, now: Instant::ZERO };
    let steps = input.get("steps").and_then(Value::as_array).ok_or("no array `steps`")?;
    let numbered = |(n, step)| run.step(&Step(step)).map_err(|error| format!("step {n}: {error}"));
    steps.iter().enumerate().map(numbered).collect()
}

/// One step of the input. A field that is not what it should be is an error, never its default.
struct Step<'a>(&'a Value);

impl Step<'_> {
    /// Inputs that a step with this `op` has.
    fn inputs(&self) -> Result<Vec<&'static str>, String> {
        let further: &[&str] = match self.0.get("op").and_then(Value::as_str) {
            Some("exchange") => &OF_EXCHANGE,
            Some("fail") => &OF_FAIL,
            Some("send") => &[],
            Some(other) => return Err(format!("`op` is `{other}`, not exchange, fail or send")),
            None => return Err("no `op`: exchange, fail or send".to_owned()),
        };
        Ok([&INPUTS, further].concat())
    }

    fn field(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    fn number(&self, name: &str) -> Result<Option<f64>, String> {
        let number = |value: &Value| value.as_f64().ok_or_else(|| format!("`{name}` is {value}, not a number"));
        self.field(name).map(number).transpose()
    }

    /// A time, none below zero.
    fn time(&self, name: &str, scale: Scale) -> Result<Span, String> {
        let value = self.number(name)?.ok_or_else(|| format!("no `{name}`"))?;
        if value < 0.0 {
            return Err(format!("`{name}` is {value}, below zero"));
        }
        scale.span(value).map_err(|error| format!("`{name}`: {error}"))
    }

    /// A draw from 0 to 1; 0 without.
    fn draw(&self, name: &str) -> Result<Dither, String> {
        let draw = self.number(name)?.unwrap_or(0.0);
        if !(0.0..=1.0).contains(&draw) {
            return Err(format!("`{name}` is {draw}, not a draw from 0 to 1"));
        }
        Ok(Dither::from_f64(draw))
    }

    fn count<T: TryFrom<u64>>(&self, name: &str) -> Result<Option<T>, String> {
        let Some(value) = self.field(name) else { return Ok(None) };
        let whole = value.as_u64().ok_or_else(|| format!("`{name}` is {value}, not a whole number from 0"))?;
        T::try_from(whole).map(Some).map_err(|_| format!("`{name}` is {value}, too large"))
    }
}

/// Number of units in a second.
#[derive(Clone, Copy)]
struct Scale(f64);

impl Scale {
    fn of(unit: &str) -> Result<Self, String> {
        match unit {
            "s" => Ok(Self(1.0)),
            "ms" => Ok(Self(1e3)),
            _ if unit.starts_with("tick") => Ok(Self(128.0)),
            _ => Err(format!("unit `{unit}` is not s, ms or tick")),
        }
    }

    fn span(self, value: f64) -> Result<Span, String> {
        Span::from_secs_f64(value / self.0).ok_or_else(|| format!("{value} is not a time"))
    }

    fn value(self, span: Span) -> Value {
        json!(span.secs_f64() * self.0)
    }
}

/// One estimator and the unit of its inputs and outputs.
struct Run<'a> {
    spec: &'a AlgorithmSpec,
    estimator: Box<dyn Estimator>,
    scale: Scale,
    /// Time of the latest step.
    now: Instant,
}

impl Run<'_> {
    fn step(&mut self, step: &Step<'_>) -> Result<Value, String> {
        let inputs = step.inputs();
        if let Ok(inputs) = &inputs {
            no_others(step.0, &[inputs, &OUTPUTS])?;
        }
        let at = Instant::ZERO + step.time("t", self.scale)?;
        if at < self.now {
            return Err("`t` is before that of the step before: time goes forward".to_owned());
        }
        self.now = at;
        let dither = step.draw("u")?;
        let inflight: u32 = step.count("inflight")?.unwrap_or(0);

        let inputs = inputs?;
        let given = |name: &&str| step.0.get(name).map(|value| ((*name).to_owned(), value.clone()));
        let mut output: Map<String, Value> = inputs.iter().filter_map(given).collect();
        let mut fill = |name: &str, value: Value| output.insert(name.to_owned(), value);
        match step.0.get("op").and_then(Value::as_str) {
            Some("exchange") => {
                let copies: u8 = step.count("k")?.unwrap_or(0);
                let after = step.time("after_last_tx", self.scale)?;
                let rc: Option<u8> = step.count("rc")?;
                if let Some(rc) = rc.filter(|&rc| rc > copies) {
                    return Err(format!("`rc` is {rc}, but the last copy is {copies}"));
                }
                let (mut exchange, mut now) = (self.start(at, inflight, copies, dither), at);
                for _ in 0..copies {
                    now = exchange.deadline();
                    if exchange.expired(now, &mut *self.estimator) == Expiry::Retransmit {
                        exchange.transmit(now, &mut *self.estimator, dither);
                    }
                }
                now += after;
                exchange.answered(now, rc.or((copies == 0).then_some(0)), &mut *self.estimator);
                fill("first_rto", self.scale.value(exchange.flight().first_armed()));
                fill("last_rto", self.scale.value(exchange.flight().last_armed()));
                fill("rtt_from_first", self.scale.value(now - at));
                fill("state", self.state());
            }
            Some("fail") => {
                let retransmissions: u8 = step.count("max_retransmit")?.unwrap_or(SenderRules::MAX_RETRANSMIT);
                let mut exchange = self.start(at, inflight, retransmissions, dither);
                while exchange.expired(exchange.deadline(), &mut *self.estimator) == Expiry::Retransmit {
                    exchange.transmit(exchange.deadline(), &mut *self.estimator, dither);
                }
                let mut timers = exchange.flight().armed.clone();
                if let Some(last) = timers.last_mut().filter(|_| !exchange.waits()) {
                    *last = Span::ZERO;
                }
                fill("timers", timers.iter().map(|&timer| self.scale.value(timer)).collect());
                fill("gave_up_after", self.scale.value(exchange.deadline() - at));
                fill("state", self.state());
            }
            // [`Step::inputs`] has refused all others.
            _ => {
                let exchange = self.start(at, inflight, 0, dither);
                fill("rto", self.scale.value(exchange.flight().last_armed()));
            }
        }
        Ok(Value::Object(output))
    }

    /// Sends the original of an exchange with at most `retransmissions` more copies, which nothing cuts short.
    fn start(&mut self, at: Instant, inflight: u32, retransmissions: u8, dither: Dither) -> ClientExchange {
        let rules = SenderRules {
            max_retransmit: Some(retransmissions),
            exchange_lifetime: Span::MAX,
            ..SenderRules::of(self.spec)
        };
        let mut exchange = ClientExchange::new(rules);
        exchange.restart(inflight);
        exchange.transmit(at, &mut *self.estimator, dither);
        exchange
    }

    fn state(&self) -> Value {
        let EstimatorState { values, mode, .. } = self.estimator.state(Instant::MIN);
        let machine = self.spec.diagram.map(|_| ("state".to_owned(), json!(mode)));
        let units = self.spec.state.iter().map(|variable| variable.unit);
        let print = |((name, value), unit): ((&str, Option<Span>), Unit)| {
            let value = value.map_or(Value::Null, |span| match unit {
                Unit::Seconds => self.scale.value(span),
                _ => json!(span.secs_f64()),
            });
            (name.to_owned(), value)
        };
        Value::Object(machine.into_iter().chain(values.into_iter().zip(units).map(print)).collect())
    }
}
