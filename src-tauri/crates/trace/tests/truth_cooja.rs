//! Exchanges rebuilt from the air against what the motes themselves logged.
//!
//! The motes' `exchanges.tsv` has one row a confirmable exchange: when `coap_sendto()` was called for each copy, how
//! and when the exchange ended, which copy the closing reply answers (runs with the retransmission-count option). The
//! air shows less and more: a copy may be dropped in the MAC queue, and it leaves that queue later than it was sent.

#![allow(clippy::unwrap_used, reason = "tests")]

mod bundle;

use base::{FrameId, Instant, MessageId, Span};
use bundle::{NO_OPTION, RC_OPTION, Row, Score, Table, analyse, bundled_with, gunzip, runs, shared};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::path::Path;
use trace::{Copy, Evidence, Exchange, Fate, Format, Outcome, Trace};

/// The mote's end of an exchange is when its application heard of it; the air's, when the last frame ended. A text log
/// has whole milliseconds, cut off.
const END_TOLERANCE: Span = Span::from_millis(2);

/// A mote that is busy reads a frame, acknowledges it and logs its end one or two ticks of its clock later.
const BUSY: Span = Span::from_millis(2);

/// A mote logs a copy before the first frame of it begins, up to the millisecond in which it logs.
const START_TOLERANCE: Span = Span::from_millis(3);

/// The mote with this address (`::20n:n:n:n`).
fn mote(address: std::net::Ipv6Addr) -> i64 {
    i64::from(address.segments()[7])
}

/// Microseconds of simulated time to the trace's time; `zero`: the simulated time of the trace's epoch.
fn at(micros: i64, zero: Span) -> Instant {
    Instant::ZERO + (Span::from_micros(micros) - zero)
}

/// What differs between the mote's log and the air, by cause.
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
    /// Exchanges of which the server got another number of copies than the fates allow, mostly because a copy reached its
    /// node without an acknowledgement.
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

/// When each frame that took a reply to the client was over, whether or not it was acknowledged.
fn last_frames(trace: &Trace, exchange: &Exchange) -> impl Iterator<Item = Instant> {
    exchange.replies.iter().flat_map(|reply| last_frames_of(trace, reply.message))
}

/// When each frame that took a message to its destination was over.
fn last_frames_of(trace: &Trace, message: MessageId) -> impl Iterator<Item = Instant> {
    let message = &trace.messages[message.index()];
    let iid = message.dst().addr.octets();
    let last = message.hops.iter().filter(move |hop| hop.dst().iid().is_some_and(|hop| hop[..] == iid[8..]));
    last.flat_map(|hop| &hop.frames).map(|&frame| {
        let frame = &trace.capture.frames[frame.index()];
        frame.at + Span::from_micros(32 * i64::try_from(frame.octets.len()).unwrap())
    })
}

/// Compare `trace` with the exchanges that the motes logged.
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
        // Whichever of the mote's copies the air's are: none before its time.
        if exchange.copies.iter().zip(&sent).any(|(copy, &sent)| copy.sent + START_TOLERANCE < sent) {
            unexplained(&mut account, row, Some(exchange), "a copy before the mote sent it");
        }
        if exchange.copies.len() == sent.len() {
            delays.extend(exchange.copies.iter().zip(&sent).map(|(copy, &sent)| copy.sent - sent));
        }
        let sure = |c: &&Copy| matches!(c.fate, Fate::Answered { .. } | Fate::ReplyLost);
        let open = |c: &&Copy| matches!(c.fate, Fate::Lost | Fate::Unknown);
        let sure = exchange.copies.iter().filter(sure).count();
        let most = sure + exchange.copies.iter().filter(open).count();
        let reached = usize::try_from(row.int("sink_copies").unwrap()).unwrap();
        account.reached_differ += usize::from(!(sure..=most).contains(&reached));
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

/// What is known to differ in the bundled runs, all of it explained.
const BUNDLED: [(&str, Account); 7] = [
    ("tsch-slow-chain5-default", Account::of(292, 941, 3, 0, 0)),
    ("tsch-slow-chain5-cocoa", Account::of(417, 443, 0, 0, 0)),
    ("tsch-slow-chain5-rc", Account::of(417, 434, 0, 0, 0)),
    ("chain6-periodic-default", Account::of(677, 859, 0, 0, 0)),
    ("chain6-periodic-rc", Account::of(686, 890, 0, 1, 0)),
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

/// The simulated time of the first record of a run beside the repository.
fn zero(run: &Path) -> Span {
    let truth = Table::read(&run.join("radio-truth.tsv.gz"), '\t');
    truth.rows().next().unwrap().int("start_us").map(Span::from_micros).unwrap()
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

/// What a mote's log says happened at this time to the exchange of this client and Message ID.
struct Event {
    client: i64,
    mid: i64,
    at: Instant,
    /// The copy, where the option says it.
    copy: i64,
}

/// The lines of `mote.log` that have this mark: `<us>:<mote>:<mark> key=value key=value`.
fn events(log: &str, mark: &str, zero: Span) -> Vec<Event> {
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

/// What became of each copy of a run whose copies are numbered, by client, Message ID and number.
struct Truth {
    reached: HashSet<(i64, i64, i64)>,
    answered: HashSet<(i64, i64, i64)>,
}

impl Truth {
    /// `numbered`: the run, analysed with its option. Which reply a client got, the log says by its time; which copy
    /// that answers, the option on the air.
    fn new(log: &str, numbered: &Trace, zero: Span) -> Self {
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

fn identity(trace: &Trace, exchange: &Exchange) -> (i64, i64) {
    (mote(trace.associations[exchange.association.index()].client.addr), i64::from(exchange.mid))
}

/// How right the fates of a trace are. `numbers`: the number of the copy that begins with this frame.
fn score(name: &str, trace: &Trace, truth: &Truth, numbers: &HashMap<FrameId, i64>) -> Score {
    let mut score = Score::default();
    for exchange in trace.exchanges.iter().filter(|e| e.outcome != Outcome::Open) {
        let (client, mid) = identity(trace, exchange);
        for copy in &exchange.copies {
            let number = numbers[&trace.messages[copy.message.index()].hops[0].frames[0]];
            let id = (client, mid, number);
            let (reached, answered) = (truth.reached.contains(&id), truth.answered.contains(&id));
            let right = match copy.fate {
                Fate::Answered { .. } => answered,
                Fate::ReplyLost => reached && !answered,
                Fate::RequestLost => !reached,
                Fate::Lost => !answered,
                Fate::Unknown => continue,
            };
            score.count(copy.evidence, right);
            if !right && copy.evidence == Evidence::Proven {
                println!(
                    "{name} {client} {mid} copy {number}: {:?}, but reached {reached}, answered {answered}",
                    copy.fate
                );
            }
        }
    }
    score
}

#[test]
fn fates_are_what_the_motes_logged() {
    let Some(folder) = shared("cooja") else { return };
    println!("{:36} | {:^21} | {:^21} | {:^21}", "", "proven", "inferred", "unknown");
    let mut sums: HashMap<(bool, bool), Score> = HashMap::new();
    for run in runs(&folder, "mote.log.gz").into_iter().filter(|run| is_numbered(run)) {
        let name = run.strip_prefix(&folder).unwrap().display().to_string();
        let log = gunzip(&run.join("mote.log.gz"));
        for (file, zero) in [("radio.pcap.gz", zero(&run)), ("radiolog.txt.gz", Span::ZERO)] {
            let path = run.join(file);
            if !path.exists() {
                continue;
            }
            let numbered = analyse(&path, RC_OPTION);
            let truth = Truth::new(&log, &numbered, zero);
            let first = |m: &trace::Message| (m.hops[0].frames[0], i64::from(m.rc.unwrap_or(0)));
            let numbers = numbered.messages.iter().map(first).collect();
            for (option, what) in [(RC_OPTION, "option"), (NO_OPTION, "no option")] {
                let trace = analyse(&path, option);
                let score = score(&name, &trace, &truth, &numbers);
                let form = if zero == Span::ZERO { "text" } else { "pcap" };
                println!("{name:30} {form} {what:9} | {score}");
                sums.entry((zero == Span::ZERO, option == RC_OPTION)).or_default().add(score);
            }
        }
    }
    for (text, option) in [(false, true), (false, false), (true, true), (true, false)] {
        let sum = sums[&(text, option)];
        println!("all runs, text {text:5}, option {option:5}    | {sum}");
        assert!(sum.proven.1 * 1_000 <= sum.proven.0, "proven: less than 99.9 % right");
        assert!(sum.inferred.1 * 20 <= sum.inferred.0, "inferred: less than 95 % right");
        assert!(!option || sum.proven.1 == 0, "the option says it, and it was not so");
    }
}

/// Where a run's frames go: for each frame that carries CoAP, the first frame of its message.
fn messages_of(trace: &Trace) -> BTreeMap<FrameId, FrameId> {
    let hops = trace.messages.iter().flat_map(|m| m.hops.iter().map(move |hop| (m.hops[0].frames[0], hop)));
    hops.flat_map(|(first, hop)| hop.frames.iter().map(move |&frame| (frame, first))).collect()
}

/// How many frames are taken for those of another copy when the copies' numbers are not looked at.
fn astray(path: &Path) -> (usize, usize) {
    let (numbered, plain) = (messages_of(&analyse(path, RC_OPTION)), messages_of(&analyse(path, NO_OPTION)));
    assert!(numbered.keys().eq(plain.keys()), "{}: other frames", path.display());
    (numbered.iter().zip(&plain).filter(|(a, b)| a != b).count(), numbered.len())
}

#[test]
fn copies_are_followed_over_the_hops_without_their_numbers() {
    for bundled in bundled_with("exchanges").into_iter().filter(|b| b.rc_option == RC_OPTION) {
        let (astray, all) = astray(&bundled.file("capture").unwrap());
        println!("{:37} {astray} of {all} frames astray", bundled.id);
        assert_eq!(astray, 0, "{}", bundled.id);
    }
}

#[test]
fn copies_of_all_runs_are_followed_without_their_numbers() {
    let Some(folder) = shared("cooja") else { return };
    let (mut astray_sum, mut sum) = (0, 0);
    for run in runs(&folder, "mote.log.gz").into_iter().filter(|run| is_numbered(run)) {
        let (astray, all) = astray(&run.join("radio.pcap.gz"));
        println!("{:37} {astray} of {all} frames astray", run.strip_prefix(&folder).unwrap().display());
        astray_sum += astray;
        sum += all;
    }
    assert!(astray_sum * 1_000 < sum, "{astray_sum} of {sum} frames astray");
}

/// Whether the copies of a run carry the retransmission-count option.
fn is_numbered(run: &Path) -> bool {
    let name = run.file_name().unwrap().to_string_lossy();
    ["rc-", "lee-", "accb-"].iter().any(|algorithm| name.starts_with(algorithm))
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
