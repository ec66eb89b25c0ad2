//! Reasons why a trace does not identify a response to load, or a queue.

use super::Estimate;

/// First copies, lost ones and answered ones among them: five events for each of two parameters are enough (Vittinghoff & McCulloch, Am. J.
/// Epidemiol. 165, 2007), beside a prior that says what few of them leave open; paths have odds of their own.
pub(super) const NEEDED: (u64, u64, u64) = (100, 10, 50);

/// Response variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Response {
    /// Odds of a loss.
    Loss,
    /// Round trips.
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
        /// Clients and servers that exchanged messages.
        paths: usize,
    },
    /// Too few events.
    #[error(
        "{copies} first copies whose fate is known, {lost} of them lost: at least {} copies, {} lost and {} answered ones would be needed",
        NEEDED.0, NEEDED.1, NEEDED.2
    )]
    TooFew {
        /// First copies whose fate is known.
        copies: u64,
        /// Lost ones.
        lost: u64,
    },
    /// The load is always the same.
    #[error(
        "the load varies too little: {deviation:.3} copies around a mean of {mean:.2}; {needed:.2} would be needed"
    )]
    NoVariation {
        /// Mean load, copies under way.
        mean: f64,
        /// Its deviation within path and stretch of time.
        deviation: f64,
        /// Needed.
        needed: f64,
    },
    /// Too few round trips to identify a queue.
    #[error("{copies} round trips of first copies: at least {needed} would be needed")]
    FewTrips {
        /// There are.
        copies: u64,
        /// Needed.
        needed: u64,
    },
    /// Round trips are not those of a queue.
    #[error(
        "round trips are not those of a line: the best, {:.1} ms a message, explains {:.0} % of their differences, and they are longer \
         by {:.2} ± {:.2} s a second of waiting", 1e3 * service, 100.0 * explained, slope.value, slope.error
    )]
    NoLine {
        /// The service time that fits best, seconds.
        service: f64,
        /// Share of the differences that it explains.
        explained: f64,
        /// Round trip on wait.
        slope: Estimate,
    },
    /// The estimate is too uncertain.
    #[error(
        "how {response} answer to load is too uncertain: {value:.3} ± {error:.3} per copy under way; the error should be at most {limit:.3}"
    )]
    Imprecise {
        /// The response in question.
        response: Response,
        /// The estimate.
        value: f64,
        /// Its standard error.
        error: f64,
        /// The largest that would do.
        limit: f64,
    },
    /// More load seems to do good: something else drives both.
    #[error(
        "more load seems to lessen {response}: {value:.3} ± {error:.3} per copy under way; something else drives both"
    )]
    Confounded {
        /// The response in question.
        response: Response,
        /// The estimate.
        value: f64,
        /// Its standard error.
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
