//! Groups as a table.

use super::{Asked, Group, Interval};
use table::{Cells, Listing};

/// Makes the table of `groups`, a row each.
///
/// Columns: those of [`Asked::by`]; `measure`, `unit`; `runs`, the number of units; `without`, rows without a value;
/// `two_modes`, rows of runs with two modes; `mean` with the interval `lo` to `hi` and its `interval` (student or
/// bootstrap); `q25`, `median`, `q75` over units. Of groups by `timer` also `letters`, and `real` with `real_runs`, the
/// value where the timer really ran. With a baseline `difference`, `difference_lo`, `difference_hi` and `pairs`.
#[must_use]
pub fn listing(groups: &[Group], asked: &Asked) -> Listing<String> {
    let mut columns: Vec<(String, Cells)> = Vec::new();
    for (at, by) in asked.by.iter().enumerate() {
        columns.push((by.clone(), text(groups, |group| group.keys.get(at).cloned())));
    }
    let mut add = |name: &str, cells| columns.push((name.to_owned(), cells));
    add("measure", text(groups, |group| Some(group.measure.name().to_owned())));
    add("unit", text(groups, |group| Some(group.measure.unit().to_owned())));
    add("runs", whole(groups, |group| Some(group.runs)));
    add("without", whole(groups, |group| Some(group.without)));
    add("two_modes", whole(groups, |group| Some(group.two_modes)));
    add("mean", real(groups, |group| group.mean));
    add("lo", real(groups, |group| group.interval.map(lo)));
    add("hi", real(groups, |group| group.interval.map(hi)));
    add("interval", text(groups, |group| group.interval.map(|of| of.method.to_owned())));
    add("q25", real(groups, |group| group.quartiles.map(|[q25, ..]| q25)));
    add("median", real(groups, |group| group.quartiles.map(|[_, median, _]| median)));
    add("q75", real(groups, |group| group.quartiles.map(|[.., q75]| q75)));
    if asked.by.iter().any(|by| by == "timer") {
        add("letters", text(groups, |group| group.letters.clone()));
        add("real", real(groups, |group| group.real.map(|of| of.mean)));
        add("real_runs", whole(groups, |group| group.real.map(|of| of.runs)));
    }
    if asked.baseline.is_some() {
        add("difference", real(groups, |group| group.difference.map(|of| of.mean)));
        add("difference_lo", real(groups, |group| group.difference?.interval.map(lo)));
        add("difference_hi", real(groups, |group| group.difference?.interval.map(hi)));
        add("pairs", whole(groups, |group| group.difference.map(|of| of.pairs)));
    }
    Listing { columns }
}

fn lo(of: Interval) -> f64 {
    of.lo
}

fn hi(of: Interval) -> f64 {
    of.hi
}

fn text(groups: &[Group], cell: impl Fn(&Group) -> Option<String>) -> Cells {
    Cells::Text(groups.iter().map(cell).collect())
}

fn whole(groups: &[Group], cell: impl Fn(&Group) -> Option<usize>) -> Cells {
    Cells::Whole(groups.iter().map(|group| i64::try_from(cell(group)?).ok()).collect())
}

fn real(groups: &[Group], cell: impl Fn(&Group) -> Option<f64>) -> Cells {
    Cells::Real(groups.iter().map(cell).collect())
}
