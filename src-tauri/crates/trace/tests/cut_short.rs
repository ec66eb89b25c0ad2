//! Captures that end too early, and stamps that are wrong by a little: what is said to be proven stays true.
//!
//! Worlds with planted fates, seen at the client, are cut at every moment; so are the bundled captures of links.

#![allow(clippy::unwrap_used, reason = "tests")]

mod bundle;
mod talk;

use base::{FrameId, Span};
use bundle::bundled_with;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;
use talk::{assert_told, talk};
use trace::{Capture, Copy, Correction, DecodeOptions, Evidence, Fate, Trace, Vantage};

/// The largest difference of two stamps' errors in a world with noise, ms.
const NOISE: i64 = 10;

/// The longest that an answer takes: MAX_RTT of RFC 7252 §4.8.2 is 202 s.
const LONGEST: i64 = 200_000;

/// One exchange of a world: pause before it, its first timer, and per copy the delay of its answer, ms.
#[derive(Clone, Debug)]
struct Planted {
    pause: i64,
    timer: i64,
    answers: Vec<Option<i64>>,
    separate: bool,
}

/// Fate of a copy: most answers come within the timer, some after ever so long.
fn answer() -> impl Strategy<Value = Option<i64>> {
    prop_oneof![
        4 => (20..200_i64).prop_map(Some),
        1 => (200..20_000_i64).prop_map(Some),
        1 => (20_000..LONGEST).prop_map(Some),
        3 => Just(None),
    ]
}

fn world() -> impl Strategy<Value = Vec<Planted>> {
    let exchange =
        (20..60_000_i64, 1_000..3_000_i64, prop::collection::vec(answer(), 1..=5), prop::bool::weighted(0.2))
            .prop_map(|(pause, timer, answers, separate)| Planted { pause, timer, answers, separate });
    prop::collection::vec(exchange, 1..8)
}

/// Delay of the answer to each copy sent, by Message ID.
type Truth = BTreeMap<u16, Vec<Option<i64>>>;

/// Messages of a world with their stamps, in order; and the truth.
fn play(world: &[Planted], noise: &[i64]) -> (Vec<(i64, String)>, Truth) {
    let (mut lines, mut truth) = (Vec::new(), BTreeMap::new());
    let mut errors = noise.iter().copied().cycle();
    let mut error = || errors.next().unwrap_or(0);
    let mut now = 1_000;
    for (number, planted) in world.iter().enumerate() {
        let mid = u16::try_from(number).unwrap() + 1;
        now += planted.pause;
        let (mut sent, mut timer) = (now, planted.timer);
        let mut end: Option<i64> = None;
        let mut fates = Vec::new();
        for &answer in &planted.answers {
            if end.is_some_and(|end| end <= sent) {
                break;
            }
            lines.push((sent + error(), format!("A > S CON GET {mid} {mid:04x}")));
            if let Some(delay) = answer {
                let (kind, of) = if planted.separate { ("NON", 900 + mid) } else { ("ACK", mid) };
                lines.push((sent + delay + error(), format!("S > A {kind} 2.05 {of} {mid:04x}")));
                end = Some(end.map_or(sent + delay, |end| end.min(sent + delay)));
            }
            fates.push(answer);
            (sent, timer) = (sent + timer, timer * 2);
        }
        truth.insert(mid, fates);
        now = end.unwrap_or(sent).max(now);
    }
    lines.sort();
    (lines, truth)
}

/// The part of a capture that ends at `end`.
fn until(lines: &[(i64, String)], end: i64) -> Trace {
    let mut table = String::new();
    for (at, line) in lines.iter().take_while(|(at, _)| *at <= end) {
        writeln!(table, "{at} {line}").unwrap();
    }
    talk(&format!("{table}{end}"))
}

/// Checks that nothing proven contradicts the truth; returns how many fates were proven.
fn check(trace: &Trace, truth: &Truth, noise: i64) -> Result<usize, TestCaseError> {
    let mut proven = 0;
    for exchange in trace.exchanges.iter().filter(|e| e.code.is_request()) {
        for (copy, planted) in exchange.copies.iter().zip(&truth[&exchange.mid]) {
            if let Fate::Answered { rtt } = copy.fate {
                prop_assert!(rtt >= Span::ZERO);
            }
            if copy.evidence != Evidence::Proven {
                continue;
            }
            proven += 1;
            match (copy.fate, planted) {
                (Fate::Answered { rtt }, Some(delay)) => {
                    prop_assert!(
                        (rtt - Span::from_millis(*delay)).abs() <= Span::from_millis(noise),
                        "{rtt:?} {delay}"
                    );
                }
                (Fate::Lost, None) => {}
                (fate, planted) => prop_assert!(false, "{fate:?} is said to be proven, and was {planted:?}"),
            }
        }
    }
    Ok(proven)
}

proptest! {
    /// Cut before and after every message, and somewhere in every pause.
    #[test]
    fn what_is_proven_holds_wherever_the_capture_ends(world in world(), noise in prop::collection::vec(0..=NOISE, 7), at in 0.0..1.0_f64) {
        for noise in [&[0][..], &noise] {
            let (lines, truth) = play(&world, noise);
            let ends: Vec<i64> = lines.iter().map(|&(at, _)| at).chain([lines.last().unwrap().0 + 300_000]).collect();
            for pair in ends.windows(2) {
                let within = pair[0] + ((pair[1] - pair[0]) as f64 * at) as i64;
                for end in [pair[0], within] {
                    check(&until(&lines, end), &truth, NOISE)?;
                }
            }
            let proven = check(&until(&lines, *ends.last().unwrap()), &truth, NOISE)?;
            let single = truth.values().filter(|fates| fates.len() == 1).count();
            prop_assert!(noise.len() > 1 || proven >= single, "{proven} proven, {single} exchanges of one copy");
        }
    }
}

#[test]
fn copies_at_the_end_of_a_file_are_not_proven_lost() {
    let recording = "0       A > S  CON GET  1 aa
                     100     S > A  ACK 2.05 1 aa
                     10000   A > S  CON GET  2 ab
                     12000   A > S  CON GET  2 ab
                     16000   A > S  CON GET  2 ab";
    let lost = |grade| {
        format!(
            "A>S 1 acked 100 perhaps-before | 0 answered 100! / piggy 100 to 0
             A>S 2 abandoned | 10000 lost{grade} | 12000 lost{grade} | 16000 lost{grade}"
        )
    };
    assert_told(&talk(&format!("{recording}\n60000")), &lost('~'));
    // EXCHANGE_LIFETIME after the first copy.
    assert_told(&talk(&format!("{recording}\n257000")), &lost('~'));
    assert_told(&talk(&format!("{recording}\n257001")), &lost('!'));
    // The same recording, with its next file.
    let whole = talk(&format!("{recording}\n61000 S > A ACK 2.05 2 ab\n61500 S > A ACK 2.05 2 ab\n400000"));
    assert!(whole.exchanges[1].copies.iter().any(|copy| matches!(copy.fate, Fate::Answered { .. })));
}

#[test]
fn a_reply_stamped_before_its_request_answers_it() {
    let trace = talk(
        "0
         999     S > A  ACK 2.05 1 aa
         1000    A > S  CON GET  1 aa
         5000    A > S  CON GET  2 ab
         5060    S > A  ACK 2.05 2 ab
         8992    S > A  NON 2.05 70 ac
         9000    A > S  CON GET  3 ac
         12000   S > A  RST 0.00 4 -
         12001   A > S  CON 0.00 4 -
         20000   A > S  CON GET  5 ad
         20060   S > A  ACK 2.05 5 ad
         21000   A > S  CON GET  6 ae
         21060   S > A  ACK 2.05 6 ae
         22000   A > S  CON GET  7 af
         22060   S > A  ACK 2.05 7 af
         400000",
    );
    assert_told(
        &trace,
        "A>S 1 acked 1000 perhaps-before | 1000 answered 0~ / piggy 1000 to 0
         A>S 2 acked 5060 | 5000 answered 60! / piggy 5060 to 0
         A>S 3 separate 9000 | 9000 answered 0~ / sep 9000 to 0
         A>S 4 reset 12001 | 12001 answered 0~ / rst 12001 to 0
         A>S 5 acked 20060 | 20000 answered 60! / piggy 20060 to 0
         A>S 6 acked 21060 | 21000 answered 60! / piggy 21060 to 0
         A>S 7 acked 22060 | 22000 answered 60! / piggy 22060 to 0",
    );
    assert_eq!(trace.notes.count("reply-without-request"), 0);
    // An acknowledgement of longer ago answers a copy that is not in the capture.
    let trace = talk("989 S > A ACK 2.05 1 aa\n1000 A > S CON GET 1 aa\n400000");
    assert_eq!((trace.exchanges[0].head, trace.exchanges[0].replies.len()), (trace::Head::Missing, 0));
    assert_eq!(trace.notes.count("reply-without-request"), 1);
    // Frames are missing, or stamps are wrong: what comes without an answer after it is not proven lost.
    let copies = "4000 A > S CON GET 1 aa\n9000 A > S CON GET 1 aa\n400000";
    for (early, evidence) in [("989 S > A ACK 2.05 1 aa\n", Evidence::Inferred), ("", Evidence::Proven)] {
        let trace = talk(&format!("{early}1000 A > S CON GET 1 aa\n{copies}"));
        let last = trace.exchanges[0].copies.iter().last().unwrap();
        assert_eq!((last.fate, last.evidence), (Fate::Lost, evidence), "{early}");
    }
}

#[test]
fn where_stamps_are_wrong_a_reply_may_answer_the_copy_after_it() {
    let mut table = "0 H > A ACK 2.05 99 aa\n1 A > H CON GET 99 aa\n".to_owned();
    for n in 0..20 {
        writeln!(table, "{} A > H CON GET {n} aa\n{} H > A ACK 2.05 {n} aa", 1_000 + n * 100, 1_001 + n * 100).unwrap();
    }
    let end = "5000 A > H CON GET 50 ab\n6999 H > A ACK 2.05 50 ab\n7000 A > H CON GET 50 ab\n400000";
    let last = |table: &str| talk(table).exchanges.last().unwrap().copies.iter().cloned().collect::<Vec<_>>();
    let noisy = last(&format!("{table}{end}"));
    assert_eq!((noisy[1].fate, noisy[1].evidence), (Fate::Answered { rtt: Span::ZERO }, Evidence::Inferred));
    assert_eq!((noisy[0].fate, noisy[0].evidence), (Fate::Lost, Evidence::Inferred));
    // Where no stamp was seen to be wrong, the order is believed, and still no proof.
    let clean = last(&format!("{}{end}", table.split_once("99 aa\n1 A > H CON GET 99 aa\n").unwrap().1));
    assert_eq!(
        (clean[0].fate, clean[0].evidence),
        (Fate::Answered { rtt: Span::from_millis(1_999) }, Evidence::Inferred)
    );
}

#[test]
fn one_host_is_both_ends() {
    let table = "0       A > H  CON GET  1 aa
                 2       H > A  ACK 2.05 1 aa
                 30000   A > H  CON GET  2 ab
                 30002   H > A  ACK 2.05 2 ab
                 60000   L > M  CON GET  3 ac
                 60001   M > L  ACK 2.05 3 ac
                 90000   L > M  CON GET  4 ad
                 90001   M > L  ACK 2.05 4 ad
                 400000";
    let trace = talk(table);
    for association in &trace.associations {
        assert_eq!((association.vantage, association.correction), (Vantage::Everywhere, Correction::default()));
    }
    let rtts: Vec<_> = trace.exchanges.iter().map(|e| e.rtt().unwrap().millis()).collect();
    assert_eq!(rtts, [2, 2, 1, 1]);
    assert!(trace.exchanges.iter().all(|e| e.copies[0].evidence == Evidence::Proven));
}

#[test]
fn a_slow_client_says_nothing_of_its_distance() {
    let mut table = String::new();
    for n in 0..10 {
        writeln!(table, "{} A > S CON GET {n} aa\n{} S > A ACK 2.05 {n} aa", n * 60_000, n * 60_000 + 2).unwrap();
    }
    let trace = talk(&(table + "900000"));
    let association = &trace.associations[0];
    assert_eq!(association.vantage, Vantage::Server);
    assert_eq!(association.correction, Correction { error: Span::from_secs(1), ..Correction::default() });
    assert_eq!(trace.exchanges[1].start(), base::Instant::ZERO + Span::from_secs(60));
}

/// The first frames of a capture.
fn head(whole: &Capture, frames: usize) -> Capture {
    let mut cut = whole.clone();
    cut.frames.truncate(frames);
    cut.heard.truncate(frames);
    cut.origins.truncate(frames);
    let is_there = |id: &FrameId| id.index() < frames;
    cut.duplicates.retain(|(a, b)| is_there(a) && is_there(b));
    cut.drops.retain(|drop| drop.before.is_none_or(|before| is_there(&before)));
    cut.annotations.frames.retain(|(id, _)| is_there(id));
    cut
}

/// Every copy by the first frame that shows it.
fn copies(trace: &Trace) -> BTreeMap<FrameId, &Copy> {
    let first = |copy: &Copy| trace.messages[copy.message.index()].hop(0).unwrap().frames[0];
    trace.exchanges.iter().flat_map(|e| e.copies.iter()).map(|copy| (first(copy), copy)).collect()
}

#[test]
fn bundled_captures_cut_anywhere_prove_nothing_that_the_whole_denies() {
    const CUTS: usize = 40;
    let mut proven = 0;
    for bundled in bundled_with("exchanges") {
        let options = DecodeOptions { rc_option: bundled.rc_option, ..DecodeOptions::default() };
        let whole = bundled.analyse("capture");
        let truth = copies(&whole);
        for cut in 1..CUTS {
            let frames = whole.capture.frames.len() * cut / CUTS;
            let trace = trace::analyse(head(&whole.capture, frames), &options, &mut base::Silent).unwrap();
            for (frame, copy) in copies(&trace).into_iter().filter(|(_, copy)| copy.evidence == Evidence::Proven) {
                let Some(known) = truth.get(&frame).filter(|known| known.evidence != Evidence::Unknown) else {
                    continue;
                };
                let answered = |fate| matches!(fate, Fate::Answered { .. });
                proven += 1;
                assert_eq!(
                    answered(copy.fate),
                    answered(known.fate),
                    "{} cut after {frames} frames: {copy:?}\nand in the whole: {known:?}",
                    bundled.id
                );
            }
        }
    }
    println!("{proven} proven fates hold");
    assert!(proven > 10_000);
}
