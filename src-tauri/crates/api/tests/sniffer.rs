//! Captures of one sniffer in a network of several hops: nothing is claimed that does not hold.

#![allow(clippy::unwrap_used, reason = "tests")]

use api::calibrate::{CalibrateRequest, calibrate};
use base::Silent;
use replay::calibrate::Row;
use replay::model_error::Kind;
use std::path::Path;

/// Predictions from what a sniffer beside node `beside` hears of the runs of `world`.
fn predictions(folder: &Path, world: &str, beside: u32) -> Vec<Row> {
    let request = CalibrateRequest {
        channels: vec!["auto".to_owned()],
        only: vec![world.to_owned()],
        replicates: 30,
        sniffer: Some(beside),
        ..CalibrateRequest::new(folder.to_owned())
    };
    let calibration = calibrate(&request, &mut Silent).unwrap().calibration;
    assert!(calibration.refusals.is_empty(), "{:?}", calibration.refusals);
    calibration.rows.into_iter().filter(|row| !row.repeat).collect()
}

#[test]
fn intervals_from_one_sniffer_hold_the_truth() {
    // Runs of Cooja, in which it is known who heard what.
    let Some(folder) = needs::shared("cooja") else { return };
    let (mut covered, mut claims, mut of_several) = (0, 0, 0);
    // The server, and a node in the middle: of a chain, a grid, and trees, under both MACs.
    for (world, beside) in [
        ("chain6-periodic:1", 1),
        ("chain6-periodic:1", 3),
        ("csma-tree12:1", 1),
        ("csma-tree12:1", 4),
        ("tsch-tree12:1", 3),
    ] {
        let rows = predictions(&folder, world, beside);
        let (mut own, mut held) = (0, 0);
        for row in &rows {
            let (Some(another), Some(real)) = (row.another, row.real) else { continue };
            own += 1;
            held += usize::from((another.ninety.lo..=another.ninety.hi).contains(&real));
            of_several += usize::from(row.error == Some(Kind::Hops));
        }
        println!("{world}, beside node {beside}: {held} of {own}");
        assert!(own > 0, "{world}");
        (covered, claims) = (covered + held, claims + own);
    }
    println!("{covered} of {claims} truths in the 90 % intervals, {of_several} of networks of several hops");
    assert!(covered * 100 >= claims * 85, "{covered} of {claims}");
    assert!(of_several * 2 > claims, "most of these are networks of several hops: {of_several} of {claims}");
}

#[test]
fn a_run_without_a_record_of_who_heard_what_is_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces");
    let request = CalibrateRequest { only: vec!["ge".to_owned()], sniffer: Some(1), ..CalibrateRequest::new(folder) };
    let error = calibrate(&request, &mut Silent).unwrap_err();
    assert!(error.to_string().contains("who heard its frames"), "{error}");
}
