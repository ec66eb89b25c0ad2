//! Pacers: the numbers of the reference model for CoAP-R, and laws that all of them keep.

use base::{Instant, Span};
use proptest::prelude::*;
use rto::Pacer;
use rto::algorithms::paced::Rate;
use rto::algorithms::paced::coap_r::{Capacity, Tree, allocate, max_min};
use rto::{Dither, Flight, algorithms, build, build_pacer};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The worked examples of function `name`: arguments and result.
fn examples(name: &str) -> Vec<(Value, Value)> {
    let fixture: Value = serde_json::from_str(include_str!("vectors/functions.json")).expect("the fixture is JSON");
    let functions = fixture["functions"].as_array().cloned().unwrap_or_default();
    let found: Vec<_> =
        functions.iter().filter(|f| f["fn"] == name).map(|f| (f["args"].clone(), f["out"].clone())).collect();
    assert!(!found.is_empty(), "{name} has examples");
    found
}

/// Six significant digits are printed.
fn close(got: Rate, expected: &Value) {
    let (got, expected) = (got.per_second_f64(), expected.as_f64().expect("a number"));
    assert!((got - expected).abs() <= 1e-5 * expected.abs(), "expected {expected}, got {got}");
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

#[test]
fn the_local_capacity_follows_the_service_times() {
    for (args, out) in examples("coapr_capacity") {
        let mut capacity = Capacity::default();
        let mut first = None;
        for (ms, expected) in numbers(&args["service_ms"]).iter().zip(out["capacity"].as_array().expect("a list")) {
            capacity.sample(Span::from_secs_f64(ms / 1e3).expect("a time"));
            first = first.or(Some(capacity.rate().whole()));
            close(capacity.rate(), expected);
        }
        close(first.expect("a sample"), &out["rate"]);
    }
}

#[test]
fn the_rate_moves_towards_its_allocation() {
    let rate = |octets: f64| Rate::per_second(octets as u32);
    for (args, out) in examples("coapr_allocate") {
        let mut current = rate(args["rate0"].as_f64().expect("a number"));
        for (allocation, expected) in numbers(&args["alloc"]).into_iter().zip(out.as_array().expect("a list")) {
            current = allocate(current, rate(allocation));
            close(current, expected);
        }
    }
}

#[test]
fn the_sink_shares_out_max_min_fairly() {
    for (args, out) in examples("coapr_maxmin") {
        let key = |text: &String| text.parse::<u32>().expect("a node");
        let list = |v: &Value| v.as_array().into_iter().flatten().map(|n| n.as_u64().expect("a node") as u32).collect();
        let of = |name: &str| args[name].as_object().expect("a table");
        let tree = Tree {
            children: of("children").iter().map(|(node, below)| (key(node), list(below))).collect(),
            capacity: of("capacity")
                .iter()
                .map(|(node, octets)| (key(node), Rate::per_second(octets.as_u64().expect("octets") as u32)))
                .collect(),
        };
        let root = args["node"].as_u64().expect("a node") as u32;
        let shares = max_min(&tree, root, Rate::per_second(args["budget"].as_f64().expect("octets") as u32));
        let expected = out.as_object().expect("a table");
        assert_eq!(shares.len(), expected.len());
        for (node, share) in expected {
            close(shares[&key(node)], share);
        }
    }
}

/// A tree with a cycle ends; a node below two parents counts once.
#[test]
fn graphs_with_cycles_are_still_shared_out() {
    let tree = Tree {
        children: BTreeMap::from([(1, vec![2, 2, 3]), (2, vec![1, 3]), (3, vec![3])]),
        capacity: BTreeMap::from([(2, Rate::per_second(9)), (3, Rate::per_second(9))]),
    };
    let shares = max_min(&tree, 1, Rate::per_second(9));
    assert_eq!(shares, [1, 2, 3].map(|node| (node, Rate::per_second(3))).into());
}

proptest! {
    /// No link carries more than it can.
    #[test]
    fn no_capacity_is_exceeded(parents in prop::collection::vec(0usize..12, 1..12), caps in prop::collection::vec(0u32..1000, 12), budget in 0u32..1000) {
        let mut tree = Tree::default();
        for (i, parent) in parents.iter().enumerate() {
            let (node, parent) = (i as u32 + 1, (parent % (i + 1)) as u32);
            tree.children.entry(parent).or_default().push(node);
            tree.capacity.insert(node, Rate::per_second(caps[i]));
        }
        let shares = max_min(&tree, 0, Rate::per_second(budget));
        prop_assert_eq!(shares.len(), parents.len() + 1);
        // Sum of the shares of each subtree, leaves first: parents have smaller numbers.
        let mut sums: BTreeMap<u32, Rate> = shares.clone();
        for (i, parent) in parents.iter().enumerate().rev() {
            let (node, parent) = (i as u32 + 1, (parent % (i + 1)) as u32);
            prop_assert!(sums[&node] <= tree.capacity[&node], "node {}: {:?}", node, sums);
            let sum = sums[&parent].plus(sums[&node]);
            sums.insert(parent, sum);
        }
        prop_assert!(sums[&0] <= Rate::per_second(budget));
    }
}

fn pacers() -> Vec<(&'static str, Box<dyn Pacer>)> {
    let paced = algorithms().iter().filter(|spec| spec.paced);
    paced.map(|spec| (spec.id, build_pacer(spec.id, &Value::Null).expect("defaults").expect("a pacer"))).collect()
}

#[test]
fn only_paced_presets_have_a_pacer() {
    assert_eq!(pacers().iter().map(|p| p.0).collect::<Vec<_>>(), ["coap_r", "bdp_coap_reading", "rcoap_reading"]);
    for spec in algorithms() {
        let pacer = build_pacer(spec.id, &Value::Null).expect("defaults");
        assert_eq!(pacer.is_some(), spec.paced, "{}", spec.id);
        assert!(!spec.paced || !spec.assumptions.is_empty(), "{}", spec.id);
        let mut names: Vec<_> = spec.params.iter().map(|p| p.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), spec.params.len(), "{}: timer and pacer share a name", spec.id);
    }
    // A parameter of either half reaches its half, and a name of neither is refused with all that are legal.
    assert!(build("coap_r", &json!({ "ack_timeout": 3, "service_time": 0.01 })).is_ok());
    let error = build_pacer("coap_r", &json!({ "nonsense": 1 })).expect_err("refused").to_string();
    assert!(error.contains("ack_timeout") && error.contains("service_time"), "{error}");
}

/// Computed by hand: a service time of 10 ms gives a first capacity of 35 octets/s, one message of 35 octets a
/// second; after 30 s the capacity is 69.65 and the rate 35 + 34.65/1.1 = 66.5 octets/s: 0.526316 s.
#[test]
fn coap_r_holds_messages_back() {
    let mut pacer = build_pacer("coap_r", &json!({ "service_time": 0.01 })).expect("legal").expect("a pacer");
    let at = |s: f64| Instant::ZERO + Span::from_secs_f64(s).expect("a time");
    assert_eq!(pacer.earliest(at(5.0), 0), at(5.0), "the first goes at once");
    let flight = Flight { sent: vec![at(5.0)], ..Flight::default() };
    pacer.on_transmit(at(5.0), &flight);
    assert_eq!(pacer.earliest(at(5.1), 1), at(6.0));
    let again = Flight { sent: vec![at(5.0), at(7.0)], ..Flight::default() };
    pacer.on_transmit(at(7.0), &again);
    assert_eq!(pacer.earliest(at(7.0), 1), at(6.0), "a retransmission uses nothing up");
    let gap = pacer.state(at(35.0)).gap.expect("paced").secs_f64();
    assert!((gap - 35.0 / 66.5).abs() < 1e-6, "{gap}");
}

/// Event of a pacer, whatever the timers do.
#[derive(Clone, Copy, Debug)]
enum Event {
    Send,
    Expire,
    Answer,
    Abandon,
}

fn script() -> impl Strategy<Value = Vec<(i64, Event)>> {
    let event = prop_oneof![
        Just(Event::Send),
        Just(Event::Send),
        Just(Event::Expire),
        Just(Event::Answer),
        Just(Event::Answer),
        Just(Event::Abandon)
    ];
    prop::collection::vec((prop_oneof![0i64..1_000_000, 0i64..3_000_000_000, 0i64..400_000_000_000], event), 0..60)
}

/// Plays `script`; returns the moment after it and what was open.
fn play(pacer: &mut dyn Pacer, script: &[(i64, Event)]) -> (Instant, u32, Vec<String>) {
    let mut timer = build("coap_default", &Value::Null).expect("defaults");
    let (mut now, mut open, mut seen) = (Instant::ZERO, Vec::<Flight>::new(), Vec::new());
    for &(gap, event) in script {
        now += Span::from_nanos(gap);
        match (event, open.pop()) {
            (Event::Send, top) => {
                open.extend(top);
                let mut flight = Flight::new(open.len() as u32);
                flight.transmit(now, &mut *timer, Dither::NONE);
                pacer.on_transmit(now, &flight);
                open.push(flight);
            }
            (Event::Expire, Some(mut flight)) => {
                pacer.on_timeout(now, &flight);
                flight.transmit(now, &mut *timer, Dither::NONE);
                pacer.on_transmit(now, &flight);
                open.push(flight);
            }
            (Event::Answer, Some(flight)) => pacer.on_ack(now, &flight, flight.sample(now, None)),
            (Event::Abandon, Some(flight)) => pacer.on_abandon(now, &flight),
            (_, None) => {}
        }
        seen.push(format!("{:?} {:?}", pacer.earliest(now, open.len() as u32), pacer.state(now)));
    }
    (now, open.len() as u32, seen)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: needs::cases(64), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pacers_obey_their_contract(script in script(), later in 0i64..1_000_000_000_000) {
        for (id, pacer) in pacers() {
            let (mut one, mut two) = (pacer.clone_box(), pacer);
            let (now, open, seen) = play(&mut *one, &script);
            prop_assert_eq!(&seen, &play(&mut *two, &script).2, "{}: the same calls", id);

            // Asking changes nothing, and with nothing open the wait ends.
            let at = now + Span::from_nanos(later);
            let before = format!("{one:?}");
            prop_assert!(one.earliest(at, 0) < at + Span::from_secs(3600), "{}: starves", id);
            let _ = (one.earliest(at, open), one.state(at));
            prop_assert_eq!(before, format!("{one:?}"), "{}", id);

            // A request that waits until the moment given may start then, after at most a few later moments.
            let mut asked = at;
            let mut times = 0;
            while one.earliest(asked, 0) > asked {
                asked = one.earliest(asked, 0);
                times += 1;
                prop_assert!(times < 100, "{}: always later", id);
            }
        }
    }
}
