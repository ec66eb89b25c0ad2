//! The identity law on every bundled capture: the recorded timers over the recorded channel give back
//! the recorded copies, outcomes and times, and every fate is a recorded one.

use api::{DecodeOptions, ImportOptions, Opened, SharedProgress, Silent};
use replay::{Algorithm, Bounds, ChannelSpec, Detail, MetricName, Scenario};
use std::path::{Path, PathBuf};
use table::Timeline;

fn captures() -> Vec<PathBuf> {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces");
    let mut files = Vec::new();
    for folder in std::fs::read_dir(traces).expect("traces/").flatten() {
        for name in ["capture.pcap.gz", "radiolog.txt.gz"] {
            let file = folder.path().join(name);
            if file.is_file() {
                files.push(file);
            }
        }
    }
    files.sort();
    assert!(files.len() >= 8, "{} captures", files.len());
    files
}

fn open(path: &Path) -> Opened {
    let options = DecodeOptions { rc_option: 65_002, ..DecodeOptions::default() };
    let trace = api::decode(path, &ImportOptions::default(), &options, &mut Silent).expect("a bundled capture");
    Opened::new(trace, ImportOptions::default(), Vec::new(), &mut Silent).expect("not cancelled")
}

#[test]
fn recorded_timers_over_the_recorded_channel_are_the_trace() {
    for path in captures() {
        let opened = open(&path);
        let mut scenario = Scenario::new(Algorithm::AsRecorded, ChannelSpec::RECORDED);
        scenario.detail = Detail::Steps;
        let result = opened.replay.run(&scenario, &mut Silent).expect("runs");
        let name = path.display();
        assert_eq!(result.support, Some(1.0), "{name}: support");

        let replayed =
            Timeline::of_steps(&result.steps, opened.trace.associations.len(), &SharedProgress::new(&mut Silent, 0))
                .unwrap();
        let recorded = &opened.recorded;
        assert!(recorded.exchanges().count() > 0, "{name}: nothing to compare");
        assert_eq!(recorded.exchanges().count(), replayed.exchanges().count(), "{name}: exchanges");
        for (was, is) in recorded.exchanges().zip(replayed.exchanges()) {
            let place = format!("{name}: exchange {}", was.exchange);
            assert_eq!(was.exchange, is.exchange, "{place}");
            let sent = |e: &table::ExchangeMark| e.copies.iter().map(|c| c.sent).collect::<Vec<_>>();
            assert_eq!(sent(was), sent(is), "{place}: copies");
            assert_eq!(was.end, is.end, "{place}: end");
            let ended = |e: &table::ExchangeMark| match e.outcome {
                // Ended by a reply that the capture lacks, at an unknown time.
                table::columns::OutcomeKind::Acked if e.end.is_none() => table::columns::OutcomeKind::Open,
                table::columns::OutcomeKind::Separate | table::columns::OutcomeKind::Reset => {
                    table::columns::OutcomeKind::Acked
                }
                other => other,
            };
            assert_eq!(ended(was), ended(is), "{place}: outcome");
            let graded = &opened.trace.exchanges[was.exchange.index()].copies;
            for (copy, (a, b)) in was.copies.iter().zip(&is.copies).enumerate() {
                // A guess is not a record: replay takes it as open.
                let is_cut_off = was.end.is_none() && was.outcome == table::columns::OutcomeKind::Acked;
                if graded[copy].evidence != trace::Evidence::Unknown && !is_cut_off {
                    assert_eq!(a.rtt.is_some(), b.rtt.is_some(), "{place}: fate of copy {copy}");
                }
            }
        }
    }
}

#[test]
fn the_bounds_of_the_identity_are_the_recorded_values() {
    for path in captures() {
        let opened = open(&path);
        let mut scenario = Scenario::new(Algorithm::AsRecorded, ChannelSpec::RECORDED);
        scenario.bounds = Bounds::Compute;
        let result = opened.replay.run(&scenario, &mut Silent).expect("runs");
        for name in [MetricName::Exchanges, MetricName::RetriesMean, MetricName::DurationMean] {
            let m = result.get(name);
            for bound in [m.best, m.worst].into_iter().flatten() {
                let recorded = m.recorded.expect("recorded where a bound is");
                assert!(
                    (bound - recorded).abs() <= 1e-9 * recorded.abs().max(1.0),
                    "{} {}: {m:?}",
                    path.display(),
                    name.name()
                );
            }
        }
    }
}
