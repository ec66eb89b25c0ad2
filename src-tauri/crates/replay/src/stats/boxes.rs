//! Five-number summaries for box plots, by the rules that papers use.

use super::QuantileType;

/// Rule for the edges of a box and the ends of its whiskers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoxRule {
    /// Quartiles; whiskers from the least to the greatest value (Ancillotti & Bruno 2017, footnote 4).
    MinMax,
    /// Quartiles; whiskers to the furthest values within 1.5 interquartile ranges, the rest outliers (Betzler et al.
    /// 2014, Fig. 1).
    Iqr15,
    /// Tukey's hinges (Tukey, Exploratory Data Analysis, 1977; R's `boxplot.stats`); whiskers to the furthest values
    /// within 1.5 hinge spreads.
    TukeyHinges,
}

/// Five-number summary of one sample, in the unit of its values.
#[derive(Clone, PartialEq, Debug)]
pub struct FiveNumbers {
    /// Number of values in the sample.
    pub n: usize,
    /// End of the lower whisker, in the unit of the values.
    pub low: f64,
    /// Lower edge of the box, in the unit of the values.
    pub lower: f64,
    /// Median of the sample, in the unit of the values.
    pub median: f64,
    /// Upper edge of the box, in the unit of the values.
    pub upper: f64,
    /// End of the upper whisker, in the unit of the values.
    pub high: f64,
    /// Values beyond the whiskers, ascending, in their unit.
    pub outliers: Vec<f64>,
}

/// Longest whisker in box heights (Tukey 1977; `coef` of R's `boxplot.stats`).
const REACH: f64 = 1.5;

/// Five-number summary of `values` by `rule`, with quartiles of type `kind` (hinges have no type). `None` without
/// values, and for values that are not finite.
#[must_use]
pub fn five_numbers(values: &[f64], rule: BoxRule, kind: QuantileType) -> Option<FiveNumbers> {
    if values.iter().any(|v| !v.is_finite()) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let (&least, &greatest) = (sorted.first()?, sorted.last()?);
    let (lower, median, upper) = match rule {
        BoxRule::TukeyHinges => hinges(&sorted)?,
        BoxRule::MinMax | BoxRule::Iqr15 => {
            (kind.of_sorted(&sorted, 0.25)?, kind.of_sorted(&sorted, 0.5)?, kind.of_sorted(&sorted, 0.75)?)
        }
    };
    let (from, to) = match rule {
        BoxRule::MinMax => (least, greatest),
        BoxRule::Iqr15 | BoxRule::TukeyHinges => {
            let reach = REACH * (upper - lower);
            (lower - reach, upper + reach)
        }
    };
    let inside = || sorted.iter().copied().filter(|v| (from..=to).contains(v));
    Some(FiveNumbers {
        n: sorted.len(),
        // An interpolated quartile can lie beyond every value within reach: a whisker never ends inside its box.
        low: inside().next().unwrap_or(lower).min(lower),
        lower,
        median,
        upper,
        high: inside().next_back().unwrap_or(upper).max(upper),
        outliers: sorted.iter().copied().filter(|v| !(from..=to).contains(v)).collect(),
    })
}

/// Lower hinge, median and upper hinge of ascending values (Tukey 1977): the hinges are the medians of the halves, each
/// with the middle value where there is one.
fn hinges(sorted: &[f64]) -> Option<(f64, f64, f64)> {
    let middle = |part: &[f64]| QuantileType::Averaged.of_sorted(part, 0.5);
    let half = sorted.len().div_ceil(2);
    Some((middle(sorted.get(..half)?)?, middle(sorted)?, middle(sorted.get(sorted.len() - half..)?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whiskers_follow_the_rule() {
        // R: fivenum(c(1:10, 40)) is 1 3.5 6 8.5 40; boxplot.stats: whiskers 1 and 10, 40 is out.
        let values: Vec<f64> = (1..=10).chain([40]).map(f64::from).collect();
        let tukey = five_numbers(&values, BoxRule::TukeyHinges, QuantileType::Mode).unwrap();
        assert_eq!((tukey.low, tukey.lower, tukey.median, tukey.upper, tukey.high), (1.0, 3.5, 6.0, 8.5, 10.0));
        assert_eq!(tukey.outliers, [40.0]);
        let all = five_numbers(&values, BoxRule::MinMax, QuantileType::Mode).unwrap();
        assert_eq!((all.low, all.high, all.outliers.len()), (1.0, 40.0, 0));
        // R: quantile(c(1, 2, 3, 10)) has quartiles 1.75 and 4.75: 10 lies beyond 4.75 + 4.5; hinges are 1.5 and 6.5.
        let four = five_numbers(&[1.0, 2.0, 3.0, 10.0], BoxRule::Iqr15, QuantileType::Mode).unwrap();
        assert_eq!((four.lower, four.upper, four.high), (1.75, 4.75, 4.75));
        assert_eq!(four.outliers, [10.0]);
        let hinged = five_numbers(&[1.0, 2.0, 3.0, 10.0], BoxRule::TukeyHinges, QuantileType::Mode).unwrap();
        assert_eq!((hinged.lower, hinged.upper, hinged.high), (1.5, 6.5, 10.0));
    }

    #[test]
    fn one_value_gives_five_equal_numbers_and_no_values_give_none() {
        let one = five_numbers(&[2.0], BoxRule::TukeyHinges, QuantileType::Mode).unwrap();
        assert_eq!((one.low, one.lower, one.median, one.upper, one.high), (2.0, 2.0, 2.0, 2.0, 2.0));
        assert_eq!(five_numbers(&[], BoxRule::MinMax, QuantileType::Mode), None);
        assert_eq!(five_numbers(&[f64::NAN], BoxRule::MinMax, QuantileType::Mode), None);
    }
}
