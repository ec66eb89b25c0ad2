//! What can be worked out without a trace: the derived times of RFC 7252, the transmission-rate model of Lee,
//! Kim & Youn 2016, and what any algorithm of the registry comes to on a path of constant round trip and loss.
//!
//! Models are statistics: numbers are `f64` and seconds here.

mod lee;
mod outlook;

pub use lee::{Rate as LeeRate, base as lee_base, proposed as lee_proposed};
pub use outlook::{Outlook, Path, outlook};

use crate::Ratio;
use base::Span;

/// The times that follow from ACK_TIMEOUT, ACK_RANDOM_FACTOR and MAX_RETRANSMIT (RFC 7252 §4.8.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Derived {
    /// From the first transmission to the last: MAX_TRANSMIT_SPAN.
    pub max_transmit_span: Span,
    /// From the first transmission to giving up: MAX_TRANSMIT_WAIT.
    pub max_transmit_wait: Span,
    /// The longest round trip: MAX_RTT.
    pub max_rtt: Span,
    /// How long a confirmable message's ID must not be used again: EXCHANGE_LIFETIME.
    pub exchange_lifetime: Span,
    /// The same of a non-confirmable message: NON_LIFETIME.
    pub non_lifetime: Span,
}

impl Derived {
    /// MAX_LATENCY, RFC 7252 §4.8.2: an arbitrary constant there.
    pub const MAX_LATENCY: Span = Span::from_secs(100);

    /// The times of a sender; PROCESSING_DELAY is its ACK_TIMEOUT.
    #[must_use]
    pub fn new(ack_timeout: Span, random_factor: Ratio, max_retransmit: u8) -> Self {
        // Saturates: no span holds 2^62 timeouts.
        let spent = |timeouts: u8| random_factor.of(ack_timeout.scale((1_i64 << timeouts.min(62)) - 1, 1));
        let latency = Self::MAX_LATENCY;
        let max_transmit_span = spent(max_retransmit);
        let max_rtt = latency + latency + ack_timeout;
        Self {
            max_transmit_span,
            max_transmit_wait: spent(max_retransmit.saturating_add(1)),
            max_rtt,
            exchange_lifetime: max_transmit_span + max_rtt,
            non_lifetime: max_transmit_span + latency,
        }
    }
}
