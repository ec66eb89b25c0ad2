//! Times, outcomes and answered copies against what the motes and the simulator logged, in one table: a row a run.
//!
//! The mote's clock begins when it hands a copy over, the capture's when its first frame is on the air; between them
//! lies the wait in the client, which is estimated ([`trace::Association::queueing`]). Both end when the last frame of
//! the reply is in, and the simulator logged when that was (`radio-truth`).

use crate::bundle;
use crate::bundle::{NO_OPTION, Row, Table, analyse, gunzip, runs, shared};
use crate::motes::{Truth, at, identity, is_numbered, zero};
use base::{Instant, Span};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use trace::{Association, DecodeOptions, Exchange, Fate, Head, Outcome, Trace};

#[derive(Clone, Default)]
struct Tally {
    exchanges: usize,
    /// Outcomes that are not the mote's; exchanges of which nothing went on the air are not counted.
    outcomes_wrong: usize,
    copies: usize,
    copies_sent: usize,
    more_than_sent: usize,
    heads: usize,
    /// Whether the first copy had no answer: right and wrong. Only of runs whose copies are numbered; so is `answered`.
    first_lost: (usize, usize),
    /// Position of the copy that the closing reply answers.
    answered: (usize, usize),
    /// |reply here - reply in the mote's log|, ms.
    reply: Vec<f64>,
    /// |time between them here - in the simulator's log|, ms.
    on_air: Vec<f64>,
    /// Round-trip time of the mote less that of the capture with the median wait: |error|, ms.
    rtt: Vec<f64>,
    /// |wait - its median|, ms; and how many are within the 90 % that are said.
    wait: Vec<f64>,
    within: usize,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.exchanges += other.exchanges;
        self.outcomes_wrong += other.outcomes_wrong;
        self.copies += other.copies;
        self.copies_sent += other.copies_sent;
        self.more_than_sent += other.more_than_sent;
        self.heads += other.heads;
        for (sum, part) in [(&mut self.first_lost, other.first_lost), (&mut self.answered, other.answered)] {
            *sum = (sum.0 + part.0, sum.1 + part.1);
        }
        self.reply.extend(&other.reply);
        self.on_air.extend(&other.on_air);
        self.rtt.extend(&other.rtt);
        self.wait.extend(&other.wait);
        self.within += other.within;
    }

    fn print(&mut self, name: &str) {
        let pair = |(right, wrong): (usize, usize)| match right + wrong {
            0 => format!("{:>6} {:>3}", "-", "-"),
            _ => format!("{right:6} {wrong:3}"),
        };
        println!(
            "{name:31} {:6} {:3} |{:6} {:6} {:2} | {} | {} | {:5.2} {:5.2} | {:5.2} {:5.2} | {:5.1} {:7.1} | {:5.1} {:7.1} {:4.0}%",
            self.exchanges,
            self.outcomes_wrong,
            self.copies_sent,
            self.copies,
            self.more_than_sent,
            pair(self.first_lost),
            pair(self.answered),
            quantile(&mut self.reply, 0.5),
            quantile(&mut self.reply, 0.99),
            quantile(&mut self.on_air, 0.5),
            quantile(&mut self.on_air, 0.99),
            quantile(&mut self.rtt, 0.5),
            quantile(&mut self.rtt, 0.99),
            quantile(&mut self.wait, 0.5),
            quantile(&mut self.wait, 0.99),
            100.0 * self.within as f64 / self.wait.len().max(1) as f64,
        );
    }
}

fn header() {
    println!(
        "{:31} {:^10} | {:^15} | {:^10} | {:^10} | {:^11} | {:^11} | {:^13} | wait in the client",
        "", "exchanges", "copies", "1st lost", "answered", "reply, ms", "on-air, ms", "RTT, ms"
    );
    println!(
        "{:31} {:>6} {:>3} |{:>6} {:>6} {:>2} | {:>6} {:>3} | {:>6} {:>3} | {:>5} {:>5} | {:>5} {:>5} | {:>5} {:>7} | {:>5} {:>7} in 90%",
        "run",
        "all",
        "bad",
        "sent",
        "on air",
        ">",
        "right",
        "bad",
        "right",
        "bad",
        "med",
        "p99",
        "med",
        "p99",
        "med",
        "p99",
        "med",
        "p99"
    );
}

fn quantile(values: &mut [f64], q: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(((values.len().max(1) - 1) as f64 * q) as usize).copied().unwrap_or(f64::NAN)
}

fn millis(span: Span) -> f64 {
    span.abs().secs_f64() * 1e3
}

/// Returns the time when the frames of the last hop of a message were over, by the simulator's log.
fn ends_on_air(trace: &Trace, exchange: &Exchange, ends: &[Instant]) -> Vec<Instant> {
    let Some(reply) = exchange.replies.iter().find(|r| r.closing) else { return Vec::new() };
    let hops = trace.messages[reply.message.index()].hops();
    let frames = hops.flat_map(|hop| hop.frames).map(|frame| frame.index());
    frames.filter_map(|frame| ends.get(frame).copied()).collect()
}

/// Compare a run with its logs; `truth` and `numbers` where its copies are numbered.
fn tally(trace: &Trace, run: &Path, truth: Option<&Truth>, numbers: &HashMap<base::FrameId, i64>) -> Tally {
    let mut tally = Tally::default();
    let (table, radio) = (Table::read(&run.join("exchanges.tsv.gz"), '\t'), run.join("radio-truth.tsv.gz"));
    // A text log has the simulation's own times.
    let (zero, radio) = match radio.exists() {
        true => (zero(run), Some(Table::read(&radio, '\t'))),
        false => (Span::ZERO, None),
    };
    let ends: Vec<Instant> =
        radio.iter().flat_map(Table::rows).map(|row| at(row.int("end_us").unwrap(), zero)).collect();
    let logged: HashMap<(i64, i64), Row<'_>> =
        table.rows().map(|row| ((row.int("client").unwrap(), row.int("mid").unwrap()), row)).collect();
    for exchange in &trace.exchanges {
        let association = &trace.associations[exchange.association.index()];
        let id = identity(trace, exchange);
        let row = logged[&id];
        let sent: Vec<Instant> =
            row.text("attempt_times_us").split(',').map(|t| at(t.parse().unwrap(), zero)).collect();
        tally.exchanges += 1;
        tally.copies += exchange.copies.len();
        tally.copies_sent += sent.len();
        tally.more_than_sent += usize::from(exchange.copies.len() > sent.len());
        tally.heads += usize::from(exchange.head != Head::Seen);
        let outcome = match row.text("result") {
            "acked" => Outcome::Acked,
            "failed" => Outcome::Abandoned,
            _ => Outcome::Open,
        };
        tally.outcomes_wrong += usize::from(outcome != exchange.outcome);
        if sent.len() == exchange.copies.len() {
            tally.waits(association, exchange, &sent);
        }
        if let (Some(end), Some(ours)) = (row.int("t_end_us").map(|end| at(end, zero)), exchange.end)
            && outcome == exchange.outcome
        {
            tally.reply.push(millis(ours - end));
            let frames = ends_on_air(trace, exchange, &ends);
            tally.on_air.extend(frames.iter().map(|&end| millis(ours - end)).min_by(f64::total_cmp));
            if sent.len() == exchange.copies.len() {
                let wait = association.queueing.map_or(Span::ZERO, |q| q.median);
                tally.rtt.push(millis((ours - exchange.start() + wait) - (end - sent[0])));
            }
        }
        if let Some(truth) = truth {
            tally.numbered(trace, exchange, id, truth, numbers, row);
        }
    }
    tally
}

impl Tally {
    fn waits(&mut self, association: &Association, exchange: &Exchange, sent: &[Instant]) {
        let Some(queueing) = association.queueing else { return };
        for (copy, &sent) in exchange.copies.iter().zip(sent) {
            let wait = copy.sent - sent;
            self.wait.push(millis(wait - queueing.median));
            self.within += usize::from((queueing.low..=queueing.high).contains(&wait));
        }
    }

    fn numbered(
        &mut self,
        trace: &Trace,
        exchange: &Exchange,
        (client, mid): (i64, i64),
        truth: &Truth,
        numbers: &HashMap<base::FrameId, i64>,
        row: Row<'_>,
    ) {
        let number = |copy: &trace::Copy| numbers[&trace.messages[copy.message.index()].hop(0).unwrap().frames[0]];
        let first = &exchange.copies[0];
        if number(first) == 0 && first.fate != Fate::Unknown && exchange.outcome != Outcome::Open {
            let lost = !truth.answered.contains(&(client, mid, 0));
            let right = lost != matches!(first.fate, Fate::Answered { .. });
            *(if right { &mut self.first_lost.0 } else { &mut self.first_lost.1 }) += 1;
        }
        let closing = exchange.replies.iter().find(|r| r.closing).and_then(|r| r.answers);
        let copy = closing.and_then(|copy| exchange.copies.get(usize::from(copy)));
        if let (Some(copy), Some(truly)) = (copy, row.int("rc"))
            && row.text("result") == "acked"
        {
            let right = number(copy) == truly.max(0);
            *(if right { &mut self.answered.0 } else { &mut self.answered.1 }) += 1;
        }
    }
}

#[test]
fn times_outcomes_and_answered_copies_of_the_simulated_motes() {
    let Some(folder) = shared("cooja") else { return };
    let everything = needs::everything();
    header();
    let mut scenarios: BTreeMap<String, Tally> = BTreeMap::new();
    for run in runs(&folder, "exchanges.tsv.gz") {
        let name = run.strip_prefix(&folder).unwrap().display().to_string();
        if !everything && !["/rc-seed1", "/cocoa-seed1"].iter().any(|end| name.ends_with(end)) {
            continue;
        }
        // Without the option: it would say which copy is answered.
        let timed = run.join("radio-truth.tsv.gz").exists();
        let path = run.join(if timed { "radio.pcap.gz" } else { "radiolog.txt.gz" });
        let trace = analyse(&path, NO_OPTION);
        let numbered = is_numbered(&run).then(|| analyse(&path, bundle::RC_OPTION));
        let truth = numbered.as_ref().map(|numbered| {
            let log = gunzip(&run.join("mote.log.gz"));
            Truth::new(&log, numbered, zero(&run))
        });
        let first = |m: &trace::Message| (m.hop(0).unwrap().frames[0], i64::from(m.rc.unwrap_or(0)));
        let numbers = numbered.iter().flat_map(|n| &n.messages).map(first).collect();
        let mut tally = tally(&trace, &run, truth.as_ref(), &numbers);
        tally.print(&name);
        scenarios.entry(name.split('/').next().unwrap().to_owned()).or_default().add(&tally);
    }
    let mut all = Tally::default();
    println!();
    for (name, tally) in &mut scenarios {
        tally.print(name);
        all.add(tally);
    }
    all.print("all");
    assert_eq!(DecodeOptions::default().rc_option, 65_020, "not the option of these runs: copies had no numbers here");
    assert!(all.outcomes_wrong * 1_000 <= all.exchanges, "outcomes: less than 99.9 % right");
    assert_eq!(all.more_than_sent, 0, "more copies than were sent");
    assert!(quantile(&mut all.reply, 0.99) <= 2.0, "reply times: more than 2 ms");
    assert!(quantile(&mut all.on_air, 0.99) <= 0.5, "on-air times: more than 0.5 ms");
    assert!(all.first_lost.1 * 100 <= all.first_lost.0, "first copy lost: less than 99 % right");
    assert!(all.answered.1 * 100 <= all.answered.0, "answered copy: less than 99 % right");
    let covered = all.within as f64 / all.wait.len() as f64;
    assert!((0.8..=0.97).contains(&covered), "{covered} of the waits are within what nine in ten should be");
    assert_eq!(all.heads, 0, "clients begin a minute after the captures do");
}
