//! Verdicts on single measures and shares: inside the twin's 90 % interval, near it, or outside.

use crate::metrics::MetricName;
use crate::run::model_error::{self, ModelError};
use crate::run::{Agreement, Check, Measure};
use crate::stats::{Interval, interval, mean};

/// Distance, as a share of the prediction, at which a recorded number of frames outside the interval is still accepted
/// in the open loop: the error of the mean that a good twin has in a storm, 12 to 20 %. Chosen here; `rtoscope
/// calibrate` prints how well twins that pass predict.
const TOLERANCE: f64 = 0.25;
/// Difference of two shares (0 to 1) up to which they are alike. Chosen here by judgement: one in twenty-five.
const SHARE_TOLERANCE: f64 = 0.04;

/// Distance from a `predicted` value at which a recorded one is still near it.
fn near(measure: Measure, predicted: f64) -> f64 {
    match measure {
        Measure::CopiesAnswered => SHARE_TOLERANCE,
        Measure::Frames | Measure::Metric(_) => TOLERANCE * predicted.abs(),
    }
}

/// Holds a `recorded` metric against the self-replay's `column` of replicates, with the error that twins have as
/// models: intervals as they are shown. `None` where the metric never applies.
pub(super) fn metric(errors: &[ModelError], name: MetricName, recorded: f64, column: &[f64]) -> Option<Check> {
    /// Number of half widths of a 90 % interval within which a metric is still near. Chosen here: all but one in a
    /// thousand values of a normal distribution lie within as many (3.291 / 1.645), so that a right machine fails one
    /// of its six metrics in one capture of 170.
    const FAR: f64 = 2.0;
    let (mean, drawn) = (mean(column)?, interval(column, 0.90)?);
    let widened = |half: f64| model_error::half_width(errors, name, mean, half);
    let (below, above) = (widened(mean - drawn.lo), widened(drawn.hi - mean));
    let ninety = Interval { lo: (mean - below).max(0.0), hi: mean + above };
    let off = recorded - mean;
    let half = if off > 0.0 { above } else { below };
    let agreement = if off.abs() <= half {
        Agreement::Inside
    } else if off.abs() <= FAR * half {
        Agreement::Near
    } else {
        Agreement::Outside
    };
    Some(Check { measure: Measure::Metric(name), recorded, mean, ninety, agreement })
}

/// Holds a `recorded` value against the `column` of replicates of `measure`, both in its unit; `None` where it never
/// applies.
pub(super) fn measure(measure: Measure, recorded: f64, column: &[f64]) -> Option<Check> {
    let (mean, ninety, agreement) = verdict(recorded, column, |mean| near(measure, mean))?;
    Some(Check { measure, recorded, mean, ninety, agreement })
}

/// Mean and 90 % interval of the `column` of a share over replicates, and the verdict on its `recorded` value, 0 to 1;
/// `None` where it never applies.
pub(super) fn share(recorded: f64, column: &[f64]) -> Option<(f64, Interval, Agreement)> {
    verdict(recorded, column, |_| SHARE_TOLERANCE)
}

fn verdict(recorded: f64, column: &[f64], near: impl Fn(f64) -> f64) -> Option<(f64, Interval, Agreement)> {
    let (mean, ninety) = (mean(column)?, interval(column, 0.90)?);
    // A real run is one draw of many: of eight measures one is outside every second time, half a width beyond hardly
    // ever.
    let reach = if recorded < mean { mean - ninety.lo } else { ninety.hi - mean } + (ninety.hi - ninety.lo) / 2.0;
    let agreement = if ninety.lo <= recorded && recorded <= ninety.hi {
        Agreement::Inside
    } else if (mean - recorded).abs() <= near(mean).max(reach) {
        Agreement::Near
    } else {
        Agreement::Outside
    };
    Some((mean, ninety, agreement))
}
