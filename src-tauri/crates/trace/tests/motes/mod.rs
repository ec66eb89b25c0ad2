//! Runs of the simulator beside the repository, and what their motes logged.

#![allow(dead_code, reason = "each test binary uses its part")]
#![allow(clippy::unwrap_used, reason = "tests")]

use crate::bundle::Table;
use base::{Instant, MessageId, Span};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use trace::{Exchange, Trace};

/// The mote's end of an exchange is when its application heard of it; the air's, when the last frame ended. A text log
/// has whole milliseconds, cut off.
pub const END_TOLERANCE: Span = Span::from_millis(2);

/// A mote that is busy reads a frame, acknowledges it and logs its end one or two ticks of its clock later.
pub const BUSY: Span = Span::from_millis(2);

/// The mote with this address (`::20n:n:n:n`).
pub fn mote(address: std::net::Ipv6Addr) -> i64 {
    i64::from(address.segments()[7])
}

/// Microseconds of simulated time to the trace's time; `zero`: the simulated time of the trace's epoch.
pub fn at(micros: i64, zero: Span) -> Instant {
    Instant::ZERO + (Span::from_micros(micros) - zero)
}

/// Returns the time when each frame that took a message to its destination was over.
pub fn last_frames_of(trace: &Trace, message: MessageId) -> impl Iterator<Item = Instant> {
    let message = &trace.messages[message.index()];
    let iid = message.dst().addr.octets();
    let last = message.hops().filter(move |hop| hop.dst().iid().is_some_and(|hop| hop[..] == iid[8..]));
    last.flat_map(|hop| hop.frames).map(|&frame| {
        let frame = &trace.capture.frames[frame.index()];
        frame.at + Span::from_micros(32 * i64::try_from(frame.octets.len()).unwrap())
    })
}

/// The simulated time of the first record of a run beside the repository.
pub fn zero(run: &Path) -> Span {
    let truth = Table::read(&run.join("radio-truth.tsv.gz"), '\t');
    truth.rows().next().unwrap().int("start_us").map(Span::from_micros).unwrap()
}

/// Event of a mote's log at this time, in the exchange of this client and Message ID.
pub struct Event {
    client: i64,
    mid: i64,
    at: Instant,
    /// The copy, where the option says it.
    copy: i64,
}

/// The lines of `mote.log` that have this mark: `<us>:<mote>:<mark> key=value key=value`.
pub fn events(log: &str, mark: &str, zero: Span) -> Vec<Event> {
    let event = |line: &str| {
        let mut parts = line.splitn(3, ':');
        let (time, mote, text) = (parts.next()?, parts.next()?, parts.next()?);
        let values = text.strip_prefix(mark)?;
        let value = |key: &str| values.split(' ').find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='));
        Some(Event {
            client: value("from").unwrap_or(mote).parse().unwrap(),
            mid: value("mid")?.parse().unwrap(),
            at: at(time.parse().unwrap(), zero),
            // The first copy carries no option.
            copy: value("rc").map_or(0, |rc| rc.parse::<i64>().unwrap().max(0)),
        })
    };
    log.lines().filter_map(event).collect()
}

/// True fate of each copy of a run whose copies are numbered, by client, Message ID and number.
pub struct Truth {
    pub reached: HashSet<(i64, i64, i64)>,
    pub answered: HashSet<(i64, i64, i64)>,
}

impl Truth {
    /// `numbered`: the run, analysed with its option. Which reply a client got, the log says by its time; which copy
    /// that answers, the option on the air.
    pub fn new(log: &str, numbered: &Trace, zero: Span) -> Self {
        let reached = events(log, "SRV RX ", zero).into_iter().map(|e| (e.client, e.mid, e.copy)).collect();
        let mut got: HashMap<(i64, i64), Vec<Instant>> = HashMap::new();
        for event in events(log, "CC ACK ", zero).into_iter().chain(events(log, "CC LATE ", zero)) {
            got.entry((event.client, event.mid)).or_default().push(event.at);
        }
        let mut answered = HashSet::new();
        for exchange in &numbered.exchanges {
            let id = identity(numbered, exchange);
            for reply in &exchange.replies {
                let ends: Vec<_> = last_frames_of(numbered, reply.message).collect();
                let heard = |end: &Instant| ends.iter().any(|&at| at <= *end && *end - at <= END_TOLERANCE + BUSY);
                if got.get(&id).is_some_and(|times| times.iter().any(heard)) {
                    let rc = numbered.messages[reply.message.index()].rc.unwrap_or(0);
                    answered.insert((id.0, id.1, i64::from(rc)));
                }
            }
        }
        Self { reached, answered }
    }
}

pub fn identity(trace: &Trace, exchange: &Exchange) -> (i64, i64) {
    (mote(trace.associations[exchange.association.index()].client.addr), i64::from(exchange.mid))
}

/// Returns whether the copies of a run carry the retransmission-count option.
pub fn is_numbered(run: &Path) -> bool {
    let name = run.file_name().unwrap().to_string_lossy();
    ["rc-", "lee-", "accb-"].iter().any(|algorithm| name.starts_with(algorithm))
}
