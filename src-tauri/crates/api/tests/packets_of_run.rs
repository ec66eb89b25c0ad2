//! Packets that a run would have sent, written as pcapng and read again.

use api::view::{
    AlgorithmChoice, CaptureView, ChannelKind, ExchangeRequest, ExportPacketsRequest, ExportRunRequest, Exported,
    FrameList, OpenRequest, PartView, PolicyView, ReplayRequest, RunFileKind, WorkloadKind,
};
use api::{AssociationId, Capture, Code, ImportOptions, Session, Silent, samples};
use serde_json::{Map, json};
use std::path::Path;

fn opened(session: &Session, request: &OpenRequest) -> CaptureView {
    session.open(request, &mut Silent).expect("a capture")
}

fn sample(session: &Session, id: &str) -> CaptureView {
    opened(session, &OpenRequest { sample: Some(id.to_owned()), ..OpenRequest::default() })
}

fn replay(session: &Session, capture: u32, id: &str, channel: ChannelKind, as_recorded: Vec<AssociationId>) -> u32 {
    let request = ReplayRequest {
        capture,
        algorithms: vec![AlgorithmChoice { id: id.to_owned(), params: Map::new() }],
        channel,
        workload: WorkloadKind::Auto,
        seed: 3,
        replicates: 1,
        baseline: None,
        part: PartView { as_recorded, start: None },
        bounds: false,
        policy: PolicyView::default(),
    };
    session.replay(&request, &mut Silent).expect("replays").runs[0].run
}

fn export(session: &Session, run: u32, path: &Path) -> Exported {
    let reply = session.call("export_run", json!({ "run": run, "path": path }), &mut Silent).expect("written");
    let api::Reply::Json(value) = reply else { panic!("JSON") };
    serde_json::from_value(value).expect("as declared")
}

fn import(path: &Path) -> Capture {
    api::import(path, &ImportOptions::default(), &mut Silent).expect("a capture")
}

/// Client, server, Message ID, token, and when the copies were sent, nanoseconds from 1970.
type Sent = (String, String, u16, String, Vec<i64>);

/// Every exchange of `capture`, by the times that stand in it: what a capture of two halves makes of the client's clock
/// is another matter.
fn written(capture: Capture, rc_option: Option<u16>) -> Vec<Sent> {
    let epoch = capture.epoch_unix_nanos.unwrap_or(0);
    let options = api::DecodeOptions { rc_option: rc_option.unwrap_or(65020), ..api::DecodeOptions::default() };
    let trace = trace::analyse(capture, &options, &mut Silent).expect("not cancelled");
    let exchange = |e: &trace::Exchange| {
        let ends = &trace.associations[e.association.index()];
        let copies = e.copies.iter().map(|copy| epoch + trace.messages[copy.message.index()].at.nanos()).collect();
        (ends.client.to_string(), ends.server.to_string(), e.mid, e.token.to_string(), copies)
    };
    let mut all: Vec<Sent> = trace.exchanges.iter().map(exchange).collect();
    all.sort();
    all
}

/// Every exchange of `view` under `run`.
fn sent(session: &Session, view: &CaptureView, epoch: i64, run: u32) -> Vec<Sent> {
    let mut all: Vec<Sent> = (0..view.exchanges)
        .filter_map(|id| {
            let request = json!({ "capture": view.id, "exchange": id, "runs": [run] });
            let request: ExchangeRequest = serde_json::from_value(request).expect("a request");
            let api::Reply::Json(reply) =
                session.call("exchange", serde_json::to_value(&request).expect("JSON"), &mut Silent).expect("there")
            else {
                panic!("JSON")
            };
            let reply: api::view::ExchangeView = serde_json::from_value(reply).expect("as declared");
            let side = reply.sides.into_iter().find(|side| side.run == Some(run))?;
            let copies: Vec<i64> = side.copies.iter().map(|copy| epoch + copy.sent.nanos()).collect();
            let ends = &view.associations[reply.association.index()];
            (!copies.is_empty()).then(|| (ends.client.clone(), ends.server.clone(), reply.mid, reply.token, copies))
        })
        .collect();
    all.sort();
    all
}

/// Octets and absolute times of the frames that are not synthetic.
fn recorded(capture: &Capture) -> Vec<(i64, Vec<u8>)> {
    let is_recorded = |frame: &&trace::Frame| !capture.sources[frame.source.index()].name.ends_with("(counterfactual)");
    let epoch = capture.epoch_unix_nanos.unwrap_or(0);
    let frames = capture.frames.iter().filter(is_recorded);
    let mut all: Vec<_> = frames.map(|f| (epoch + f.at.nanos(), capture.octets_of(f).to_vec())).collect();
    all.sort();
    all
}

#[test]
fn the_copies_of_a_run_are_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    for bundled in samples() {
        for (algorithm, channel) in [("cocoa_plus", ChannelKind::Empirical), ("coap_default", ChannelKind::Recorded)] {
            let session = Session::default();
            let view = sample(&session, bundled.id);
            let run = replay(&session, view.id, algorithm, channel, Vec::new());
            let path = folder.path().join(format!("{}.pcapng", bundled.id));
            let exported = export(&session, run, &path);
            let octets = std::fs::read(&path).expect("written");
            assert_eq!(export(&session, run, &path), exported);
            assert_eq!(std::fs::read(&path).expect("written"), octets, "same run, same octets");

            let original: Capture =
                trace::read("x", bundled.octets, None, &ImportOptions::default(), &mut Silent).expect("bundled");
            let written = import(&path);
            let staying = recorded(&written);
            assert_eq!(staying.len(), exported.recorded as usize);
            assert_eq!(staying.len() + exported.left_out as usize, original.frames.len());
            let before = recorded(&original);
            assert!(staying.iter().all(|frame| before.binary_search(frame).is_ok()), "{}", bundled.id);
            let synthetic = written.frames.len() - staying.len();
            assert_eq!(synthetic, (exported.copies + exported.replies) as usize);
            assert_eq!(written.annotations.frames.len(), synthetic, "a comment each");
            assert!(written.annotations.frames.iter().all(|(_, text)| text.starts_with("RTOscope, synthetic: ")));

            assert_eq!(
                self::written(written, bundled.rc_option),
                sent(&session, &view, original.epoch_unix_nanos.unwrap_or(0), run),
                "{} under {algorithm}",
                bundled.id
            );
        }
    }
}

#[test]
fn a_run_in_which_all_stay_as_recorded_is_the_recording() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.pcapng");
    for bundled in samples() {
        let session = Session::default();
        let view = sample(&session, bundled.id);
        let all = view.associations.iter().map(|a| a.id).collect();
        let run = replay(&session, view.id, "cocoa_plus", ChannelKind::Empirical, all);
        let exported = export(&session, run, &path);
        assert_eq!((exported.left_out, exported.copies, exported.replies), (0, 0, 0), "{}", bundled.id);
    }
}

#[test]
fn a_list_is_written_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.pcapng");
    let session = Session::default();
    let bundled = &samples()[0];
    let view = sample(&session, bundled.id);
    let write = |list: FrameList| -> Exported {
        let request = ExportPacketsRequest { list, path: path.display().to_string() };
        let request = serde_json::to_value(request).expect("JSON");
        let api::Reply::Json(reply) = session.call("export_packets", request, &mut Silent).expect("written") else {
            panic!("JSON")
        };
        serde_json::from_value(reply).expect("as declared")
    };
    let list = |rows: &str, filter: &str| -> FrameList {
        serde_json::from_value(json!({ "capture": view.id, "rows": rows, "filter": filter })).expect("a list")
    };
    assert_eq!(write(list("frames", "")).recorded, view.frames);
    let original = trace::read("x", bundled.octets, None, &ImportOptions::default(), &mut Silent).expect("bundled");
    let written = import(&path);
    assert_eq!(recorded(&written), recorded(&original));
    let facts = |capture: &Capture| -> Vec<_> {
        capture.frames.iter().map(|f| (f.link, f.cut, f.channel, f.rssi, f.lqi, f.fcs)).collect()
    };
    assert_eq!(facts(&written), facts(&original));
    // A message takes all the frames that carried it.
    let messages = write(list("messages", "coap.type == CON"));
    let frames = write(list("frames", "coap.type == CON"));
    assert!(messages.recorded >= frames.recorded && frames.recorded > 0, "{messages:?} {frames:?}");
    assert_eq!(import(&path).frames.len(), frames.recorded as usize);
}

#[test]
fn the_capture_itself_is_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own.pcap");
    std::fs::write(&path, samples()[0].octets).expect("written");
    let session = Session::default();
    let request = OpenRequest { path: Some(path.display().to_string()), ..OpenRequest::default() };
    let view = opened(&session, &request);
    let run = replay(&session, view.id, "coap_default", ChannelKind::Empirical, Vec::new());
    let kind = RunFileKind::Packets;
    let request = ExportRunRequest { run, kind, path: folder.path().join("./own.pcap").display().to_string() };
    let refused = session.call("export_run", serde_json::to_value(request).expect("JSON"), &mut Silent);
    assert_eq!(refused.expect_err("refused").code, Code::Request);
    assert_eq!(std::fs::read(&path).expect("there"), samples()[0].octets);
}
