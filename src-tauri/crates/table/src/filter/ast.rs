//! Syntax tree of a filter, typed by field, and its text form.

use super::{Field, Literal, Pattern};
use std::fmt;

/// Expression of a filter.
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    /// Disjunction of at least two members.
    Or(Vec<Self>),
    /// Conjunction of at least two members.
    And(Vec<Self>),
    /// Negation of an expression.
    Not(Box<Self>),
    /// Test of a field.
    Test(&'static Field, Test),
}

/// Test of a field's values.
#[derive(Clone, PartialEq, Debug)]
pub enum Test {
    /// The field is present; for one of our own flags: it is true.
    Present,
    /// A value compares in this way with the literal.
    Compare(Comparison, Literal),
    /// A value contains the literal, as a part of text or octets.
    Contains(Literal),
    /// A value has a part that matches the pattern.
    Matches(Pattern),
    /// A value is in one of these ranges.
    In(Vec<Range>),
}

/// Operator that compares values of a field with a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// Equality, `==`: some value is equal.
    Equal,
    /// Difference, `!=`: there are values, and all differ.
    Different,
    /// Less, `<`: some value is less.
    Less,
    /// Less or equal, `<=`: some value is.
    AtMost,
    /// Greater, `>`: some value is greater.
    Greater,
    /// Greater or equal, `>=`: some value is.
    AtLeast,
}

/// Member of a set: one literal, or a range with both ends included.
#[derive(Clone, PartialEq, Debug)]
pub struct Range {
    /// First value of the range, or the only one.
    pub first: Literal,
    /// Last value of a range; `None` for a single literal.
    pub last: Option<Literal>,
}

impl Comparison {
    /// All operators with their two spellings: a sign and Wireshark's word.
    pub const ALL: [(Self, &'static str, &'static str); 6] = [
        (Self::Equal, "==", "eq"),
        (Self::Different, "!=", "ne"),
        (Self::Less, "<", "lt"),
        (Self::AtMost, "<=", "le"),
        (Self::Greater, ">", "gt"),
        (Self::AtLeast, ">=", "ge"),
    ];

    fn sign(self) -> &'static str {
        Self::ALL.iter().find(|c| c.0 == self).map_or("==", |c| c.1)
    }
}

impl Expr {
    /// Returns whether it needs brackets as a member of an `and` or under a `not`.
    fn loose(&self, under_not: bool) -> bool {
        match self {
            Self::Or(_) => true,
            Self::And(_) => under_not,
            Self::Not(_) => false,
            Self::Test(_, test) => under_not && !matches!(test, Test::Present),
        }
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let member = |f: &mut fmt::Formatter<'_>, e: &Self, brackets: bool| {
            if brackets { write!(f, "({e})") } else { write!(f, "{e}") }
        };
        match self {
            Self::Or(members) => {
                for (index, e) in members.iter().enumerate() {
                    f.write_str(if index > 0 { " || " } else { "" })?;
                    member(f, e, matches!(e, Self::Or(_)))?;
                }
                Ok(())
            }
            Self::And(members) => {
                for (index, e) in members.iter().enumerate() {
                    f.write_str(if index > 0 { " && " } else { "" })?;
                    member(f, e, e.loose(false) || matches!(e, Self::And(_)))?;
                }
                Ok(())
            }
            Self::Not(e) => {
                f.write_str("!")?;
                member(f, e, e.loose(true))
            }
            Self::Test(field, test) => {
                f.write_str(field.name)?;
                match test {
                    Test::Present => Ok(()),
                    Test::Compare(comparison, literal) => write!(f, " {} {literal}", comparison.sign()),
                    Test::Contains(literal) => write!(f, " contains {literal}"),
                    Test::Matches(pattern) => write!(f, " matches {pattern}"),
                    Test::In(ranges) => {
                        f.write_str(" in {")?;
                        for (index, range) in ranges.iter().enumerate() {
                            f.write_str(if index > 0 { ", " } else { "" })?;
                            write!(f, "{}", range.first)?;
                            if let Some(last) = &range.last {
                                write!(f, " .. {last}")?;
                            }
                        }
                        f.write_str("}")
                    }
                }
            }
        }
    }
}
