//! Scores of predictions, averaged over pairs of runs.

use super::{Calibration, Prediction, Row, RunValues, SCORED};
use crate::metrics::MetricName;
use std::collections::BTreeMap;

/// Least difference of two real runs, as a share of the greater value (0 to 1), for which the better one counts as
/// known. Chosen here by judgement; the spread of repeated runs is printed beside it ([`Line::floor`], `npm run
/// calibrate`).
const DECIDED: f64 = 0.10;

/// Scores of one channel in one metric, over all worlds or one. Errors are means, in the metric's unit, over pairs of
/// *different* timers for which the prediction, both baselines and the truth exist.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// Name of the world; `None`: all of them.
    pub scenario: Option<String>,
    /// Name of the channel.
    pub channel: &'static str,
    /// Metric that was predicted.
    pub metric: MetricName,
    /// Number of pairs scored.
    pub pairs: u32,
    /// Mean absolute error; `None` for a channel without a model.
    pub error: Option<f64>,
    /// Bias: mean of predicted − real; `None` for a channel without a model.
    pub bias: Option<f64>,
    /// Mean relative error |predicted − real| / real (0 for none), over pairs with real > 0.
    pub relative: Option<f64>,
    /// Mean continuous ranked probability score of the replicates ([`crps`]), comparable with absolute errors; `None`
    /// for a channel without a model.
    pub crps: Option<f64>,
    /// Mean absolute error of the persistence forecast (the other run is like this one), over the same pairs; `None`
    /// without any.
    pub persistence: Option<f64>,
    /// Mean absolute error of the baseline [`super::trace_driven`], over the same pairs; `None` without any.
    pub trace_driven: Option<f64>,
    /// Noise floor: mean absolute difference of runs with the same timer, over the same pairs where there are such; of
    /// the same seed, or else of other seeds. `None` without repeats.
    pub floor: Option<f64>,
    /// Number of pairs with a floor.
    pub floor_pairs: u32,
    /// Coverage, 0 to 1: share of pairs whose truth lies in the 90 % interval of another run; without a model, between
    /// the bounds.
    pub coverage: Option<f64>,
    /// Coverage, 0 to 1, of the 90 % interval of this trace, with the recorded outcomes; `None` without any interval.
    pub coverage_this: Option<f64>,
    /// Number of pairs in the coverage.
    pub covered_of: u32,
    /// Number of pairs whose real values differ by more than a tenth of the greater one.
    pub decided: u32,
    /// Number of decided pairs whose direction was predicted rightly.
    pub right: u32,
    /// Number of decided pairs whose direction the baseline [`super::trace_driven`] predicted rightly.
    pub right_trace_driven: u32,
    /// Share of decided pairs whose direction a repeat of the predicted run shows, 0 to 1; `None` without repeats.
    pub right_floor: Option<f64>,
}

/// Scores predictions by channel and metric: first over all worlds, then by world; within each, channels in the order
/// of the rows and metrics in that of [`SCORED`]. Repeats are not scored.
#[must_use]
pub fn summarise(calibration: &Calibration) -> Vec<Line> {
    let mut sums: BTreeMap<(Option<&str>, usize, usize), Sum> = BTreeMap::new();
    let mut channels: Vec<&'static str> = Vec::new();
    for row in calibration.rows.iter().filter(|row| !row.repeat) {
        let channel = channels.iter().position(|c| *c == row.channel).unwrap_or_else(|| {
            channels.push(row.channel);
            channels.len() - 1
        });
        let metric = SCORED.iter().position(|m| *m == row.metric).unwrap_or(0);
        let repeats = repeats(&calibration.runs, row);
        for scenario in [None, Some(row.scenario.as_str())] {
            sums.entry((scenario, channel, metric)).or_default().add(row, &repeats);
        }
    }
    let line = |((scenario, channel, metric), sum): ((Option<&str>, usize, usize), Sum)| {
        Some(sum.line(scenario.map(str::to_owned), channels.get(channel)?, *SCORED.get(metric)?))
    };
    sums.into_iter().filter_map(line).collect()
}

/// Values of the row's metric in runs with the timer of `row.to` in the same world: with the same seed, else with other
/// seeds.
fn repeats(runs: &[RunValues], row: &Row) -> Vec<f64> {
    let Some(to) = runs.iter().find(|r| r.scenario == row.scenario && r.seed == row.seed && r.name == row.to) else {
        return Vec::new();
    };
    let same = |r: &&RunValues| r.scenario == to.scenario && r.algorithm == to.algorithm && !std::ptr::eq(*r, to);
    let of = |seeded: bool| -> Vec<f64> {
        let chosen = runs.iter().filter(same).filter(|r| (r.seed == to.seed) == seeded);
        chosen.filter_map(|r| r.values.get(row.metric)).collect()
    };
    let same_seed = of(true);
    if same_seed.is_empty() { of(false) } else { same_seed }
}

/// Continuous ranked probability score of `draws` against `real`, in their unit, smaller is better: E|X − real| − E|X −
/// X′|/2 (Gneiting & Raftery, J. Am. Stat. Assoc. 102, 2007, eq. 21). For a single draw it is the absolute error.
/// `None` without draws.
#[must_use]
pub fn crps(draws: &[f64], real: f64) -> Option<f64> {
    if draws.is_empty() {
        return None;
    }
    let n = draws.len() as f64;
    let mut sorted = draws.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let error = sorted.iter().map(|x| (x - real).abs()).sum::<f64>() / n;
    // Σ|xᵢ − xⱼ| over pairs: each sorted value has the weight (number below − number above).
    let spread: f64 = sorted.iter().enumerate().map(|(i, x)| (2.0 * i as f64 - (n - 1.0)) * x).sum();
    Some(error - spread / (n * n))
}

/// Sums over pairs, from which a [`Line`] follows.
#[derive(Default)]
struct Sum {
    pairs: u32,
    error: f64,
    bias: f64,
    relative: f64,
    relatives: u32,
    crps: f64,
    persistence: f64,
    trace_driven: f64,
    floor: f64,
    floors: u32,
    covered: u32,
    covered_this: u32,
    covered_of: u32,
    decided: u32,
    right: u32,
    right_trace_driven: u32,
    right_floor: f64,
    right_floors: u32,
    modelled: bool,
}

impl Sum {
    fn add(&mut self, row: &Row, repeats: &[f64]) {
        let (Some(real), Some(before)) = (row.real, row.persistence) else { return };
        // An end that equals the truth but for rounding covers it.
        let slack = 1e-9 * real.abs().max(1e-3);
        let covers = |p: Prediction| u32::from(p.ninety.lo - slack <= real && real <= p.ninety.hi + slack);
        if let (Some(another), Some(this)) = (row.another, row.this) {
            self.covered_of += 1;
            self.covered += covers(another);
            self.covered_this += covers(this);
        }
        let crps = row.another.and_then(|another| another.crps);
        let (Some(predicted), Some(trace_driven)) = (row.predicted(), row.trace_driven) else {
            self.pairs += u32::from(!self.modelled && row.another.is_some());
            return;
        };
        self.modelled = true;
        self.pairs += 1;
        self.error += (predicted - real).abs();
        self.bias += predicted - real;
        self.crps += crps.unwrap_or_else(|| (predicted - real).abs());
        self.persistence += (before - real).abs();
        self.trace_driven += (trace_driven - real).abs();
        if real > 0.0 {
            self.relative += (predicted - real).abs() / real;
            self.relatives += 1;
        }
        let mean = |of: &dyn Fn(f64) -> f64| repeats.iter().map(|&r| of(r)).sum::<f64>() / repeats.len() as f64;
        if !repeats.is_empty() {
            self.floor += mean(&|r| (r - real).abs());
            self.floors += 1;
        }
        let changed = real - before;
        if changed.abs() > DECIDED * real.abs().max(before.abs()) {
            let right = |said: f64| (said - before) * changed > 0.0;
            self.decided += 1;
            self.right += u32::from(right(predicted));
            self.right_trace_driven += u32::from(right(trace_driven));
            if !repeats.is_empty() {
                self.right_floor += mean(&|r| f64::from(u8::from(right(r))));
                self.right_floors += 1;
            }
        }
    }

    fn line(self, scenario: Option<String>, channel: &'static str, metric: MetricName) -> Line {
        let mean = |sum: f64, n: u32| (n > 0).then(|| sum / f64::from(n));
        let of_pairs = |sum: f64| mean(sum, self.pairs).filter(|_| self.modelled);
        Line {
            scenario,
            channel,
            metric,
            pairs: self.pairs,
            error: of_pairs(self.error),
            bias: of_pairs(self.bias),
            relative: mean(self.relative, self.relatives),
            crps: of_pairs(self.crps),
            persistence: of_pairs(self.persistence),
            trace_driven: of_pairs(self.trace_driven),
            floor: mean(self.floor, self.floors),
            floor_pairs: self.floors,
            coverage: mean(f64::from(self.covered), self.covered_of),
            coverage_this: mean(f64::from(self.covered_this), self.covered_of),
            covered_of: self.covered_of,
            decided: self.decided,
            right: self.right,
            right_trace_driven: self.right_trace_driven,
            right_floor: mean(self.right_floor, self.right_floors),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Values;
    use crate::scenario::Algorithm;
    use crate::stats::Interval;

    #[test]
    fn crps_of_points_and_of_two_point_masses() {
        assert_eq!(crps(&[], 1.0), None);
        assert_eq!(crps(&[3.0], 1.0), Some(2.0));
        // Half 0, half 4, truth 4: E|X − 4| = 2, E|X − X′| = 2, so 2 − 1.
        assert_eq!(crps(&[0.0, 4.0, 0.0, 4.0], 4.0), Some(1.0));
        // All pairs by hand: |1−2| |1−5| |2−5| twice = 16 of 9 → 16/9/2; to 3: (2+1+2)/3.
        let got = crps(&[5.0, 1.0, 2.0], 3.0).unwrap();
        assert!((got - (5.0 / 3.0 - 16.0 / 18.0)).abs() < 1e-12);
    }

    fn row(from: &str, to: &str, predicted: f64, real: f64, before: f64) -> Row {
        let around = |half: f64| {
            let ninety = Interval { lo: predicted - half, hi: predicted + half };
            Some(Prediction { mean: Some(predicted), ninety, crps: Some(0.1) })
        };
        Row {
            scenario: "w".to_owned(),
            seed: 1,
            from: from.to_owned(),
            to: to.to_owned(),
            channel: "empirical",
            metric: MetricName::DurationMean,
            another: around(0.5),
            this: around(0.3),
            real: Some(real),
            persistence: Some(before),
            trace_driven: Some(0.0),
            repeat: false,
            error: None,
        }
    }

    #[test]
    fn errors_coverage_directions_and_the_floor() {
        let run = |name: &str, id: &str, value: f64| {
            let mut values = Values::default();
            values.set(MetricName::DurationMean, Some(value));
            let algorithm = Algorithm::Preset { id: id.to_owned(), params: serde_json::Value::Null };
            RunValues { scenario: "w".to_owned(), seed: 1, name: name.to_owned(), algorithm, values }
        };
        let calibration = Calibration {
            // Right with an error of 0.4, inside; wrong with one of 1, outside; a twentieth apart: not to be decided.
            rows: vec![row("a", "b", 1.6, 2.0, 1.0), row("b", "a", 2.0, 1.0, 2.0), row("a", "c", 1.05, 1.05, 1.0)],
            refusals: Vec::new(),
            runs: vec![run("a", "x", 1.0), run("b", "y", 2.0), run("b.r2", "y", 2.2), run("c", "z", 1.05)],
        };
        let lines = summarise(&calibration);
        assert_eq!(lines.len(), 2, "all, and the world");
        let all = &lines[0];
        assert_eq!((all.scenario.as_deref(), all.pairs, all.decided, all.right), (None, 3, 2, 1));
        let near = |got: Option<f64>, expected: f64| assert!((got.unwrap() - expected).abs() < 1e-12, "{got:?}");
        near(all.error, 1.4 / 3.0);
        near(all.bias, 0.2);
        near(all.persistence, 2.05 / 3.0);
        near(all.trace_driven, 4.05 / 3.0);
        near(all.coverage, 2.0 / 3.0);
        near(all.coverage_this, 1.0 / 3.0);
        near(all.relative, 1.2 / 3.0);
        // Only b was run twice: 0.2 apart; a repeat says so too.
        near(all.floor, 0.2);
        assert_eq!((all.floor_pairs, all.right_floor), (1, Some(1.0)));
    }
}
