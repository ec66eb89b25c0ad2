//! Tables of groups: statistics of rows over runs of the network, differences from a baseline, letters.
//!
//! The unit of all statistics is the *run of the network*: the scenario with its tag `seed`, or, of captures without that tag, the capture.
//! Rows of one unit in one group (several captures of one seed, several seeds of the draws) are averaged first: they share a network, and to
//! count each would make intervals too narrow.

use crate::{Row, State};
use replay::MetricName;
use replay::stats::{bootstrap_mean_expanded, mean, quantile, student, tukey_hsd};
use std::collections::{BTreeMap, BTreeSet};
use table::{Cells, Listing};

/// Request of a table of groups.
#[derive(Clone, PartialEq, Debug)]
pub struct Asked {
    /// Keys that a group has in common: `scenario`, `timer`, `channel`, `algorithm`, or the name of a tag.
    pub by: Vec<String>,
    /// Measures, a row of the table for each in each group.
    pub measures: Vec<MetricName>,
    /// Label of the timer that others are compared with.
    pub baseline: Option<String>,
    /// Level of intervals, and one minus the family-wise error of letters; above 0, below 1.
    pub level: f64,
}

/// Fewer units than this have Student's interval in place of the bootstrap's. Chosen here: the bootstrap's lies within the least and the
/// greatest unit, and a mean in the middle of them is outside of five with 2^-4; `cargo test -p replay --test stats_bootstrap` shows the
/// shares in which it holds.
pub const FEW: usize = 5;

/// Keys of a group, in the order of [`Asked::by`].
type Group = Vec<String>;
/// A run of the network.
type Unit = (String, String);

/// Values of a group by unit.
#[derive(Default)]
struct Values {
    /// Per unit the values of its rows.
    units: BTreeMap<Unit, Vec<f64>>,
    /// Rows without a value.
    without: i64,
    /// Rows whose run has two modes.
    two_modes: i64,
}

impl Values {
    /// The mean of each unit.
    fn means(&self) -> Vec<f64> {
        self.units.values().filter_map(|values| mean(values)).collect()
    }
}

/// The unit of a row.
fn unit(row: &Row) -> Unit {
    let run =
        row.tags.get("seed").map_or_else(|| format!("{} {}", row.sha256, row.path), |seed| format!("seed {seed}"));
    (row.scenario.clone(), run)
}

/// The value of a key of groups.
fn key(row: &Row, by: &str) -> String {
    match by {
        "scenario" => row.scenario.clone(),
        "timer" => row.timer.clone(),
        "algorithm" => row.algorithm.clone(),
        "channel" => row.channel.clone(),
        tag => row.tags.get(tag).cloned().unwrap_or_default(),
    }
}

/// Computes the table of groups of `rows`, whose order does not matter: a row for each group and measure.
///
/// Columns: those of [`Asked::by`]; `measure`, `unit`; `runs`, the number of units; `without`, rows without a value; `two_modes`, rows of runs
/// with two modes; `mean` with the interval `lo` to `hi` and its `interval` (student or bootstrap); `q25`, `median`, `q75` over units;
/// `letters`, where groups differ in `timer`: among timers of which all else is equal, those that share a letter do not differ. With a
/// baseline `difference`, `difference_lo`, `difference_hi` and `pairs`: timer minus baseline over the same capture, channel and seed, averaged by
/// unit.
///
/// # Errors
/// A sentence, for a key of groups that no row has, or a baseline without `timer` among the keys.
pub fn groups(rows: &[Row], asked: &Asked) -> Result<Listing<String>, String> {
    check(rows, asked)?;
    let mut table = Table::default();
    for &measure in &asked.measures {
        let mut groups: BTreeMap<Group, Values> = BTreeMap::new();
        for row in rows {
            let group = groups.entry(asked.by.iter().map(|by| key(row, by)).collect()).or_default();
            let value = row.measures.get(&measure).and_then(|estimate| estimate.mean);
            match value.filter(|value| row.state == State::Done && value.is_finite()) {
                Some(value) => group.units.entry(unit(row)).or_default().push(value),
                None => group.without += 1,
            }
            group.two_modes += i64::from(row.collapse.is_some());
        }
        let letters = letters(&groups, asked);
        let differences = differences(rows, measure, asked);
        for (group, values) in &groups {
            table.add(group, measure, values, letters.get(group).cloned(), differences.get(group), asked.level);
        }
    }
    Ok(table.listing(asked))
}

fn check(rows: &[Row], asked: &Asked) -> Result<(), String> {
    const FIXED: [&str; 4] = ["scenario", "timer", "channel", "algorithm"];
    let tags: BTreeSet<&str> = rows.iter().flat_map(|row| row.tags.keys().map(String::as_str)).collect();
    for by in &asked.by {
        if !FIXED.contains(&&**by) && !tags.contains(&**by) {
            let known: BTreeSet<&str> = FIXED.into_iter().chain(tags.iter().copied()).collect();
            let known: Vec<&str> = known.into_iter().collect();
            return Err(format!("no row has `{by}`; groups can be by {}", known.join(", ")));
        }
    }
    if let Some(baseline) = &asked.baseline {
        if !asked.by.iter().any(|by| by == "timer") {
            return Err("differences from a baseline need groups by timer".to_owned());
        }
        let timers: BTreeSet<&str> = rows.iter().map(|row| row.timer.as_str()).collect();
        if !timers.contains(&**baseline) {
            let timers: Vec<&str> = timers.into_iter().collect();
            return Err(format!("`{baseline}` is no timer of the study; there are {}", timers.join(", ")));
        }
    }
    Ok(())
}

/// Letters of groups that differ in their timer only.
fn letters(groups: &BTreeMap<Group, Values>, asked: &Asked) -> BTreeMap<Group, String> {
    let Some(timer) = asked.by.iter().position(|by| by == "timer") else { return BTreeMap::new() };
    let mut families: BTreeMap<Group, Vec<(&Group, Vec<f64>)>> = BTreeMap::new();
    for (group, values) in groups {
        let rest = group.iter().enumerate().filter(|(at, _)| *at != timer).map(|(_, key)| key.clone()).collect();
        families.entry(rest).or_default().push((group, values.means()));
    }
    let mut letters = BTreeMap::new();
    for family in families.values() {
        let known: Vec<&(&Group, Vec<f64>)> = family.iter().filter(|(_, means)| means.len() > 1).collect();
        let samples: Vec<Vec<f64>> = known.iter().map(|(_, means)| means.clone()).collect();
        let Some(tukey) = tukey_hsd(&samples, asked.level) else { continue };
        letters.extend(known.iter().zip(tukey.letters).map(|((group, _), own)| ((*group).clone(), own)));
    }
    letters
}

/// Per group the differences from the baseline: number of pairs, and the mean difference of each unit.
fn differences(rows: &[Row], measure: MetricName, asked: &Asked) -> BTreeMap<Group, (usize, Vec<f64>)> {
    let Some(baseline) = &asked.baseline else { return BTreeMap::new() };
    let value = |row: &Row| row.measures.get(&measure).and_then(|of| of.mean).filter(|value| value.is_finite());
    // All that two rows share whose difference is that of their timers.
    let place = |row: &Row| {
        let texts = [&row.sha256, &row.channel, &row.settings].map(String::clone);
        (row.tags.clone(), texts, row.seed, row.replicates)
    };
    let base: BTreeMap<_, f64> =
        rows.iter().filter(|row| row.timer == *baseline).filter_map(|row| Some((place(row), value(row)?))).collect();
    let mut found: BTreeMap<Group, BTreeMap<Unit, Vec<f64>>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.timer != *baseline) {
        let Some((value, base)) = value(row).zip(base.get(&place(row))) else { continue };
        let group = asked.by.iter().map(|by| key(row, by)).collect();
        found.entry(group).or_default().entry(unit(row)).or_default().push(value - base);
    }
    let summary = |units: BTreeMap<Unit, Vec<f64>>| {
        (units.values().map(Vec::len).sum(), units.values().filter_map(|values| mean(values)).collect())
    };
    found.into_iter().map(|(group, units)| (group, summary(units))).collect()
}

/// The interval of the mean of units, and the name of its method; `None` of fewer than two.
fn interval(units: &[f64], level: f64) -> Option<((f64, f64), &'static str)> {
    if units.len() < FEW {
        return student(units, level).map(|of| ((of.interval.lo, of.interval.hi), "student"));
    }
    let of = bootstrap_mean_expanded(units, level, replay::bootstrap_words(WORDS))?;
    Some(((of.lo, of.hi), "bootstrap"))
}

/// Seed of the bootstrap's words. Chosen here: the default seed of a replay; one number gives the same table everywhere.
const WORDS: u64 = 1;

/// The table under construction.
#[derive(Default)]
struct Table {
    groups: Vec<Group>,
    names: [Vec<Option<String>>; 4],
    counts: [Vec<Option<i64>>; 4],
    numbers: [Vec<Option<f64>>; 9],
}

impl Table {
    fn add(
        &mut self,
        group: &Group,
        measure: MetricName,
        values: &Values,
        letters: Option<String>,
        difference: Option<&(usize, Vec<f64>)>,
        level: f64,
    ) {
        let means = values.means();
        let own = interval(&means, level);
        let count = |n: usize| i64::try_from(n).ok();
        self.groups.push(group.clone());
        let names = [
            Some(measure.name().to_owned()),
            Some(measure.unit().to_owned()),
            own.map(|own| own.1.to_owned()),
            letters,
        ];
        self.names.iter_mut().zip(names).for_each(|(column, name)| column.push(name));
        let pairs = difference.and_then(|(pairs, _)| count(*pairs));
        let counts = [count(means.len()), Some(values.without), Some(values.two_modes), pairs];
        self.counts.iter_mut().zip(counts).for_each(|(column, count)| column.push(count));
        let paired = difference.map(|(_, units)| units.as_slice()).unwrap_or_default();
        let of_paired = interval(paired, level);
        let numbers = [
            mean(&means),
            own.map(|own| own.0.0),
            own.map(|own| own.0.1),
            quantile(&means, 0.25),
            quantile(&means, 0.5),
            quantile(&means, 0.75),
            mean(paired),
            of_paired.map(|of| of.0.0),
            of_paired.map(|of| of.0.1),
        ];
        self.numbers.iter_mut().zip(numbers).for_each(|(column, number)| column.push(number));
    }

    fn listing(self, asked: &Asked) -> Listing<String> {
        let Self { groups, names, counts, numbers } = self;
        let mut columns: Vec<(String, Cells)> = Vec::new();
        for (at, by) in asked.by.iter().enumerate() {
            columns.push((by.clone(), Cells::Text(groups.iter().map(|group| group.get(at).cloned()).collect())));
        }
        let mut add = |name: &str, cells| columns.push((name.to_owned(), cells));
        let [measure, unit, interval, letters] = names.map(Cells::Text);
        let [runs, without, two_modes, pairs] = counts.map(Cells::Whole);
        let [mean, lo, hi, q25, median, q75, difference, difference_lo, difference_hi] = numbers.map(Cells::Real);
        add("measure", measure);
        add("unit", unit);
        add("runs", runs);
        add("without", without);
        add("two_modes", two_modes);
        add("mean", mean);
        add("lo", lo);
        add("hi", hi);
        add("interval", interval);
        add("q25", q25);
        add("median", median);
        add("q75", q75);
        if asked.by.iter().any(|by| by == "timer") {
            add("letters", letters);
        }
        if asked.baseline.is_some() {
            add("difference", difference);
            add("difference_lo", difference_lo);
            add("difference_hi", difference_hi);
            add("pairs", pairs);
        }
        Listing { columns }
    }
}
