//! Filter expressions over frames and messages, in the language of Wireshark's display filters as far as both have
//! the same fields: `coap.type == CON && ipv6.src == fd00::/64 && !needless`.
//!
//! ```text
//! text ──► lex ──► parse (typed by field) ──► Expr ──► eval ──► rows
//! ```
//!
//! Fields that packet lists need are read from messages and headers ([`FIELDS`]). Any other field that the decode tree
//! has under Wireshark's name is read from the tree ([`TREE_FIELDS`]), which takes longer.
//!
//! As in Wireshark 4: a field may have several values in a frame (`udp.port`). `==`, `<` and the like hold when one
//! of them does, `!=` when there is one and all differ; a bare field holds when it is there, our own flags when true.

mod ast;
mod eval;
mod field;
mod fields;
mod in_tree;
mod lex;
mod literal;
mod nearest;
mod parse;
mod pattern;
mod row;
mod text;

pub use ast::{Comparison, Expr, Range, Test};
pub use field::{Field, Kind, Out, Read, Value};
pub use fields::FIELDS;
pub use in_tree::TREE_FIELDS;
pub use literal::Literal;
pub use nearest::nearest;
pub use pattern::Pattern;
pub use row::Row;

use std::fmt;

/// Filter of packets, parsed and checked against the types of its fields.
#[derive(Clone, PartialEq, Debug)]
pub struct Filter(pub Expr);

/// Syntax or type error of a filter, with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FilterError {
    /// Column, in characters, from 1.
    pub column: usize,
    /// Sentence for a person, with the nearest valid name where there is one.
    pub message: String,
}

/// Returns every field that a filter may name: those read from headers first.
pub fn fields() -> impl Iterator<Item = &'static Field> {
    FIELDS.iter().chain(TREE_FIELDS.iter())
}

/// Finds a field by its name, or another spelling of it.
///
/// # Errors
/// No field has this name; the message has the nearest name, the column is 1.
pub fn field(name: &str) -> Result<&'static Field, FilterError> {
    let found = fields().find(|field| field.name == name || field.also.contains(&name));
    found.ok_or_else(|| {
        let names = fields().flat_map(|field| std::iter::once(field.name).chain(field.also.iter().copied()));
        let hint = nearest(name, names).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        FilterError { column: 1, message: format!("unknown field `{name}`{hint}") }
    })
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for FilterError {}

impl std::str::FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, FilterError> {
        parse::parse(text).map(Self)
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
