//! Contiki's er-cocoa.c and libcoap 4.3.1.

use crate::table::{TIMERS, Table, Tally, ms, variable, variables};
use base::{Instant, Span};
use rto::{Dither, Flight};
use serde_json::{Value, json};

/// `coap_calc_timeout` for each random octet.
#[test]
fn libcoap_first_timeouts() {
    let mut tally = Tally::default();
    let mut estimator = rto::build("coap_libcoap431", &Value::Null).expect("a preset");
    for row in Table::read("libcoap431_default_t0").rows() {
        tally.rows += 1;
        let octet = row.need("r") as u32;
        for rest in [0, 0x00ff_ffff] {
            let armed = Flight::new(0).transmit(Instant::ZERO, &mut *estimator, Dither(octet << 24 | rest));
            assert_eq!(ms(armed), row.need("timeout_ticks"), "r = {octet}");
            tally.cells += 1;
        }
    }
    tally.report("libcoap", 256);
}

/// Contiki's er-cocoa.c at two clock rates; its clock is the script's time.
#[test]
fn erbium_open_loop() {
    let mut tally = Tally::default();
    for rate in [128, 1_000] {
        for sequence in ["noisy", "steady50", "long_idle"] {
            let script = Table::read(&format!("scripts/{sequence}"));
            let table = Table::read(&format!("erbium{rate}_COCOA__{sequence}"));
            let mut estimator = rto::build("cocoa_contiki2015", &json!({ "clock_second": rate })).expect("a preset");
            let ticks = |span: Span| ms(span) * f64::from(rate) / 1e3;
            let mut now = Instant::ZERO;
            for (row, step) in table.rows().zip(script.rows()) {
                tally.rows += 1;
                assert_eq!(f64::from(rate), row.need("clock_second"));
                now += step.millis("gap_ms");
                let mut flight = Flight::new(0);
                flight.transmit(now, &mut *estimator, Dither::NONE);
                tally.check(&row, "rto_used_ticks", ticks(flight.memo.get().base));
                let (mut ahead, mut all) = (estimator.clone(), flight.clone());
                for (n, timer) in TIMERS.iter().enumerate() {
                    tally.check(&row, timer, ticks(all.armed[n]));
                    all.transmit(now, &mut *ahead, Dither::NONE);
                }
                for _ in 0..row.need("k") as u8 {
                    flight.transmit(now, &mut *estimator, Dither::NONE);
                }
                now += step.millis("rtt_ms");
                estimator.on_ack(now, &flight, flight.sample(now, None));
                let mut state = estimator.state(Instant::MIN);
                for (name, value) in &mut state.values {
                    if *name != "missed" {
                        *value = value.map(|span| Span::from_millis(ticks(span) as i64));
                    }
                }
                tally.check(&row, "overall_after", variable(&state, "rto").expect("an RTO"));
                variables(&mut tally, &row, &state);
            }
        }
    }
    tally.report("Contiki, open loop", 2 * 3 * 200);
}
