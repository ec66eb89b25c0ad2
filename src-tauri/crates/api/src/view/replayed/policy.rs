//! Rules of sender, server and bottleneck besides timeouts, as a request has them.

use crate::Error;
use base::Span;
use replay::{Aggregate, Application, Blind, ChannelSpec, LoadResponse, Policy, Server};
use serde::{Deserialize, Serialize};

/// Greatest MAX_RETRANSMIT. Chosen here: more retransmissions would outlast every lifetime of an exchange.
const MAX_RETRANSMIT: u8 = 20;

choice! {
    /// First timeouts of a sender that has no sample yet and other exchanges open ([`Blind`]).
    pub enum BlindKind {
        /// First timeout of the algorithm itself.
        Algorithm,
        /// First timeout without other exchanges, whatever their number.
        Ignore,
        /// The first timeout times the number of open exchanges.
        Linear,
        /// The first timeout doubled once per other open exchange.
        Power,
    }
}

view! {
    /// Rules besides timeouts and pace: of the sender, the server, and the bottleneck of channel `queued`. An absent
    /// rule is as in RFC 7252 §4.8 ([`Policy`]), or as the capture shows.
    #[derive(Copy, Default)]
    pub struct PolicyView {
        /// NSTART: greatest number of exchanges open at once towards one server, 1 to 255; null: as many as the trace
        /// shows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub nstart: Option<u8>,
        /// MAX_RETRANSMIT: retransmissions before giving up, 0 to 20; null: 4 (RFC 7252 §4.8).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub max_retransmit: Option<u8>,
        /// EXCHANGE_LIFETIME, after which an exchange is given up whatever its timers say, nanoseconds, above 0; null:
        /// 247 s (RFC 7252 §4.8.2).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub exchange_lifetime: Option<Span>,
        /// Greatest number of requests waiting at once; 0: a request that has to wait is dropped; null: the limit found
        /// in the mote log beside the capture, and without one no limit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub queue: Option<u32>,
        /// First timeouts before the first sample, while other exchanges are open; null: as the algorithm does itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub blind: Option<BlindKind>,
        /// Lifetime of estimator state while nothing is sent, nanoseconds, above 0; null: for ever.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub state_lifetime: Option<Span>,
        /// Greatest number of servers that a client keeps state of, 1 to 65,535; null: no limit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub destinations: Option<u16>,
        /// PLIMIT, the limit of the early CoCoA drafts on exchanges open to all servers together.
        #[serde(default, skip_serializing_if = "is_off")]
        #[cfg_attr(feature = "ts", ts(as = "Option<bool>", optional))]
        pub plimit: bool,
        /// PROBING_RATE: octets a second to a silent server, 1 or more (RFC 7252 §4.7); null: not limited.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub probing_rate: Option<u32>,
        /// Additional processing time of the server per request, nanoseconds, 0 or more; null: none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub processing: Option<Span>,
        /// The server takes a copy for a new request (no de-duplication, RFC 7252 §4.5).
        #[serde(default, skip_serializing_if = "is_off")]
        #[cfg_attr(feature = "ts", ts(as = "Option<bool>", optional))]
        pub repeats: bool,
        /// Service time of the bottleneck of channel `queued` for a message of mean airtime, nanoseconds, above 0;
        /// null: as the capture shows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub service: Option<Span>,
        /// Number of messages for which the bottleneck has room, the one in service included, 1 or more; null: as the
        /// capture shows, if it does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub room: Option<u32>,
    }
}

fn is_off(rule: &bool) -> bool {
    !rule
}

impl PolicyView {
    /// Whether no rule is given: all are as in RFC 7252 §4.8 or as the capture shows.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Checks the range of every given rule.
    ///
    /// # Errors
    /// [`crate::Code::Request`] that names the rule which has a value it cannot have.
    pub fn check(&self) -> Result<(), Error> {
        let refuse = |rule: &str, legal: &str| Err(Error::request(format!("The rule `{rule}` is {legal}.")));
        let counts = [
            ("nstart", self.nstart.map(u32::from)),
            ("destinations", self.destinations.map(u32::from)),
            ("probing_rate", self.probing_rate),
            ("room", self.room),
        ];
        if let Some((rule, _)) = counts.iter().find(|(_, count)| *count == Some(0)) {
            return refuse(rule, "1 at least");
        }
        if self.max_retransmit.is_some_and(|most| most > MAX_RETRANSMIT) {
            return refuse("max_retransmit", &format!("0 to {MAX_RETRANSMIT}"));
        }
        let times = [
            ("exchange_lifetime", self.exchange_lifetime),
            ("state_lifetime", self.state_lifetime),
            ("service", self.service),
        ];
        if let Some((rule, _)) = times.iter().find(|(_, time)| time.is_some_and(|time| time <= Span::ZERO)) {
            return refuse(rule, "longer than nothing");
        }
        if self.processing.is_some_and(|time| time < Span::ZERO) {
            return refuse("processing", "no negative time");
        }
        Ok(())
    }

    /// Returns `channel` with the given service time and room at its bottleneck, if it has one.
    #[must_use]
    pub fn at_the_bottleneck(&self, mut channel: ChannelSpec) -> ChannelSpec {
        if let ChannelSpec::Loaded { response: LoadResponse::Queue { service, room }, .. } = &mut channel {
            (*service, *room) = (self.service.or(*service), self.room.or(*room));
        }
        channel
    }

    /// Returns the rules as the engine takes them; absent ones are the engine's defaults.
    #[must_use]
    pub fn policy(&self) -> Policy {
        let default = Policy::default();
        Policy {
            nstart: self.nstart,
            max_retransmit: self.max_retransmit.unwrap_or(default.max_retransmit),
            exchange_lifetime: self.exchange_lifetime.unwrap_or(default.exchange_lifetime),
            application: match self.queue {
                None => default.application,
                Some(0) => Application::Drop,
                Some(limit) => Application::Queue { limit },
            },
            blind: match self.blind {
                None => default.blind,
                Some(BlindKind::Algorithm) => Blind::Algorithm,
                Some(BlindKind::Ignore) => Blind::Ignore,
                Some(BlindKind::Linear) => Blind::Linear,
                Some(BlindKind::Power) => Blind::Power,
            },
            state_lifetime: self.state_lifetime,
            destinations: self.destinations,
            aggregate: if self.plimit { Aggregate::Plimit } else { Aggregate::Unlimited },
            probing_rate: self.probing_rate,
            server: Server { processing: self.processing.unwrap_or(Span::ZERO), repeats: self.repeats },
        }
    }
}
