//! Lines that the CoAP client and server of RTOscope's own runs print.
//!
//! ```text
//! CC TX mid=M try=K rto=MS …            a copy of request M was handed to the network, its timer is MS
//! CC ACK mid=M retx=K rtt_first=MS rtt_last=MS … code=C.DD
//! CC FAIL mid=M tries=N …               given up
//! CC LATE mid=M …                       an answer to no open request
//! SRV RX mid=M from=N …                 a copy reached the server
//! APP REQ seq=S … q=N     a request is issued, N more wait behind it
//! APP DONE seq=S ok=0|1 …
//! APP DROP …              a message was discarded: the queue was full, or the client busy
//! ```

use base::{Instant, Span};

/// An event that a mote printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// Time of the line, from the start of the simulation.
    pub at: Instant,
    /// Number of the mote that printed it.
    pub mote: u32,
    /// Event with its fields.
    pub kind: EventKind,
}

/// Event with the fields that its line has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// A confirmable request was handed to the network.
    Sent {
        /// Message ID of the request.
        mid: u16,
        /// Number of the copy, 0 for the first.
        copy: u8,
        /// Retransmission timeout that was armed, in whole milliseconds.
        timeout: Span,
    },
    /// An answer came while the request was open.
    Answered {
        /// Message ID of the request.
        mid: u16,
        /// Number of copies sent after the first.
        retransmissions: u8,
        /// Time since the first copy, in whole milliseconds.
        since_first: Span,
        /// Time since the last copy, in whole milliseconds.
        since_last: Span,
    },
    /// The client gave up.
    Failed {
        /// Message ID of the request.
        mid: u16,
    },
    /// An answer came for no open request.
    Late {
        /// Message ID that the answer has.
        mid: u16,
    },
    /// A copy reached the server.
    Received {
        /// Message ID of the copy.
        mid: u16,
        /// Number of the mote that sent it.
        from: u32,
    },
    /// The application's request was issued: not when it was made, but when none was open any more.
    Asked {
        /// The application's number of the request.
        seq: u32,
        /// Number of requests that wait behind it.
        waiting: u32,
    },
    /// The application discarded a message: its queue was full, or it has none and was busy.
    Dropped {
        /// True where it has no queue and was busy.
        busy: bool,
    },
    /// The application got an answer, or none.
    Done {
        /// The application's number of the request.
        seq: u32,
        /// True where it was answered.
        answered: bool,
    },
}

impl EventKind {
    /// Parses the text of a line; `None` where it is no event, or lacks a field.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_ascii_whitespace();
        let kind = (words.next()?, words.next()?);
        let fields = words.clone();
        let field = |name: &str| {
            let mut fields = fields.clone();
            fields.find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
        };
        let mid = || field("mid")?.parse().ok();
        let millis = |name| field(name)?.parse().ok().map(Span::from_millis);
        Some(match kind {
            ("CC", "TX") => Self::Sent { mid: mid()?, copy: field("try")?.parse().ok()?, timeout: millis("rto")? },
            ("CC", "ACK") => Self::Answered {
                mid: mid()?,
                retransmissions: field("retx")?.parse().ok()?,
                since_first: millis("rtt_first")?,
                since_last: millis("rtt_last")?,
            },
            ("CC", "FAIL") => Self::Failed { mid: mid()? },
            ("CC", "LATE") => Self::Late { mid: mid()? },
            ("SRV", "RX") => Self::Received { mid: mid()?, from: field("from")?.parse().ok()? },
            ("APP", "REQ") => Self::Asked {
                seq: field("seq")?.parse().ok()?,
                waiting: field("q").and_then(|waiting| waiting.parse().ok()).unwrap_or(0),
            },
            ("APP", "DROP") => Self::Dropped { busy: field("busy") == Some("1") },
            ("APP", "DONE") => Self::Done { seq: field("seq")?.parse().ok()?, answered: field("ok")? == "1" },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_our_runs() {
        let timeout = Span::from_millis(2_734);
        let text = "CC TX mid=15186 try=0 rto=2734 est=2000 t=65636 len=55";
        assert_eq!(EventKind::parse(text), Some(EventKind::Sent { mid: 15_186, copy: 0, timeout }));
        let (since_first, since_last) = (Span::from_millis(4_038), Span::from_millis(38));
        let text = "CC ACK mid=15186 retx=1 rtt_first=4038 rtt_last=38 rc=-1 type=2 code=2.04";
        let answered = EventKind::Answered { mid: 15_186, retransmissions: 1, since_first, since_last };
        assert_eq!(EventKind::parse(text), Some(answered));
        let text = "SRV RX mid=15186 from=2 code=0.03 rc=-1 len=48";
        assert_eq!(EventKind::parse(text), Some(EventKind::Received { mid: 15_186, from: 2 }));
        let text = "APP REQ seq=12 class=bg m=3 q=2";
        assert_eq!(EventKind::parse(text), Some(EventKind::Asked { seq: 12, waiting: 2 }));
        assert_eq!(EventKind::parse("APP DROP class=bg busy=1"), Some(EventKind::Dropped { busy: true }));
        assert_eq!(EventKind::parse("APP DROP class=bg"), Some(EventKind::Dropped { busy: false }));
        for no in
            ["", "CC", "CC TX mid=1", "CC TX mid=70000 try=0 rto=1", "[INFO: Main] CC TX", "NET parent=3 rank=256"]
        {
            assert_eq!(EventKind::parse(no), None, "{no}");
        }
    }
}
