//! Every algorithm over every path profile, as tables: a changed constant shows as a changed grid.
//!
//! 400 exchanges, one after the other, 1 s apart, MAX_RETRANSMIT 4, no EXCHANGE_LIFETIME. Whether a copy and its answer
//! get through and how long they take depends only on the profile, the exchange and the copy, so all algorithms meet
//! the same path.

use base::{Instant, Span};
use rto::exchange::{ClientExchange, Expiry, SenderRules, Tie};
use rto::{AlgorithmSpec, Dither, algorithms, build};
use serde_json::Value;
use std::fmt::Write;

const EXCHANGES: u64 = 400;

/// Round trip of copy `copy` of exchange `n`; `None` where the network loses it.
type Profile = fn(n: u64, copy: u64) -> Option<Span>;

const PROFILES: [(&str, Profile); 8] = [
    ("steady", |n, copy| rtt(n, copy, 100)),
    ("step", |n, copy| rtt(n, copy, if n < EXCHANGES / 2 { 100 } else { 3_000 })),
    ("ramp", |n, copy| rtt(n, copy, 100 + 10 * n)),
    ("spike", |n, copy| rtt(n, copy, if n % 20 == 19 { 5_000 } else { 100 })),
    ("bimodal", |n, copy| rtt(n, copy, if draw(n, 0, 1) < 300 { 2_500 } else { 100 })),
    ("loss10", |n, copy| lossy(n, copy, 100)),
    ("loss30", |n, copy| lossy(n, copy, 300)),
    ("loss50", |n, copy| lossy(n, copy, 500)),
];

/// Draw below 1000, keyed by exchange, copy and purpose (splitmix64's finaliser).
fn draw(n: u64, copy: u64, purpose: u64) -> u64 {
    let mut z = (n << 16 | copy << 8 | purpose).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) % 1_000
}

/// `millis` with a jitter of ±10 %.
fn rtt(n: u64, copy: u64, millis: u64) -> Option<Span> {
    i64::try_from(millis * (900 + draw(n, copy, 2) / 5)).ok().map(Span::from_micros)
}

fn lossy(n: u64, copy: u64, permille: u64) -> Option<Span> {
    rtt(n, copy, 100).filter(|_| draw(n, copy, 3) >= permille)
}

/// One cell: sums over 400 exchanges.
#[derive(Default)]
struct Cell {
    first: Span,
    completion: Span,
    completed: i64,
    retransmissions: i64,
    spurious: i64,
}

fn run(spec: &AlgorithmSpec, profile: Profile) -> Cell {
    let mut estimator = build(spec.id, &Value::Null).expect("defaults are legal");
    let (mut cell, mut now) = (Cell::default(), Instant::ZERO);
    // The snapshots were recorded with the tie rule of the closed loop.
    let rules = SenderRules { exchange_lifetime: Span::MAX, tie: Tie::AnswerFirst, ..SenderRules::of(spec) };
    let mut exchange = ClientExchange::new(rules);
    for n in 0..EXCHANGES {
        let start = now;
        let mut answer: Option<(Instant, u8)> = None;
        exchange.restart(0);
        loop {
            let copy = exchange.flight().sent.len() as u8;
            let dither = Dither((draw(n, u64::from(copy), 4) as u32) << 22);
            cell.spurious += i64::from(answer.is_some());
            exchange.transmit(now, &mut *estimator, dither);
            let arrival = profile(n, u64::from(copy)).map(|rtt| (now + rtt, copy));
            answer = answer.into_iter().chain(arrival).min();
            if let Some((at, copy)) = answer.filter(|&(at, _)| exchange.is_in_time(at)) {
                now = at;
                exchange.answered(now, Some(copy), &mut *estimator);
                cell.completion += now - start;
                cell.completed += 1;
                break;
            }
            now = exchange.deadline();
            if exchange.expired(now, &mut *estimator) == Expiry::GaveUp {
                break;
            }
        }
        cell.first += exchange.flight().first_armed();
        cell.retransmissions += exchange.flight().sent.len() as i64 - 1;
        now += Span::from_secs(1);
    }
    cell
}

/// Algorithms down, profiles across.
fn table(print: fn(&Cell) -> String) -> String {
    let mut table = format!("{:24}", "");
    for (name, _) in PROFILES {
        write!(table, "{name:>9}").expect("a string");
    }
    // A pacer holds requests back, and here the next one starts when the last has ended: another preset's row.
    for spec in algorithms().iter().filter(|spec| !spec.paced) {
        write!(table, "\n{:24}", spec.id).expect("a string");
        for (_, profile) in PROFILES {
            write!(table, "{:>9}", print(&run(spec, profile))).expect("a string");
        }
    }
    table
}

fn seconds(total: Span, of: i64) -> String {
    if of == 0 { "-".to_owned() } else { format!("{:.3}", total.scale(1, of).secs_f64()) }
}

#[test]
fn mean_first_timeout_in_seconds() {
    insta::assert_snapshot!(table(|cell| seconds(cell.first, EXCHANGES as i64)));
}

#[test]
fn mean_completion_time_in_seconds() {
    insta::assert_snapshot!(table(|cell| seconds(cell.completion, cell.completed)));
}

#[test]
fn exchanges_that_failed() {
    insta::assert_snapshot!(table(|cell| (EXCHANGES as i64 - cell.completed).to_string()));
}

#[test]
fn retransmissions_and_spurious_among_them() {
    insta::assert_snapshot!(table(|cell| format!("{}/{}", cell.retransmissions, cell.spurious)));
}
