//! The smoothed round trip time of RFC 6298 §2, in every variant the CoAP literature uses.

use crate::Ratio;
use crate::params::choice;
use base::Span;

choice! {
    /// The mean of the EWMA pair that is updated first.
    pub enum Order {
        /// RTTVAR sees the old RTT (RFC 6298 §2.3).
        VarianceFirst = "variance_first" => "variance first",
        /// RTTVAR sees the RTT just updated (order of printing in Betzler et al. 2014, eq. 1–2).
        RttFirst = "rtt_first" => "RTT first",
    }
}

choice! {
    /// Distance of a sample from the mean.
    pub enum Deviation {
        /// |RTT − R| (RFC 6298 §2.3).
        Absolute = "absolute",
        /// RTT − R, as the pseudocode of draft-ietf-core-cocoa-03 omits the bars. An erratum: RTTVAR may become
        /// negative.
        Signed = "signed",
    }
}

/// The constants of one EWMA pair; both gains are from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gains {
    /// Weight of a new sample in the RTT.
    pub alpha: Ratio,
    /// Weight of a new deviation in the RTTVAR.
    pub beta: Ratio,
    /// The mean that is updated first.
    pub order: Order,
    /// Distance of a sample from the RTT.
    pub deviation: Deviation,
}

/// RTT and RTTVAR once there is a sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Smoothed {
    /// RTT, the smoothed round trip time (SRTT).
    pub rtt: Span,
    /// RTTVAR, the smoothed deviation; negative only with [`Deviation::Signed`].
    pub var: Span,
}

impl Smoothed {
    /// Starts from the first sample: RTT = R, RTTVAR = R/2 (RFC 6298 §2.2).
    pub fn first(r: Span) -> Self {
        Self { rtt: r, var: r.scale(1, 2) }
    }

    /// Takes a later sample: RTTVAR ← (1−β)·RTTVAR + β·|RTT−R| and RTT ← (1−α)·RTT + α·R (RFC 6298 §2.3), in the stated
    /// order.
    pub fn update(&mut self, r: Span, gains: &Gains) {
        let before = self.rtt;
        self.rtt = gains.alpha.blend(self.rtt, r);
        let mean = match gains.order {
            Order::VarianceFirst => before,
            Order::RttFirst => self.rtt,
        };
        let deviation = match gains.deviation {
            Deviation::Absolute => (mean - r).abs(),
            Deviation::Signed => mean - r,
        };
        self.var = gains.beta.blend(self.var, deviation);
    }

    /// Takes a sample, the first (`slot` is `None`) or a later one, and returns the new means.
    pub fn take(slot: &mut Option<Self>, r: Span, gains: &Gains) -> Self {
        match slot {
            Some(smoothed) => {
                smoothed.update(r, gains);
                *smoothed
            }
            None => *slot.insert(Self::first(r)),
        }
    }

    /// Returns the timeout RTT + max(G, K·RTTVAR) (RFC 6298 §2.2–2.3).
    pub fn rto(&self, k: Ratio, granularity: Span) -> Span {
        self.rtt + k.of(self.var).max(granularity)
    }
}
