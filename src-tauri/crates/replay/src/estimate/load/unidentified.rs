//! Reasons why a trace does not identify a response to load, or a queue.

use super::Estimate;

/// Least numbers of first copies, and of lost and answered ones among them: five events for each of two parameters are
/// enough (Vittinghoff & McCulloch, Am. J. Epidemiol. 165, 2007), beside a prior that says what few of them leave open;
/// paths have odds of their own.
pub(super) const NEEDED: (u64, u64, u64) = (100, 10, 50);

/// Response variable of a load model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Response {
    /// Log-odds of a loss.
    Loss,
    /// Round trips in seconds.
    Rtt,
}

impl std::fmt::Display for Response {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Loss => "losses",
            Self::Rtt => "round trips",
        })
    }
}

/// Reason why a trace does not identify a response or a queue.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum Unidentified {
    /// No two associations share the medium.
    #[error("{}: nothing shows how a copy meets the load of others", alone(*paths))]
    Alone {
        /// Number of pairs of client and server that exchanged messages.
        paths: usize,
    },
    /// Too few first copies with a known fate, or too few lost or answered ones among them.
    #[error(
        "{copies} first copies whose fate is known, {lost} of them lost: at least {} copies, {} lost and {} answered ones would be needed",
        NEEDED.0, NEEDED.1, NEEDED.2
    )]
    TooFew {
        /// Number of first copies whose fate is known.
        copies: u64,
        /// Number of lost ones among them.
        lost: u64,
    },
    /// The load is always the same.
    #[error(
        "the load varies too little: {deviation:.3} copies around a mean of {mean:.2}; {needed:.2} would be needed"
    )]
    NoVariation {
        /// Mean load, copies under way.
        mean: f64,
        /// Standard deviation of the load within path and stretch of time, copies under way.
        deviation: f64,
        /// Least standard deviation that would do, copies under way.
        needed: f64,
    },
    /// Too few round trips to identify a queue.
    #[error("{copies} round trips of first copies: at least {needed} would be needed")]
    FewTrips {
        /// Number of round trips of first copies.
        copies: u64,
        /// Least number that would do.
        needed: u64,
    },
    /// Round trips are not those of a queue.
    #[error(
        "round trips are not those of a line: the best, {:.1} ms a message, explains {:.0} % of their differences, and they are longer \
         by {:.2} ± {:.2} s a second of waiting", 1e3 * service, 100.0 * explained, slope.value, slope.error
    )]
    NoLine {
        /// Service time of a message that fits best, seconds.
        service: f64,
        /// Share of the differences between round trips that it explains, up to 1.
        explained: f64,
        /// Regression of round trips on waits, seconds per second; 1 for a true queue.
        slope: Estimate,
    },
    /// The estimate of a response is too uncertain.
    #[error(
        "how {response} answer to load is too uncertain: {value:.3} ± {error:.3} per copy under way; the error should be at most {limit:.3}"
    )]
    Imprecise {
        /// Response that could not be estimated.
        response: Response,
        /// Estimate, per copy under way: in the logit of a loss, or in seconds.
        value: f64,
        /// Standard error of the estimate, in its unit.
        error: f64,
        /// Largest standard error that would do, in the same unit.
        limit: f64,
    },
    /// More load seems to do good: something else drives both.
    #[error(
        "more load seems to lessen {response}: {value:.3} ± {error:.3} per copy under way; something else drives both"
    )]
    Confounded {
        /// Response that has the wrong sign.
        response: Response,
        /// Estimate, per copy under way: in the logit of a loss, or in seconds.
        value: f64,
        /// Standard error of the estimate, in its unit.
        error: f64,
    },
}

/// Reason why no two clients share a medium.
fn alone(paths: usize) -> String {
    if paths < 2 {
        return "one client with one server is all there is".to_owned();
    }
    format!("none of the {paths} pairs of client and server hears another")
}
