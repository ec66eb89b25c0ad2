//! A watch that is stopped while it reads goes on as if it had not been.

#[path = "law/captures.rs"]
#[expect(dead_code, reason = "the laws need all of them")]
mod captures;

use base::Silent;
use captures::bundled;
use std::ops::ControlFlow;
use watch::{Alert, Options, Rule, SeenExchange, Totals, Watch, WatchError};

fn watch() -> Watch {
    let rules = ["needless > 10% for 2min", "parent-changed", "timer-changed", "storm"]
        .map(|text| Rule::read(text).expect("a rule"));
    Watch::new(Options { lists_exchanges: true, ..Options::default() }, rules.into())
}

fn said(watch: &mut Watch) -> (Vec<SeenExchange>, Vec<Alert>, Totals) {
    watch.finish(&mut Silent).expect("silent");
    (watch.take_exchanges(), watch.take_alerts(), watch.totals())
}

/// Pushes octets, stopped at every `every`-th call; returns the number of times that it was stopped.
fn push(watch: &mut Watch, octets: &[u8], every: usize) -> usize {
    let mut stopped = 0;
    for (at, piece) in octets.chunks(9_001).enumerate() {
        let mut ticks = 0;
        let mut stop = |_: u64, _: u64| {
            ticks += 1;
            if at % every == 0 && ticks > at % 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        match watch.push(piece, &mut stop) {
            Ok(()) => {}
            Err(WatchError::Cancelled) => stopped += 1,
            Err(error) => panic!("{error}"),
        }
    }
    stopped
}

/// The second file is of another link type, whose first record ends the window.
#[test]
fn what_is_stopped_is_taken_up_again() {
    let mut all = bundled();
    let mut of = |name: &str| all.swap_remove(all.iter().position(|one| one.name == name).expect("bundled")).octets;
    let [one, other] = ["tsch-slow-chain5-default", "live-short-default"].map(&mut of);
    // Not all of the storm: its timers are identified again and again.
    let one = &one[..400_000];
    let mut plain = watch();
    plain.push(one, &mut Silent).expect("a capture");
    plain.begin_file();
    plain.push(&other, &mut Silent).expect("a capture");
    let expected = said(&mut plain);
    assert!(expected.0.len() > 100 && expected.1.len() > 2 && expected.2.ended_windows == 1);
    for every in [1, 3] {
        let mut watch = watch();
        let mut stopped = push(&mut watch, one, every);
        watch.push(&[], &mut Silent).expect("silent");
        watch.begin_file();
        // Its very first record, at every stage.
        stopped += push(&mut watch, &other[..100], 1) + push(&mut watch, &other[100..], every);
        assert!(stopped > 10, "{stopped}");
        assert!(said(&mut watch) == expected, "stopped at one call in {every}");
    }
}
