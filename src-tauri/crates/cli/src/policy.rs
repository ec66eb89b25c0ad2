//! The sender's rules besides timeouts, on the command line.

use crate::numbers::{between, octets, positive_duration, whole};
use api::Span;
use api::view::{BlindKind, PolicyView};

/// Rules of the sender besides timeouts. The defaults are RFC 7252 §4.8 without options. Repeats the fields of
/// [`PolicyView`] because parsers (units, ranges) and help are those of a command line; [`PolicyArgs::view`] names
/// every field, so that a rule without its option does not compile.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Rules of the sender")]
pub struct PolicyArgs {
    /// Most exchanges open at once towards one server (NSTART, RFC 7252 §4.7); without, as many as the trace shows.
    #[arg(long, value_name = "N", value_parser = whole::<u8>(1))]
    pub nstart: Option<u8>,
    /// Retransmissions before giving up (`MAX_RETRANSMIT`, RFC 7252 §4.8; 4).
    #[arg(long, value_name = "N", value_parser = between::<u8>(0, 20))]
    pub max_retransmit: Option<u8>,
    /// Time after which an exchange is given up whatever its timers say, in seconds or with a unit, such as 5min
    /// (`EXCHANGE_LIFETIME`, RFC 7252 §4.8.2; 247 s).
    #[arg(long, value_name = "TIME", value_parser = positive_duration)]
    pub exchange_lifetime: Option<Span>,
    /// Most requests that wait for a place (NSTART); more are dropped. 0 drops whatever would wait, as the
    /// application of Ancillotti & Bruno 2017 does; without, the limit found in the mote log beside the capture, or
    /// none.
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0))]
    pub queue: Option<u32>,
    /// First timeouts before the first sample, with other exchanges open: linear as in draft-bormann-core-cocoa-02 to
    /// draft-ietf-core-cocoa-03 §4.1, power as in draft-bormann-core-cocoa-01 and Betzler et al. 2014 §II.B.
    #[arg(long, value_enum)]
    pub blind: Option<BlindKind>,
    /// Time after which what was learned about a server is forgotten when nothing is sent to it
    /// (draft-ietf-core-cocoa-03 §4.3 recommends 255); without, never.
    #[arg(long, value_name = "TIME", value_parser = positive_duration)]
    pub state_lifetime: Option<Span>,
    /// Number of servers that a client keeps state of; without, all (draft-ietf-core-cocoa-03 §4.3 leaves it open).
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1))]
    pub destinations: Option<u16>,
    /// Limit the exchanges one client has open to all its servers together by PLIMIT
    /// (draft-bormann-core-cocoa-03, appendix; dropped later).
    #[arg(long)]
    pub plimit: bool,
    /// Octets a second to a server that does not answer (`PROBING_RATE`, RFC 7252 §4.8: 1); without, not limited.
    #[arg(long, value_name = "LENGTH", value_parser = octets)]
    pub probing_rate: Option<u32>,
    /// Time, such as 20ms, that the server works longer on a request than it did.
    #[arg(long, value_name = "TIME", value_parser = api::read_span)]
    pub processing: Option<Span>,
    /// The server takes a copy for a new request and works on it again (no de-duplication, RFC 7252 §4.5).
    #[arg(long)]
    pub repeats: bool,
    /// Time that the bottleneck of --channel queued serves a message of mean airtime; without, as the capture shows.
    #[arg(long, value_name = "TIME", value_parser = positive_duration)]
    pub service: Option<Span>,
    /// For how many messages it has room, the one that is served included; without, as the capture shows, if it does.
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1))]
    pub room: Option<u32>,
}

impl PolicyArgs {
    /// Returns the same rules in the form of requests of `api`.
    pub fn view(&self) -> PolicyView {
        PolicyView {
            nstart: self.nstart,
            max_retransmit: self.max_retransmit,
            exchange_lifetime: self.exchange_lifetime,
            queue: self.queue,
            blind: self.blind,
            state_lifetime: self.state_lifetime,
            destinations: self.destinations,
            plimit: self.plimit,
            probing_rate: self.probing_rate,
            processing: self.processing,
            repeats: self.repeats,
            service: self.service,
            room: self.room,
        }
    }
}
