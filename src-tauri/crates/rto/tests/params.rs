//! Overrides: how they are written, what is refused, and that real deployments are parameter sets.

use base::{Instant, Span};
use rto::{Choice, Dither, Flight, ParamError, ParamValue, Unit, build, parse_overrides, spec};
use serde_json::{Value, json};

#[test]
fn overrides_are_written_as_key_value_pairs() {
    let parsed = |text| parse_overrides(text).expect(text);
    assert_eq!(parsed(""), json!({}));
    assert_eq!(parsed(" \t"), json!({}));
    assert_eq!(parsed("k_weak=1"), json!({ "k_weak": 1 }));
    assert_eq!(
        parsed(" alpha = 1/4 , vbf_key=dithered,rto_max=0.5e2"),
        json!({ "alpha": "1/4", "vbf_key": "dithered", "rto_max": 50.0 })
    );
    for (text, part) in [("alpha", "alpha"), ("=1", "=1"), ("alpha=", "alpha="), ("a=1,,b=2", ""), ("a=1,a=2", "a=2")] {
        assert_eq!(parse_overrides(text), Err(ParamError::Syntax { text: part.to_owned() }), "{text}");
    }
}

#[test]
fn refusals_name_the_legal_values() {
    let refused = |id: &str, params: Value| build(id, &params).expect_err(id).to_string();
    assert_eq!(refused("nonsense", Value::Null), "no algorithm is called `nonsense`");
    assert_eq!(
        refused("coap_default", json!({ "timeout": 1 })),
        "no parameter `timeout`; there are: ack_timeout, random_factor, backoff, tick"
    );
    assert_eq!(refused("coap_default", json!({ "ack_timeout": 0 })), "`ack_timeout` is 0, outside 0.001 to 600");
    assert_eq!(
        refused("coap_default", json!({ "ack_timeout": "2 s" })),
        "`ack_timeout` is a time in seconds, not \"2 s\""
    );
    assert_eq!(refused("cocoa_plus", json!({ "alpha": "9/8" })), "`alpha` is 1.125, outside 0 to 1");
    assert_eq!(refused("cocoa_plus", json!({ "weak_max": 1.5 })), "`weak_max` is a whole number, not 1.5");
    assert_eq!(
        refused("cocoa_plus", json!({ "vbf_key": "last" })),
        "`vbf_key` is one of initial, dithered, overall, current, not \"last\""
    );
    assert_eq!(refused("cocoa_plus", json!([])), "expected key=value, found `[]`");
}

#[test]
fn values_are_exact_and_read_back() {
    let third = build("cocoa_plus", &json!({ "alpha": "1/3", "rto_initial": 0.1 })).expect("legal");
    let debug = format!("{third:?}");
    assert!(debug.contains("alpha: 1/3") && debug.contains("rto_initial: 0.100 s"), "{debug}");
    let same = |a: Value, b: Value| {
        let debug = |v: &Value| format!("{:?}", build("cocoa_plus", v).expect("legal"));
        assert_eq!(debug(&a), debug(&b));
    };
    same(json!({ "alpha": "1/8" }), json!({ "alpha": 0.125 }));
    same(json!({ "weak_max": 2 }), json!({ "weak_max": 2.0 }));
    same(json!({}), Value::Null);
}

/// The names that the page gives to variants (`describe` in its state).
#[test]
fn variants_are_named_by_labels() {
    let plus = spec("cocoa_plus").expect("registered");
    let named = |params: Value| plus.named(params.as_object().expect("an object"));
    assert_eq!(named(json!({})), "CoCoA+");
    assert_eq!(named(json!({ "k_strong": 3.000_004, "order": "rtt_first" })), "CoCoA+, Strong K 3, Order RTT first");
    assert_eq!(named(json!({ "alpha": "1/8", "rto_initial": 2.5 })), "CoCoA+, RTT gain α 1/8, Initial RTO 2.5 s");
}

#[test]
fn presets_cite_what_they_change() {
    let plus = spec("cocoa_plus").expect("registered");
    let param = |name: &str| plus.params.iter().find(|param| param.name == name).expect(name);
    assert_eq!(param("vbf_high").default, ParamValue::Number(1.3));
    assert_eq!(param("vbf_high").citation, "Ancillotti & Bruno 2017, eq. 3");
    assert_eq!((param("alpha").reading, param("alpha").unit), (true, Unit::Ratio));
    assert_eq!(param("timer_max").citation, "draft-ietf-core-cocoa-03 §4.2.1");
    assert_eq!(param("vbf_key").choices, ["initial", "dithered", "overall", "current"].map(Choice::from));
    assert_eq!(
        param("order").choices,
        [("variance_first", "variance first"), ("rtt_first", "RTT first")].map(Choice::from)
    );
    let json = serde_json::to_value(plus).expect("serializable");
    assert_eq!(json["rank"], "A-");
    assert_eq!(json["params"][1]["default"], 0.125);
    assert_eq!(json["params"][1]["unit"], "ratio");
}

/// Clients in the field are close to a paper and never equal. These three were replayed against the
/// estimates and timers that such clients logged.
#[test]
fn deployments_are_parameter_sets() {
    let first_two = |id: &str, overrides: &str, rtt_ms: [i64; 2]| {
        let mut estimator = build(id, &parse_overrides(overrides).expect("readable")).expect("legal");
        let mut now = Instant::ZERO;
        rtt_ms.map(|rtt| {
            let mut flight = Flight::new(0);
            flight.transmit(now, &mut *estimator, Dither::NONE);
            now += Span::from_millis(rtt);
            estimator.on_ack(now, &flight, flight.sample(now, None));
            now += Span::from_secs(1);
            estimator.state(Instant::MIN).rto.nanos() / 1_000
        })
    };
    // CoCoA with the factor chosen by the dithered timer and the estimate capped like the timer.
    assert_eq!(first_two("cocoa_demir2018", "vbf_key=dithered,rto_max=32", [38, 294]), [1_057_000, 676_750]);
    // RFC 6298 with the 1 s minimum and a backed-off timeout that ends with its exchange.
    assert_eq!(first_two("rfc6298_coap", "rto_min=1,karn=dropped", [38, 294]), [1_000_000, 1_000_000]);
    // The RC option with the gains of RFC 6298, a bound on RTTVAR itself and no blending.
    let rc = "alpha=1/8,beta=1/4,lower_bound=0.05,bounded=rttvar,weight=1,vbf_key=dithered,rto_max=32";
    assert_eq!(first_two("lee2016", rc, [38, 294]), [238_000, 476_000]);
}

/// The algorithms that the bundled captures declare can be replayed.
#[test]
fn algorithms_of_bundled_captures_are_registered() {
    let index: Value = serde_json::from_str(include_str!("../../../../traces/index.json")).expect("JSON");
    let ran: Vec<_> = index["traces"].as_array().into_iter().flatten().map(|trace| &trace["ran"]).collect();
    for ran in &ran {
        let id = ran["preset"].as_str().expect("a name");
        build(id, &ran["overrides"]).unwrap_or_else(|error| panic!("{id}: {error}"));
    }
    assert!(ran.len() >= 12);
}

/// Another exchange's sample must not change a back-off that has begun.
#[test]
fn the_back_off_factor_belongs_to_the_exchange() {
    let run = |overrides: &str| {
        let mut estimator = build("cocoa_bormann_02", &parse_overrides(overrides).expect("readable")).expect("legal");
        let mut slow = Flight::new(0);
        slow.transmit(Instant::ZERO, &mut *estimator, Dither::NONE);
        for n in 0..8 {
            let mut fast = Flight::new(1);
            let sent = Instant::ZERO + Span::from_millis(100 * n);
            fast.transmit(sent, &mut *estimator, Dither::NONE);
            let answered = sent + Span::from_millis(50);
            estimator.on_ack(answered, &fast, fast.sample(answered, None));
        }
        let expired = Instant::ZERO + slow.last_armed();
        assert!(estimator.state(expired).rto < Span::from_secs(1));
        estimator.on_timeout(expired, &slow);
        slow.transmit(expired, &mut *estimator, Dither::NONE)
    };
    assert_eq!(run("vbf_key=initial"), Span::from_secs(4));
    assert_eq!(run("vbf_key=overall"), Span::from_secs(6));
}

#[cfg(feature = "ts")]
#[test]
fn types_cross_the_bridge() {
    use ts_rs::TS;
    let config = ts_rs::Config::default();
    assert_eq!(rto::ParamValue::inline(&config), "number | string");
    assert!(rto::Rank::inline(&config).contains("\"A-\""));
    assert!(rto::EstimatorState::inline(&config).contains("values: Array<[string, number | null]>"));
    assert!(rto::AlgorithmSpec::inline(&config).contains("params: Array<ParamSpec>"));
}
