//! A session over the bundled captures: caches, refusals, cancellation.

use api::view::{
    AlgorithmChoice, CaptureView, ChannelKind, OpenRequest, PartView, PolicyView, ReplayRequest, ReplayView, StartView,
    WorkloadKind,
};
use api::{Code, Instant, Reply, Session, Silent, samples};
use serde_json::{Map, Value, json};
use std::ops::ControlFlow;

fn open(session: &Session, id: &str) -> CaptureView {
    let request = OpenRequest { sample: Some(id.to_owned()), ..OpenRequest::default() };
    session.open(&request, &mut Silent).expect("a bundled capture")
}

fn request(capture: u32, ids: &[&str]) -> ReplayRequest {
    ReplayRequest {
        capture,
        algorithms: ids.iter().map(|id| AlgorithmChoice { id: (*id).to_owned(), params: Map::new() }).collect(),
        channel: ChannelKind::Empirical,
        workload: WorkloadKind::Auto,
        seed: 1,
        replicates: 8,
        baseline: None,
        part: PartView::default(),
        bounds: true,
        policy: PolicyView::default(),
    }
}

fn replay(session: &Session, request: &ReplayRequest) -> ReplayView {
    session.replay(request, &mut Silent).expect("replays")
}

#[test]
fn every_sample_opens_and_has_exchanges() {
    let session = Session::default();
    for sample in samples() {
        let view = open(&session, sample.id);
        assert!(view.exchanges > 20, "{}: {} exchanges", sample.id, view.exchanges);
        assert!(view.copies >= view.exchanges, "{}", sample.id);
        assert_eq!(view.sha256.len(), 64);
        let lanes: u32 = view.associations.iter().map(|a| a.exchanges).sum();
        assert_eq!(lanes, view.exchanges, "{}: every exchange is in a lane", sample.id);
    }
    assert_eq!(session.captures().len(), samples().len());
}

#[test]
fn equal_settings_are_one_run() {
    let session = Session::default();
    let id = open(&session, "live-sleepy-default").id;
    let first = replay(&session, &request(id, &["coap_default", "cocoa_plus"]));
    let again = replay(&session, &request(id, &["cocoa_plus"]));
    assert_eq!(first.runs[1].run, again.runs[0].run);
    assert_eq!(first.runs[1].metrics, again.runs[0].metrics);
    let other = replay(&session, &ReplayRequest { seed: 2, ..request(id, &["cocoa_plus"]) });
    assert_ne!(again.runs[0].run, other.runs[0].run);
}

#[test]
fn a_run_differs_from_itself_by_nothing() {
    let session = Session::default();
    let id = open(&session, "live-sleepy-default").id;
    let view = replay(&session, &ReplayRequest { baseline: Some(0), ..request(id, &["coap_default", "cocoa_plus"]) });
    for (name, d) in &view.runs[0].differences {
        assert_eq!((d.mean, d.lo90, d.hi90), (0.0, 0.0, 0.0), "{name}");
    }
    assert!(view.runs[1].differences.values().any(|d| d.mean != 0.0));
}

#[test]
fn without_a_baseline_differences_are_to_the_recording() {
    let session = Session::default();
    let id = open(&session, "live-sleepy-default").id;
    let view = replay(&session, &request(id, &["cocoa_plus"]));
    let run = &view.runs[0];
    let (metric, difference) = (&run.metrics["retries_mean"], &run.differences["retries_mean"]);
    let recorded = metric.recorded.expect("recorded");
    assert_eq!(Some(difference.mean), metric.mean.map(|m| m - recorded));
    assert!(difference.mean < 0.0, "a timer that learns saves copies here: {difference:?}");
}

#[test]
fn of_a_client_alone_the_completion_of_its_lane_is_the_measure() {
    let session = Session::default();
    let view = open(&session, "live-sleepy-default");
    let [association] = view.associations.as_slice() else { panic!("one client") };
    let channel = ChannelKind::GilbertElliott;
    let replayed = replay(&session, &ReplayRequest { replicates: 1, channel, ..request(view.id, &["cocoa_plus"]) });
    let [run] = replayed.runs.as_slice() else { panic!("one run") };
    let (measure, seconds) = (&run.metrics["duration_p95"], |span: Option<api::Span>| span.map(api::Span::secs_f64));
    let [recorded, replayed] = [association.completion_p95, run.completion_p95[0]].map(seconds);
    // Lanes round to nanoseconds.
    let is_near = |a: Option<f64>, b: Option<f64>| a.zip(b).is_some_and(|(a, b)| (a - b).abs() < 2e-9);
    assert!(is_near(recorded, measure.recorded), "{recorded:?} {measure:?}");
    assert!(is_near(replayed, measure.mean), "{replayed:?} {measure:?}");
    assert_ne!(recorded, replayed);
}

#[test]
fn what_is_closed_is_gone() {
    let session = Session::default();
    let id = open(&session, "live-sleepy-default").id;
    let run = replay(&session, &request(id, &["coap_default"])).runs[0].run;
    session.close(id);
    let lanes = json!({ "capture": id, "runs": [null, run], "t0": 0, "t1": 1, "px": 10 });
    let error = session.call("lanes", lanes, &mut Silent).expect_err("closed");
    assert_eq!(error.code, Code::Gone);
    assert!(session.captures().is_empty());
}

#[test]
fn refusals_name_what_is_wrong() {
    let session = Session::default();
    let id = open(&session, "live-sleepy-default").id;
    let refused = |request: &ReplayRequest| session.replay(request, &mut Silent).expect_err("refused");
    let unknown = refused(&request(id, &["no_such_algorithm"]));
    assert_eq!(unknown.code, Code::Request);
    assert!(unknown.message.contains("no_such_algorithm"), "{unknown}");
    let none = refused(&ReplayRequest { replicates: 0, ..request(id, &[]) });
    assert_eq!(none.code, Code::Request);
    let mut wild = request(id, &["coap_default"]);
    wild.algorithms[0].params.insert("ack_timeout".to_owned(), Value::from(-1));
    assert!(refused(&wild).message.contains("ack_timeout"));
    let sort = json!({ "capture": id, "offset": 0, "limit": 1, "sort": "colour" });
    let error = session.call("exchanges", sort, &mut Silent).expect_err("no such column");
    assert!(error.message.contains("colour") && error.message.contains("rtt"), "{error}");
}

#[test]
fn slow_commands_stop_when_asked() {
    let session = Session::default();
    let mut stop = |_done: u64, _total: u64| ControlFlow::Break(());
    let sample = OpenRequest { sample: Some("grid3x3-burst-cocoa".to_owned()), ..OpenRequest::default() };
    assert_eq!(session.open(&sample, &mut stop).expect_err("stopped").code, Code::Cancelled);
    let id = open(&session, "live-sleepy-default").id;
    let replayed = session.replay(&request(id, &["coap_default"]), &mut stop);
    assert_eq!(replayed.expect_err("stopped").code, Code::Cancelled);
    assert_eq!(session.captures().len(), 1);
}

#[test]
fn progress_reaches_its_end_in_octets_of_the_file() {
    let session = Session::default();
    let mut seen: Vec<(u64, u64)> = Vec::new();
    let mut watch = |done: u64, total: u64| {
        seen.push((done, total));
        ControlFlow::Continue(())
    };
    let sample = &samples()[0];
    let request = OpenRequest { sample: Some(sample.id.to_owned()), ..OpenRequest::default() };
    session.open(&request, &mut watch).expect("opens");
    assert!(seen.iter().all(|&(done, total)| done <= total && total == sample.octets.len() as u64));
    assert!(seen.windows(2).all(|w| w[0].0 <= w[1].0), "progress never goes back");
}

#[test]
fn lanes_hold_every_copy_of_the_window() {
    let session = Session::default();
    let view = open(&session, "live-sleepy-default");
    let (t0, t1) = (view.start.nanos(), view.end.nanos());
    let reply = session
        .call("lanes", json!({ "capture": view.id, "runs": [null], "t0": t0, "t1": t1, "px": 100_000 }), &mut Silent)
        .expect("lanes");
    assert!(matches!(reply, Reply::Bytes(octets) if octets.len() > 100));
}

#[test]
fn a_sample_read_otherwise_keeps_the_number_of_its_option() {
    let session = Session::default();
    let open = |id: &str, decode: Value| {
        let reply = session.call("open", json!({ "sample": id, "decode": decode }), &mut Silent).expect("opens");
        let Reply::Json(view) = reply else { panic!("JSON") };
        view
    };
    for sample in samples() {
        let usual = open(sample.id, Value::Null);
        let asked = open(sample.id, json!({ "ports": [5683, 9], "keys": ["00000000000000000000000000000000"] }));
        assert_eq!(asked["read_as"]["rc_option"], usual["read_as"]["rc_option"], "{}", sample.id);
        assert_eq!(asked["read_as"]["ports"], json!([5683, 9]));
        assert_eq!((asked["read_as"]["keys"].as_u64(), &asked["exchanges"]), (Some(1), &usual["exchanges"]));
        assert!(!asked.to_string().contains("00000000000000000000000000000000"), "no key in a reply");
    }
}

fn stays(associations: &[api::AssociationId]) -> PartView {
    PartView { as_recorded: associations.to_vec(), start: None }
}

/// The question of a deployment: some clients change, the others stay as they were.
#[test]
fn clients_may_stay_as_recorded() {
    let session = Session::default();
    let view = open(&session, "chain6-periodic-default");
    // The one that changes is the farthest away: of those that retransmit little, a mean may come out as it was.
    let (changes, others) = view.associations.split_last().expect("clients");
    let stay: Vec<_> = others.iter().map(|a| a.id).collect();
    let asked = request(view.id, &["cocoa_plus"]);
    let all = replay(&session, &asked);
    let one = replay(&session, &ReplayRequest { part: stays(&stay), ..asked.clone() });
    let none: Vec<_> = stay.iter().copied().chain([changes.id]).collect();
    let none_replayed = replay(&session, &ReplayRequest { part: stays(&none), ..asked.clone() });
    assert_ne!(all.runs[0].run, one.runs[0].run);
    assert_eq!(none_replayed.runs[0].support, Some(1.0));
    // Clients that stay send what was recorded; the one that changes sends what it does where all change. Nothing
    // couples them here.
    let expected: Vec<u32> = others.iter().map(|a| a.copies).chain(all.runs[0].copies.last().copied()).collect();
    assert_eq!(one.runs[0].copies, expected);
    assert!(all.runs[0].copies.iter().zip(&expected).filter(|(all, one)| all != one).count() > 1);
    let retries = &one.runs[0].metrics["retries_mean"];
    assert_ne!(retries.mean, retries.recorded);
    // A sweep asks the same of its settings.
    let sweep = |as_recorded: &[api::AssociationId]| -> Vec<Value> {
        let request = json!({
            "capture": view.id, "algorithm": { "id": "cocoa_plus", "params": {} }, "parameter": "k_strong", "values": [4],
            "channel": "empirical", "workload": "auto", "seed": 1, "replicates": 8, "part": { "as_recorded": as_recorded },
        });
        match session.call("sweep", request, &mut Silent) {
            Ok(Reply::Json(Value::Array(points))) => points,
            other => panic!("{other:?}"),
        }
    };
    let k4 = Map::from_iter([("k_strong".to_owned(), json!(4))]);
    let algorithms = vec![AlgorithmChoice { id: "cocoa_plus".to_owned(), params: k4 }];
    let run = replay(&session, &ReplayRequest { algorithms, part: stays(&stay), bounds: false, ..asked });
    let mean = |v: &Value| v["metrics"]["retries_mean"]["mean"].as_f64();
    assert_eq!(mean(&sweep(&stay)[0]), run.runs[0].metrics["retries_mean"].mean);
    assert_ne!(sweep(&stay), sweep(&[]));
}

#[test]
fn a_replay_may_begin_later_and_then_timers_may_have_learned() {
    let session = Session::default();
    let view = open(&session, "tsch-slow-chain5-default");
    let half = Instant::from_nanos(view.start.nanos().midpoint(view.end.nanos()));
    let begin = |warm| {
        let part = PartView { start: Some(StartView { at: half, warm }), ..PartView::default() };
        ReplayRequest { part, ..request(view.id, &["cocoa_plus"]) }
    };
    let (warm, cold) = (replay(&session, &begin(true)), replay(&session, &begin(false)));
    let retries = |view: &ReplayView| view.runs[0].metrics["retries_mean"].clone();
    // Answers take seconds here: who knows that waits, who does not sends again.
    assert!(retries(&warm).mean < retries(&cold).mean, "{:?} {:?}", retries(&warm), retries(&cold));
    let all = replay(&session, &request(view.id, &["cocoa_plus"]));
    assert_ne!(retries(&warm).recorded, retries(&all).recorded, "only the later half is measured");
    assert!(retries(&warm).best.is_none() && retries(&all).best.is_some());

    let lanes = json!({
        "capture": view.id, "runs": [warm.runs[0].run], "t0": view.start, "t1": half.nanos() - 1, "px": 800,
    });
    let Ok(Reply::Bytes(before)) = session.call("lanes", lanes.clone(), &mut Silent) else { panic!("no lanes") };
    let mut after = lanes;
    after["t0"] = json!(half);
    after["t1"] = json!(view.end);
    let Ok(Reply::Bytes(after)) = session.call("lanes", after, &mut Silent) else { panic!("no lanes") };
    assert!(before.len() < after.len(), "nothing is drawn before it begins");
}

/// Ticks of a progress that breaks at `until` percent.
fn ticks(
    until: u64,
    work: impl FnOnce(&mut dyn api::Progress) -> Result<(), api::Error>,
) -> (Vec<u64>, Result<(), Code>) {
    let mut ticks = Vec::new();
    let mut progress = |done: u64, total: u64| {
        let percent = done * 100 / total.max(1);
        ticks.push(percent);
        if percent >= until { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let result = work(&mut progress).map_err(|error| error.code);
    (ticks, result)
}

#[test]
fn opening_says_how_far_it_is_after_decoding_too_and_can_be_stopped_there() {
    let request = OpenRequest { sample: Some("live-bottleneck-cocoa".to_owned()), ..OpenRequest::default() };
    let open = |progress: &mut dyn api::Progress| Session::default().open(&request, progress).map(drop);
    let (all, opened) = ticks(101, open);
    assert_eq!((opened, all.last()), (Ok(()), Some(&100)));
    assert!(all.is_sorted(), "{all:?}");
    let mut steps = all.clone();
    steps.dedup();
    assert!(steps.iter().filter(|&&percent| percent > 70).count() >= 10, "{steps:?}");
    for until in [71, 85, 99] {
        let (some, stopped) = ticks(until, open);
        assert_eq!(stopped, Err(Code::Cancelled), "at {until} %");
        assert!(some.len() < all.len(), "at {until} %");
    }
}

#[test]
fn a_replay_of_one_replicate_can_be_stopped_within_it() {
    let session = Session::default();
    let id = open(&session, "live-bottleneck-cocoa").id;
    let request = ReplayRequest { replicates: 1, bounds: false, ..request(id, &["cocoa_plus"]) };
    let mut ticks = 0;
    let mut second = |_: u64, _: u64| {
        ticks += 1;
        if ticks < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let replayed = session.replay(&request, &mut second);
    assert_eq!((replayed.expect_err("stopped").code, ticks), (Code::Cancelled, 2));
}
