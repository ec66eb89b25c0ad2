//! Matrix of scenarios and timers: the winner of each scenario.

use super::{Drawn, Source, values};
use crate::Error;
use crate::figure::percent;
use crate::figure::shape::{categories, panel, small};
use crate::view::MarkView;
use std::collections::{BTreeMap, BTreeSet};
use study::{Group, Interval, groups, listing};
use table::Cells;

/// Verdict on a timer in one scenario.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Best by its mean, and every other timer is worse.
    Wins,
    /// Best by its mean, or not told from the best.
    Ties,
    /// Worse than the best.
    Worse,
    /// Too few pairs of runs for an interval.
    Unknown,
}

impl Verdict {
    const fn word(self) -> &'static str {
        match self {
            Self::Wins => "wins",
            Self::Ties => "ties",
            Self::Worse => "worse",
            Self::Unknown => "unknown",
        }
    }

    /// Returns the strength of the timer's colour, 0 to 1.
    const fn fill(self) -> f64 {
        match self {
            Self::Wins => 0.5,
            Self::Ties => 0.18,
            Self::Worse | Self::Unknown => 0.0,
        }
    }
}

/// Keys of the groups that are compared.
const KEYS: [&str; 3] = ["scenario", "timer", "channel"];

/// The timers of one scenario under one channel, compared with the best of them.
pub struct Compared {
    /// Label of the timer with the best mean.
    pub best: String,
    /// Statistics by scenario, timer and channel, with differences from the best.
    pub groups: Vec<Group>,
    /// Places of the timers, in the order of the groups.
    pub verdicts: Vec<Verdict>,
}

/// Compares the timers of `scenario` under `channel`; `None` where no timer has a value.
pub fn compared(source: &Source<'_>, scenario: &str, channel: &str) -> Result<Option<Compared>, Error> {
    let more = source.measure.0.more_is_better();
    let is_here = |row: &&study::Row| row.scenario == scenario && row.channel == channel;
    let rows: Vec<study::Row> = source.rows.iter().filter(is_here).cloned().collect();
    let means = groups(&rows, &source.asked(&KEYS, None)).map_err(Error::request)?;
    let Some(best) = best(&means, more) else { return Ok(None) };
    let groups = groups(&rows, &source.asked(&KEYS, Some(&best))).map_err(Error::request)?;
    let verdicts = judged(&groups, &best, more);
    Ok(Some(Compared { best, groups, verdicts }))
}

/// Draws each timer in each scenario against the best one there. A timer that wins needs no correction for several
/// comparisons: it is better than each of the others (intersection-union test, Berger 1982, Technometrics 24). Errs
/// where a key does not exist.
pub fn draw(source: &Source<'_>) -> Result<Drawn, Error> {
    let (mut found, mut verdicts, mut bests) = (Vec::new(), Vec::new(), Vec::new());
    for scenario in values(&source.groups(&source.asked(&["scenario"], None))?, 0) {
        for channel in source.channels() {
            let Some(compared) = compared(source, &scenario, channel)? else { continue };
            bests.extend(compared.groups.iter().map(|_| Some(compared.best.clone())));
            verdicts.extend(compared.verdicts);
            found.extend(compared.groups);
        }
    }
    let mut table = listing(&found, &source.asked(&KEYS, Some("")));
    table.columns.push(("best".to_owned(), Cells::Text(bests)));
    let words = verdicts.iter().map(|verdict| Some(verdict.word().to_owned())).collect();
    table.columns.push(("verdict".to_owned(), Cells::Text(words)));
    let scenarios = values(&found, 0);
    let mut panels = Vec::new();
    for channel in source.channels() {
        let marks = found.iter().zip(&verdicts).filter(|(group, _)| group.keys.get(2).is_some_and(|of| of == channel));
        let marks = marks.filter_map(|(group, verdict)| cell(source, group, *verdict, &scenarios)).collect();
        let (heading, unit) = source.measure.label();
        let level = percent(source.level);
        let unit = if unit.is_empty() { String::new() } else { format!(", in {unit}") };
        let rule = format!("filled: wins; light: not told from the best at {level} %; empty: worse, by so much{unit}");
        let [x, y] = [source.timers.names(), scenarios.clone()].map(|names| categories("", names));
        panels.push(panel(&source.titled(&heading, channel), &rule, x, y, marks));
    }
    let (caption, missing) = (said(source, &found, &verdicts), untold(&found, &verdicts));
    Ok(Drawn { title: "Which timer wins where", series: source.timers.series(), panels, caption, missing, table })
}

/// Returns the label of the timer with the best mean; `more`: greater is better.
fn best(means: &[Group], more: bool) -> Option<String> {
    let valued = means.iter().filter_map(|group| Some((group.keys.get(1)?, group.mean?)));
    let better = |a: &(&String, f64), b: &(&String, f64)| if more { b.1.total_cmp(&a.1) } else { a.1.total_cmp(&b.1) };
    valued.min_by(better).map(|(label, _)| label.clone())
}

/// Returns the verdicts on the timers of one scenario, whose differences are from `best`.
fn judged(compared: &[Group], best: &str, more: bool) -> Vec<Verdict> {
    let is_best = |group: &Group| group.keys.get(1).is_some_and(|label| label == best);
    let is_worse = |of: Interval| if more { of.hi < 0.0 } else { of.lo > 0.0 };
    let of_other = |group: &Group| match group.difference.and_then(|of| of.interval) {
        None => Verdict::Unknown,
        Some(interval) if is_worse(interval) => Verdict::Worse,
        Some(_) => Verdict::Ties,
    };
    let others: Vec<Verdict> = compared.iter().filter(|group| !is_best(group)).map(of_other).collect();
    let of_best = if others.contains(&Verdict::Unknown) || others.is_empty() {
        Verdict::Unknown
    } else if others.contains(&Verdict::Ties) {
        Verdict::Ties
    } else {
        Verdict::Wins
    };
    compared.iter().map(|group| if is_best(group) { of_best } else { of_other(group) }).collect()
}

fn cell(source: &Source<'_>, group: &Group, verdict: Verdict, scenarios: &[String]) -> Option<MarkView> {
    let timer = source.timers.position(group.keys.get(1)?)?;
    let y = scenarios.iter().position(|scenario| group.keys.first() == Some(scenario))?;
    let (_, unit) = source.measure.label();
    let of = |value: f64| digits(source.measure.shown(value));
    let label = match (group.difference, group.mean) {
        (Some(difference), _) if difference.mean >= 0.0 => format!("+{}", of(difference.mean)),
        (Some(difference), _) => of(difference.mean),
        (None, Some(mean)) => format!("{} {unit}", of(mean)).trim_end().to_owned(),
        (None, None) => "–".to_owned(),
    };
    let label = if verdict == Verdict::Unknown { format!("{label} ?") } else { label };
    Some(MarkView::Cell { series: small(timer), x: timer as f64, y: y as f64, fill: verdict.fill(), label })
}

/// Returns a value with three significant digits and a true minus sign.
fn digits(value: f64) -> String {
    let size = if value == 0.0 { 0.0 } else { value.abs().log10().floor() };
    let decimals = (2.0 - size).clamp(0.0, 6.0) as usize;
    format!("{value:.decimals$}").replace('-', "−")
}

/// Returns sentences about wins and ties.
fn said(source: &Source<'_>, found: &[Group], verdicts: &[Verdict]) -> Vec<String> {
    let mut wins = BTreeMap::<&str, usize>::new();
    let (mut won, mut untold, mut places) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (group, verdict) in found.iter().zip(verdicts) {
        let [Some(scenario), Some(timer), Some(channel)] = [0, 1, 2].map(|at| group.keys.get(at)) else { continue };
        places.insert((scenario, channel));
        if *verdict == Verdict::Wins {
            *wins.entry(timer.as_str()).or_default() += 1;
            won.insert((scenario, channel));
        } else if *verdict == Verdict::Unknown {
            untold.insert((scenario, channel));
        }
    }
    let names = source.timers.names();
    let name = |label: &str| {
        source.timers.position(label).and_then(|at| names.get(at)).map_or(label, String::as_str).to_owned()
    };
    let mut parts: Vec<String> = wins.iter().map(|(label, count)| format!("{} wins in {count}", name(label))).collect();
    let tied = places.len() - won.union(&untold).count();
    let rest = [(tied, "no timer alone"), (untold.difference(&won).count(), "too few runs")];
    parts.extend(rest.iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!("{words} in {count}")));
    vec![
        format!("Of {} scenarios: {}.", places.len(), parts.join(", ")),
        "The value of the best timer; of the others the paired difference from it over the same capture, channel and seed. ? where too few runs \
         tell."
            .to_owned(),
    ]
}

fn untold(found: &[Group], verdicts: &[Verdict]) -> Vec<String> {
    let unknown = found.iter().zip(verdicts).filter(|(_, verdict)| **verdict == Verdict::Unknown);
    let mut scenarios: Vec<&str> = unknown.filter_map(|(group, _)| group.keys.first().map(String::as_str)).collect();
    scenarios.dedup();
    if scenarios.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "A winner needs two runs of the network under each timer, which these scenarios lack: {}.",
        scenarios.join(", ")
    )]
}

#[cfg(test)]
mod tests {
    use super::*;
    use replay::MetricName;
    use study::Difference;

    fn group(timer: &str, mean: f64, ends: Option<(f64, f64)>) -> Group {
        let interval = ends.map(|(lo, hi)| Interval { lo, hi, method: "student" });
        Group {
            keys: ["chain", timer, "empirical"].map(str::to_owned).to_vec(),
            measure: MetricName::DurationMean,
            runs: 3,
            without: 0,
            two_modes: 0,
            mean: Some(mean),
            interval: None,
            quartiles: None,
            letters: None,
            difference: ends.map(|_| Difference { mean: 0.0, interval, pairs: 3 }),
            real: None,
        }
    }

    #[test]
    fn a_winner_is_better_than_each_other_timer() {
        use Verdict::{Ties, Unknown, Wins, Worse};
        let judge = |others: &[Option<(f64, f64)>], more| {
            let mut groups = vec![group("a", 1.0, None)];
            groups.extend(others.iter().map(|ends| group("b", 2.0, *ends)));
            judged(&groups, "a", more)
        };
        assert_eq!(judge(&[Some((0.1, 2.0)), Some((0.5, 1.0))], false), [Wins, Worse, Worse]);
        assert_eq!(judge(&[Some((0.1, 2.0)), Some((-0.1, 1.0))], false), [Ties, Worse, Ties]);
        assert_eq!(judge(&[Some((0.1, 2.0)), None], false), [Unknown, Worse, Unknown]);
        assert_eq!(judge(&[Some((-2.0, -0.1))], true), [Wins, Worse]);
        assert_eq!(judge(&[], false), [Unknown]);
    }

    #[test]
    fn the_best_is_the_least_or_the_greatest() {
        let groups = [group("a", 2.0, None), group("b", 1.0, None), group("c", 3.0, None)];
        assert_eq!(best(&groups, false).as_deref(), Some("b"));
        assert_eq!(best(&groups, true).as_deref(), Some("c"));
        assert_eq!(best(&[], true), None);
    }

    #[test]
    fn three_digits_count() {
        assert_eq!([0.0, 1234.5, -12.345, 0.012_34].map(digits), ["0.00", "1234", "−12.3", "0.0123"]);
    }
}
