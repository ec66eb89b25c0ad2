//! Exchanges rebuilt from the air against what the motes themselves logged.
//!
//! The motes' `exchanges.tsv` has one row a confirmable exchange: when `coap_sendto()` was called for each copy, how
//! and when the exchange ended, which copy the closing reply answers (runs with the retransmission-count option). The
//! air shows less and more: a copy may be dropped in the MAC queue, and it leaves that queue later than it was sent.

use crate::bundle::{RC_OPTION, Row, Table, analyse, bundled_with, runs, shared};
use crate::motes::{BUSY, END_TOLERANCE, at, last_frames_of, mote, zero};
use base::{Instant, Span};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use trace::{Copy, Exchange, Fate, Format, Outcome, Trace};

/// A mote logs a copy before the first frame of it begins, up to the millisecond in which it logs.
const START_TOLERANCE: Span = Span::from_millis(3);

/// Differences between the mote's log and the air, by cause.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Account {
    /// Exchanges in the mote's log.
    exchanges: usize,
    /// Copies in the mote's log.
    copies: usize,
    /// Exchanges of which nothing went on the air.
    exchanges_absent: usize,
    /// Copies of which nothing went on the air.
    copies_absent: usize,
    /// Copies of which only some fragments went on the air.
    copies_partial: usize,
    /// Exchanges that the mote gave up, where the air shows an answer that came later: what the client did not send
    /// any more does not say when it stopped waiting.
    given_up: usize,
    /// Exchanges that the mote gave up after copies that never went on the air: to the air, it stopped early.
    given_up_absent: usize,
    /// Replies that the mote had before their last hop was acknowledged: its radio could not answer then.
    ends_unacked: usize,
    /// Replies that a busy mote acknowledged, and noticed, one or two ticks of its clock (1 ms) later than usual.
    ends_busy: usize,
    /// Exchanges of which the server got another number of copies than the fates allow, mostly because a copy reached
    /// its node without an acknowledgement.
    reached_differ: usize,
    /// Everything else.
    unexplained: usize,
}

impl Account {
    /// Exchanges and copies in the log, of those copies never on the air, and of those ends before the acknowledgement.
    const fn of(
        exchanges: usize,
        copies: usize,
        copies_absent: usize,
        ends_unacked: usize,
        reached_differ: usize,
    ) -> Self {
        Self {
            exchanges,
            copies,
            exchanges_absent: 0,
            copies_absent,
            copies_partial: 0,
            given_up: 0,
            given_up_absent: 0,
            ends_unacked,
            ends_busy: 0,
            reached_differ,
            unexplained: 0,
        }
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let a = self;
        write!(f, "{:5} {:5} |", a.exchanges, a.copies)?;
        write!(f, "{:5} {:6} {:7} |", a.exchanges_absent, a.copies_absent, a.copies_partial)?;
        write!(f, "{:4} {:6} |", a.given_up, a.given_up_absent)?;
        write!(f, "{:7} {:4} |{:8} | {:11}", a.ends_unacked, a.ends_busy, a.reached_differ, a.unexplained)
    }
}

/// Sorted spans and their quantiles, in milliseconds.
struct Delays(Vec<Span>);

impl Delays {
    fn at(&self, num: usize, den: usize) -> f64 {
        self.0.get(self.0.len().saturating_sub(1) * num / den).map_or(f64::NAN, |s| s.secs_f64() * 1e3)
    }
}

/// Returns the time when each frame that took a reply to the client was over, whether or not it was acknowledged.
fn last_frames(trace: &Trace, exchange: &Exchange) -> impl Iterator<Item = Instant> {
    exchange.replies.iter().flat_map(|reply| last_frames_of(trace, reply.message))
}

/// Returns the least and the largest number of copies that reached the server, by their fates.
fn copies_at_server(exchange: &Exchange) -> RangeInclusive<usize> {
    let sure = |c: &&Copy| matches!(c.fate, Fate::Answered { .. } | Fate::ReplyLost);
    let open = |c: &&Copy| matches!(c.fate, Fate::Lost | Fate::Unknown);
    let sure = exchange.copies.iter().filter(sure).count();
    sure..=sure + exchange.copies.iter().filter(open).count()
}

/// Compares `trace` with the exchanges that the motes logged.
fn account(name: &str, trace: &Trace, truth: &Table, zero: Span) -> (Account, Delays) {
    let mut ours: BTreeMap<(i64, i64), &Exchange> = BTreeMap::new();
    let mut account = Account::default();
    for exchange in &trace.exchanges {
        let client = trace.associations[exchange.association.index()].client.addr;
        let before = ours.insert((mote(client), i64::from(exchange.mid)), exchange);
        assert!(before.is_none(), "{name}: one exchange twice: {exchange:?}");
    }
    let mut delays = Vec::new();
    let tolerance = match trace.capture.format {
        Format::CoojaRadioLog => END_TOLERANCE + Span::from_millis(1),
        _ => END_TOLERANCE,
    };
    let unexplained = |account: &mut Account, row: Row<'_>, exchange: Option<&Exchange>, what: &str| {
        account.unexplained += 1;
        let id = (row.text("client"), row.text("mid"));
        println!(
            "{name} {id:?}: {what}\n  {} {} {} {exchange:?}",
            row.text("attempt_times_us"),
            row.text("result"),
            row.text("t_end_us")
        );
    };
    for row in truth.rows() {
        account.exchanges += 1;
        let sent: Vec<Instant> =
            row.text("attempt_times_us").split(',').map(|t| at(t.parse().unwrap(), zero)).collect();
        assert_eq!(sent.len(), usize::try_from(row.int("attempts").unwrap()).unwrap());
        account.copies += sent.len();
        let Some(exchange) = ours.remove(&(row.int("client").unwrap(), row.int("mid").unwrap())) else {
            account.exchanges_absent += 1;
            account.copies_absent += sent.len();
            continue;
        };
        let partial = exchange.copies.iter().filter(|c| trace.messages[c.message.index()].frame.is_none()).count();
        account.copies_partial += partial;
        match sent.len().checked_sub(exchange.copies.len()) {
            Some(absent) => account.copies_absent += absent,
            None => unexplained(&mut account, row, Some(exchange), "more copies than the mote sent"),
        }
        // No copy is on the air before its time, whichever of the mote's copies it is.
        if exchange.copies.iter().zip(&sent).any(|(copy, &sent)| copy.sent + START_TOLERANCE < sent) {
            unexplained(&mut account, row, Some(exchange), "a copy before the mote sent it");
        }
        if exchange.copies.len() == sent.len() {
            delays.extend(exchange.copies.iter().zip(&sent).map(|(copy, &sent)| copy.sent - sent));
        }
        let reached = usize::try_from(row.int("sink_copies").unwrap()).unwrap();
        account.reached_differ += usize::from(!copies_at_server(exchange).contains(&reached));
        let outcome = match row.text("result") {
            "acked" => Outcome::Acked,
            "failed" => Outcome::Abandoned,
            "open" => Outcome::Open,
            other => panic!("{name}: {other}"),
        };
        let end = row.int("t_end_us").map(|end| at(end, zero));
        let heard = |at: Instant| end.is_some_and(|end| (at - end).abs() <= tolerance);
        match (outcome, exchange.outcome) {
            (Outcome::Acked, Outcome::Acked) if exchange.end.is_some_and(heard) => {}
            (Outcome::Acked, Outcome::Acked) if last_frames(trace, exchange).any(heard) => account.ends_unacked += 1,
            (Outcome::Acked, Outcome::Acked) if last_frames(trace, exchange).any(|at| heard(at + BUSY)) => {
                account.ends_busy += 1;
            }
            (Outcome::Acked, Outcome::Acked) => unexplained(&mut account, row, Some(exchange), "another end"),
            (Outcome::Abandoned, Outcome::Acked) if exchange.end > end => account.given_up += 1,
            (Outcome::Abandoned, Outcome::Acked) if exchange.copies.len() < sent.len() => account.given_up_absent += 1,
            (theirs, ours) if theirs == ours => {}
            _ => unexplained(&mut account, row, Some(exchange), "another outcome"),
        }
    }
    for exchange in ours.values() {
        account.unexplained += 1;
        println!("{name}: no such exchange in the log: {exchange:?}");
    }
    delays.sort_unstable();
    (account, Delays(delays))
}

fn header() {
    println!("{:37} {:^11} |{:^20} |{:^11} |{:^12} | reached |", "", "mote's log", "not on the air", "given up", "end");
    print!("{:37} {:>5} {:>5} |{:>5} {:>6} {:>7} |", "run", "exch.", "cop.", "exch.", "copies", "partial");
    println!(
        "{:>4} {:>6} |{:>7} {:>4} |{:>8} | unexplained | queueing, ms: median p99 max",
        "late", "absent", "unacked", "busy", "server"
    );
}

fn print(name: &str, account: &Account, delays: &Delays) {
    println!("{name:37} {account} | {:.1} {:.1} {:.1}", delays.at(1, 2), delays.at(99, 100), delays.at(1, 1));
}

/// Known differences in the bundled runs, all of them explained.
const BUNDLED: [(&str, Account); 8] = [
    ("tsch-slow-chain5-default", Account::of(292, 941, 3, 0, 0)),
    ("tsch-slow-chain5-cocoa", Account::of(417, 443, 0, 0, 0)),
    ("tsch-slow-chain5-rc", Account::of(417, 434, 0, 0, 0)),
    ("chain6-periodic-default", Account::of(677, 859, 0, 0, 0)),
    ("chain6-periodic-rc", Account::of(686, 890, 0, 1, 0)),
    ("grid3x3-burst-default", Account::of(991, 1265, 66, 3, 0)),
    ("grid3x3-burst-cocoa", Account::of(967, 1238, 34, 0, 0)),
    ("grid3x3-burst-rc", Account::of(995, 1267, 42, 1, 0)),
];

#[test]
fn bundled_runs_are_what_the_motes_logged() {
    header();
    let bundled = bundled_with("exchanges");
    assert_eq!(bundled.iter().map(|b| b.id.as_str()).collect::<Vec<_>>(), BUNDLED.map(|(id, _)| id));
    for (bundled, (_, expected)) in bundled.iter().zip(BUNDLED) {
        let truth = Table::read(&bundled.file("exchanges").unwrap(), '\t');
        for (role, zero) in [("capture", bundled.zero.unwrap()), ("radiolog", Span::ZERO)] {
            let Some(path) = bundled.file(role) else { continue };
            let (account, delays) = account(&bundled.id, &analyse(&path, bundled.rc_option), &truth, zero);
            print(&format!("{} {role}", bundled.id), &account, &delays);
            assert_eq!(account, expected, "{} {role}", bundled.id);
        }
    }
}

#[test]
fn all_runs_are_what_the_motes_logged() {
    let Some(folder) = shared("cooja") else { return };
    header();
    let mut unexplained = 0;
    for run in runs(&folder, "exchanges.tsv.gz").into_iter().filter(|run| run.join("radio-truth.tsv.gz").exists()) {
        let name = run.strip_prefix(&folder).unwrap().display().to_string();
        let truth = Table::read(&run.join("exchanges.tsv.gz"), '\t');
        let trace = analyse(&run.join("radio.pcap.gz"), RC_OPTION);
        let (account, delays) = account(&name, &trace, &truth, zero(&run));
        print(&name, &account, &delays);
        unexplained += account.unexplained;
    }
    assert_eq!(unexplained, 0, "unexplained differences");
}

#[test]
fn the_old_simulator_s_text_log_has_the_exchanges_of_its_mote_log() {
    let contiki30 = bundled_with("radiolog").into_iter().find(|b| b.id == "contiki30-chain4-stock").unwrap();
    let trace = contiki30.analyse("radiolog");
    let count = |outcome| trace.exchanges.iter().filter(|e| e.outcome == outcome).count();
    let retransmissions: usize = trace.exchanges.iter().map(Exchange::retransmissions).sum();
    assert_eq!((trace.exchanges.len(), retransmissions), (293, 32));
    assert_eq!((count(Outcome::Acked), count(Outcome::Abandoned), count(Outcome::Open)), (292, 0, 1));
}
