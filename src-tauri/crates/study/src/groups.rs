//! Tables of groups: statistics of rows over runs of the network, differences from a baseline, letters.
//!
//! The unit of all statistics is the *run of the network*: the scenario with its tag `seed`, or, of captures without
//! that tag, the capture. Rows of one unit in one group (several captures of one seed, several seeds of the draws) are
//! averaged first: they share a network, and to count each would make intervals too narrow.

mod listing;

use crate::{Row, State};
use replay::MetricName;
use replay::stats::{bootstrap_mean_expanded, mean, quantile, student, tukey_hsd};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

pub use listing::listing;

/// Request of a table of groups.
#[derive(Clone, PartialEq, Debug)]
pub struct Asked {
    /// Keys whose values the rows of a group share, in order: `scenario`, `timer`, `channel`, `algorithm`, the name of
    /// a tag or of a parameter of timers.
    pub by: Vec<String>,
    /// Measures, in order; each has a row of the table for each group.
    pub measures: Vec<MetricName>,
    /// Label of the timer that others are compared with; `None`: no differences. Needs `timer` in [`Asked::by`].
    pub baseline: Option<String>,
    /// Confidence level of intervals, and one minus the family-wise error of letters: a share above 0 and below 1.
    pub level: f64,
}

/// Number of units from which on the interval is that of the bootstrap; with fewer it is Student's. Chosen here: the
/// bootstrap's lies within the least and the greatest unit, and the true mean lies outside of five with probability
/// 2^-4; `cargo test -p replay --test stats_bootstrap` shows the shares in which it holds.
pub const FEW: usize = 5;

/// Statistics of one measure of one group.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// Values of the keys, in the order of [`Asked::by`].
    pub keys: Vec<String>,
    /// The measure; values are in its own unit.
    pub measure: MetricName,
    /// Number of units that have a value.
    pub runs: usize,
    /// Number of rows without a value.
    pub without: usize,
    /// Number of rows of runs with two modes.
    pub two_modes: usize,
    /// Mean over units; `None` without any.
    pub mean: Option<f64>,
    /// Confidence interval of the mean; `None` of fewer than two units.
    pub interval: Option<Interval>,
    /// 25 %, 50 % and 75 % quantiles over units, type 7, in the unit of the measure; `None` without any.
    pub quartiles: Option<[f64; 3]>,
    /// Letters of Tukey's HSD test among groups that differ in their timer only: timers that share a letter do not
    /// differ. `None` without groups by timer, or where a group has fewer than two units.
    pub letters: Option<String>,
    /// Difference of the timer from the baseline; `None` without a baseline, for the baseline itself, and without
    /// pairs.
    pub difference: Option<Difference>,
    /// Recorded value of the captures in which the timer of the group really ran; `None` where there is none, and
    /// without groups by timer.
    pub real: Option<Real>,
}

/// Interval of a mean.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// Lower end, in the unit of the measure.
    pub lo: f64,
    /// Upper end, in the unit of the measure.
    pub hi: f64,
    /// Name of the method: `student` or `bootstrap`.
    pub method: &'static str,
}

/// Difference, timer minus baseline, of rows with the same capture, channel, settings and seed; in the unit of the
/// measure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference {
    /// Mean difference over units, in the unit of the measure.
    pub mean: f64,
    /// Confidence interval of the mean; `None` of fewer than two units.
    pub interval: Option<Interval>,
    /// Number of pairs of rows.
    pub pairs: usize,
}

/// Recorded value under a timer that really ran.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Real {
    /// Mean over units, in the unit of the measure.
    pub mean: f64,
    /// Number of units in which it ran.
    pub runs: usize,
}

/// Values of keys, in the order of [`Asked::by`].
type Keys = Vec<String>;
/// Run of the network: the scenario, and `seed N` or, without that tag, hash and path of the capture.
pub type Unit = (String, String);

/// Values of a group by unit.
#[derive(Default)]
struct Values {
    /// Values of the rows of each unit.
    units: BTreeMap<Unit, Vec<f64>>,
    /// Recorded values of each unit, of captures in which the timer ran.
    real: BTreeMap<Unit, Vec<f64>>,
    /// Number of rows without a value.
    without: usize,
    /// Number of rows whose run has two modes.
    two_modes: usize,
}

impl Values {
    /// Adds the value of `measure` of a row; values that are not finite count as missing.
    fn add(&mut self, row: &Row, measure: MetricName) {
        let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
        let estimate = row.measures.get(&measure).filter(|_| row.state == State::Done);
        match finite(estimate.and_then(|of| of.mean)) {
            Some(value) => self.units.entry(unit(row)).or_default().push(value),
            None => self.without += 1,
        }
        if let Some(recorded) = finite(estimate.and_then(|of| of.recorded)).filter(|_| row.ran == Some(true)) {
            self.real.entry(unit(row)).or_default().push(recorded);
        }
        self.two_modes += usize::from(row.collapse.is_some());
    }
}

/// Returns the mean of each unit, in order of units.
fn means(units: &BTreeMap<Unit, Vec<f64>>) -> Vec<f64> {
    units.values().filter_map(|values| mean(values)).collect()
}

/// Returns the unit of a row.
#[must_use]
pub fn unit(row: &Row) -> Unit {
    let run =
        row.tags.get("seed").map_or_else(|| format!("{} {}", row.sha256, row.path), |seed| format!("seed {seed}"));
    (row.scenario.clone(), run)
}

/// Returns the value of a key of groups: a column, a tag or a parameter; empty where the row has none.
fn key(row: &Row, by: &str) -> String {
    match by {
        "scenario" => row.scenario.clone(),
        "timer" => row.timer.clone(),
        "algorithm" => row.algorithm.clone(),
        "channel" => row.channel.clone(),
        name => row.tags.get(name).cloned().or_else(|| parameter(row, name)).unwrap_or_default(),
    }
}

/// Returns the value of a parameter of the row's timer, the default where the study gives none; `None` where the timer
/// has no such parameter.
fn parameter(row: &Row, name: &str) -> Option<String> {
    let declared = rto::spec(&row.algorithm)?.params.iter().find(|param| param.name == name)?;
    let params: Value = serde_json::from_str(&row.params).ok()?;
    let value = params.get(name).cloned().or_else(|| serde_json::to_value(&declared.default).ok())?;
    Some(match (value.as_f64(), value) {
        (Some(number), _) => number.to_string(),
        (None, Value::String(text)) => text,
        (None, value) => value.to_string(),
    })
}

/// Computes the statistics of groups of `rows`, whose order does not matter: one for each measure, in the order asked,
/// and group, in order of keys.
///
/// # Errors
/// A sentence, for a key of groups that no row has, a baseline that no row has, or a baseline without `timer` among the
/// keys.
pub fn groups(rows: &[Row], asked: &Asked) -> Result<Vec<Group>, String> {
    check(rows, asked)?;
    let by_timer = asked.by.iter().any(|by| by == "timer");
    let mut found = Vec::new();
    for &measure in &asked.measures {
        let mut groups: BTreeMap<Keys, Values> = BTreeMap::new();
        for row in rows {
            groups.entry(asked.by.iter().map(|by| key(row, by)).collect()).or_default().add(row, measure);
        }
        let mut letters = letters(&groups, asked);
        let mut differences = differences(rows, measure, asked);
        for (keys, values) in groups {
            let (own, real) = (means(&values.units), means(&values.real));
            let quartile = |at| quantile(&own, at);
            found.push(Group {
                measure,
                runs: own.len(),
                without: values.without,
                two_modes: values.two_modes,
                mean: mean(&own),
                interval: interval(&own, asked.level).map(|of| of.within(measure.range())),
                quartiles: quartile(0.25).zip(quartile(0.5)).zip(quartile(0.75)).map(|((a, b), c)| [a, b, c]),
                letters: letters.remove(&keys),
                difference: differences.remove(&keys),
                real: mean(&real).filter(|_| by_timer).map(|mean| Real { mean, runs: real.len() }),
                keys,
            });
        }
    }
    Ok(found)
}

fn check(rows: &[Row], asked: &Asked) -> Result<(), String> {
    const FIXED: [&str; 4] = ["scenario", "timer", "channel", "algorithm"];
    let tags: BTreeSet<&str> = rows.iter().flat_map(|row| row.tags.keys().map(String::as_str)).collect();
    for by in &asked.by {
        if !FIXED.contains(&&**by) && !tags.contains(&**by) && !rows.iter().any(|row| parameter(row, by).is_some()) {
            let known: BTreeSet<&str> = FIXED.into_iter().chain(tags.iter().copied()).collect();
            let known: Vec<&str> = known.into_iter().collect();
            return Err(format!("no row has `{by}`; groups can be by {}, or a parameter of a timer", known.join(", ")));
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

/// Returns the letters of each group; a family of tests is the groups that differ in their timer only.
fn letters(groups: &BTreeMap<Keys, Values>, asked: &Asked) -> BTreeMap<Keys, String> {
    let Some(timer) = asked.by.iter().position(|by| by == "timer") else { return BTreeMap::new() };
    let mut families: BTreeMap<Keys, Vec<(&Keys, Vec<f64>)>> = BTreeMap::new();
    for (group, values) in groups {
        let rest = group.iter().enumerate().filter(|(at, _)| *at != timer).map(|(_, key)| key.clone()).collect();
        families.entry(rest).or_default().push((group, means(&values.units)));
    }
    let mut letters = BTreeMap::new();
    for family in families.values() {
        let known: Vec<&(&Keys, Vec<f64>)> = family.iter().filter(|(_, means)| means.len() > 1).collect();
        let samples: Vec<Vec<f64>> = known.iter().map(|(_, means)| means.clone()).collect();
        let Some(tukey) = tukey_hsd(&samples, asked.level) else { continue };
        letters.extend(known.iter().zip(tukey.letters).map(|((group, _), own)| ((*group).clone(), own)));
    }
    letters
}

/// Returns the difference of each group from the baseline, paired by tags, capture, channel, settings, seed and
/// replicates.
fn differences(rows: &[Row], measure: MetricName, asked: &Asked) -> BTreeMap<Keys, Difference> {
    let Some(baseline) = &asked.baseline else { return BTreeMap::new() };
    let value = |row: &Row| row.measures.get(&measure).and_then(|of| of.mean).filter(|value| value.is_finite());
    // All that two rows share whose difference is that of their timers.
    let place = |row: &Row| {
        let texts = [&row.sha256, &row.channel, &row.settings].map(String::clone);
        (row.tags.clone(), texts, row.seed, row.replicates)
    };
    let base: BTreeMap<_, f64> =
        rows.iter().filter(|row| row.timer == *baseline).filter_map(|row| Some((place(row), value(row)?))).collect();
    let mut found: BTreeMap<Keys, BTreeMap<Unit, Vec<f64>>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.timer != *baseline) {
        let Some((value, base)) = value(row).zip(base.get(&place(row))) else { continue };
        let group = asked.by.iter().map(|by| key(row, by)).collect();
        found.entry(group).or_default().entry(unit(row)).or_default().push(value - base);
    }
    let difference = |(group, units): (Keys, BTreeMap<Unit, Vec<f64>>)| {
        let means = means(&units);
        let pairs = units.values().map(Vec::len).sum();
        Some((group, Difference { mean: mean(&means)?, interval: interval(&means, asked.level), pairs }))
    };
    found.into_iter().filter_map(difference).collect()
}

impl Interval {
    /// Returns the part inside `range`: Student's interval of few units may reach where no mean can be.
    fn within(self, (least, most): (f64, f64)) -> Self {
        Self { lo: self.lo.max(least), hi: self.hi.min(most), ..self }
    }
}

/// Returns the interval of the mean of units; `None` of fewer than two.
fn interval(units: &[f64], level: f64) -> Option<Interval> {
    if units.len() < FEW {
        let of = student(units, level)?.interval;
        return Some(Interval { lo: of.lo, hi: of.hi, method: "student" });
    }
    let of = bootstrap_mean_expanded(units, level, replay::bootstrap_words(WORDS))?;
    Some(Interval { lo: of.lo, hi: of.hi, method: "bootstrap" })
}

/// Seed of the bootstrap's words. Chosen here: the default seed of a replay; one number gives the same table
/// everywhere.
const WORDS: u64 = 1;
