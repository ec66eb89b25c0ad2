//! Confirmable exchanges: every copy the client sent, its fate, and the evidence for it.

use super::list::OneOrMany;
use super::message::Endpoint;
use base::{AssociationId, ExchangeId, Instant, MessageId, Span};
use serde::{Deserialize, Serialize};
use wire::coap::{Code, Token};

/// Longest time between messages of equal content that belong together: EXCHANGE_LIFETIME of the default parameters,
/// 247 s, after which a Message ID may be used again (RFC 7252 §4.8.2).
pub(crate) const EXCHANGE_LIFETIME: Span = Span::from_secs(247);

/// Most by which a reply may be stamped before its request, or before a copy that it answers. Frames of one machine are
/// stamped in different places (queues of a network card, the sending and the receiving side of a stack), and files of
/// several interfaces are merged by their stamps. Chosen here: two orders above what is seen on one machine (0.1 ms),
/// and a hundredth of the shortest first timeout that RFC 7252 §4.8.1 allows (1 s), so that an answer to an earlier
/// copy which is not in the capture is rarely taken for an early one; `cargo test --release -p trace --test cut_short`
/// plants noise of this size.
pub(crate) const CLOCK_NOISE: Span = Span::from_millis(10);

/// Fate of one copy: answered, lost on some part of its way, or unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// A reply to it reached the client, `rtt` after it was sent. Not necessarily the first reply.
    Answered {
        /// Time from the start of this copy to the arrival of its reply; not negative.
        rtt: Span,
    },
    /// The copy did not reach the server.
    RequestLost,
    /// The copy reached the server; no reply to it reached the client.
    ReplyLost,
    /// No reply to it reached the client; where it died is not known.
    Lost,
    /// The capture cannot tell.
    Unknown,
}

impl Fate {
    /// Round-trip time of an answered copy; `None` for all others.
    #[must_use]
    pub const fn rtt(self) -> Option<Span> {
        match self {
            Self::Answered { rtt } => Some(rtt),
            _ => None,
        }
    }

    /// Returns whether the copy is known to have reached the server.
    #[must_use]
    pub const fn is_arrival(self) -> bool {
        matches!(self, Self::Answered { .. } | Self::ReplyLost)
    }

    /// Whether the fate is known.
    #[must_use]
    pub const fn is_known(self) -> bool {
        !matches!(self, Self::Unknown)
    }
}

/// Strength of the evidence for a fate, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// A guess: whoever uses the fate must treat it as open.
    Unknown,
    /// Follows from order and number of replies, from times, or from what happened next.
    Inferred,
    /// Both ends or every hop were seen, the log says so, or the retransmission-count option was echoed. That no reply
    /// came is proven only where the capture goes on for EXCHANGE_LIFETIME (RFC 7252 §4.8.2) after the first copy.
    Proven,
}

/// One transmission of the confirmable message.
#[derive(Clone, PartialEq, Debug)]
pub struct Copy {
    /// Start of its first frame at the client; where the capture was taken elsewhere, estimated
    /// ([`Association::correction`]) from when it was captured ([`crate::model::Message::at`]).
    pub sent: Instant,
    /// Message in which the copy was sent.
    pub message: MessageId,
    /// Time when the server had it whole, if known.
    pub arrived: Option<Instant>,
    /// Answered or lost, and where, as far as is known.
    pub fate: Fate,
    /// Evidence for the fate.
    pub evidence: Evidence,
    /// Position in [`Exchange::replies`] of the reply that answers it; `None` where none is known to.
    pub reply: Option<u8>,
}

/// Form of a reply to a confirmable message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ReplyKind {
    /// Empty acknowledgement, without a response (RFC 7252 §5.2.2).
    EmptyAck,
    /// Response piggybacked on the acknowledgement (RFC 7252 §5.2.1).
    Piggybacked,
    /// Separate response, CON or NON (RFC 7252 §5.2.2).
    Separate,
    /// Reset (RFC 7252 §4.2).
    Reset,
}

/// One message of the server that answers the exchange.
#[derive(Clone, PartialEq, Debug)]
pub struct Reply {
    /// Message in which the reply was sent.
    pub message: MessageId,
    /// Acknowledgement, response or reset.
    pub kind: ReplyKind,
    /// Start of its first frame seen; not before the first copy, where clocks say so.
    pub sent: Instant,
    /// Time when the client had it whole; `None` when it did not get it or the capture cannot tell.
    pub arrived: Option<Instant>,
    /// Position in [`Exchange::copies`] of the copy that it answers, see that copy's evidence; `None` where it answers
    /// no known copy.
    pub answers: Option<u8>,
    /// True where it arrived first and so ended the exchange.
    pub closing: bool,
}

/// Outcome of an exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Ended by an ACK, empty or piggybacked; without an [`Exchange::end`], by an answer that the capture lacks.
    Acked,
    /// Ended by a separate response that overtook or outlived its ACK.
    Separate,
    /// Ended by a reset.
    Reset,
    /// The client gave up, or its reply came after it had.
    Abandoned,
    /// The trace ended before the exchange did.
    Open,
}

/// Completeness of the beginning of an exchange: is the first copy that was captured the first that was sent?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Head {
    /// The first copy: the capture has all that the client sends, and began long enough before.
    Seen,
    /// The capture cannot tell: it began shortly before, or lacks some of what the client sends.
    Perhaps,
    /// Not the first copy: it says so itself (the retransmission-count option), or a reply was captured before it.
    Missing,
}

/// One confirmable message with its copies and the replies to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Exchange {
    /// Number of the exchange: position in [`crate::Trace::exchanges`].
    pub id: ExchangeId,
    /// Association of its client and server.
    pub association: AssociationId,
    /// Message ID that all copies share.
    pub mid: u16,
    /// Token; may be empty.
    pub token: Token,
    /// Code of the message: a method, the response code of a confirmable notification or separate response, or 0.00
    /// (Empty, a ping).
    pub code: Code,
    /// Length of the message's CoAP payload, octets.
    pub payload: u16,
    /// First transmission and retransmissions, in order of sending; never empty, at most 255. See [`Self::head`].
    pub copies: OneOrMany<Copy>,
    /// Replies, in order of sending; at most 255.
    pub replies: OneOrMany<Reply>,
    /// Event that ended the exchange, or its lack.
    pub outcome: Outcome,
    /// Time when the client had the closing reply; `None` also where the client stopped as it does for an answer
    /// ([`Outcome::Acked`]) that the capture lacks.
    pub end: Option<Instant>,
    /// Completeness of the beginning: copies may have preceded the first one here.
    pub head: Head,
}

// Millions of them are held at once.
const _: () = assert!(size_of::<Exchange>() <= 96);

impl Exchange {
    /// Returns the response, piggybacked or separate, that reached the client first; after an empty ACK it is not the
    /// reply that ended the exchange.
    #[must_use]
    pub fn response(&self) -> Option<&Reply> {
        let responds = |r: &&Reply| matches!(r.kind, ReplyKind::Piggybacked | ReplyKind::Separate);
        self.replies.iter().filter(responds).filter(|r| r.arrived.is_some()).min_by_key(|r| r.arrived)
    }

    /// Returns the start of the first copy's first frame, at the client.
    #[must_use]
    pub fn start(&self) -> Instant {
        self.copies.first().map_or(Instant::ZERO, |c| c.sent)
    }

    /// Returns the time from the first copy to the closing reply; `None` without [`Self::end`].
    #[must_use]
    pub fn rtt(&self) -> Option<Span> {
        self.end.map(|end| end - self.start())
    }

    /// Returns the number of retransmissions: copies after the first.
    #[must_use]
    pub fn retransmissions(&self) -> usize {
        self.copies.len().saturating_sub(1)
    }
}

/// Part of an association's traffic that the capture could have seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vantage {
    /// Taken at the client: every copy and every reply that arrived, nothing beyond it.
    Client,
    /// Taken at the server: every copy that arrived and every reply.
    Server,
    /// Taken somewhere in between.
    Between,
    /// Taken at both ends: every hop is seen, or client and server are one host.
    Everywhere,
}

/// Correction from the capture's times to the client's.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// Delay from the client's sending of a copy to its first capture.
    pub request: Span,
    /// Delay from the last capture of a reply to its arrival at the client.
    pub reply: Span,
    /// Half the width of the 90 % interval of `request`, and of `reply`.
    pub error: Span,
}

/// Distribution of a delay that was measured several times.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Delay {
    /// Median of the measurements.
    pub median: Span,
    /// 5th percentile of the measurements.
    pub low: Span,
    /// 95th percentile of the measurements.
    pub high: Span,
    /// Number of measurements that it is of.
    pub samples: u32,
}

impl Delay {
    /// Returns the quantiles of `times`, given in any order; `None` without times.
    pub(crate) fn of(times: &mut [Span]) -> Option<Self> {
        times.sort_unstable();
        let quantile = |num, den| times.get(times.len().checked_sub(1)? * num / den).copied();
        Some(Self {
            median: quantile(1, 2)?,
            low: quantile(1, 20)?,
            high: quantile(19, 20)?,
            samples: u32::try_from(times.len()).unwrap_or(u32::MAX),
        })
    }
}

/// Model of the times at which the application sends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Workload {
    /// Ready times do not depend on how earlier exchanges went: periodic reports, events.
    Arrivals,
    /// The next request follows the end of the previous one by a think time.
    ThinkTime,
}

/// Timing of successive requests of an association.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Rhythm {
    /// Gap between requests: for [`Workload::Arrivals`] from start to start, of requests that did not wait for the one
    /// before them; for [`Workload::ThinkTime`] from end to start. `None` where none was measured.
    pub gap: Option<Delay>,
    /// Number of requests that were sent the moment the one before them ended: they had waited for it, or their client
    /// sends one after the other.
    pub at_once: u32,
    /// True where more requests came than could be sent: nearly all waited, but not the first ones.
    pub backlog: bool,
    /// Number of requests that began together with those of other clients, see [`crate::Relations::events`].
    pub in_events: u32,
}

/// Estimate of the time at which a request that waited for another one had been ready.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ready {
    /// Exchange of the request.
    pub exchange: ExchangeId,
    /// Time when the application wanted to send the request.
    pub at: Instant,
    /// Half the width of the range in which that time lies.
    pub error: Span,
}

/// A client and a server that exchanged confirmable messages.
#[derive(Clone, PartialEq, Debug)]
pub struct Association {
    /// Number of the association: position in [`crate::Trace::associations`].
    pub id: AssociationId,
    /// Endpoint that sends the confirmable messages.
    pub client: Endpoint,
    /// Endpoint that answers these messages.
    pub server: Endpoint,
    /// Name of the client for people: `mote 5`, else its address.
    pub client_name: String,
    /// Name of the server for people.
    pub server_name: String,
    /// Numbers of its exchanges, in order of start.
    pub exchanges: Vec<ExchangeId>,
    /// Part of the traffic that the capture could see.
    pub vantage: Vantage,
    /// True where the vantage is an assumption of a person, not estimated.
    pub vantage_given: bool,
    /// Correction to the client's times; zero where the capture has them.
    pub correction: Correction,
    /// Wait of a copy in the client, from when it is handed to the network (and its timer armed) to its first frame on
    /// the air: in queues of the 802.15.4 MAC and for a free channel. Estimated by how long nodes hold what they
    /// forward; `None` where that is not seen.
    pub queueing: Option<Delay>,
    /// Model of the times at which the client's application sends.
    pub workload: Workload,
    /// Timing of the client's successive requests.
    pub rhythm: Rhythm,
    /// Under [`Workload::Arrivals`], the requests that waited for the one before them (RFC 7252 §4.7), in order.
    pub ready: Vec<Ready>,
    /// Greatest number of exchanges seen open at once, at least 1; 255 stands for more.
    pub nstart: u8,
    /// Link-layer hops from client to server, the commonest number among copies that arrived; `None` where none is
    /// known to have arrived.
    pub hops: Option<u8>,
}
