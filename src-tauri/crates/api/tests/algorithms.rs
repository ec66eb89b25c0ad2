//! Algorithms beyond the registry: presets of one's own, outlooks, the sender's rules, parameters found offline.

use api::view::{
    AlgorithmChoice, ChannelKind, CheckKind, MethodKind, OpenRequest, OptimiseRequest, OptimisedView, OutlookRequest,
    PartView, PolicyView, PresetsRequest, ReplayRequest, StartView, SweepPoint, WorkloadKind,
};
use api::{AssociationId, Code, Instant, Session, Silent};
use serde_json::{Map, json};
use std::ops::ControlFlow;

const MINE: &str = r#"
[[preset]]
id = "plant"
name = "Plant"
base = "cocoa_plus"
params = { rto_max = 20, alpha = "1/4" }
"#;

fn text(text: &str) -> PresetsRequest {
    PresetsRequest { path: None, text: Some(text.to_owned()) }
}

fn choice(id: &str) -> AlgorithmChoice {
    AlgorithmChoice { id: id.to_owned(), params: Map::new() }
}

fn open(session: &Session, id: &str) -> u32 {
    let request = OpenRequest { sample: Some(id.to_owned()), ..OpenRequest::default() };
    session.open(&request, &mut Silent).expect("a bundled capture").id
}

fn request(capture: u32, algorithms: Vec<AlgorithmChoice>) -> ReplayRequest {
    ReplayRequest {
        capture,
        algorithms,
        channel: ChannelKind::Empirical,
        workload: WorkloadKind::Auto,
        seed: 1,
        replicates: 8,
        baseline: None,
        part: PartView::default(),
        bounds: false,
        policy: PolicyView::default(),
    }
}

#[test]
fn a_preset_of_ones_own_is_its_base_with_its_values() {
    let session = Session::default();
    let view = session.presets(&text(MINE)).expect("loads");
    assert_eq!((view.loaded.as_slice(), view.mine.len()), (["plant".to_owned()].as_slice(), 1));
    assert_eq!(view.algorithms.last().map(|spec| spec.id), Some("plant"));
    let capture = open(&session, "live-sleepy-default");
    let mut by_hand = choice("cocoa_plus");
    by_hand.params = json!({ "rto_max": 20, "alpha": "1/4" }).as_object().cloned().expect("an object");
    let replayed = session.replay(&request(capture, vec![choice("plant"), by_hand]), &mut Silent).expect("replays");
    assert_eq!(replayed.runs[0].algorithm.id, "plant");
    assert_eq!(replayed.runs[0].run, replayed.runs[1].run, "one run under two names");
    let other = session.replay(&request(capture, vec![choice("cocoa_plus")]), &mut Silent).expect("replays");
    assert_ne!(replayed.runs[0].run, other.runs[0].run);
}

#[test]
fn a_file_is_loaded_again_after_it_was_edited() {
    let session = Session::default();
    session.presets(&text(MINE)).expect("loads");
    let view = session.presets(&text(&MINE.replace("20", "30"))).expect("loads again");
    let plant: Vec<_> = view.algorithms.iter().filter(|spec| spec.id == "plant").collect();
    assert_eq!(plant.len(), 1);
    let value = plant[0].params.iter().find(|p| p.name == "rto_max").map(|p| p.default.to_string());
    assert_eq!(value.as_deref(), Some("30"));
}

#[test]
fn mistakes_have_a_place_and_load_nothing() {
    let session = Session::default();
    let bad = MINE.replace("rto_max = 20", "rto_max = -1, k_stron = 4");
    let error = session.presets(&text(&bad)).expect_err("two mistakes");
    assert_eq!(error.code, Code::Request);
    assert!(error.message.contains("2 mistakes"), "{error}");
    let detail = error.detail.expect("lists them");
    assert!(detail.lines().all(|line| line.starts_with("the text:6:")), "{detail}");
    assert!(detail.contains("k_strong"), "says what is legal: {detail}");
    assert!(session.algorithm_set().user().is_empty());
    let taken = session.presets(&text(&MINE.replace("\"plant\"", "\"cocoa_plus\""))).expect_err("taken");
    assert!(taken.message.contains("is taken"), "{taken}");
    let gone = PresetsRequest { path: Some("/nowhere/missing.toml".to_owned()), text: None };
    assert!(session.presets(&gone).expect_err("gone").message.contains("missing.toml"));
}

#[test]
fn without_a_choice_the_six_and_ones_own_are_replayed() {
    let session = Session::default();
    session.presets(&text(MINE)).expect("loads");
    let capture = open(&session, "live-sleepy-default");
    let replayed = session.replay(&request(capture, Vec::new()), &mut Silent).expect("replays");
    let ids: Vec<_> = replayed.runs.iter().map(|run| run.algorithm.id.as_str()).collect();
    assert_eq!(ids, ["coap_default", "coap_b", "rfc6298_coap", "cocoa_ietf_03", "cocoa_plus", "lee2016", "plant"]);
    let usual = session.algorithm_set().algorithms().iter().filter(|s| s.default && s.id != "plant").count();
    assert!(usual <= 16, "{usual} defaults fill a window");
}

#[test]
fn an_outlook_is_the_arithmetic_of_rfc_7252() {
    let session = Session::default();
    let ask = |rtt, loss| session.outlook(&OutlookRequest { algorithm: choice("coap_default"), rtt, loss });
    let view = ask(0.5, 0.5).expect("an outlook");
    // §4.2: 2 s to 3 s, 2.5 s in the middle, doubled four times; §4.8.2: MAX_TRANSMIT_WAIT is 93 s.
    for (timeout, expected) in view.timeouts.iter().zip([2.5, 5.0, 10.0, 20.0, 40.0]) {
        assert!((timeout - expected).abs() < 1e-6, "{:?}", view.timeouts);
    }
    assert!((view.give_up[2] - 93.0).abs() < 1e-6 && (view.give_up[0] - 62.0).abs() < 1e-6, "{:?}", view.give_up);
    assert!((view.success - (1.0 - 0.5_f64.powi(5))).abs() < 1e-9, "five copies: {}", view.success);
    assert_eq!(ask(0.5, 1.0).expect("an outlook").completion, None);
    for (rtt, loss) in [(0.0, 0.1), (f64::NAN, 0.1), (1e9, 0.1), (0.5, 1.5), (0.5, f64::NAN)] {
        assert_eq!(ask(rtt, loss).expect_err("no such path").code, Code::Request, "{rtt} {loss}");
    }
}

#[test]
fn the_senders_rules_reach_the_engine() {
    let session = Session::default();
    let capture = open(&session, "live-sleepy-default");
    let run = |policy| {
        let request = ReplayRequest { policy, ..request(capture, vec![choice("coap_default")]) };
        session.replay(&request, &mut Silent).expect("replays").runs.remove(0)
    };
    let once = run(PolicyView { max_retransmit: Some(0), ..PolicyView::default() });
    assert_eq!(once.metrics["retries_mean"].mean, Some(0.0), "nothing is sent twice");
    assert!(run(PolicyView::default()).metrics["retries_mean"].mean > Some(0.0));
}

#[test]
fn rules_hold_for_sweeps_too_and_impossible_ones_are_refused() {
    let session = Session::default();
    let capture = open(&session, "live-sleepy-default");
    let sweep = |policy: PolicyView| {
        let request = json!({
            "capture": capture, "algorithm": choice("coap_default"), "parameter": "ack_timeout", "values": [2.0],
            "channel": "empirical", "workload": "auto", "seed": 1, "replicates": 3, "policy": policy,
        });
        match session.call("sweep", request, &mut Silent) {
            Ok(api::Reply::Json(reply)) => {
                Ok(serde_json::from_value::<Vec<SweepPoint>>(reply).expect("points").remove(0))
            }
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.message),
        }
    };
    let once = PolicyView { max_retransmit: Some(0), ..PolicyView::default() };
    assert_eq!(sweep(once).expect("a point").metrics["retries_mean"].mean, Some(0.0));
    assert!(sweep(PolicyView::default()).expect("a point").metrics["retries_mean"].mean > Some(0.0));
    for (rule, policy) in [
        ("nstart", json!({ "nstart": 0 })),
        ("max_retransmit", json!({ "max_retransmit": 21 })),
        ("room", json!({ "room": 0 })),
        ("service", json!({ "service": 0 })),
        ("processing", json!({ "processing": -1 })),
    ] {
        let policy: PolicyView = serde_json::from_value(policy).expect("a policy");
        let said = sweep(policy).expect_err("refused");
        assert!(said.contains(rule), "{said}");
    }
    // Rules that are not given are not written: requests of the page and of the core are the same text.
    assert_eq!(serde_json::to_value(once).expect("JSON"), json!({ "max_retransmit": 0 }));
    let given = PolicyView { service: Some(api::Span::from_millis(250)), plimit: true, ..once };
    assert_eq!(given.said().as_deref(), Some("MAX_RETRANSMIT 0, PLIMIT, Service time 0.25 s"));
}

fn optimise(session: &Session, capture: u32, hold_out: Option<u32>, method: MethodKind) -> OptimisedView {
    let request = optimisation(capture, hold_out, method);
    session.optimise(&request, &mut Silent).expect("finds something")
}

fn optimisation(capture: u32, hold_out: Option<u32>, method: MethodKind) -> OptimiseRequest {
    OptimiseRequest {
        capture,
        part: PartView::default(),
        hold_out,
        hold_out_part: PartView::default(),
        algorithm: choice("coap_default"),
        over: vec!["ack_timeout".to_owned()],
        objective: "retransmissions".to_owned(),
        method,
        evaluations: 24,
        channel: ChannelKind::Empirical,
        workload: WorkloadKind::Auto,
        seed: 1,
        replicates: 4,
        policy: PolicyView::default(),
    }
}

#[test]
fn a_search_improves_its_objective_and_gives_a_preset() {
    let session = Session::default();
    let capture = open(&session, "live-sleepy-default");
    let hold_out = open(&session, "grid3x3-burst-cocoa");
    for method in [MethodKind::NelderMead, MethodKind::Swarm] {
        let found = optimise(&session, capture, Some(hold_out), method);
        assert_eq!(found.objective, "retries_mean");
        // Longer timers send less: an open-ended objective, but one whose direction is known beforehand.
        assert!(found.after["ack_timeout"].as_f64() > Some(2.0), "{:?}", found.after);
        assert!(found.effects[0].difference["retries_mean"].mean < 0.0, "{method:?}");
        assert_eq!(found.effects.iter().map(|e| e.held_out).collect::<Vec<_>>(), [false, true]);
        let held_out = &found.effects[1].difference["retries_mean"];
        let expected = match (held_out.mean < 0.0, held_out.hi90 < 0.0) {
            (true, true) => CheckKind::Holds,
            (true, false) => CheckKind::Unclear,
            (false, _) => CheckKind::OverFitted,
        };
        assert_eq!(found.check, expected, "{held_out:?}");
        assert_eq!(optimise(&session, capture, Some(hold_out), method), found, "deterministic");
        let fresh = Session::default();
        let view = fresh.presets(&text(&found.preset)).unwrap_or_else(|error| panic!("{error}\n{}", found.preset));
        assert_eq!(view.loaded, ["coap_default_tuned"]);
    }
}

#[test]
fn a_search_asks_what_a_replay_of_the_same_part_does() {
    let session = Session::default();
    let capture = open(&session, "chain6-periodic-default");
    let hold_out = open(&session, "grid3x3-burst-cocoa");
    let views = session.captures();
    let part = |capture: u32, at: f64| {
        let view = views.iter().find(|view| view.id == capture).expect("open");
        let start = StartView { at: Instant::from_nanos((view.end.nanos() as f64 * at) as i64), warm: true };
        PartView { as_recorded: vec![view.associations[0].id], start: Some(start) }
    };
    let policy = PolicyView { max_retransmit: Some(2), ..PolicyView::default() };
    let request = OptimiseRequest {
        part: part(capture, 0.5),
        hold_out_part: part(hold_out, 0.25),
        policy,
        evaluations: 6,
        ..optimisation(capture, Some(hold_out), MethodKind::NelderMead)
    };
    let found = session.optimise(&request, &mut Silent).expect("finds something");
    for (effect, part) in found.effects.iter().zip([&request.part, &request.hold_out_part]) {
        let capture = if effect.held_out { hold_out } else { capture };
        let asked = ReplayRequest {
            part: part.clone(),
            replicates: request.replicates,
            policy,
            ..self::request(capture, vec![choice("coap_default")])
        };
        let replayed = session.replay(&asked, &mut Silent).expect("replays");
        assert_eq!(effect.before["retries_mean"].mean, replayed.runs[0].metrics["retries_mean"].mean);
        assert_eq!(effect.before["retries_mean"].recorded, replayed.runs[0].metrics["retries_mean"].recorded);
        let said = effect.part.clone().expect("said");
        assert!(said.contains("clients as recorded (") && said.ends_with(" s on, timers warm"), "{said}");
    }
    assert_ne!(found.effects[0].part, found.effects[1].part);
    assert!(found.preset.contains("rules: MAX_RETRANSMIT 2, replayed: 1 of "), "{}", found.preset);
    let unknown = PartView { as_recorded: vec![AssociationId(999)], start: None };
    let refused = session.optimise(&OptimiseRequest { part: unknown, ..request }, &mut Silent);
    assert_eq!(refused.expect_err("refused").code, Code::Request);
}

#[test]
fn a_search_can_be_stopped_and_says_what_it_cannot_do() {
    let session = Session::default();
    let capture = open(&session, "live-sleepy-default");
    let request = optimisation(capture, None, MethodKind::NelderMead);
    let mut stop = |done: u64, _total: u64| if done > 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    assert_eq!(session.optimise(&request, &mut stop).expect_err("stopped").code, Code::Cancelled);
    let refused = |request: &OptimiseRequest| session.optimise(request, &mut Silent).expect_err("refused").message;
    let speed = OptimiseRequest { objective: "speed".to_owned(), ..request.clone() };
    assert!(refused(&speed).contains("duration_mean"));
    let over = OptimiseRequest { over: vec!["nothing".to_owned()], ..request.clone() };
    assert!(refused(&over).contains("ack_timeout"));
    let recorded = OptimiseRequest { channel: ChannelKind::Recorded, ..request.clone() };
    assert!(refused(&recorded).contains("model of the channel"));
    assert_eq!(
        session.optimise(&OptimiseRequest { evaluations: 0, ..request }, &mut Silent).unwrap_err().code,
        Code::Request
    );
}

#[test]
fn a_search_meets_the_channel_that_is_asked_for() {
    let session = Session::default();
    let capture = open(&session, "live-sleepy-default");
    let on = |channel: ChannelKind| {
        let request = OptimiseRequest { channel, ..optimisation(capture, None, MethodKind::NelderMead) };
        session.optimise(&request, &mut Silent).expect("finds something")
    };
    let found = on(ChannelKind::GilbertElliott);
    assert!(found.preset.contains("channel Gilbert–Elliott"), "{}", found.preset);
    // Before the search, both are the same algorithm with the same seed: what differs is the channel.
    assert_ne!(found.effects[0].before, on(ChannelKind::Empirical).effects[0].before);
}

#[test]
fn what_an_objective_is_paid_with_is_told() {
    let session = Session::default();
    let capture = open(&session, "live-sleepy-default");
    let worse = |objective: &str| {
        let objective = objective.to_owned();
        // With few replicates no measure is surely worse.
        let request =
            OptimiseRequest { objective, replicates: 40, ..optimisation(capture, None, MethodKind::NelderMead) };
        session.optimise(&request, &mut Silent).expect("finds something").worse
    };
    // Exchanges that complete at all complete soonest under a timer that gives up before the server wakes. A timer of
    // nearly a minute sends nothing twice, and after the loss of the first copy has to wait for the second.
    assert_eq!(worse("completion"), ["retries_mean", "spurious_all", "failed"]);
    assert_eq!(worse("retransmissions"), ["duration_mean"]);
}

fn sweep(session: &Session, request: serde_json::Value) -> Result<Vec<SweepPoint>, api::Error> {
    match session.call("sweep", request, &mut Silent)? {
        api::Reply::Json(value) => Ok(serde_json::from_value(value).expect("points")),
        api::Reply::Bytes(_) => panic!("not JSON"),
    }
}

#[test]
fn a_sweep_of_two_is_a_sweep_of_one_for_every_value_of_the_other() {
    let session = Session::default();
    let capture = open(&session, "live-sleepy-default");
    let ask = |params: serde_json::Value, across: serde_json::Value| {
        sweep(
            &session,
            serde_json::json!({
                "capture": capture, "algorithm": { "id": "coap_default", "params": params },
                "parameter": "ack_timeout", "values": [1.0, 4.0], "across": across,
                "channel": "empirical", "workload": "auto", "seed": 3, "replicates": 5,
            }),
        )
    };
    let both = ask(serde_json::json!({}), serde_json::json!({ "parameter": "random_factor", "values": [1.0, 2.0] }));
    let both = both.expect("sweeps");
    assert_eq!(
        both.iter().map(|p| (p.value, p.across)).collect::<Vec<_>>(),
        [(1.0, Some(1.0)), (4.0, Some(1.0)), (1.0, Some(2.0)), (4.0, Some(2.0))]
    );
    for (part, factor) in both.chunks(2).zip([1.0, 2.0]) {
        let alone = ask(serde_json::json!({ "random_factor": factor }), serde_json::Value::Null).expect("sweeps");
        let measures = |points: &[SweepPoint]| points.iter().map(|p| p.metrics.clone()).collect::<Vec<_>>();
        assert_eq!(measures(part), measures(&alone));
    }
    assert_ne!(both[0].metrics, both[2].metrics, "the second parameter does something");
    let refused = |across: serde_json::Value| ask(serde_json::json!({}), across).expect_err("refused").code;
    assert_eq!(refused(serde_json::json!({ "parameter": "ack_timeout", "values": [1.0] })), Code::Request);
    assert_eq!(refused(serde_json::json!({ "parameter": "random_factor", "values": vec![1.5; 129] })), Code::Request);
}
