use super::{AnswerView, Contender, verdict};
use crate::view::{AlgorithmChoice, DifferenceView, MeasuredRun, MetricView, ModeView, ModesView, RunView, TimerKnown};
use std::collections::BTreeMap;

/// Mean, lower and upper end.
type Triple = (f64, f64, f64);

fn metric(recorded: f64, estimate: Option<Triple>) -> MetricView {
    MetricView {
        recorded: Some(recorded),
        recorded_range: None,
        worst: None,
        best: None,
        mean: estimate.map(|e| e.0),
        lo90: estimate.map(|e| e.1),
        hi90: estimate.map(|e| e.2),
        another: None,
        modes: None,
        support: None,
    }
}

/// A run that completes in `seconds` instead of 17.12 s.
fn run(name: &str, seconds: Option<Triple>) -> RunView {
    let metrics = BTreeMap::from([
        ("duration_mean".to_owned(), metric(17.12, seconds)),
        ("retries_mean".to_owned(), metric(2.21, Some((0.31, 0.24, 0.4)))),
        ("plr_exchange".to_owned(), metric(0.004, Some((0.004, 0.002, 0.006)))),
    ]);
    RunView {
        run: 1,
        algorithm: AlgorithmChoice { id: name.to_owned(), params: serde_json::Map::new() },
        name: name.to_owned(),
        verdict: AnswerView { headline: String::new(), details: Vec::new() },
        self_replay: None,
        metrics,
        differences: BTreeMap::new(),
        modes: None,
        simulated: None,
        support: None,
        copies: Vec::new(),
        needless: Vec::new(),
        completion_p95: Vec::new(),
    }
}

fn takes(name: &str, mean: f64, lo: f64, hi: f64) -> RunView {
    run(name, Some((mean, lo, hi)))
}

/// `run` with its difference in completion time to the baseline.
fn paired(mut run: RunView, mean: f64, lo90: f64, hi90: f64) -> RunView {
    let difference = DifferenceView { mean, lo90, hi90, another: None, modes: None };
    run.differences.insert("duration_mean".to_owned(), difference);
    run
}

fn with(mut run: RunView, measure: &str, metric: MetricView) -> RunView {
    run.metrics.insert(measure.to_owned(), metric);
    run
}

/// Spaces that do not break as plain ones, so that tests can be read.
fn plainly(text: &str) -> String {
    text.replace(['\u{a0}', '\u{202f}'], " ")
}

fn said(runs: &[RunView], measured: &[MeasuredRun], baseline: Option<u32>) -> (String, Vec<String>) {
    let AnswerView { headline, details } = verdict(runs, measured, baseline);
    (plainly(&headline), details.iter().map(|detail| plainly(detail)).collect())
}

fn say(runs: &[RunView]) -> (String, Vec<String>) {
    said(runs, &[], None)
}

#[test]
fn names_the_best_timer_its_interval_what_was_recorded_and_what_it_saves() {
    let runs = [takes("RFC 6298", 15.4, 13.1, 16.4), takes("CoCoA", 2.9, 2.2, 3.9)];
    let (headline, details) = say(&runs);
    assert_eq!(headline, "CoCoA completes an exchange in 2.9 s (90 %: 2.2 – 3.9 s) instead of 17.1 s.");
    assert_eq!(details, ["Retransmissions per exchange: 0.31 (0.24 – 0.40) instead of 2.21."]);
    assert!(verdict(&runs, &[], None).headline.contains("2.9\u{a0}s (90\u{a0}%: "), "a number stays with its unit");
}

#[test]
fn a_timer_that_needs_other_servers_too_says_so() {
    let named = |id: &str| {
        let mut run = takes("RC option", 2.9, 2.2, 3.9);
        run.algorithm.id = id.to_owned();
        say(&[run]).1
    };
    let needs = "RC option needs answers that name the copy they answer: clients and servers change.".to_owned();
    assert!(named("lee2016").contains(&needs), "{:?}", named("lee2016"));
    assert!(!named("cocoa_plus").contains(&needs));
}

#[test]
fn cannot_tell_where_the_difference_includes_zero_also_in_the_digits_that_are_shown() {
    for upper in [18.2, 17.12, 17.119_999] {
        let (headline, _) = say(&[takes("A", 16.2, 15.1, upper), takes("B", 18.0, 16.0, 20.0)]);
        let start = "Cannot tell whether any of these 2 timers completes exchanges faster than the recorded 17.1";
        assert!(headline.starts_with(start) && headline.contains("the best, A, takes 16.2"), "{headline}");
    }
    let (alone, _) = say(&[takes("A", 16.2, 15.1, 18.2)]);
    assert_eq!(
        alone,
        "Cannot tell whether A completes exchanges faster than the recorded 17.1 s: it takes 16.2 s (90 %: 15.1 – 18.2 s)."
    );
}

#[test]
fn no_timer_is_better_where_all_are_worse() {
    let (headline, _) = say(&[takes("A", 19.0, 18.2, 20.1), takes("B", 18.4, 17.6, 19.0)]);
    assert_eq!(
        headline,
        "None of these 2 timers completes exchanges faster than the recorded 17.1 s: the nearest, B, takes 18.4 s (90 %: 17.6 – 19.0 s)."
    );
    let (alone, _) = say(&[takes("A", 19.0, 18.2, 20.1)]);
    assert!(alone.starts_with("A completes exchanges no faster: 19.0"), "{alone}");
}

#[test]
fn an_unsure_mean_is_not_counted_as_worse_nor_put_before_a_sure_one() {
    let (headline, details) = say(&[takes("A", 17.6, 17.3, 18.1), takes("B", 18.4, 16.6, 19.0)]);
    assert!(headline.starts_with("No timer is shown to complete exchanges faster "), "{headline}");
    assert!(headline.contains(": the nearest, A, takes 17.6"), "{headline}");
    assert!(details.contains(&"Cannot tell for B (16.60 – 19.00 s).".to_owned()), "{details:?}");
    let (headline, details) = say(&[takes("A", 9.0, 2.0, 20.0), takes("B", 10.0, 9.5, 10.5)]);
    assert!(headline.starts_with("B completes an exchange in 10.0"), "{headline}");
    assert!(
        details.contains(&"Cannot tell it from A (2.0 – 20.0 s): the intervals overlap.".to_owned()),
        "{details:?}"
    );
}

#[test]
fn names_those_that_the_best_cannot_be_told_from() {
    let (best, far) = (takes("A", 2.9, 2.2, 3.9), takes("C", 9.0, 8.0, 10.0));
    let near = || takes("B", 3.4, 2.6, 4.8);
    let overlap = "Cannot tell it from B (2.6 – 4.8 s): the intervals overlap.".to_owned();
    assert!(say(&[best.clone(), near(), far.clone()]).1.contains(&overlap));
    // Where the best is the baseline, paired differences decide.
    let told = [best.clone(), paired(near(), 0.5, 0.2, 0.9), far.clone()];
    assert!(!said(&told, &[], Some(0)).1.join(" ").contains("Cannot tell"));
    let tied = [best.clone(), paired(near(), 0.5, -0.2, 0.9), far];
    let zero = "Cannot tell it from B (2.6 – 4.8 s): the paired differences include zero.".to_owned();
    assert!(said(&tied, &[], Some(0)).1.contains(&zero));
    let many: Vec<RunView> = std::iter::once(best).chain((0..5).map(|_| near())).collect();
    let (_, details) = say(&many);
    let counted = "B (2.6 – 4.8 s), B (2.6 – 4.8 s), B (2.6 – 4.8 s) and 2 more: the";
    assert!(details.join(" ").contains(counted), "{details:?}");
}

#[test]
fn takes_the_difference_to_the_recorded_timer_whatever_the_baseline_is() {
    let slower = paired(takes("A", 2.9, 2.2, 3.9), 0.4, 0.1, 0.9);
    let (headline, _) = said(&[slower, takes("B", 3.0, 2.9, 3.1)], &[], Some(1));
    assert!(headline.starts_with("A completes an exchange in 2.9"), "{headline}");
}

#[test]
fn a_quick_timer_that_gives_up_on_more_exchanges_is_not_praised_without_that() {
    let hasty = with(takes("A", 2.9, 2.2, 3.9), "plr_exchange", metric(0.004, Some((0.2, 0.1, 0.3))));
    assert_eq!(
        say(&[hasty]).1,
        [
            "Retransmissions per exchange: 0.31 (0.24 – 0.40) instead of 2.21.",
            "But it gives up on more exchanges: 20 % (10 – 30 %) instead of 0 %.",
        ]
    );
}

#[test]
fn no_timer_is_named_where_most_of_the_best_was_assumed() {
    let supported = |run: RunView, support| RunView { support: Some(support), ..run };
    for (mean, lo, hi) in [(2.9, 2.2, 3.9), (22.8, 20.9, 25.1), (17.0, 15.0, 19.0)] {
        let runs = [supported(takes("A", mean, lo, hi), 0.1), supported(takes("B", 30.0, 29.0, 31.0), 0.9)];
        let (headline, details) = say(&runs);
        assert_eq!(
            headline,
            "Cannot tell which timer is best: only 10 % of the copies of A were recorded, and the rest is the channel’s assumption."
        );
        assert!(details.len() == 1 && details[0].starts_with("Under it, A completes an exchange in "), "{details:?}");
        assert!(details[0].contains(" instead of 17.1"), "{details:?}");
    }
    assert!(say(&[supported(takes("A", 2.9, 2.2, 3.9), 0.8)]).0.starts_with("A completes"));
}

#[test]
fn bounds_name_no_timer_and_without_completion_there_is_no_time() {
    let (bounds, details) = say(&[run("A", None)]);
    assert!(bounds.starts_with("Cannot tell which timer is best: this channel gives bounds only"), "{bounds}");
    assert!(bounds.contains("17.12") && details.is_empty(), "{bounds}");
    assert_eq!(say(&[]).0, "No exchange of this capture was completed, so no timer can be named best.");
    let silent = with(run("A", None), "duration_mean", MetricView { recorded: None, ..metric(0.0, None) });
    assert_eq!(say(&[silent]).0, "No exchange of this capture was completed, so no time can be told.");
    // A value that is no number is none.
    let nothing = with(run("A", None), "duration_mean", metric(17.12, Some((f64::NAN, 1.0, 2.0))));
    assert!(say(&[nothing]).0.contains("bounds only"));
}

#[test]
fn a_run_that_ends_in_two_ways_is_told_by_both_and_never_by_its_mean() {
    let mode = |mean: f64| ModeView { mean, lo90: mean * 0.9, hi90: mean * 1.1, another: None };
    let split = |calm: f64, slow: f64| {
        let duration =
            MetricView { mean: None, modes: Some((mode(calm), mode(slow))), ..metric(17.12, Some((0.0, 2.1, 41.0))) };
        let modes = Some(ModesView { slow: 0.31, lo90: 0.26, hi90: 0.37, boundary: 9.0 });
        RunView { modes, ..with(run("RFC 6298", None), "duration_mean", duration) }
    };
    let (headline, details) = say(&[takes("CoCoA", 2.9, 2.2, 3.9), split(2.4, 38.0)]);
    assert!(headline.starts_with("CoCoA completes an exchange in 2.9"), "{headline}");
    let both = "RFC 6298 ends in two ways: in 31 % of replicates (90 %: 26 – 37 %) it collapses: 2.4 s otherwise, 38.0 s then.";
    assert!(details.contains(&both.to_owned()), "{details:?}");
    assert_eq!(
        say(&[split(2.4, 38.0)]).0,
        "Cannot tell which timer is best: each ends in two ways. Recorded: 17.12 s to complete an exchange."
    );
    let (_, slower) = say(&[split(2.4, 3.6)]);
    assert!(slower[0].contains("it ends slower: 2.40 s otherwise, 3.60 s then."), "{slower:?}");
}

#[test]
fn says_which_timers_end_a_storm_and_what_a_real_run_took() {
    let needless = |hi90| metric(0.57, Some((hi90, hi90, hi90)));
    let runs = [
        with(takes("CoCoA+", 3.2, 2.3, 4.6), "spurious_all", needless(0.08)),
        with(takes("CoAP", 18.0, 16.0, 20.0), "spurious_all", needless(0.6)),
        with(takes("RC", 4.0, 3.0, 5.0), "spurious_all", needless(0.2)),
    ];
    let real = |id: &str, same: &[u32], alike: &[u32]| MeasuredRun {
        name: "seed 1".to_owned(),
        capture: None,
        algorithm: Some(AlgorithmChoice { id: id.to_owned(), params: serde_json::Map::new() }),
        known: TimerKnown::Bundled,
        same: same.to_vec(),
        alike: alike.to_vec(),
        metrics: BTreeMap::from([("duration_mean".to_owned(), 2.37)]),
    };
    let (_, details) = said(&runs, &[real("cocoa_plus", &[0], &[])], None);
    assert_eq!(
        details[..2],
        [
            "A real run of this network under CoCoA+ took 2.4 s.",
            "Needless copies were 57 % of all: the storm ends under CoCoA+ and RC.",
        ]
    );
    // Another timer of the algorithm counts only where that very timer did not run.
    let first = |measured: &[MeasuredRun]| said(&runs, measured, None).1.swap_remove(0);
    let other = real("cocoa_plus", &[], &[0]);
    assert_eq!(
        first(std::slice::from_ref(&other)),
        "A real run of this network under CoCoA+ with other parameters took 2.4 s."
    );
    let cocoa = rto::spec("cocoa_demir2018").unwrap().name;
    assert_eq!(
        first(&[real("cocoa_demir2018", &[], &[0])]),
        format!("A real run of this network under {cocoa} took 2.4 s.")
    );
    let same =
        MeasuredRun { metrics: BTreeMap::from([("duration_mean".to_owned(), 3.0)]), ..real("cocoa_plus", &[0], &[]) };
    assert_eq!(first(&[other, same]), "A real run of this network under CoCoA+ took 3.0 s.");
    // Nothing is said of a real run under a timer that is not the best, nor of a storm that goes on.
    assert!(first(&[real("coap_default", &[1], &[])]).starts_with("Needless copies"));
    let goes_on = with(takes("CoAP", 3.0, 2.0, 4.0), "spurious_all", needless(0.5));
    assert!(!say(&[goes_on]).1.join(" ").contains("storm"));
}

#[test]
fn a_self_replay_says_whether_what_was_recorded_is_a_usual_run_of_the_twin() {
    let said = |run: &RunView| {
        let answer = Contender::new(&run.name, &run.metrics, None, None).self_replay();
        answer.map(|answer| plainly(&answer.headline))
    };
    assert_eq!(
        said(&takes("CoAP default", 18.0, 15.6, 20.3)).as_deref(),
        Some("The twin under CoAP default completes an exchange in 15.6 – 20.3 s (90 %); recorded: 17.1 s, inside.")
    );
    let outside = said(&takes("CoAP default", 22.0, 18.6, 25.3)).unwrap();
    assert!(outside.ends_with("recorded: 17.1 s, outside."), "{outside}");
    // The interval of another run counts, where it is known.
    let another = MetricView { another: Some((16.0, 18.0)), ..metric(17.12, Some((22.0, 18.6, 25.3))) };
    let another = said(&with(run("CoAP default", None), "duration_mean", another)).unwrap();
    assert!(another.contains("16.0 – 18.0 s (90 %)") && another.ends_with("inside."), "{another}");
    assert_eq!(said(&run("CoAP default", None)), None);
}
