//! A timer on a device: the lines that make a CoAP stack run it, where they go, and what the stack cannot express.
//!
//! A stack has the parameters of RFC 7252 §4.8, some also a back-off factor or algorithms of their own. What it would
//! clamp or ignore in silence is refused here; what it rounds is said, with the error. Where a stack lacks an
//! algorithm, [`CoapStack::program`] writes it as C.

mod c;
mod stack;

pub use c::{CProgram, ProgramOctets, program_octets};
pub use stack::{CoapStack, coap_stacks};

use crate::{AlgorithmSpec, ParamValue};
use serde::Serialize;
use serde_json::{Map, Value};
use stack::{Line, Setting};
use std::fmt;

/// A timer and the sender's rules, as a person has chosen them.
#[derive(Clone, Debug)]
pub struct ChosenTimer<'a> {
    /// The algorithm, one of the registry or of a preset file.
    pub algorithm: &'a AlgorithmSpec,
    /// Parameters that differ from the preset's, in natural units as for [`crate::build`].
    pub params: &'a Map<String, Value>,
    /// MAX_RETRANSMIT: greatest number of retransmissions of one message before giving up.
    pub max_retransmit: u8,
    /// NSTART: greatest number of open exchanges towards one server.
    pub nstart: u8,
}

/// Lines that make a CoAP stack run a timer, and their sources.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Applied {
    /// Name of the stack.
    pub stack: String,
    /// Version whose sources were read.
    pub version: String,
    /// File or place that takes the text.
    pub place: String,
    /// Section of the stack's documentation.
    pub documentation: String,
    /// The lines, with a comment that says where they come from.
    pub text: String,
    /// Place in the stack's sources of every parameter that was set, in the order of the lines.
    pub sources: Vec<String>,
    /// Roundings, and what else a person should know, one sentence each.
    pub remarks: Vec<String>,
}

/// Kind of an [`ApplyError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The stack has no such algorithm.
    Algorithm,
    /// The stack's own algorithm has no setting for a parameter.
    Parameter,
    /// The stack would clamp, ignore or refuse the value.
    Range,
    /// The stack has another value, which cannot be set.
    Fixed,
}

/// Reason why a stack cannot run a timer: its kind, and a sentence without full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApplyError(pub Refusal, pub String);

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.1)
    }
}

impl std::error::Error for ApplyError {}

impl CoapStack {
    /// Returns the lines that make this stack run `choice`.
    ///
    /// # Errors
    ///
    /// An [`ApplyError`] where the stack has no such algorithm or would not take a value as it is.
    pub fn apply(&self, choice: &ChosenTimer<'_>) -> Result<Applied, ApplyError> {
        let mut writing = Writing { stack: self, lines: Vec::new(), sources: Vec::new(), remarks: Vec::new() };
        let spec = choice.algorithm;
        if let Some(own) = self.algorithm.iter().find(|own| own.preset == spec.id) {
            if !choice.params.is_empty() {
                let params: Vec<&str> = choice.params.keys().map(String::as_str).collect();
                let (stack, name, params) = (&self.name, spec.name, params.join(", "));
                let why = format!("{stack} runs {name} with constants of its own: {params} cannot be set there");
                return Err(ApplyError(Refusal::Parameter, why));
            }
            writing.lines.push(own.line.clone());
            writing.sources.push(own.source.clone());
        } else {
            writing.timer(&self.default_coap(choice)?, choice.max_retransmit)?;
        }
        writing.set("MAX_RETRANSMIT", &self.max_retransmit, f64::from(choice.max_retransmit))?;
        writing.set("NSTART", &self.nstart, f64::from(choice.nstart))?;
        Ok(writing.finish(choice))
    }

    /// Parameters of default CoAP that give the chosen timer.
    fn default_coap(&self, choice: &ChosenTimer<'_>) -> Result<Timer, ApplyError> {
        let spec = choice.algorithm;
        let [ack_timeout, random_factor, back_off] = match spec.family {
            "coap" => ["ack_timeout", "random_factor", "backoff"].map(|name| value(choice, name)),
            _ if self.own.iter().any(|own| own == spec.id) => {
                [value(choice, "ack_timeout"), value(choice, "random_factor"), Some(2.0)]
            }
            _ => [None; 3],
        };
        match (ack_timeout, random_factor, back_off) {
            (Some(ack_timeout), Some(random_factor), Some(back_off)) => {
                Ok(Timer { ack_timeout, random_factor, back_off })
            }
            _ => {
                let own: Vec<&str> = self.algorithm.iter().map(|own| own.preset.as_str()).collect();
                let own = if own.is_empty() { String::new() } else { format!(", and {}", own.join(", ")) };
                let (stack, name) = (&self.name, spec.name);
                let why = format!("{stack} has no {name}: it runs default CoAP with other parameters{own}");
                Err(ApplyError(Refusal::Algorithm, why))
            }
        }
    }
}

impl CoapStack {
    /// Refuses settings whose product overflows, each of which the stack would take.
    fn check_product(&self, timer: &Timer, max_retransmit: u8) -> Result<(), ApplyError> {
        let (Some(limit), Setting::Line(timeout), Setting::Line(factor)) =
            (&self.product, &self.ack_timeout, &self.random_factor)
        else {
            return Ok(());
        };
        let waits = if limit.retransmissions { 2_f64.powi(i32::from(max_retransmit) + 1) - 1.0 } else { 1.0 };
        let product = timeout.steps(timer.ack_timeout) * factor.multiplier(timer.random_factor) * waits;
        if product <= limit.most {
            return Ok(());
        }
        let (stack, source) = (&self.name, &limit.source);
        let timer = format!("{} s, {} and MAX_RETRANSMIT {max_retransmit}", timer.ack_timeout, timer.random_factor);
        Err(ApplyError(Refusal::Range, format!("{stack} takes each of {timer}, but not all together: {source}")))
    }
}

/// Returns the number that `name` has in `choice`, seconds where it is a time; `None` where there is no such number.
fn value(choice: &ChosenTimer<'_>, name: &str) -> Option<f64> {
    if let Some(given) = choice.params.get(name) {
        return given.as_f64().or_else(|| given.as_str().and_then(crate::Ratio::parse).map(crate::Ratio::as_f64));
    }
    choice.algorithm.params.iter().find(|param| param.name == name).and_then(|param| match &param.default {
        ParamValue::Number(number) => Some(*number),
        ParamValue::Text(text) => crate::Ratio::parse(text).map(crate::Ratio::as_f64),
    })
}

/// Default CoAP with other parameters: seconds and factors.
struct Timer {
    ack_timeout: f64,
    random_factor: f64,
    back_off: f64,
}

struct Writing<'a> {
    stack: &'a CoapStack,
    lines: Vec<String>,
    sources: Vec<String>,
    remarks: Vec<String>,
}

impl Writing<'_> {
    fn timer(&mut self, timer: &Timer, max_retransmit: u8) -> Result<(), ApplyError> {
        let stack = self.stack;
        self.set("ACK_TIMEOUT in seconds", &stack.ack_timeout, timer.ack_timeout)?;
        self.set("ACK_RANDOM_FACTOR", &stack.random_factor, timer.random_factor)?;
        self.set("the back-off factor", &stack.back_off, timer.back_off)?;
        stack.check_product(timer, max_retransmit)?;
        if let Some(longest) = &stack.longest {
            let last = timer.ack_timeout * timer.random_factor * timer.back_off.powi(i32::from(max_retransmit));
            let steps = (last * f64::from(longest.steps_per_unit)).ceil();
            self.lines.push(longest.line.replace("{steps}", &format!("{steps}")));
            self.sources.push(longest.source.clone());
        }
        Ok(())
    }

    /// Writes one parameter.
    fn set(&mut self, parameter: &'static str, setting: &Setting, value: f64) -> Result<(), ApplyError> {
        let stack = &self.stack.name;
        match setting {
            Setting::Line(line) => {
                let Line { least, most, .. } = *line;
                if !(least..=most).contains(&value) {
                    let beyond = line.beyond.as_ref().unwrap_or(&line.source);
                    let why = format!("{stack} takes {parameter} from {least} to {most}, not {value}: {beyond}");
                    return Err(ApplyError(Refusal::Range, why));
                }
                let steps = line.steps(value);
                let rounded = steps / f64::from(line.steps_per_unit);
                // Below a millionth it is the decimal notation that was rounded, not the value.
                if (rounded - value).abs() > 1e-6 {
                    self.remarks
                        .push(format!("{parameter} becomes {rounded} instead of {value}: {stack} has no finer step."));
                }
                self.lines.push(line.text(steps, rounded));
                self.sources.push(format!("{parameter}: {}", line.source));
                Ok(())
            }
            Setting::Fixed { fixed, source } if (fixed - value).abs() > 1e-9 => {
                let why = format!("{stack} has {parameter} {fixed}, which cannot be set to {value} ({source})");
                Err(ApplyError(Refusal::Fixed, why))
            }
            Setting::Fixed { fixed, source } => {
                self.sources.push(format!("{parameter}, always {fixed}: {source}"));
                Ok(())
            }
            Setting::Missing { missing, source } => {
                self.remarks.push(format!("{parameter} is not a setting: {missing}."));
                self.sources.push(format!("{parameter}: {source}"));
                Ok(())
            }
        }
    }

    fn finish(self, choice: &ChosenTimer<'_>) -> Applied {
        let Self { stack, lines, sources, mut remarks } = self;
        let comment = &stack.comment;
        let mut text = vec![
            // The name may come from a preset file: it must not end the comment.
            format!("{comment} {}, for {} {}", base::printable(choice.algorithm.name), stack.name, stack.version),
            format!("{comment} {}", stack.place),
        ];
        text.extend(stack.before.iter().cloned());
        text.extend(lines);
        text.extend(stack.after.iter().cloned());
        remarks.extend(stack.remarks.iter().cloned());
        Applied {
            stack: stack.name.clone(),
            version: stack.version.clone(),
            place: stack.place.clone(),
            documentation: stack.documentation.clone(),
            text: text.join("\n") + "\n",
            sources,
            remarks,
        }
    }
}

impl Line {
    /// The stack's steps nearest to `value`.
    fn steps(&self, value: f64) -> f64 {
        (value * f64::from(self.steps_per_unit)).round()
    }

    /// The number that the stack multiplies by for `value`: its steps, or the numerator of the fraction that is
    /// written.
    fn multiplier(&self, value: f64) -> f64 {
        let steps = self.steps(value);
        if !self.line.contains("{numerator}") {
            return steps;
        }
        (steps as u64 / greatest_common_divisor(steps as u64, u64::from(self.steps_per_unit))) as f64
    }

    /// The line with `steps` of the stack's resolution, which are `value`.
    fn text(&self, steps: f64, value: f64) -> String {
        let line = match &self.line_of_one {
            Some(line) if steps == f64::from(self.steps_per_unit) => line,
            _ => &self.line,
        };
        let (whole, per_unit) = (steps as u64, u64::from(self.steps_per_unit));
        let common = greatest_common_divisor(whole, per_unit);
        line.replace("{steps}", &whole.to_string())
            .replace("{decimal}", &decimal(value))
            .replace("{whole}", &(whole / per_unit).to_string())
            .replace("{thousandths}", &((whole % per_unit) * 1_000 / per_unit).to_string())
            .replace("{numerator}", &(whole / common).to_string())
            .replace("{denominator}", &(per_unit / common).to_string())
    }
}

/// At most six decimals, without zeros at the end.
fn decimal(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { greatest_common_divisor(b, a % b) }
}
