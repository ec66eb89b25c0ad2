//! The network of the bundled captures, through the bridge: its filters find its frames, its sums add up.

use api::view::{NetworkView, OpenRequest};
use api::{Code, Reply, Session, Silent, samples};
use serde_json::{Value, json};

fn json_of(session: &Session, name: &str, request: Value) -> Value {
    match session.call(name, request, &mut Silent) {
        Ok(Reply::Json(value)) => value,
        other => panic!("{name}: {other:?}"),
    }
}

/// A session with sample `id` open, its number and its network.
fn open(id: &str) -> (Session, u32, NetworkView) {
    let session = Session::default();
    let request = OpenRequest { sample: Some(id.to_owned()), ..OpenRequest::default() };
    let capture = session.open(&request, &mut Silent).expect("a bundled capture").id;
    let view = json_of(&session, "network", json!({ "capture": capture }));
    (session, capture, serde_json::from_value(view).expect("a network"))
}

#[test]
fn every_filter_finds_the_frames_of_its_link() {
    for sample in samples() {
        let (session, capture, view) = open(sample.id);
        assert!(view.nodes.len() > 1 && !view.links.is_empty(), "{}", sample.id);
        let count = |filter: &str| {
            let list = json!({ "capture": capture, "rows": "frames", "filter": filter, "window": null });
            json_of(&session, "packet_count", list)["count"].as_u64()
        };
        for link in &view.links {
            assert_eq!(count(&link.filter), Some(u64::from(link.frames)), "{}: {}", sample.id, link.filter);
        }
        for node in view.nodes.iter().filter(|node| !node.macs.is_empty()) {
            assert!(count(&node.filter) >= Some(u64::from(node.frames - node.broadcasts)), "{}", node.filter);
        }
    }
}

#[test]
fn clients_and_servers_are_nodes_and_their_copies_are_carried() {
    for sample in samples() {
        let (session, _, view) = open(sample.id);
        let capture = session.captures().remove(0);
        let total = |of: fn(&api::view::NetworkNode) -> usize| view.nodes.iter().map(of).sum::<usize>();
        let associations = capture.associations.len();
        assert_eq!(total(|node| node.client_of.len()), associations, "{}", sample.id);
        assert_eq!(total(|node| node.server_of.len()), associations, "{}", sample.id);
        // Each copy crosses one link at least; on the first, whose sender is its client, all of them.
        let by_clients: u32 =
            view.links.iter().filter(|l| !view.nodes[l.from as usize].client_of.is_empty()).map(|l| l.copies).sum();
        assert!(by_clients >= capture.copies, "{}: {by_clients} of {}", sample.id, capture.copies);
        assert!(view.links.iter().all(|link| link.needless <= link.copies && link.unique <= link.frames));
    }
}

#[test]
fn off_802_15_4_there_are_hosts_and_nothing_is_claimed_of_loss() {
    let (_, _, view) = open("live-sleepy-default");
    assert!(view.channels.is_empty() && view.mode_of_operation.is_none());
    for link in &view.links {
        assert_eq!((link.lost.value, link.attempts, link.delay_p50), (None, None, None));
    }
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    let (session, capture, _) = open("live-sleepy-default");
    let both = json!({ "capture": capture, "t0": 0, "t1": 10, "bins": 4, "link": 0, "node": 0 });
    assert_eq!(session.call("network_series", both, &mut Silent).unwrap_err().code, Code::Request);
    let gone = json!({ "capture": 99 });
    assert_eq!(session.call("network", gone, &mut Silent).unwrap_err().code, Code::Gone);
    // Beyond what there is: empty, not an error.
    for request in [
        json!({ "capture": capture, "t0": 10, "t1": 0, "bins": 0, "link": 4_000_000 }),
        json!({ "capture": capture, "t0": i64::MIN, "t1": i64::MAX, "bins": 9_999, "node": 4_000_000 }),
    ] {
        assert!(matches!(session.call("network_series", request, &mut Silent), Ok(Reply::Bytes(_))));
    }
}

/// A chain and a grid are bundled with their places; a list is found beside a capture, and one that somebody names is
/// read.
#[test]
fn nodes_have_the_places_of_the_list_beside_the_capture_or_of_one_that_is_named() {
    let (session, capture, view) = open("grid3x3-burst-cocoa");
    let plan = view.plan.expect("a bundled list");
    let places: Vec<(u32, f64, f64)> =
        plan.nodes.iter().filter_map(|node| Some((node.node, node.place?.x, node.place?.y))).collect();
    let grid = |at: u32| (at, f64::from(at % 3) * 35.0, f64::from(at / 3) * 35.0);
    assert_eq!(places, (0..9).map(grid).collect::<Vec<_>>());
    assert!(open("live-sleepy-default").2.plan.is_none());

    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("plan.csv");
    std::fs::write(&list, "node,x,y,name\nmote 2,1,2,hall\nfd00::201:1:1:1,0,0,sink\n77,0,0,\n3,x,0,\n").unwrap();
    let named = json_of(&session, "node_list", json!({ "capture": capture, "path": list }));
    let expected = json!({
        "file": "plan.csv", "kind": "rows", "unknown": 1,
        "nodes": [
            { "node": 0, "place": { "x": 0.0, "y": 0.0 }, "name": "sink" },
            { "node": 1, "place": { "x": 1.0, "y": 2.0 }, "name": "hall" },
        ],
        "notes": ["line 5 has \"x\" for a coordinate"],
    });
    assert_eq!(named, expected);
    for wrong in [folder.path().join("none.csv"), folder.path().to_owned()] {
        let request = json!({ "capture": capture, "path": wrong });
        assert_eq!(session.call("node_list", request, &mut Silent).unwrap_err().code, Code::Capture);
    }
}

/// A simulation in the folder above counts where its motes are those of the capture, and no request writes over it
/// then.
#[test]
fn a_simulation_beside_the_capture_is_read_where_its_motes_are_those_of_the_capture() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    std::fs::create_dir(&run).unwrap();
    let file = run.join("capture.pcap.gz");
    let sample = samples().iter().find(|sample| sample.id == "chain6-periodic-default").unwrap();
    std::fs::write(&file, sample.octets).unwrap();
    let simulation = folder.path().join("chain.csc");
    let mote = |n: u32| {
        format!(
            "<mote><interface_config><pos x=\"{n}\" y=\"0\"/></interface_config><interface_config><id>{n}</id></interface_config></mote>"
        )
    };
    for (motes, found) in [(6, true), (5, false), (12, true), (13, false)] {
        let text: String = (1..=motes).map(mote).collect();
        std::fs::write(&simulation, format!("<simconf>{text}</simconf>")).unwrap();
        let session = Session::default();
        let request = OpenRequest { path: Some(file.display().to_string()), ..OpenRequest::default() };
        let capture = session.open(&request, &mut Silent).expect("a capture").id;
        let view: NetworkView =
            serde_json::from_value(json_of(&session, "network", json!({ "capture": capture }))).unwrap();
        assert_eq!(view.plan.as_ref().map(|plan| plan.nodes.len()), found.then_some(6), "{motes} motes");
        if found {
            let frames = json!({ "list": { "capture": capture, "rows": "frames", "filter": "", "window": null }, "path": simulation });
            let refused = session.call("export_packets", frames, &mut Silent).unwrap_err();
            assert!(refused.message.contains("was read here"), "{}", refused.message);
        }
    }
}
