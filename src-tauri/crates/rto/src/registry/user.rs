//! Presets of a user: a file names a preset of the registry and the values to change.
//!
//! ```toml
//! [[preset]]
//! id = "plant_cocoa"                # required: letters, digits, _
//! name = "CoCoA, plant"             # required: at most 24 characters
//! base = "cocoa_plus"               # required: an algorithm of the registry
//! description = "What our gateway runs."
//! citation = "Plant handbook, 3rd edition, p. 12"
//! params = { rto_max = 32, alpha = "1/4", vbf_key = "initial" }
//! ```
//!
//! The same in JSON: `{"preset": [{"id": …, "params": {…}}]}`. Values are those of overrides on the command line
//! ([`crate::build`]). A file is read to its end, and every mistake is reported with its place, its key and what
//! would be legal. [`crate::AlgorithmSet`] puts the presets beside the built-in ones.

mod read;
mod write;

use crate::registry::{algorithms, preset};
use crate::spec::Overrides;
use read::{Is, Node};
use serde_json::Value;
use std::fmt;

pub use write::to_toml;

/// One preset of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct UserPreset {
    /// The identifier in overrides and files: 1 to 40 letters, digits or `_`.
    pub id: String,
    /// A short human name: 1 to 24 characters.
    pub name: String,
    /// Identifier of the built-in preset that it is based on.
    pub base: String,
    /// Summary; empty: that of the base.
    pub description: String,
    /// Source of its values; empty: the file.
    pub citation: String,
    /// The parameters that differ from the base's; legal for it.
    pub params: Overrides,
    /// Position in its file; `None` in JSON.
    pub at: Option<Position>,
}

/// A place in a text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Number of the line, from 1.
    pub line: u32,
    /// Column, from 1, in octets.
    pub column: u32,
}

/// One mistake in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserError {
    /// Position; `None` where the format does not give one (JSON's keys).
    pub at: Option<Position>,
    /// The key, as a path from the top: `preset[0].params.alpha`. Empty: the file as a whole.
    pub key: String,
    /// The problem, and the legal values.
    pub problem: String,
}

/// Every mistake in a file, in order of place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserErrors(pub Vec<UserError>);

impl fmt::Display for UserError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Position { line, column }) = self.at {
            write!(f, "line {line}, column {column}: ")?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.problem)
    }
}

impl fmt::Display for UserErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, error) in self.0.iter().enumerate() {
            let separator = if n == 0 { "" } else { "\n" };
            write!(f, "{separator}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for UserError {}
impl std::error::Error for UserErrors {}

/// Reads the presets of a TOML file, in their order.
///
/// # Errors
/// Text that is not TOML; a key that is missing, unknown or of the wrong type; an unknown base; a parameter the
/// base does not have or a value it refuses; a file without presets.
pub fn parse_toml(text: &str) -> Result<Vec<UserPreset>, UserErrors> {
    read::toml(text).and_then(file).map_err(sorted)
}

/// Reads the presets of a JSON file, in their order. A key given twice in one object has its last value, as JSON
/// readers have it.
///
/// # Errors
/// The same as [`parse_toml`].
pub fn parse_json(text: &str) -> Result<Vec<UserPreset>, UserErrors> {
    read::json(text).and_then(file).map_err(sorted)
}

fn sorted(mut errors: Vec<UserError>) -> UserErrors {
    errors.sort_by_key(|error| error.at);
    UserErrors(errors)
}

/// Longest `id`, in characters: the width of a column.
const ID: usize = 40;
/// Longest `name`, in characters: the width of a legend.
const NAME: usize = 24;

fn file(root: Node) -> Result<Vec<UserPreset>, Vec<UserError>> {
    let mut errors = Vec::new();
    let mut presets = Vec::new();
    let top = Reader { path: String::new(), at: root.at, errors: &mut errors }.table(root, &["preset"]);
    let lists = top.unwrap_or_default();
    if lists.is_empty() && errors.is_empty() {
        let problem = "no presets; expected at least one [[preset]] (TOML) or {\"preset\": [{…}]} (JSON)".to_owned();
        errors.push(UserError { at: None, key: String::new(), problem });
    }
    for (_, at, list) in lists {
        let Is::List(items) = list.is else {
            errors.push(UserError { at, key: "preset".to_owned(), problem: expected("a list of tables", &list) });
            continue;
        };
        for (n, item) in items.into_iter().enumerate() {
            presets.extend(Reader { path: format!("preset[{n}]"), at: item.at, errors: &mut errors }.preset(item));
        }
    }
    if errors.is_empty() { Ok(presets) } else { Err(errors) }
}

fn expected(what: &str, found: &Node) -> String {
    format!("expected {what}, found {}", found.describe())
}

/// Reads one table, collecting mistakes.
struct Reader<'e> {
    path: String,
    at: Option<Position>,
    errors: &'e mut Vec<UserError>,
}

impl Reader<'_> {
    fn wrong(&mut self, at: Option<Position>, key: &str, problem: String) {
        let dot = if self.path.is_empty() || key.is_empty() { "" } else { "." };
        self.errors.push(UserError { at: at.or(self.at), key: format!("{}{dot}{key}", self.path), problem });
    }

    /// The entries of a table with keys among `legal`.
    fn table(&mut self, node: Node, legal: &[&str]) -> Option<Vec<(String, Option<Position>, Node)>> {
        let Is::Table(entries) = node.is else {
            self.wrong(node.at, "", expected("a table", &node));
            return None;
        };
        let (known, unknown): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(key, ..)| legal.contains(&&**key));
        for (key, at, _) in unknown {
            self.wrong(at, &key, format!("unknown key; legal are {}", legal.join(", ")));
        }
        Some(known)
    }

    fn preset(&mut self, node: Node) -> Option<UserPreset> {
        let before = self.errors.len();
        let at = node.at;
        let entries = self.table(node, &["id", "name", "base", "description", "citation", "params"])?;
        let [mut id, mut name, mut base, mut description, mut citation] =
            [const { None::<(String, Option<Position>)> }; 5];
        let mut params = None;
        for (key, at, node) in entries {
            let slot = match &*key {
                "id" => &mut id,
                "name" => &mut name,
                "base" => &mut base,
                "description" => &mut description,
                "citation" => &mut citation,
                _ => {
                    params = Some(node);
                    continue;
                }
            };
            match node.is {
                Is::Scalar(Value::String(text)) => *slot = Some((text, node.at.or(at))),
                _ => self.wrong(node.at.or(at), &key, expected("text", &node)),
            }
        }
        for (key, found) in [("id", &id), ("name", &name), ("base", &base)] {
            let reported = || self.errors.iter().skip(before).any(|e| e.key.ends_with(&format!(".{key}")));
            if found.is_none() && !reported() {
                self.wrong(None, key, "missing".to_owned());
            }
        }
        if let Some((text, at)) = &id
            && !((1..=ID).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
        {
            self.wrong(*at, "id", format!("`{text}`: expected 1 to {ID} letters, digits or _"));
        }
        if let Some((text, at)) = &name
            && !(1..=NAME).contains(&text.chars().count())
        {
            self.wrong(*at, "name", format!("`{text}`: expected 1 to {NAME} characters"));
        }
        let params = match (&base, params) {
            (Some((base, at)), params) => self.params(base, *at, params),
            (None, _) => Overrides::new(),
        };
        let text = |slot: Option<(String, _)>| slot.map(|(text, _)| text).unwrap_or_default();
        let preset = UserPreset {
            id: text(id),
            name: text(name),
            base: text(base),
            description: text(description),
            citation: text(citation),
            params,
            at,
        };
        (self.errors.len() == before).then_some(preset)
    }

    /// The parameters, each tried on the base by itself.
    fn params(&mut self, base: &str, at: Option<Position>, node: Option<Node>) -> Overrides {
        let mut params = Overrides::new();
        let Ok(preset) = preset(base) else {
            let known: Vec<_> = algorithms().iter().map(|spec| spec.id).collect();
            self.wrong(at, "base", format!("no algorithm is called `{base}`; legal are {}", known.join(", ")));
            return params;
        };
        let Some(node) = node else { return params };
        let Is::Table(entries) = node.is else {
            self.wrong(node.at, "params", expected("a table", &node));
            return params;
        };
        for (name, at, node) in entries {
            let key = format!("params.{name}");
            let Is::Scalar(value) = node.is else {
                self.wrong(node.at.or(at), &key, expected("a number or text", &node));
                continue;
            };
            match preset.build(&Overrides::from_iter([(name.clone(), value.clone())])) {
                Ok(_) => {
                    params.insert(name, value);
                }
                Err(error) => self.wrong(at.or(node.at), &key, error.to_string()),
            }
        }
        params
    }
}
