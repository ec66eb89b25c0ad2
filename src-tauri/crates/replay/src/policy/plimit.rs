//! The aggregate limit of the early CoCoA drafts.

use base::Span;

/// The limit on the exchanges a client has open to all servers together
/// (draft-bormann-core-cocoa-03 and -04, appendix; dropped in the IETF drafts).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plimit {
    /// LAMBDA = max(4, ⌈KNOWN/4⌉).
    lambda: u32,
    /// The mean RTO of the known servers; `None` for a server without an estimate.
    mean: Option<Span>,
}

impl Plimit {
    /// ACK_TIMEOUT, RFC 7252 §4.8.
    const ACK_TIMEOUT: Span = Span::from_secs(2);

    /// The limit with `known` servers of which there is an RTT estimate, for a server whose own is known
    /// (`mean` is the mean RTO of all that are) or not (`None`).
    #[must_use]
    pub fn new(known: u32, mean: Option<Span>) -> Self {
        Self { lambda: known.div_ceil(4).max(4), mean: mean.filter(|&mean| mean > Span::ZERO) }
    }

    /// Whether a new exchange may start while `open` are.
    #[must_use]
    pub fn admits(self, open: u32) -> bool {
        // open < max(LAMBDA, LAMBDA·ACK_TIMEOUT/mean), in integers.
        let scaled = |mean: Span| {
            i128::from(open) * i128::from(mean.nanos())
                < i128::from(self.lambda) * i128::from(Self::ACK_TIMEOUT.nanos())
        };
        open < self.lambda || self.mean.is_some_and(scaled)
    }

    /// The limit as a number, for display.
    #[must_use]
    pub fn value(self) -> f64 {
        let lambda = f64::from(self.lambda);
        self.mean.map_or(lambda, |mean| lambda.max(lambda * Self::ACK_TIMEOUT.secs_f64() / mean.secs_f64()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worked examples of the reference model (`rto/tests/vectors/functions.json`, `plimit`).
    #[test]
    fn worked_examples() {
        for (known, mean, expected) in
            [(3, Some(1), 8), (3, None, 4), (101, Some(1), 52), (101, None, 26), (0, None, 4), (40, Some(4), 10)]
        {
            let limit = Plimit::new(known, mean.map(Span::from_secs));
            assert_eq!(limit.value(), f64::from(expected), "{known} {mean:?}");
            assert!(limit.admits(expected - 1) && !limit.admits(expected), "{known} {mean:?}");
        }
        // 4·2 s/1.5 s = 5.33…: a sixth may start, a seventh may not.
        let limit = Plimit::new(1, Some(Span::from_millis(1_500)));
        assert!(limit.admits(5) && !limit.admits(6));
    }
}
