//! Rules beside the timeout: the times that follow from default CoAP's constants, and the aggregate
//! limit of the early CoCoA drafts.

use crate::Ratio;
use base::Span;

/// The longest time a datagram takes in one direction (RFC 7252 §4.8.2: MAX_LATENCY).
pub const MAX_LATENCY: Span = Span::from_secs(100);
/// ACK_TIMEOUT (RFC 7252 §4.8), with which PLIMIT compares the mean RTO.
const ACK_TIMEOUT: Span = Span::from_secs(2);
/// Least value of LAMBDA (draft-bormann-core-cocoa-04, appendix).
const LAMBDA_MIN: u64 = 4;
/// A quarter of the known destinations may have an exchange open (draft-bormann-core-cocoa-04, appendix).
const LAMBDA_DIVISOR: u64 = 4;

/// The constants of RFC 7252 §4.8 from which its other times follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmission {
    /// ACK_TIMEOUT: least timeout of the original transmission.
    pub ack_timeout: Span,
    /// ACK_RANDOM_FACTOR, 1 or more: the first timeout is drawn from ACK_TIMEOUT to ACK_TIMEOUT times this.
    pub random_factor: Ratio,
    /// MAX_RETRANSMIT: greatest number of retransmissions of one message, beside its original.
    pub max_retransmit: u8,
}

impl Transmission {
    /// Default values of RFC 7252 §4.8: 2 s, 3/2 and 4.
    pub const DEFAULT: Self = Self { ack_timeout: ACK_TIMEOUT, random_factor: Ratio::new(3, 2), max_retransmit: 4 };

    /// ACK_TIMEOUT · (2^n − 1) · ACK_RANDOM_FACTOR.
    fn doublings(self, n: u8) -> Span {
        // 2^62 of the smallest timeout is beyond every span.
        self.random_factor.of(self.ack_timeout.scale((1 << n.min(62)) - 1, 1))
    }

    /// Longest time from the original to the last retransmission (RFC 7252 §4.8.2: MAX_TRANSMIT_SPAN).
    #[must_use]
    pub fn max_transmit_span(self) -> Span {
        self.doublings(self.max_retransmit)
    }

    /// Longest time from the original until the sender gives up (RFC 7252 §4.8.2: MAX_TRANSMIT_WAIT).
    #[must_use]
    pub fn max_transmit_wait(self) -> Span {
        self.doublings(self.max_retransmit.saturating_add(1))
    }

    /// The longest round trip (RFC 7252 §4.8.2: MAX_RTT, with PROCESSING_DELAY = ACK_TIMEOUT).
    #[must_use]
    pub fn max_rtt(self) -> Span {
        MAX_LATENCY + MAX_LATENCY + self.ack_timeout
    }

    /// Time for which a confirmable message occupies its Message ID (RFC 7252 §4.8.2: EXCHANGE_LIFETIME).
    #[must_use]
    pub fn exchange_lifetime(self) -> Span {
        self.max_transmit_span() + self.max_rtt()
    }

    /// Time for which a non-confirmable message occupies its Message ID (RFC 7252 §4.8.2: NON_LIFETIME).
    #[must_use]
    pub fn non_lifetime(self) -> Span {
        self.max_transmit_span() + MAX_LATENCY
    }
}

/// The aggregate limit of draft-bormann-core-cocoa-03 and -04 (appendix; dropped in the ietf drafts): a
/// new exchange may start while fewer than this many are open towards all destinations together.
///
/// `known` is the number of destinations with round trip state; `mean_rto` is that of the destination, if it is known.
/// PLIMIT = LAMBDA = max(4, ⌈known/4⌉) without, max(LAMBDA, LAMBDA · ACK_TIMEOUT / mean RTO) with it.
#[must_use]
pub fn plimit(known: u32, mean_rto: Option<Span>) -> u64 {
    let lambda = u64::from(known).div_ceil(LAMBDA_DIVISOR).max(LAMBDA_MIN);
    let mean = mean_rto.and_then(|mean| u64::try_from(mean.nanos()).ok()).filter(|&mean| mean > 0);
    mean.map_or(lambda, |mean| {
        // An open exchange counts whole: fewer than 8.7 of them is fewer than 9.
        lambda.saturating_mul(ACK_TIMEOUT.nanos().unsigned_abs()).div_ceil(mean).max(lambda)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 7252 §4.8.2 prints the defaults; half and one and a half times ACK_TIMEOUT by its formulas.
    #[test]
    fn derived_times() {
        let times = |ack_timeout| {
            let t = Transmission { ack_timeout: Span::from_secs(ack_timeout), ..Transmission::DEFAULT };
            let all =
                [t.max_transmit_span(), t.max_transmit_wait(), t.max_rtt(), t.exchange_lifetime(), t.non_lifetime()];
            all.map(|span| span.secs_f64())
        };
        assert_eq!(times(2), [45.0, 93.0, 202.0, 247.0, 145.0]);
        assert_eq!(times(1), [22.5, 46.5, 201.0, 223.5, 122.5]);
        assert_eq!(times(3), [67.5, 139.5, 203.0, 270.5, 167.5]);
        let many = Transmission { max_retransmit: u8::MAX, ..Transmission::DEFAULT };
        assert_eq!(many.max_transmit_wait(), Span::MAX);
    }

    /// Computed by hand: 3 known: LAMBDA 4, times 2 s/1 s; 101 known: ⌈25.25⌉ = 26; 40 known: 10, halved by 4 s but not
    /// below 10.
    #[test]
    fn aggregate_limit() {
        let mean = |secs| Some(Span::from_secs(secs));
        let cases =
            [(3, mean(1), 8), (3, None, 4), (101, mean(1), 52), (101, None, 26), (0, None, 4), (40, mean(4), 10)];
        for (known, mean_rto, expected) in cases {
            assert_eq!(plimit(known, mean_rto), expected, "{known} known, {mean_rto:?}");
        }
        assert_eq!(plimit(3, Some(Span::from_millis(3_000))), 4, "4·2/3 is below LAMBDA");
        assert_eq!(plimit(3, Some(Span::from_millis(900))), 9, "8.9 open exchanges are nine");
        assert_eq!(plimit(0, Some(Span::ZERO)), 4, "no mean");
        assert_eq!(plimit(u32::MAX, Some(Span::from_nanos(1))), (1 << 30) * 2_000_000_000);
    }
}
