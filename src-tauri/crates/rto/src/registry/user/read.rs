//! TOML and JSON as one tree whose parts know their positions.

use super::{Position, UserError};
use serde_json::Value;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One value of a file.
#[derive(Debug)]
pub(super) struct Node {
    /// Position of the value; `None` where the format does not give one.
    pub at: Option<Position>,
    /// Kind of the value, with its content.
    pub is: Is,
}

/// Kind and content of a value.
#[derive(Debug)]
pub(super) enum Is {
    /// A table; per entry its key, the key's position and the value.
    Table(Vec<(String, Option<Position>, Node)>),
    List(Vec<Node>),
    /// Text, a number or a truth value.
    Scalar(Value),
    /// A value that no preset uses, in words for an error.
    Other(&'static str),
}

impl Node {
    /// Returns the value in words for an error.
    pub fn describe(&self) -> String {
        match &self.is {
            Is::Table(_) => "a table".to_owned(),
            Is::List(_) => "a list".to_owned(),
            Is::Scalar(value) => value.to_string(),
            Is::Other(what) => (*what).to_owned(),
        }
    }
}

/// Parses a TOML text. Errs with all of its mistakes.
pub(super) fn toml(text: &str) -> Result<Node, Vec<UserError>> {
    let lines = Lines::of(text);
    let (root, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        return Ok(Node { at: None, is: table(&lines, root.into_inner()) });
    }
    let error = |error: &toml::de::Error| UserError {
        at: error.span().map(|span| lines.position(&span)),
        key: String::new(),
        problem: format!("not TOML: {}", error.message()),
    };
    Err(errors.iter().map(error).collect())
}

fn table(lines: &Lines, entries: DeTable<'_>) -> Is {
    let entry = |(key, value): (Spanned<_>, Spanned<DeValue<'_>>)| {
        let at = Some(lines.position(&key.span()));
        let key: std::borrow::Cow<'_, str> = key.into_inner();
        (key.into_owned(), at, value_of(lines, value))
    };
    Is::Table(entries.into_iter().map(entry).collect())
}

fn value_of(lines: &Lines, value: Spanned<DeValue<'_>>) -> Node {
    let at = Some(lines.position(&value.span()));
    let is = match value.into_inner() {
        DeValue::String(text) => Is::Scalar(Value::String(text.into_owned())),
        DeValue::Boolean(truth) => Is::Scalar(Value::Bool(truth)),
        DeValue::Integer(n) => {
            let number = i64::from_str_radix(n.as_str(), n.radix());
            number.map_or(Is::Other("an integer beyond 64 bits"), |n| Is::Scalar(n.into()))
        }
        DeValue::Float(n) => {
            let number = n.as_str().parse().ok().and_then(serde_json::Number::from_f64);
            number.map_or(Is::Other("a number that is not finite"), |n| Is::Scalar(n.into()))
        }
        DeValue::Datetime(_) => Is::Other("a date"),
        DeValue::Array(items) => Is::List(items.into_iter().map(|item| value_of(lines, item)).collect()),
        DeValue::Table(entries) => table(lines, entries),
    };
    Node { at, is }
}

/// Offsets at which the lines of a text start, in octets.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    /// Line and column of the start of `span`.
    fn position(&self, span: &Range<usize>) -> Position {
        let line = self.0.partition_point(|&start| start <= span.start);
        let start = line.checked_sub(1).and_then(|at| self.0.get(at)).copied().unwrap_or(0);
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Position { line: count(line), column: count(span.start - start + 1) }
    }
}

/// Parses a JSON text. Errs with its first mistake.
pub(super) fn json(text: &str) -> Result<Node, Vec<UserError>> {
    let root: Value = serde_json::from_str(text).map_err(|error| {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let at = Some(Position { line: count(error.line()), column: count(error.column()) });
        vec![UserError { at, key: String::new(), problem: format!("not JSON: {error}") }]
    })?;
    Ok(node(root))
}

fn node(value: Value) -> Node {
    let is = match value {
        Value::Null => Is::Other("null"),
        Value::Array(items) => Is::List(items.into_iter().map(node).collect()),
        Value::Object(entries) => Is::Table(entries.into_iter().map(|(key, value)| (key, None, node(value))).collect()),
        scalar => Is::Scalar(scalar),
    };
    Node { at: None, is }
}
