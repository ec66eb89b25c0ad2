//! Verdicts on single measures and shares: inside the twin's 90 % interval, near it, or outside.

use crate::metrics::MetricName;
use crate::run::model_error::{self, ModelError};
use crate::run::{Agreement, Check, Measure};
use crate::stats::{Interval, interval, mean};

/// In the open loop a recorded value outside the interval is still accepted within this share of the prediction: the error of the mean that
/// a good twin has in a storm, 12 to 20 %. Chosen here; `rtoscope calibrate` prints how well what passes predicts.
const TOLERANCE: f64 = 0.25;
/// Shares that differ by no more than this are alike. Chosen here: one in twenty-five.
const SHARE_TOLERANCE: f64 = 0.04;

/// Distance from a `predicted` value at which a recorded one is still near it.
fn near(measure: Measure, predicted: f64) -> f64 {
    match measure {
        Measure::CopiesAnswered | Measure::Duplicates => SHARE_TOLERANCE,
        Measure::Frames | Measure::Metric(_) => TOLERANCE * predicted.abs(),
    }
}

/// Holds a `recorded` metric against the self-replay's `column`, with the error that twins have as models: intervals as they are shown.
pub(super) fn metric(errors: &[ModelError], name: MetricName, recorded: f64, column: &[f64]) -> Option<Check> {
    /// All but one in a thousand values of a normal distribution lie within as many half widths of a 90 % interval (3.291 / 1.645): a right
    /// machine fails one of its six metrics in one capture of 170.
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

/// Holds a `recorded` value against the replicates of `measure`; `None` where it never applies.
pub(super) fn measure(measure: Measure, recorded: f64, column: &[f64]) -> Option<Check> {
    let (mean, ninety, agreement) = verdict(recorded, column, |mean| near(measure, mean))?;
    Some(Check { measure, recorded, mean, ninety, agreement })
}

/// Mean and interval of the `column` of a share, and the verdict on its `recorded` value; `None` where it never applies.
pub(super) fn share(recorded: f64, column: &[f64]) -> Option<(f64, Interval, Agreement)> {
    verdict(recorded, column, |_| SHARE_TOLERANCE)
}

fn verdict(recorded: f64, column: &[f64], near: impl Fn(f64) -> f64) -> Option<(f64, Interval, Agreement)> {
    let (mean, ninety) = (mean(column)?, interval(column, 0.90)?);
    // A real run is one draw of many: of eight measures one is outside every second time, half a width beyond hardly ever.
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
