//! Inferred fate of each copy against what the motes and the retransmission-count option say.

use crate::bundle::{NO_OPTION, RC_OPTION, Score, analyse, bundled_with, gunzip, runs, shared};
use crate::motes::{Truth, identity, is_numbered, zero};
use base::{FrameId, Span};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use trace::{Evidence, Fate, Outcome, Trace};

/// Scores the fates of a trace. `numbers`: the number of the copy that begins with this frame.
fn score(name: &str, trace: &Trace, truth: &Truth, numbers: &HashMap<FrameId, i64>) -> Score {
    let mut score = Score::default();
    for exchange in trace.exchanges.iter().filter(|e| e.outcome != Outcome::Open) {
        let (client, mid) = identity(trace, exchange);
        for copy in &exchange.copies {
            let number = numbers[&trace.messages[copy.message.index()].hop(0).unwrap().frames[0]];
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
            let first = |m: &trace::Message| (m.hop(0).unwrap().frames[0], i64::from(m.rc.unwrap_or(0)));
            let numbers = numbered.messages.iter().map(first).collect();
            for (option, what) in [(RC_OPTION, "option"), (NO_OPTION, "no option")] {
                let trace = analyse(&path, option);
                let score = score(&name, &trace, &truth, &numbers);
                let form = if zero == Span::ZERO { "text" } else { "pcap" };
                println!("{name:30} {form} {what:9} | {score}");
                // Fewer say too little of a share of 5 %.
                let (right, wrong) = score.inferred;
                assert!(right + wrong < 100 || wrong * 20 <= right, "{name}: inferred: less than 95 % right");
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

/// Returns where a run's frames go: for each frame that carries CoAP, the first frame of its message.
fn messages_of(trace: &Trace) -> BTreeMap<FrameId, FrameId> {
    let hops = trace.messages.iter().flat_map(|m| m.hops().map(move |hop| (m.hop(0).unwrap().frames[0], hop)));
    hops.flat_map(|(first, hop)| hop.frames.iter().map(move |&frame| (frame, first))).collect()
}

/// Returns the number of frames taken for those of another copy when the copies' numbers are not looked at.
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
