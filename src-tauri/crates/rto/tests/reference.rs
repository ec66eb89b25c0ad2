//! Independent models over long sequences: 200 exchanges each, noisy, steady and with idle times up to
//! an hour. CoCoA and FASOR in floating point: the model's RTO at the start, its five timers and its
//! state afterwards, in milliseconds. Linux in the kernel's integers: microseconds, to the unit.

use base::{Instant, Span};
use rto::{Dither, EstimatorState, Flight, parse_overrides};
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

/// A value of an estimator's state.
fn value(state: &EstimatorState, name: &str) -> Option<Span> {
    state.values.iter().find_map(|&(n, value)| (n == name).then_some(value)).flatten()
}

/// Open loop: the script says how many copies there were and when the answer came, whatever the timers.
/// `check` gets each row's name and expected columns, the flight with all five timers as a copy of the
/// estimator arms them, and the state that the answer left.
fn play(
    id: &str,
    overrides: &str,
    reference: [&str; 3],
    mut check: impl FnMut(&str, &[&str], &Flight, &EstimatorState),
) {
    let overrides: Value = parse_overrides(overrides).expect("legal overrides");
    let mut rows = 0;
    for ((sequence, script), reference) in SEQUENCES.into_iter().zip(reference) {
        let mut estimator = rto::build(id, &overrides).expect("a registered preset");
        let mut now = Instant::ZERO;
        for (input, expected) in script.lines().zip(reference.lines()).skip(1) {
            let input: Vec<&str> = input.split(',').collect();
            let expected: Vec<&str> = expected.split(',').collect();
            let (gap, copies, rtt) = (millis(input[1]), millis(input[2]) as u8, millis(input[3]));
            let span = |ms: f64| Span::from_secs_f64(ms / 1e3).expect("a time");
            now += span(gap);

            let mut flight = Flight::new(0);
            flight.transmit(now, &mut *estimator, Dither::NONE);
            let (mut ahead, mut all) = (estimator.clone(), flight.clone());
            for _ in 0..4 {
                all.transmit(now, &mut *ahead, Dither::NONE);
            }
            for _ in 0..copies {
                flight.transmit(now, &mut *estimator, Dither::NONE);
            }
            now += span(rtt);
            estimator.on_ack(now, &flight, flight.sample(now, None));
            check(&format!("{id} {sequence} row {}", input[0]), &expected, &all, &estimator.state(Instant::MIN));
            rows += 1;
        }
    }
    assert_eq!(rows, 600, "{id}: rows compared");
    println!("{id}: {rows} rows compared");
}

/// The columns that the floating-point models share.
fn timers(row: &str, expected: &[&str], flight: &Flight) {
    close(&format!("{row} rto_used"), flight.memo.get().base, millis(expected[4]));
    for (n, timer) in expected[5..10].iter().enumerate() {
        close(&format!("{row} timer {n}"), flight.armed[n], millis(timer));
    }
}

fn cocoa(id: &str, overrides: &str, reference: [&str; 3]) {
    play(id, overrides, reference, |row, expected, flight, state| {
        timers(row, expected, flight);
        close(&format!("{row} rto_after"), state.rto, millis(expected[10]));
        for part in expected[11].split('|') {
            let (name, expected) = part.split_once('=').expect("S=… or W=…");
            let name = if name == "S" { "E_strong" } else { "E_weak" };
            close(&format!("{row} {name}"), value(state, name).expect("an estimate"), millis(expected));
        }
    });
}

#[test]
fn draft_03_agrees() {
    cocoa(
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
    cocoa(
        "cocoa_demir2018",
        "granularity=0.1",
        [
            include_str!("vectors/ref_COCOA_cf3params__noisy.csv"),
            include_str!("vectors/ref_COCOA_cf3params__steady50.csv"),
            include_str!("vectors/ref_COCOA_cf3params__long_idle.csv"),
        ],
    );
}

/// The model follows the pseudocode of the draft's appendix.
#[test]
fn fasor_agrees() {
    let reference = [
        include_str!("vectors/ref_FASOR_draft__noisy.csv"),
        include_str!("vectors/ref_FASOR_draft__steady50.csv"),
        include_str!("vectors/ref_FASOR_draft__long_idle.csv"),
    ];
    play("fasor_pseudocode", "", reference, |row, expected, flight, state| {
        timers(row, expected, flight);
        close(&format!("{row} rto_after"), value(state, "fast_rto").expect("a timeout"), millis(expected[10]));
        let (name, slow) = expected[11].split_once("|slow=").expect("state|slow=…");
        let expanded = [("FAST", "FAST"), ("FSF", "FAST_SLOW_FAST"), ("SF", "SLOW_FAST")];
        assert!(expanded.contains(&(name, state.mode)), "{row}: expected {name}, got {}", state.mode);
        match value(state, "slow_rto") {
            None => assert_eq!(slow, "None", "{row}"),
            Some(got) => close(&format!("{row} slow"), got, millis(slow)),
        }
    });
}

const KERNEL: [&str; 3] = [
    include_str!("vectors/kernel_LINUX__noisy.csv"),
    include_str!("vectors/kernel_LINUX__steady50.csv"),
    include_str!("vectors/kernel_LINUX__long_idle.csv"),
];

/// To the microsecond, and the scaled deviations to a quarter of one.
#[test]
fn the_kernel_agrees() {
    play("linux_rto_kernel", "", KERNEL, |row, expected, _, state| {
        let scaled = |name: &str, scale: i64| value(state, name).map(|span| (span.nanos() * scale / 1_000).to_string());
        let got = [scaled("srtt", 1), scaled("mdev", 4), scaled("mdev_max", 4), scaled("rttvar", 4)];
        let expected_state = expected[4..8].iter().map(|&text| Some(text.to_owned()));
        assert!(got.iter().cloned().eq(expected_state), "{row}: expected {:?}, got {got:?}", &expected[4..8]);
        let bounded = Span::from_secs_f64(millis(expected[9]) / 1e3).expect("a time");
        assert_eq!(state.rto, bounded, "{row}");
    });
}

/// Without the kernel's truncation: shifts that round down lose at most a few microseconds a sample,
/// and the means forget them.
#[test]
fn exact_linux_is_near_the_kernel() {
    let mut farthest = Span::ZERO;
    play("linux_rto", "", KERNEL, |_, expected, _, state| {
        let kernel = Span::from_secs_f64(millis(expected[9]) / 1e3).expect("a time");
        farthest = farthest.max((state.rto - kernel).abs());
    });
    println!("farthest: {farthest}");
    assert!(farthest <= Span::from_micros(10), "{farthest}");
}
