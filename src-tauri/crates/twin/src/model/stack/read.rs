//! A stack from its file.

use super::{Constant, Stack, StackCsma, StackLimits, StackTsch};
use crate::model::{AfterBusy, AfterMiss, Queueing, Rules, Window};
use base::Span;
use toml::de::{DeTable, DeValue};

/// Values of a constant.
#[derive(Clone, PartialEq, Debug)]
enum Value {
    Number(f64),
    Numbers(Vec<u32>),
    Word(String),
}

/// One table of constants.
struct Part<'a> {
    name: &'a str,
    constants: Vec<(Constant, Value)>,
}

/// Reads a stack from the text of its TOML file.
///
/// # Errors
/// The first mistake, in words: no TOML, or a key that is missing, unknown, without a source or of another type.
pub(super) fn stack(text: &str) -> Result<Stack, String> {
    let root = DeTable::parse(text).map_err(|error| error.to_string())?.into_inner();
    let word = |name: &str| match root.get(name).map(|value| value.get_ref()) {
        Some(DeValue::String(word)) => Ok(word.to_string()),
        _ => Err(format!("`{name}` is missing")),
    };
    let part = |name: &'static str| match root.get(name).map(|value| value.get_ref()) {
        Some(DeValue::Table(table)) => Part::read(name, table).map(Some),
        Some(_) => Err(format!("`{name}` is no table")),
        None => Ok(None),
    };
    let parts = [part("csma")?, part("tsch")?, part("limits")?];
    let [csma, tsch, limits] = &parts;
    let (csma, tsch) = (csma.as_ref().map(Part::csma).transpose()?, tsch.as_ref().map(Part::tsch).transpose()?);
    let limits = limits.as_ref().ok_or("`limits` is missing")?.limits()?;
    let constants = parts.iter().flatten().flat_map(|part| part.constants.iter().map(|(c, _)| c.clone())).collect();
    Ok(Stack { id: word("id")?, name: word("name")?, code: word("code")?, csma, tsch, limits, constants })
}

impl<'a> Part<'a> {
    fn read(name: &'a str, table: &DeTable<'_>) -> Result<Self, String> {
        let constant = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
            let key: &std::borrow::Cow<'_, str> = key.get_ref();
            let wrong = |what: &str| format!("`{name}.{key}` {what}");
            let DeValue::Table(entry) = value.get_ref() else { return Err(wrong("is no constant")) };
            let text = |name: &str| match entry.get(name).map(|value| value.get_ref()) {
                Some(DeValue::String(text)) => Some(text.to_string()),
                _ => None,
            };
            let value = entry.get("value").and_then(|value| value_of(value.get_ref()));
            let value = value.ok_or_else(|| wrong("has no value"))?;
            let shown = match &value {
                Value::Number(number) => number.to_string(),
                Value::Numbers(list) => list.iter().map(u32::to_string).collect::<Vec<_>>().join(", "),
                Value::Word(word) => word.clone(),
            };
            let constant = Constant {
                part: name.to_owned(),
                name: key.to_string(),
                value: shown,
                unit: text("unit").unwrap_or_default(),
                source: text("source").ok_or_else(|| wrong("has no source"))?,
            };
            Ok((constant, value))
        };
        Ok(Self { name, constants: table.iter().map(constant).collect::<Result<_, _>>()? })
    }

    fn find(&self, name: &str) -> Option<&(Constant, Value)> {
        self.constants.iter().find(|(constant, _)| constant.name == name)
    }

    fn value(&self, name: &str) -> Result<&(Constant, Value), String> {
        self.find(name).ok_or_else(|| format!("`{}.{name}` is missing", self.name))
    }

    fn wrong(&self, name: &str, value: &Value) -> String {
        format!("`{}.{name}` cannot be {value:?}", self.name)
    }

    fn count(&self, name: &str) -> Result<u8, String> {
        match &self.value(name)?.1 {
            Value::Number(n) if n.fract() == 0.0 && (0.0..=255.0).contains(n) => Ok(*n as u8),
            other => Err(self.wrong(name, other)),
        }
    }

    fn span(&self, name: &str) -> Result<Span, String> {
        let (constant, value) = self.value(name)?;
        let seconds = match (value, constant.unit.as_str()) {
            (Value::Number(n), "ms") => n / 1e3,
            (Value::Number(n), "s") => *n,
            _ => return Err(self.wrong(name, value)),
        };
        Span::from_secs_f64(seconds).ok_or_else(|| self.wrong(name, value))
    }

    fn list(&self, name: &str) -> Result<Vec<u32>, String> {
        match &self.value(name)?.1 {
            Value::Numbers(list) => Ok(list.clone()),
            other => Err(self.wrong(name, other)),
        }
    }

    fn word<T>(&self, name: &str, named: impl Fn(&str) -> Option<T>) -> Result<T, String> {
        let (_, value) = self.value(name)?;
        let word = if let Value::Word(word) = value { named(word) } else { None };
        word.ok_or_else(|| self.wrong(name, value))
    }

    /// Fails where there is a constant that is not among `names`.
    fn only(&self, names: &[&str]) -> Result<(), String> {
        match self.constants.iter().find(|(constant, _)| !names.contains(&constant.name.as_str())) {
            Some((constant, _)) => Err(format!("`{}.{}` is not known", self.name, constant.name)),
            None => Ok(()),
        }
    }

    fn csma(&self) -> Result<StackCsma, String> {
        self.only(&[
            "back-off-unit",
            "tick",
            "min-back-off-exponent",
            "max-back-off-exponent",
            "max-back-offs",
            "max-attempts",
            "turnaround",
            "acknowledgement-wait",
            "window",
            "after-missing-acknowledgement",
            "max-delay-exponent",
            "after-busy-channel",
            "queues",
            "pause",
        ])?;
        let max_delay = if self.find("max-delay-exponent").is_some() { self.count("max-delay-exponent")? } else { 0 };
        let rules = Rules {
            window: self.word("window", Window::named)?,
            after_miss: self.word("after-missing-acknowledgement", |word| AfterMiss::named(word, max_delay))?,
            after_busy: self.word("after-busy-channel", AfterBusy::named)?,
            queues: self.word("queues", Queueing::named)?,
            pause: if self.find("pause").is_some() { self.span("pause")? } else { Span::ZERO },
        };
        Ok(StackCsma {
            unit: self.span("back-off-unit")?,
            tick: self.span("tick")?,
            min_exponent: self.count("min-back-off-exponent")?,
            max_exponent: self.count("max-back-off-exponent")?,
            max_backoffs: self.count("max-back-offs")?,
            max_attempts: self.count("max-attempts")?,
            turnaround: self.span("turnaround")?,
            ack_wait: self.span("acknowledgement-wait")?,
            rules,
        })
    }

    fn tsch(&self) -> Result<StackTsch, String> {
        self.only(&[
            "min-back-off-exponent",
            "max-back-off-exponent",
            "max-attempts",
            "acknowledgement-delay",
            "acknowledgement-airtime",
        ])?;
        Ok(StackTsch {
            min_exponent: self.count("min-back-off-exponent")?,
            max_exponent: self.count("max-back-off-exponent")?,
            max_attempts: self.count("max-attempts")?,
            ack_delay: self.span("acknowledgement-delay")?,
            ack_airtime: self.span("acknowledgement-airtime")?,
        })
    }

    fn limits(&self) -> Result<StackLimits, String> {
        self.only(&["packets-queued", "neighbours-queued", "reassemblies", "reassembly-age"])?;
        Ok(StackLimits {
            packets: self.list("packets-queued")?,
            neighbours: self.list("neighbours-queued")?,
            reassemblies: self.list("reassemblies")?,
            reassembly_age: self.span("reassembly-age")?,
        })
    }
}

fn value_of(value: &DeValue<'_>) -> Option<Value> {
    let number = |value: &DeValue<'_>| match value {
        DeValue::Integer(n) => i64::from_str_radix(n.as_str(), n.radix()).ok().map(|n| n as f64),
        DeValue::Float(n) => n.as_str().parse().ok(),
        _ => None,
    };
    Some(match value {
        DeValue::String(word) => Value::Word(word.to_string()),
        DeValue::Array(items) => {
            let count = |item: &toml::Spanned<DeValue<'_>>| number(item.get_ref()).map(|n| n as u32);
            Value::Numbers(items.iter().map(count).collect::<Option<_>>()?)
        }
        other => Value::Number(number(other)?),
    })
}
