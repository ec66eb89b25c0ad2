//! The result of a replay as a table, one row per algorithm and measure; and in words.

mod numbers;
mod verdict;

pub use verdict::verdict;
pub(crate) use verdict::{Contender, answer};

use crate::view::{
    AlgorithmChoice, ChannelKind, DifferenceView, MeasuredRun, MetricView, ModeView, ReplayView, RunView,
};
use table::{Cells, Listing};

/// Returns a row per algorithm and measure, in the order of the reply, in the units of measures. `lo90` to `hi90` is
/// the recorded trace, with its luck, under the timer; `another_lo90` to `another_hi90` is another run under the same
/// channel statistics. Unusual rules and a part of the capture are one column more. Where a run has two modes,
/// P(collapse) and both modes are seven, and its mean is empty. Where a timer really ran in this network (`measured`),
/// its value and its run are two. `difference` is paired, replicate by replicate, to the algorithm at position
/// `baseline`, from 0, or (`None`) to the recorded behaviour.
#[must_use]
pub fn comparison(reply: &ReplayView, measured: &[MeasuredRun], baseline: Option<u32>) -> Listing {
    let rows: Vec<(&AlgorithmChoice, &str, &MetricView, Option<&DifferenceView>)> = reply
        .runs
        .iter()
        .flat_map(|run| {
            let found = |spec: &'_ crate::view::MetricSpec| run.metrics.get_key_value(&spec.name);
            let known = reply.metrics.iter().filter_map(found);
            known.map(move |(name, m)| (&run.algorithm, name.as_str(), m, run.differences.get(name)))
        })
        .collect();
    let text = |f: fn(&AlgorithmChoice, &str) -> String| Cells::Text(rows.iter().map(|r| Some(f(r.0, r.1))).collect());
    let real = |f: fn(&MetricView) -> Option<f64>| Cells::Real(rows.iter().map(|r| f(r.2)).collect());
    let less = |f: fn(&DifferenceView) -> Option<f64>| Cells::Real(rows.iter().map(|r| r.3.and_then(f)).collect());
    let mut listing = Listing {
        columns: vec![
            ("algorithm", text(|algorithm, _| name(algorithm))),
            ("metric", text(|_, metric| metric.to_owned())),
            ("recorded", real(|m| m.recorded)),
            ("worst", real(|m| m.worst)),
            ("best", real(|m| m.best)),
            ("mean", real(|m| m.mean)),
            ("lo90", real(|m| m.lo90)),
            ("hi90", real(|m| m.hi90)),
            ("another_lo90", real(|m| m.another.map(|a| a.0))),
            ("another_hi90", real(|m| m.another.map(|a| a.1))),
            ("support", real(|m| m.support)),
            ("difference", less(|d| d.modes.is_none().then_some(d.mean))),
            ("difference_lo90", less(|d| Some(d.lo90))),
            ("difference_hi90", less(|d| Some(d.hi90))),
        ],
    };
    let to = baseline.and_then(|index| reply.runs.get(index as usize));
    listing.say("baseline", &to.map_or_else(|| "recorded".to_owned(), |run| name(&run.algorithm)));
    // Only where a run has two modes: its `mean` is empty then.
    if reply.runs.iter().any(|run| run.modes.is_some()) {
        let per_run = reply.runs.iter().flat_map(|run| {
            let shown = reply.metrics.iter().filter(|spec| run.metrics.contains_key(&spec.name)).count();
            std::iter::repeat_n(run.modes.map(|modes| modes.slow), shown)
        });
        let mode =
            |f: fn(&(ModeView, ModeView)) -> f64| Cells::Real(rows.iter().map(|r| r.2.modes.as_ref().map(f)).collect());
        listing.columns.extend([
            ("p_collapse", Cells::Real(per_run.collect())),
            ("calm_mean", mode(|m| m.0.mean)),
            ("calm_lo90", mode(|m| m.0.lo90)),
            ("calm_hi90", mode(|m| m.0.hi90)),
            ("collapsed_mean", mode(|m| m.1.mean)),
            ("collapsed_lo90", mode(|m| m.1.lo90)),
            ("collapsed_hi90", mode(|m| m.1.hi90)),
        ]);
    }
    // Only where a timer really ran in this network.
    let real: Vec<Option<&MeasuredRun>> = reply.runs.iter().zip(0..).map(|(_, at)| truth(measured, at)).collect();
    if real.iter().any(Option::is_some) {
        let per_row: Vec<Option<&MeasuredRun>> = reply
            .runs
            .iter()
            .zip(real)
            .flat_map(|(run, real)| {
                let shown = reply.metrics.iter().filter(|spec| run.metrics.contains_key(&spec.name)).count();
                std::iter::repeat_n(real, shown)
            })
            .collect();
        let value = |(real, row): (&Option<&MeasuredRun>, &(_, &str, _, _))| real.as_ref()?.metrics.get(row.1).copied();
        let values = per_row.iter().zip(&rows).map(value).collect();
        let names = per_row.iter().map(|real| real.map(named)).collect();
        listing.columns.extend([("measured", Cells::Real(values)), ("measured_run", Cells::Text(names))]);
    }
    if let Some(settings) = &reply.settings {
        listing.say("settings", settings);
    }
    listing
}

/// Returns a row per algorithm and measure: the paired difference to the algorithm at position `baseline`, from 0, or
/// (`None`) to the recorded behaviour, in the columns `algorithm metric baseline difference lo90 hi90 another_lo90
/// another_hi90`. Where a run or the baseline has two modes, `difference` is empty, and both modes are six columns
/// more.
#[must_use]
pub fn differences(reply: &ReplayView, baseline: Option<u32>) -> Listing {
    let of = |run: &'_ RunView, spec: &crate::view::MetricSpec| {
        let (metric, difference) = run.differences.get_key_value(&spec.name)?;
        Some((name(&run.algorithm), metric.clone(), difference.clone()))
    };
    let rows: Vec<(String, String, DifferenceView)> =
        reply.runs.iter().flat_map(|run| reply.metrics.iter().filter_map(move |spec| of(run, spec))).collect();
    let real = |f: fn(&DifferenceView) -> Option<f64>| Cells::Real(rows.iter().map(|r| f(&r.2)).collect());
    let mut listing = Listing {
        columns: vec![
            ("algorithm", Cells::Text(rows.iter().map(|r| Some(r.0.clone())).collect())),
            ("metric", Cells::Text(rows.iter().map(|r| Some(r.1.clone())).collect())),
        ],
    };
    let to = baseline.and_then(|index| reply.runs.get(index as usize));
    listing.say("baseline", &to.map_or_else(|| "recorded".to_owned(), |run| name(&run.algorithm)));
    listing.columns.extend([
        ("difference", real(|d| d.modes.is_none().then_some(d.mean))),
        ("lo90", real(|d| Some(d.lo90))),
        ("hi90", real(|d| Some(d.hi90))),
        ("another_lo90", real(|d| d.another.map(|a| a.0))),
        ("another_hi90", real(|d| d.another.map(|a| a.1))),
    ]);
    if rows.iter().any(|r| r.2.modes.is_some()) {
        listing.columns.extend([
            ("calm_mean", real(|d| d.modes.as_ref().map(|m| m.0.mean))),
            ("calm_lo90", real(|d| d.modes.as_ref().map(|m| m.0.lo90))),
            ("calm_hi90", real(|d| d.modes.as_ref().map(|m| m.0.hi90))),
            ("collapsed_mean", real(|d| d.modes.as_ref().map(|m| m.1.mean))),
            ("collapsed_lo90", real(|d| d.modes.as_ref().map(|m| m.1.lo90))),
            ("collapsed_hi90", real(|d| d.modes.as_ref().map(|m| m.1.hi90))),
        ]);
    }
    listing
}

/// Returns the real run beside the prediction at position `at`: under that timer, else under one of its algorithm.
fn truth(measured: &[MeasuredRun], at: u32) -> Option<&MeasuredRun> {
    let of = |positions: fn(&MeasuredRun) -> &Vec<u32>| measured.iter().find(|run| positions(run).contains(&at));
    of(|run| &run.same).or_else(|| of(|run| &run.alike))
}

/// Returns the name of a run and its timer: `Storm avoided by CoCoA: cocoa_demir2018:rto_max=32`.
fn named(run: &MeasuredRun) -> String {
    run.algorithm.as_ref().map_or_else(|| run.name.clone(), |algorithm| format!("{}: {}", run.name, name(algorithm)))
}

/// Share of recorded copies, 0 to 1, below which a result rests mostly on the channel's model. Chosen here: the page
/// hatches such estimates (`LOW_SUPPORT` in ui/src/views/compare/columns.ts).
pub const LOW_SUPPORT: f64 = 0.4;

/// Returns the reservation that Compare shows below its tables: the number of results that rest mostly on the channel's
/// assumptions.
/// `None` where none does, and without a model (`channel` is the one that was asked for).
#[must_use]
pub fn reservation(reply: &ReplayView, channel: ChannelKind) -> Option<String> {
    if channel == ChannelKind::Recorded {
        return None;
    }
    let low = reply.runs.iter().filter(|run| run.support.is_some_and(|support| support < LOW_SUPPORT)).count();
    let rests = match low {
        0 => return None,
        1 => "One row rests".to_owned(),
        low => format!("{low} rows rest"),
    };
    Some(format!(
        "{rests} mostly on what the channel assumes: losses and delays that do not depend on the timers. Where losses and delays \
         come from the clients’ own load, such an answer can be wrong."
    ))
}

/// Returns a timer as the command line takes it: `cocoa_plus:k_weak=1`.
pub(crate) fn name(algorithm: &AlgorithmChoice) -> String {
    if algorithm.params.is_empty() {
        return algorithm.id.clone();
    }
    let params: Vec<String> = algorithm.params.iter().map(|(k, v)| format!("{k}={v}")).collect();
    format!("{}:{}", algorithm.id, params.join(","))
}

#[cfg(test)]
mod tests {
    use super::differences;
    use crate::view::{AlgorithmChoice, AnswerView, DifferenceView, MetricSpec, ModeView, ReplayView, RunView};
    use std::collections::BTreeMap;
    use table::Cells;

    fn no_words() -> AnswerView {
        AnswerView { headline: String::new(), details: Vec::new() }
    }

    fn run(id: &str, difference: DifferenceView) -> RunView {
        RunView {
            run: 0,
            algorithm: AlgorithmChoice { id: id.to_owned(), params: serde_json::Map::new() },
            name: id.to_owned(),
            verdict: no_words(),
            self_replay: None,
            metrics: BTreeMap::new(),
            differences: [("duration_mean".to_owned(), difference)].into(),
            modes: None,
            simulated: None,
            support: None,
            copies: Vec::new(),
            needless: Vec::new(),
            completion_p95: Vec::new(),
        }
    }

    fn reply(runs: Vec<RunView>) -> ReplayView {
        let spec = MetricSpec {
            name: "duration_mean".to_owned(),
            label: String::new(),
            rule: String::new(),
            unit: "s".to_owned(),
            smaller_is_better: true,
            headline: true,
        };
        ReplayView { capture: 0, runs, verdict: no_words(), chosen: None, metrics: vec![spec], settings: None }
    }

    #[test]
    fn a_difference_over_two_modes_has_no_mean_but_both_modes() {
        let mode = |mean| ModeView { mean, lo90: mean - 1.0, hi90: mean + 1.0, another: None };
        let one = DifferenceView { mean: -1.0, lo90: -2.0, hi90: 0.0, another: Some((-3.0, 1.0)), modes: None };
        let two = DifferenceView { modes: Some((mode(2.0), mode(40.0))), another: None, ..one.clone() };
        let columns = |runs| differences(&reply(runs), Some(0)).columns;
        let plain = columns(vec![run("a", one.clone())]);
        assert_eq!(plain.len(), 8);
        assert_eq!(plain[2], ("baseline", Cells::Text(vec![Some("a".to_owned())])));
        let both = columns(vec![run("a", one), run("b", two)]);
        assert_eq!(both[3], ("difference", Cells::Real(vec![Some(-1.0), None])));
        assert_eq!(both[6], ("another_lo90", Cells::Real(vec![Some(-3.0), None])));
        assert_eq!(both[8], ("calm_mean", Cells::Real(vec![None, Some(2.0)])));
        assert_eq!(both[13], ("collapsed_hi90", Cells::Real(vec![None, Some(41.0)])));
    }
}
