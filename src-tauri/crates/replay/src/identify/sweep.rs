//! Verdicts on the bundled captures over a range of every threshold, to repeat their choice.

#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use super::observed::ObservedAssociation;
use super::search::case::Case;
use super::verdict::{Thresholds, Verdict, verdict};
use super::{Clues, ScoredCandidate, family, timeouts};
use crate::model::Record;
use base::Silent;
use serde_json::Value;
use std::fs::File;
use std::path::Path;
use trace::{DecodeOptions, ImportOptions};

/// A bundled capture, searched.
struct Searched {
    truth: &'static str,
    scored: Vec<ScoredCandidate>,
    observations: Vec<super::Observation>,
    gaps: usize,
    slot: Option<f64>,
}

fn searched(bundled: &Value) -> Searched {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces");
    let path = folder.join(bundled["id"].as_str().unwrap()).join(bundled["open"].as_str().unwrap());
    let mut options = DecodeOptions::default();
    if let Some(number) = bundled["rc_option"].as_u64() {
        options.rc_option = u16::try_from(number).unwrap();
    }
    let capture = trace::open(&path, &ImportOptions::default(), &mut Silent).unwrap();
    let trace = trace::analyse(capture, &options, &mut Silent).unwrap();
    let record = Record::from_trace(&trace, &mut Silent).unwrap();
    let observed: Vec<_> = record.associations().iter().map(|a| ObservedAssociation::of(a, usize::MAX)).collect();
    let all: Vec<&ObservedAssociation> = observed.iter().collect();
    let noise = timeouts::noise(&all);
    let case = Case::new(all, Clues::of(&trace).marked, noise);
    let scored = case.search(&mut Silent).unwrap();
    let best = case.observations(&scored[0].candidate).unwrap();
    Searched {
        truth: family(bundled["ran"]["preset"].as_str().unwrap()).unwrap(),
        observations: best.into_iter().flatten().collect(),
        scored,
        gaps: case.gaps,
        slot: case.slot,
    }
}

/// Prints how many bundled captures are identified rightly, wrongly or not at all, with each threshold multiplied by
/// factors from 0 to 4 (shown with `--nocapture`). Asserts that with the thresholds in use none is taken for another
/// algorithm.
#[test]
fn sweep_of_verdict_thresholds() {
    let index = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces/index.json");
    let index: Value = serde_json::from_reader(File::open(index).unwrap()).unwrap();
    let captures: Vec<Searched> = index["traces"].as_array().unwrap().iter().map(searched).collect();
    let count = |thresholds: &Thresholds| {
        let [mut right, mut wrong, mut open, mut none] = [0; 4];
        for c in &captures {
            match verdict(&c.scored, c.gaps, &c.observations, c.slot, thresholds) {
                Verdict::Identified { family, .. } if family == c.truth => right += 1,
                Verdict::Identified { .. } => wrong += 1,
                Verdict::CannotTell { .. } => open += 1,
                Verdict::NoneFits { .. } => none += 1,
            }
        }
        (right, wrong, open, none)
    };
    type Set = fn(&mut Thresholds, f64);
    let sweeps: [(&str, Set); 7] = [
        ("unlikely", |t, factor| t.unlikely *= factor),
        ("contrived", |t, factor| t.contrived *= factor),
        ("per_fitted", |t, factor| t.per_fitted *= factor),
        ("outliers", |t, factor| t.outliers *= factor),
        ("relative_error", |t, factor| t.relative_error *= factor),
        ("free_lead", |t, factor| t.free_lead *= factor),
        ("free_lead_per_gap", |t, factor| t.free_lead_per_gap *= factor),
    ];
    println!(
        "{:20} {:>6} {:>6} {:>6} {:>12} {:>9}",
        "threshold", "factor", "right", "wrong", "cannot tell", "none fits"
    );
    for (name, set) in sweeps {
        for factor in [0.0, 0.25, 0.5, 1.0, 2.0, 4.0] {
            let mut thresholds = Thresholds::DEFAULT;
            set(&mut thresholds, factor);
            let (right, wrong, open, none) = count(&thresholds);
            println!("{name:20} {factor:>6} {right:>6} {wrong:>6} {open:>12} {none:>9}");
        }
    }
    assert_eq!(count(&Thresholds::DEFAULT).1, 0);
}
