//! An independent floating-point CoCoA over long sequences: 200 exchanges each, noisy, steady and with
//! idle times up to an hour. Columns: the script's gap before the exchange, retransmissions and round
//! trip time; the model's RTO at the start, its five timers and its state afterwards, in milliseconds.

use base::{Instant, Span};
use rto::{Dither, Flight, parse_overrides};
use serde_json::Value;

const SEQUENCES: [(&str, &str); 3] = [
    ("noisy", include_str!("vectors/scripts/noisy.csv")),
    ("steady50", include_str!("vectors/scripts/steady50.csv")),
    ("long_idle", include_str!("vectors/scripts/long_idle.csv")),
];

fn millis(text: &str) -> f64 {
    text.parse().expect("a number")
}

/// Whole nanoseconds against doubles: a mean that converges stops a few nanoseconds short, and four
/// back-offs multiply that.
fn close(what: &str, span: Span, expected_ms: f64) {
    let got = span.secs_f64() * 1e3;
    assert!((got - expected_ms).abs() < 1e-4 + 1e-6 * expected_ms, "{what}: expected {expected_ms} ms, got {got} ms");
}

fn compare(id: &str, overrides: &str, reference: [&str; 3]) {
    let overrides: Value = parse_overrides(overrides).expect("legal overrides");
    for ((sequence, script), reference) in SEQUENCES.into_iter().zip(reference) {
        let mut estimator = rto::build(id, &overrides).expect("a registered preset");
        let mut now = Instant::ZERO;
        for (input, expected) in script.lines().zip(reference.lines()).skip(1) {
            let input: Vec<&str> = input.split(',').collect();
            let expected: Vec<&str> = expected.split(',').collect();
            let what = |field: &str| format!("{id} {sequence} row {} {field}", input[0]);
            let (gap, copies, rtt) = (millis(input[1]), millis(input[2]) as u8, millis(input[3]));
            let span = |ms: f64| Span::from_secs_f64(ms / 1e3).expect("a time");
            now += span(gap);

            // Open loop: the script says how many copies there were and when the answer came, whatever
            // the timers; all five are compared, on a copy of the estimator beyond the script's k.
            let mut flight = Flight::new(0);
            flight.transmit(now, &mut *estimator, Dither::NONE);
            close(&what("rto_used"), flight.memo.get().base, millis(expected[4]));
            let (mut ahead, mut all) = (estimator.clone(), flight.clone());
            for (n, timer) in expected[5..10].iter().enumerate() {
                close(&what("timer"), all.armed[n], millis(timer));
                all.transmit(now, &mut *ahead, Dither::NONE);
            }
            for _ in 0..copies {
                flight.transmit(now, &mut *estimator, Dither::NONE);
            }
            now += span(rtt);
            estimator.on_ack(now, &flight, flight.sample(now, None));

            let state = estimator.state(Instant::MIN);
            close(&what("rto_after"), state.rto, millis(expected[10]));
            for part in expected[11].split('|') {
                let (name, value) = part.split_once('=').expect("S=… or W=…");
                let name = if name == "S" { "E_strong" } else { "E_weak" };
                let got = state.values.iter().find_map(|&(n, value)| (n == name).then_some(value)).flatten();
                close(&what(name), got.expect("an estimate"), millis(value));
            }
        }
    }
}

#[test]
fn draft_03_agrees() {
    compare(
        "cocoa_ietf_03",
        "",
        [
            include_str!("vectors/ref_COCOA_draft03__noisy.csv"),
            include_str!("vectors/ref_COCOA_draft03__steady50.csv"),
            include_str!("vectors/ref_COCOA_draft03__long_idle.csv"),
        ],
    );
}

/// Californium 3's constants (gains 1/4 and 1/8, a granularity of 100 ms) without its integers.
#[test]
fn californiums_constants_agree() {
    compare(
        "cocoa_demir2018",
        "granularity=0.1",
        [
            include_str!("vectors/ref_COCOA_cf3params__noisy.csv"),
            include_str!("vectors/ref_COCOA_cf3params__steady50.csv"),
            include_str!("vectors/ref_COCOA_cf3params__long_idle.csv"),
        ],
    );
}
