//! Evaluation of a filter on one row.

use super::ast::{Comparison, Expr, Range, Test};
use super::field::{Field, Kind, Out, Read, Value};
use super::in_tree;
use super::literal::Literal;
use super::{Filter, Row};
use std::cmp::Ordering;

impl Filter {
    /// Returns whether `row` passes the filter.
    #[must_use]
    pub fn passes(&self, row: &Row<'_>) -> bool {
        holds(&self.0, row)
    }
}

fn holds(expr: &Expr, row: &Row<'_>) -> bool {
    match expr {
        Expr::Or(members) => members.iter().any(|e| holds(e, row)),
        Expr::And(members) => members.iter().all(|e| holds(e, row)),
        Expr::Not(e) => !holds(e, row),
        Expr::Test(field, test) => passes(field, test, row),
    }
}

fn passes(field: &Field, test: &Test, row: &Row<'_>) -> bool {
    let any = |holds: &dyn Fn(Value<'_>) -> bool| {
        let mut found = false;
        each(field, row, &mut |value| found = found || holds(value));
        found
    };
    match test {
        Test::Present => any(&|value| field.kind != Kind::Flag || value == Value::Flag(true)),
        Test::Compare(Comparison::Different, literal) => {
            let (mut some, mut same) = (false, false);
            each(field, row, &mut |value| {
                some = true;
                same = same || literal.order(value) == Some(Ordering::Equal);
            });
            some && !same
        }
        Test::Compare(comparison, literal) => {
            any(&|value| literal.order(value).is_some_and(|o| agrees(*comparison, o)))
        }
        Test::Contains(literal) => any(&|value| literal.is_in(value)),
        Test::Matches(pattern) => any(&|value| pattern.matches(value)),
        Test::In(ranges) => any(&|value| ranges.iter().any(|range| within(range, value))),
    }
}

/// Passes every value that `field` has in `row` to `out`.
pub(super) fn each(field: &Field, row: &Row<'_>, out: Out<'_>) {
    match field.read {
        Read::Packet(read) => read(row, out),
        Read::Tree => in_tree::each(field, row, out),
    }
}

fn agrees(comparison: Comparison, order: Ordering) -> bool {
    match comparison {
        Comparison::Equal => order.is_eq(),
        Comparison::Different => order.is_ne(),
        Comparison::Less => order.is_lt(),
        Comparison::AtMost => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::AtLeast => order.is_ge(),
    }
}

fn within(range: &Range, value: Value<'_>) -> bool {
    let order = |literal: &Literal| literal.order(value);
    match &range.last {
        None => order(&range.first).is_some_and(Ordering::is_eq),
        Some(last) => order(&range.first).is_some_and(Ordering::is_ge) && order(last).is_some_and(Ordering::is_le),
    }
}
