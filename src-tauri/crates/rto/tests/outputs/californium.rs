//! Californium 3.14 and 2.8.

use crate::table::{TIMERS, Table, Tally, get_rto, ms, variable, variables};
use base::{Instant, Span};
use rto::drive::{ClosedLoop, End, Scripted};
use rto::{Dither, Estimator, Flight};
use serde_json::{Value, json};

/// The original, our preset and, for 3.x, whether the open loop calls its classes in another order than its layer.
const CALIFORNIUM: [(&str, &str, bool); 11] = [
    ("cf3_NULL", "coap_cf3", false),
    ("cf3_BASIC_RTO", "basic_rto_cf3", false),
    ("cf3_LINUX_RTO", "linux_rto_cf3", false),
    ("cf3_PEAKHOPPER_RTO", "peak_hopper_cf3", false),
    ("cf3_COCOA", "cocoa_cf3", true),
    ("cf3_COCOA_STRONG", "cocoa_strong_cf3", true),
    ("cf2_BasicRto", "basic_rto_cf2", false),
    ("cf2_LinuxRto", "linux_rto_cf2", false),
    ("cf2_PeakhopperRto", "peak_hopper_cf2", false),
    ("cf2_Cocoa", "cocoa_cf2", false),
    ("cf2_CocoaStrong", "cocoa_strong_cf2", false),
];

/// The factors are steps: 1.5, 2 or 3 between two timers far below their cap.
fn factor(estimator: &dyn Estimator, flight: &Flight, now: Instant) -> f64 {
    let (mut estimator, mut flight) = (estimator.clone_box(), flight.clone());
    flight.armed.truncate(1);
    flight.armed[0] = flight.armed[0].min(Span::from_secs(10));
    let first = flight.armed[0];
    let ratio = ms(flight.transmit(now, &mut *estimator, Dither::NONE)) / ms(first);
    (ratio * 2.0).round() / 2.0
}

#[test]
fn californium_open_loop() {
    let mut tally = Tally::default();
    for (original, id, reordered) in CALIFORNIUM {
        let params = if reordered { json!({ "order": "ageing_first" }) } else { Value::Null };
        for sequence in ["noisy", "steady50", "long_idle"] {
            let mut estimator = rto::build(id, &params).expect("a preset");
            let mut now = Instant::ZERO;
            for row in Table::read(&format!("{original}__{sequence}")).rows() {
                tally.rows += 1;
                now += row.millis("gap_ms");
                tally.check(&row, "t_ms", ms(now - Instant::ZERO));
                let (before, aged) = (estimator.state(Instant::MIN), estimator.state(now));
                let forgotten = aged.mode == "forgotten";
                tally.check(&row, "rto_pre_aging", if forgotten { 2_000.0 } else { get_rto(&before) });
                if original.starts_with("cf3") {
                    tally.check(&row, "rto_post_aging", get_rto(&aged));
                } else {
                    tally.check(&row, "rto_post_aging", get_rto(&before));
                    tally.check(
                        &row,
                        "mean_after_aging",
                        variable(&aged, "estimate").or_else(|| variable(&aged, "rto")).expect("a mean"),
                    );
                }
                let mut highest = Flight::new(0);
                let mut other = estimator.clone();
                tally.check(&row, "t0_hi", ms(highest.transmit(now, &mut *other, Dither(u32::MAX))));
                tally.check(&row, "vbf_hi", factor(&*other, &highest, now));

                let mut flight = Flight::new(0);
                flight.transmit(now, &mut *estimator, Dither::NONE);
                for name in ["vbf", "vbf_lo"] {
                    tally.check(&row, name, factor(&*estimator, &flight, now));
                }
                // 3.x prints the timers of copies that were not sent as well; they leave no trace.
                let (mut ahead, mut all) = (estimator.clone(), flight.clone());
                for (n, timer) in TIMERS.iter().enumerate() {
                    tally.check(&row, timer, ms(all.armed[n]));
                    all.transmit(now, &mut *ahead, Dither::NONE);
                }
                for _ in 0..row.need("k") as u8 {
                    flight.transmit(now, &mut *estimator, Dither::NONE);
                }
                now += row.millis("rtt_ms");
                estimator.on_ack(now, &flight, flight.sample(now, None));
                let after = estimator.state(Instant::MIN);
                tally.check(&row, "rto_after", get_rto(&after));
                if variable(&after, "current").is_some() {
                    tally.check(&row, "mean_rto_after", variable(&after, "rto").expect("a mean"));
                }
                variables(&mut tally, &row, &after);
            }
        }
    }
    tally.report("Californium, open loop", 11 * 3 * 200);
}

/// The draw whose multiples, cut off, are those of `u` with its six decimals.
fn dither(u: f64) -> Dither {
    Dither((u * 4_294_967_296.0).ceil() as u32)
}

#[test]
fn californium_closed_loop() {
    let (mut tally, mut hangs) = (Tally::default(), Vec::new());
    for (original, id, _) in CALIFORNIUM {
        for sequence in ["cl_lossy15", "cl_idle"] {
            let script = Table::read(&format!("scripts/{sequence}"));
            for drawn in [false, true] {
                let suffix = if drawn { "_dither" } else { "" };
                let table = Table::read(&format!("{original}__{sequence}{suffix}"));
                let estimator = rto::build(id, &Value::Null).expect("a preset");
                let mut sender = ClosedLoop::new(rto::spec(id).expect("a preset"), estimator);
                let mut script = script.rows();
                for row in table.rows() {
                    tally.rows += 1;
                    let link = script.next().expect("as many exchanges as rows");
                    let delay =
                        |name: &str| Some(link.need(name)).filter(|&d| d >= 0.0).map(|d| Span::from_millis(d as i64));
                    let scripted = Scripted {
                        gap: link.millis("gap_ms"),
                        dither: if drawn { dither(link.need("u")) } else { Dither::NONE },
                        delays: ["d0", "d1", "d2", "d3", "d4"].map(delay).to_vec(),
                    };
                    let at = sender.now() + scripted.gap;
                    tally.check(&row, "rto_at_send", get_rto(&sender.estimator().state(Instant::MIN)));
                    tally.check(&row, "rto_after_aging", {
                        let aged = sender.estimator().state(at);
                        // 2.x's CoCoA drops what a back-off left, the others age nothing.
                        variable(&aged, "rto").unwrap_or(-1.0).min(32_000.0)
                    });
                    let played = sender.exchange(&scripted);
                    // A timer of nothing is a nanosecond here, and those add up.
                    tally.check(&row, "t_ms", (at - Instant::ZERO).millis() as f64);
                    tally.check(&row, "k", played.copies.len() as f64 - 1.0);
                    for (n, timer) in TIMERS.iter().enumerate() {
                        let armed = played.copies.get(n).map(|&(_, timeout)| (ms(timeout) * 1e3).round() / 1e3);
                        assert_eq!(armed.is_some(), row.get(timer).is_some(), "{} row {}", table.name, row.need("i"));
                        tally.check(&row, timer, armed.unwrap_or_default());
                    }
                    tally.check(&row, "spurious", f64::from(played.needless));
                    match played.end {
                        End::Answered { copy, after } => {
                            assert_eq!(row.text("outcome"), "OK", "{} row {}", table.name, row.need("i"));
                            tally.check(&row, "via_copy", f64::from(copy));
                            tally.check(&row, "rtt_first_ms", ms(after));
                        }
                        End::Failed => assert_eq!(row.text("outcome"), "FAIL", "{} row {}", table.name, row.need("i")),
                    }
                    let state = sender.estimator().state(Instant::MIN);
                    tally.check(&row, "rto_after", get_rto(&state));
                    variables(&mut tally, &row, &state);
                }
                if let [remark] = table.remarks.as_slice() {
                    // The next exchange never leaves: the original's thread spins.
                    assert!(remark.starts_with("# HANG"), "{remark}");
                    let next = script.next().expect("an exchange that hangs");
                    let at = sender.now() + next.millis("gap_ms");
                    assert!(remark.contains(&format!("t={}:", (at - Instant::ZERO).millis())), "{remark}");
                    assert_ne!(sender.estimator().state(sender.now()).mode, "hung", "{}", table.name);
                    assert_eq!(sender.estimator().state(at).mode, "hung", "{}", table.name);
                    hangs.push(table.name);
                } else {
                    assert!(table.remarks.is_empty() && script.next().is_none(), "{}", table.name);
                }
            }
        }
    }
    assert_eq!(
        hangs,
        [
            "cf2_Cocoa__cl_idle",
            "cf2_Cocoa__cl_idle_dither",
            "cf2_CocoaStrong__cl_idle",
            "cf2_CocoaStrong__cl_idle_dither"
        ]
    );
    tally.report("Californium, closed loop", 40 * 200 + 96 + 32 + 32 + 32);
}
